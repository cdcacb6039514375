// One optimizer step over a flat parameter, in place.
//
// T         f32, or vec4<f32> where everything is aligned; offsets and count are in units of T
// ADAGRAD   state += grad²; param −= lr · grad / (√state + eps); else param −= lr · grad
// INSIDE    √(state + eps) instead of √state + eps
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    count: u32, param_offset: u32, grad_offset: u32, state_offset: u32,
    lr: f32, eps: f32, pad0: u32, pad1: u32,
}
@group(0) @binding(0) var<storage, read_write> param: array<${T}>;
@group(0) @binding(1) var<storage, read> grad: array<${T}>;
#if ADAGRAD
@group(0) @binding(2) var<storage, read_write> state: array<${T}>;
#end
@group(1) @binding(0) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.count) {
        return;
    }
    let g = grad[params.grad_offset + i];
#if ADAGRAD
    let s = state[params.state_offset + i] + g * g;
    state[params.state_offset + i] = s;
#if INSIDE
    let step = g / sqrt(s + ${T}(params.eps));
#else
    let step = g / (sqrt(s) + ${T}(params.eps));
#end
#else
    let step = g;
#end
    param[params.param_offset + i] -= params.lr * step;
}
