// One optimizer step over a flat parameter, in place.
//
// T      f32, or vec4<f32> where everything is aligned; offsets and count are in units of T
// KIND   "plain", "momentum", "root", "root_inside" or "adam": how the step comes from the gradient
// FACTOR   binding of a number that gradients are multiplied by, 0 for none; where it is not finite nothing changes
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    count: u32, param_offset: u32, grad_offset: u32, state_offset: u32,
    second_offset: u32, factor_offset: u32, pad: u32, c: f32,
    lr: f32, eps: f32, a: f32, b: f32,
    n: f32, m: f32, decay: f32, shrink: f32,
}
@group(0) @binding(0) var<storage, read_write> param: array<${T}>;
@group(0) @binding(1) var<storage, read> grad: array<${T}>;
#if KIND != "plain"
@group(0) @binding(2) var<storage, read_write> state: array<${T}>;
#end
#if KIND == "adam"
@group(0) @binding(3) var<storage, read_write> second: array<${T}>;
#end
#if FACTOR > 0
@group(0) @binding(${FACTOR}) var<storage, read> factors: array<f32>;
#end
@group(1) @binding(0) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.count) {
        return;
    }
    let p = param[params.param_offset + i];
#if FACTOR > 0
    let factor = factors[params.factor_offset];
    if ((bitcast<u32>(factor) & 0x7f800000u) == 0x7f800000u) {
        return;
    }
    let g = grad[params.grad_offset + i] * factor + params.decay * p;
#else
    let g = grad[params.grad_offset + i] + params.decay * p;
#end
#if KIND == "plain"
    let step = g;
#end
#if KIND == "momentum"
    let s = params.a * state[params.state_offset + i] + params.b * g;
    state[params.state_offset + i] = s;
    let step = params.n * g + params.m * s;
#end
#if KIND == "root" || KIND == "root_inside"
    let s = params.a * state[params.state_offset + i] + params.b * g * g;
    state[params.state_offset + i] = s;
#if KIND == "root"
    let step = g / (sqrt(s) + ${T}(params.eps));
#else
    let step = g / sqrt(s + ${T}(params.eps));
#end
#end
#if KIND == "adam"
    let old = state[params.state_offset + i];
    let s = old + params.a * (g - old);
    let q = params.b * second[params.second_offset + i] + params.c * g * g;
    state[params.state_offset + i] = s;
    second[params.second_offset + i] = q;
    let step = params.n * s / (params.m * sqrt(q) + ${T}(params.eps));
#end
    param[params.param_offset + i] = params.shrink * p - params.lr * step;
}
