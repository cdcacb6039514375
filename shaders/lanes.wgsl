// What all kernels along one dimension have in common: their parameters, and where the lanes of up to four operands
// begin. A lane is what one position of the other dimensions has along the dimension.
//
// RANK   other dimensions after merging
//
// data: four words of the kernel; offsets of the operands; their strides along the dimension; their strides in each
// other dimension, outermost first; then the sizes of those.
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    data: array<vec4<u32>, ${WORDS4}>,
}
@group(1) @binding(0) var<uniform> params: Params;

fn lane(position: u32) -> vec4<u32> {
    var rest = position;
    var at = params.data[1];
#for q in 0..RANK
#let d = RANK - 1 - q
#let w = 4 * (3 + RANK) + d
#if d == 0
    at += rest * params.data[3];
#else
    at += (rest % params.data[${w / 4}].${"xyzw"[w % 4]}) * params.data[${3 + d}];
    rest /= params.data[${w / 4}].${"xyzw"[w % 4]};
#end
#end
    return at;
}

