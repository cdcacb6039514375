// out = a @ b where a has few rows (or, with a and b exchanged and transposed, b few columns): every
// element of b is needed once, so what counts is to read it in order and by many at once.
//
// A workgroup computes ROWS × TX elements of out. TY invocations share an element: each takes every
// TY-th k, and the first adds up their parts, always in the same order.
//
// ROWS, TX, TY   as above
${PRODUCT}
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
    let column = t / ${TY}u;
    let slice = t % ${TY}u;
#else
    let column = t % ${TX}u;
    let slice = t / ${TX}u;
#end
    let col = (tile % params.tiles_n) * ${TX}u + column;
    let a_base = params.a_offset + offset_in_batch(batch, params.a_batch);
    let b_at = params.b_offset + offset_in_batch(batch, params.b_batch)
        + min(col, params.n - 1u) * params.b_across;
#for i in 0..ROWS
    let a_at${i} = a_base + min(row + ${i}u, params.m - 1u) * params.a_across;
    var c${i} = 0.0;
#end
    var kk = slice;
    // Four at a time, so that their loads are under way together.
    for (; kk + ${3 * TY}u < params.k; kk += ${4 * TY}u) {
#for u in 0..4
        let b${u} = load_b(b_at + (kk + ${u * TY}u) * params.b_along);
#end
#for i in 0..ROWS
#for u in 0..4
        c${i} = fma(load_a(a_at${i} + (kk + ${u * TY}u) * params.a_along), b${u}, c${i});
#end
#end
    }
    for (; kk < params.k; kk += ${TY}u) {
        let b = load_b(b_at + kk * params.b_along);
#for i in 0..ROWS
        c${i} = fma(load_a(a_at${i} + kk * params.a_along), b, c${i});
#end
    }
#if TY > 1
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
#if FINISH
            c${i} = finish(c${i}, row + ${i}u, col);
#end
            store_out(out_at + (row + ${i}u) * params.out_row, c${i});
        }
#end
    }
}
