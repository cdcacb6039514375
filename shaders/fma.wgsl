// How fast multiply-adds go: every lane runs CHAINS sums beside each other, x = a · x + b many times over, and stores
// their total, so that nothing may be left out. a and b are uniforms, which no compiler knows.
//
// SCALAR  f32 or f16
// T       SCALAR or a vector of four
// ROUND   steps per turn of the loop
#if SCALAR == "f16"
enable f16;
#end
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    lanes: u32, rounds: u32, a: f32, b: f32,
}
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(1) @binding(0) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.lanes) {
        return;
    }
    let a = ${T}(${SCALAR}(params.a));
    let b = ${T}(${SCALAR}(params.b));
#for c in 0..CHAINS
    var x${c} = ${T}(${SCALAR}((i + ${c}u) & 63u));
#end
    for (var r = 0u; r < params.rounds; r++) {
#for s in 0..ROUND
#for c in 0..CHAINS
        x${c} = fma(a, x${c}, b);
#end
#end
    }
    var total = 0.0;
#for c in 0..CHAINS
#if WIDTH == 4
    total += dot(vec4<f32>(x${c}), vec4<f32>(1.0));
#else
    total += f32(x${c});
#end
#end
    out[i] = total;
}
