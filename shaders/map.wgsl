// out[i] = program(in0[i], in1[i], …), elementwise over strided operands; one invocation per element,
// or per four of them along the last dimension.
//
// RANK     dimensions after merging; INPUTS operands that are read
// VECTOR   four elements along the last dimension; VECTORS: the functions above for four at a time
// BODY     the program, one let per instruction; T its type, f32 or vec4<f32>; RESULT its last value
//
// data: elements (or groups of four); the shape; then offset and strides of out and of each input,
// outermost dimension first; then the program's constants.
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    data: array<vec4<u32>, ${WORDS4}>,
}
@group(1) @binding(0) var<uniform> params: Params;
${CODEC}
${ARITHMETIC}${VECTORS}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.data[0].x) {
        return;
    }
    var rest = i;
#for q in 0..RANK
#let d = RANK - 1 - q
#let w = 1 + d
#if d == 0
    let x0 = rest;
#else
    let x${d} = rest % params.data[${w / 4}].${"xyzw"[w % 4]};
    rest /= params.data[${w / 4}].${"xyzw"[w % 4]};
#end
#end
#for o in 0..INPUTS + 1
#let w = 1 + RANK + o * (RANK + 1)
    let at${o} = params.data[${w / 4}].${"xyzw"[w % 4]}
#for d in 0..RANK
#let w = 2 + RANK + o * (RANK + 1) + d
        + x${d} * params.data[${w / 4}].${"xyzw"[w % 4]}
#end
    ;
#end
${BODY}
#if VECTOR
    store4_out(at0 / 4u, ${RESULT});
#else
    store_out(at0, ${RESULT});
#end
}
