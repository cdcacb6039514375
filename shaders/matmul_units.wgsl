// out = a @ b by a card's matrix units, for elements that float16 holds: products of 16-bit matrices with sums in f32.
//
// A workgroup computes a tile of BM × BN elements of out, WIDE × HIGH subgroups (n × m) a part of it each, as matrices of
// UNIT × UNIT that all invocations of a subgroup hold together. Slices of BK columns of a and BK rows of b pass through
// workgroup memory as f16, a as [m][k] and b as [k][n]. Each row there is 8 elements longer than needed: banks are then
// hit evenly. Where there are more subgroups than parts, some do the same.
//
// UNIT                  rows, columns and depth of the matrices that the units multiply
// BM, BN, BK            tile sizes
// WIDE, HIGH, THREADS   as above
// A_MODE, B_MODE        how the operand is read: "along" k by vec4, "across" k by vec4, or "any" strides
// OUT_VECTOR            out is written by vec4
enable f16;
enable wgpu_cooperative_matrix;
${PRODUCT}
${CODEC}
#let AK = BK + 8
#let BW = BN + 8
#let SM = BM / HIGH
#let SN = BN / WIDE
#let AREA = UNIT * UNIT
#let PARTS = WIDE * HIGH
var<workgroup> a_tile: array<f16, ${BM * AK}>;
var<workgroup> b_tile: array<f16, ${BK * BW}>;
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
    for (var k0 = 0u; k0 < params.k; k0 += ${BK}u) {
        workgroupBarrier();
#for side in 0..2
#let X = "ab"[side]
#let EXTENT = "mn"[side]
#if X == "a"
#let SIZE = BM
#let MODE = A_MODE
#else
#let SIZE = BN
#let MODE = B_MODE
#end
#let PIECES = SIZE * BK / 4
#for piece in 0..(PIECES + THREADS - 1) / THREADS
#if (piece + 1) * THREADS > PIECES
        if (t + ${piece * THREADS}u < ${PIECES}u) {
#else
        {
#end
            let p = t + ${piece * THREADS}u;
            var v = vec4<f32>();
#if MODE == "along" || MODE == "any" && X == "a"
            // Four along k of one row or column.
            let kk = 4u * (p % ${BK / 4}u);
            let x = p / ${BK / 4}u;
            let at = ${X}_base + min(tile_${EXTENT} + x, params.${EXTENT} - 1u) * params.${X}_across;
#if MODE == "along"
            if (k0 + kk < params.k) {
                v = load4_${X}((at + k0 + kk) / 4u);
            }
#else
#for r in 0..4
            if (k0 + kk + ${r}u < params.k) {
                v.${"xyzw"[r]} = load_${X}(at + (k0 + kk + ${r}u) * params.${X}_along);
            }
#end
#end
#for r in 0..4
#if X == "a"
            a_tile[x * ${AK}u + kk + ${r}u] = f16(v.${"xyzw"[r]});
#else
            b_tile[(kk + ${r}u) * ${BW}u + x] = f16(v.${"xyzw"[r]});
#end
#end
#else
            // Four across k.
            let kk = p / ${SIZE / 4}u;
            let x = 4u * (p % ${SIZE / 4}u);
            if (k0 + kk < params.k) {
                let at = ${X}_base + (k0 + kk) * params.${X}_along;
#if MODE == "across"
                v = load4_${X}((at + min(tile_${EXTENT} + x, params.${EXTENT} - 4u)) / 4u);
#else
#for r in 0..4
                v.${"xyzw"[r]} = load_${X}(at + min(tile_${EXTENT} + x + ${r}u, params.${EXTENT} - 1u) * params.${X}_across);
#end
#end
            }
#for r in 0..4
#if X == "a"
            a_tile[(x + ${r}u) * ${AK}u + kk] = f16(v.${"xyzw"[r]});
#else
            b_tile[kk * ${BW}u + x + ${r}u] = f16(v.${"xyzw"[r]});
#end
#end
#end
        }
#end
#end
        workgroupBarrier();
#for kk in 0..BK / UNIT
#for i in 0..SM / UNIT
        let a${kk}_${i} = coopLoadT<coop_mat${UNIT}x${UNIT}<f16, A>>(&a_tile[(part_m + ${i * UNIT}u) * ${AK}u + ${kk * UNIT}u], ${AK}u);
#end
#for j in 0..SN / UNIT
        let b${kk}_${j} = coopLoadT<coop_mat${UNIT}x${UNIT}<f16, B>>(&b_tile[${kk * UNIT * BW}u + part_n + ${j * UNIT}u], ${BW}u);
#end
#for i in 0..SM / UNIT
#for j in 0..SN / UNIT
        c${i}_${j} = coopMultiplyAdd(a${kk}_${i}, b${kk}_${j}, c${i}_${j});
#end
#end
#end
    }

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
