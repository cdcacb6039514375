// out = a @ b by a card's matrix units, for elements that float16 holds: products of 16-bit matrices with sums in f32.
//
// A workgroup computes a tile of BM × BN elements of out, WIDE × HIGH subgroups (n × m) a part of it each, as matrices of
// UNIT × UNIT that all invocations of a subgroup hold together. Slices of BK columns of a and BK rows of b pass through
// workgroup memory as f16, in the order in which they lie in memory: units take either. Each row there is 8 elements
// longer than needed: banks are then hit evenly. Where there are more subgroups than parts, some do the same.
//
// While a slice is multiplied, the next one is on its way from memory into registers. That each of its vectors is asked
// whether it lies within k keeps the order: without, a compiler moves the loads behind the multiplying (docs/rejected.md).
//
// UNIT                  rows, columns and depth of the matrices that the units multiply
// BM, BN, BK            tile sizes; an invocation brings in whole vectors of a slice, as many as every other
// WIDE, HIGH, THREADS   as above
// A_MODE, B_MODE        how the operand is read: "along" k by vec4, "across" k by vec4, or "any" strides
// OUT_VECTOR            out is written by vec4
// BY_VECTORS            units fetch from arrays of vec4; Metal's functions take pointers to single numbers
enable f16;
enable wgpu_cooperative_matrix;
${PRODUCT}
${CODEC}
#let SM = BM / HIGH
#let SN = BN / WIDE
#let AREA = UNIT * UNIT
#let PARTS = WIDE * HIGH
// A slice lies in rows along k or across it; so many, of so many vectors, with the two that are not needed.
#let A_IS_ALONG = A_MODE != "across"
#let B_IS_ALONG = B_MODE == "along"
#if A_IS_ALONG
#let A_ROWS = BM
#else
#let A_ROWS = BK
#end
#if B_IS_ALONG
#let B_ROWS = BN
#else
#let B_ROWS = BK
#end
#let A_ROW4 = BM * BK / A_ROWS / 4 + 2
#let B_ROW4 = BN * BK / B_ROWS / 4 + 2
#if BY_VECTORS
#let ELEMENT = "vec4<f16>"
#let PER4 = 1
#else
#let ELEMENT = "f16"
#let PER4 = 4
#end
var<workgroup> a_tile: array<${ELEMENT}, ${PER4 * A_ROWS * A_ROW4}>;
var<workgroup> b_tile: array<${ELEMENT}, ${PER4 * B_ROWS * B_ROW4}>;
var<workgroup> c_tile: array<f32, ${PARTS * AREA}>;

@compute @workgroup_size(${THREADS})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) t: u32,
    @builtin(subgroup_id) subgroup: u32,
) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let tiles = params.tiles_m * params.tiles_n;
    let batch = id / tiles;
    let tile = id % tiles;
    let at_tile = place_in_bands(tile);
    let tile_m = at_tile.x * ${BM}u;
    let tile_n = at_tile.y * ${BN}u;

    let a_base = params.a_offset + offset_in_batch(batch, params.a_batch);
    let b_base = params.b_offset + offset_in_batch(batch, params.b_batch);
    let part = subgroup % ${PARTS}u;
    let part_m = (part / ${WIDE}u) * ${SM}u;
    let part_n = (part % ${WIDE}u) * ${SN}u;
    let c_at = part * ${AREA}u;

#for e in 0..(PARTS * AREA + THREADS - 1) / THREADS
#if (e + 1) * THREADS > PARTS * AREA
    if (t + ${e * THREADS}u < ${PARTS * AREA}u) {
#else
    {
#end
        c_tile[t + ${e * THREADS}u] = 0.0;
    }
#end
    workgroupBarrier();
#for i in 0..SM / UNIT
#for j in 0..SN / UNIT
    var c${i}_${j} = coopLoadT<coop_mat${UNIT}x${UNIT}<f32, C>>(&c_tile[c_at], ${UNIT}u);
#end
#end
    // The first slice is only brought in, each of the others while the one before is multiplied.
    var k0 = 0u;
#for round in 0..2
#if round == 0
    {
#else
    loop {
        k0 += ${BK}u;
#end
#for stage in 0..2
#if stage == 1 && round == 1
#for kk in 0..BK / UNIT
#for i in 0..SM / UNIT
#if A_IS_ALONG
        let a${kk}_${i} = coopLoadT<coop_mat${UNIT}x${UNIT}<f16, A>>(&a_tile[(part_m + ${i * UNIT}u) * ${PER4 * A_ROW4}u + ${PER4 * kk * UNIT / 4}u], ${PER4 * A_ROW4}u);
#else
        let a${kk}_${i} = coopLoad<coop_mat${UNIT}x${UNIT}<f16, A>>(&a_tile[${PER4 * kk * UNIT * A_ROW4}u + (part_m + ${i * UNIT}u) / ${4 / PER4}u], ${PER4 * A_ROW4}u);
#end
#end
#for j in 0..SN / UNIT
#if B_IS_ALONG
        let b${kk}_${j} = coopLoad<coop_mat${UNIT}x${UNIT}<f16, B>>(&b_tile[(part_n + ${j * UNIT}u) * ${PER4 * B_ROW4}u + ${PER4 * kk * UNIT / 4}u], ${PER4 * B_ROW4}u);
#else
        let b${kk}_${j} = coopLoadT<coop_mat${UNIT}x${UNIT}<f16, B>>(&b_tile[${PER4 * kk * UNIT * B_ROW4}u + (part_n + ${j * UNIT}u) / ${4 / PER4}u], ${PER4 * B_ROW4}u);
#end
#end
#for i in 0..SM / UNIT
#for j in 0..SN / UNIT
        c${i}_${j} = coopMultiplyAdd(a${kk}_${i}, b${kk}_${j}, c${i}_${j});
#end
#end
#end
        if (k0 >= params.k) {
            break;
        }
        workgroupBarrier();
#end
        // The slice at k0 into registers, and in the second stage from there into workgroup memory.
#for side in 0..2
#let X = "ab"[side]
#let EXTENT = "mn"[side]
#if X == "a"
#let SIZE = BM
#let MODE = A_MODE
#let IS_ALONG = A_IS_ALONG
#let ROW4 = A_ROW4
#else
#let SIZE = BN
#let MODE = B_MODE
#let IS_ALONG = B_IS_ALONG
#let ROW4 = B_ROW4
#end
#for piece in 0..SIZE * BK / (4 * THREADS)
#if stage == 1
#if BY_VECTORS
        ${X}_tile[row_${X}${piece} * ${ROW4}u + at4_${X}${piece}] = v_${X}${piece};
#else
#for r in 0..4
        ${X}_tile[4u * (row_${X}${piece} * ${ROW4}u + at4_${X}${piece}) + ${r}u] = v_${X}${piece}.${"xyzw"[r]};
#end
#end
#else
        let row_${X}${piece} = (t + ${piece * THREADS}u) / ${ROW4 - 2}u;
        let at4_${X}${piece} = (t + ${piece * THREADS}u) % ${ROW4 - 2}u;
        var v_${X}${piece} = vec4<f16>();
#if IS_ALONG
        {
            let k = k0 + 4u * at4_${X}${piece};
            let at = ${X}_base + min(tile_${EXTENT} + row_${X}${piece}, params.${EXTENT} - 1u) * params.${X}_across;
#if MODE == "along"
            if (k < params.k) {
                v_${X}${piece} = half4_${X}((at + k) / 4u);
            }
#else
#for r in 0..4
            if (k + ${r}u < params.k) {
                v_${X}${piece}.${"xyzw"[r]} = f16(load_${X}(at + (k + ${r}u) * params.${X}_along));
            }
#end
#end
        }
#else
        if (k0 + row_${X}${piece} < params.k) {
            let x = tile_${EXTENT} + 4u * at4_${X}${piece};
            let at = ${X}_base + (k0 + row_${X}${piece}) * params.${X}_along;
#if MODE == "across"
            v_${X}${piece} = half4_${X}((at + min(x, params.${EXTENT} - 4u)) / 4u);
#else
#for r in 0..4
            v_${X}${piece}.${"xyzw"[r]} = f16(load_${X}(at + min(x + ${r}u, params.${EXTENT} - 1u) * params.${X}_across));
#end
#end
        }
#end
#end
#end
#end
#end
        workgroupBarrier();
    }
#end

    // One matrix of each subgroup after the other through workgroup memory.
    let out_base = params.out_offset + batch * params.m * params.n;
#if OUT_VECTOR
#let STEP = 4
#else
#let STEP = 1
#end
#for i in 0..SM / UNIT
#for j in 0..SN / UNIT
    workgroupBarrier();
    coopStoreT(c${i}_${j}, &c_tile[c_at], ${UNIT}u);
    workgroupBarrier();
    for (var e = ${STEP}u * t; e < ${PARTS * AREA}u; e += ${STEP * THREADS}u) {
        let held_by = e / ${AREA}u;
        let row = tile_m + (held_by / ${WIDE}u) * ${SM}u + ${i * UNIT}u + e % ${AREA}u / ${UNIT}u;
        let col = tile_n + (held_by % ${WIDE}u) * ${SN}u + ${j * UNIT}u + e % ${UNIT}u;
        if (row < params.m && col < params.n) {
#if OUT_VECTOR
            var c = vec4<f32>(c_tile[e], c_tile[e + 1u], c_tile[e + 2u], c_tile[e + 3u]);
#else
            var c = c_tile[e];
#end
#if FINISH
            c = finish(c, row, col);
#end
#if OUT_VECTOR
            store4_out((out_base + row * params.n + col) / 4u, c);
#else
            store_out(out_base + row * params.n + col, c);
#end
        }
    }
#end
#end
}
