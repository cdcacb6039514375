// What all matrix products have in common: their parameters, and where the matrices of a batch begin.
// Part of every shaders/matmul_*.wgsl.
//
// FINISH   whether an element goes through the function finish, whose inputs `data` places, before it is written
//
// A stride is named by where it leads: `along` k, or `across` it, to the next row of a or column of b.
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    m: u32, n: u32, k: u32, tiles_n: u32,
    a_offset: u32, a_across: u32, a_along: u32, tiles_m: u32,
    b_offset: u32, b_along: u32, b_across: u32, out_offset: u32,
    batch: vec4<u32>, a_batch: vec4<u32>, b_batch: vec4<u32>,
    out_row: u32, out_col: u32, pad1: u32, pad2: u32,
#if WORDS4 > 0
    data: array<vec4<u32>, ${WORDS4}>,
#end
}
@group(1) @binding(0) var<uniform> params: Params;

fn offset_in_batch(batch: u32, strides: vec4<u32>) -> u32 {
    let sizes = params.batch;
    let z = batch / sizes.w;
    let y = z / sizes.z;
    return dot(vec4<u32>(y / sizes.y, y % sizes.y, z % sizes.z, batch % sizes.w), strides);
}

// Row and column of tiles that a workgroup's tile is in: neighbours share rows of a and columns of b, since they walk
// bands of 8 tiles of m.
fn place_in_bands(tile: u32) -> vec2<u32> {
    let band = tile / (8u * params.tiles_n);
    let height = min(8u, params.tiles_m - band * 8u);
    let within = tile - band * 8u * params.tiles_n;
    return vec2<u32>(band * 8u + within % height, within / height);
}
