// How fast memory goes: quads, which are 16 bytes, are read into sums, written, or copied. A workgroup has a block of
// 256 · EACH quads beside each other, of which an invocation has every 256th.
//
// ACCESS  "read": the sum of the words of an invocation's quads; "write": params.value; "copy"
// EACH    quads per invocation
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    quads: u32, value: u32, unused0: u32, unused1: u32,
}
#if ACCESS == "read"
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
#else
@group(0) @binding(0) var<storage, read_write> out: array<vec4<u32>>;
#end
#if ACCESS != "write"
@group(0) @binding(1) var<storage, read> x: array<vec4<u32>>;
#end
@group(1) @binding(0) var<uniform> params: Params;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let start = id * ${256 * EACH}u + t;
#if ACCESS == "read"
    var sum = vec4<u32>(0u);
#end
#for k in 0..EACH
    if (start + ${256 * k}u < params.quads) {
#if ACCESS == "read"
        sum += x[start + ${256 * k}u];
#end
#if ACCESS == "write"
        out[start + ${256 * k}u] = vec4<u32>(params.value);
#end
#if ACCESS == "copy"
        out[start + ${256 * k}u] = x[start + ${256 * k}u];
#end
    }
#end
#if ACCESS == "read"
    out[id * 256u + t] = sum.x + sum.y + sum.z + sum.w;
#end
}
