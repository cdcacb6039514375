// out = a @ b where a has few rows (or, with a and b exchanged and transposed, b few columns): every
// element of b is needed once, so what counts is to read it in order and by many at once.
//
// A workgroup computes ROWS × TX elements of out. TY invocations share an element: each takes every
// TY-th k, and the first adds up their parts, always in the same order.
//
// ROWS, TX, TY   as above
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    m: u32, n: u32, k: u32, tiles_n: u32,
    a_offset: u32, a_row: u32, a_col: u32, tiles_m: u32,
    b_offset: u32, b_row: u32, b_col: u32, out_offset: u32,
    batch: vec4<u32>, a_batch: vec4<u32>, b_batch: vec4<u32>,
    out_row: u32, out_col: u32, pad1: u32, pad2: u32,
}
@group(1) @binding(0) var<uniform> params: Params;
${CODEC}
#if TY > 1
var<workgroup> parts: array<f32, ${ROWS * TX * TY}>;

#end
@compute @workgroup_size(${TX * TY})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let tiles = params.tiles_m * params.tiles_n;
    let batch = id / tiles;
    let tile = id % tiles;
    let row = (tile / params.tiles_n) * ${ROWS}u;
#if ALONG
    // Neighbours take neighbouring k.
    let col = (tile % params.tiles_n) * ${TX}u + t / ${TY}u;
    let slice = t % ${TY}u;
#else
    let col = (tile % params.tiles_n) * ${TX}u + t % ${TX}u;
    let slice = t / ${TX}u;
#end
    let i3 = batch % params.batch.w;
    let i2 = (batch / params.batch.w) % params.batch.z;
    let i1 = (batch / (params.batch.w * params.batch.z)) % params.batch.y;
    let i0 = batch / (params.batch.w * params.batch.z * params.batch.y);
    let a_base = params.a_offset + i0 * params.a_batch.x + i1 * params.a_batch.y
        + i2 * params.a_batch.z + i3 * params.a_batch.w;
    let b_at = params.b_offset + i0 * params.b_batch.x + i1 * params.b_batch.y
        + i2 * params.b_batch.z + i3 * params.b_batch.w
        + min(col, params.n - 1u) * params.b_col;
#for i in 0..ROWS
    let a_at${i} = a_base + min(row + ${i}u, params.m - 1u) * params.a_row;
    var c${i} = 0.0;
#end
    var kk = slice;
    // Four at a time, so that their loads are under way together.
    for (; kk + ${3 * TY}u < params.k; kk += ${4 * TY}u) {
#for u in 0..4
        let b${u} = load_b(b_at + (kk + ${u * TY}u) * params.b_row);
#end
#for i in 0..ROWS
#for u in 0..4
        c${i} = fma(load_a(a_at${i} + (kk + ${u * TY}u) * params.a_col), b${u}, c${i});
#end
#end
    }
    for (; kk < params.k; kk += ${TY}u) {
        let b = load_b(b_at + kk * params.b_row);
#for i in 0..ROWS
        c${i} = fma(load_a(a_at${i} + kk * params.a_col), b, c${i});
#end
    }
#if TY > 1
#if ALONG
    let column = t / ${TY}u;
#else
    let column = t % ${TX}u;
#end
#for i in 0..ROWS
    parts[(${i * TY}u + slice) * ${TX}u + column] = c${i};
#end
    workgroupBarrier();
    if (slice != 0u) {
        return;
    }
#for i in 0..ROWS
    for (var s = 1u; s < ${TY}u; s++) {
        c${i} += parts[(${i * TY}u + s) * ${TX}u + column];
    }
#end
#end
    if (col < params.n) {
        let out_at = params.out_offset + batch * params.m * params.n + col * params.out_col;
#for i in 0..ROWS
        if (row + ${i}u < params.m) {
            store_out(out_at + (row + ${i}u) * params.out_row, c${i});
        }
#end
    }
}
