// out = a @ b through workgroup memory, for GPUs that have such a memory.
//
// A workgroup computes a tile of BM × BN elements of out, an invocation TM × TN of them in registers.
// Slices of BK columns of a and BK rows of b pass through workgroup memory, both with k outermost
// ([k][m] and [k][n], as vec4 along m and n), so that the inner loop reads whole vec4s and neighbours
// in a subgroup read neighbouring ones. Blocks that come along k are transposed 4 × 4 in registers on
// the way in. Each row of a slice is one vec4 longer than needed: banks are then hit evenly.
//
// While a slice is multiplied, the next one is on its way from memory into registers. With SLICES = 2 it
// then has a place of its own in workgroup memory, and one barrier per slice is enough; with 1 all must
// have read the slice before.
//
// BM, BN, BK, TM, TN   tile sizes; invocations are grouped 8 × 4 (n × m), WARPS_N such groups wide
// SLICES               slices in workgroup memory
// A_MODE, B_MODE       how the operand is read: "along" k by vec4, "across" k by vec4, or "any" strides
// OUT_VECTOR           out is written by vec4
${PRODUCT}
${CODEC}
#let M4 = BM / 4 + 1
#let N4 = BN / 4 + 1
var<workgroup> a_tile: array<vec4<f32>, ${SLICES * BK * M4}>;
var<workgroup> b_tile: array<vec4<f32>, ${SLICES * BK * N4}>;

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
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

    // Where in its group of 8 × 4 the invocation is, and where the group is in the tile.
    let warp = t / 32u;
    let lane_n = t % 8u;
    let lane_m = (t / 8u) % 4u;
    let m4_at = (warp / ${WARPS_N}u) * ${TM}u + lane_m;
    let n4_at = (warp % ${WARPS_N}u) * ${2 * TN}u + lane_n;

#for i in 0..TM
#for j in 0..TN / 4
    var c${i}_${j} = vec4<f32>();
#end
#end
#if SLICES == 2
    var place = 0u;
#end
    var k0 = 0u;
    loop {
        // First the slice at k0 into registers, then, after the one before has been multiplied, from there into
        // workgroup memory. a by the first invocations, b by the last ones: where a slice has fewer pieces than
        // there are invocations, each half takes one operand.
#for stage in 0..2
#if stage == 1
        if (k0 > 0u) {
#if SLICES == 2
            let a_at = place * ${BK * M4}u + m4_at;
            let b_at = place * ${BK * N4}u + n4_at;
#else
            let a_at = m4_at;
            let b_at = n4_at;
#end
#for kk in 0..BK
            {
#for g in 0..TM / 4
                let a${g} = a_tile[${kk * M4 + 4 * g}u + a_at];
#end
#for j in 0..TN / 4
                let b${j} = b_tile[${kk * N4 + 8 * j}u + b_at];
#end
#for i in 0..TM
#for j in 0..TN / 4
                c${i}_${j} = fma(vec4<f32>(a${i / 4}.${"xyzw"[i % 4]}), b${j}, c${i}_${j});
#end
#end
            }
#end
        }
        if (k0 >= params.k) {
            break;
        }
#if SLICES == 2
        place = 1u - place;
#else
        workgroupBarrier();
#end
#end
#for side in 0..2
#let X = "ab"[side]
#let EXTENT = "mn"[side]
#if X == "a"
#let SIZE = BM
#let MODE = A_MODE
#let ROW4 = M4
#else
#let SIZE = BN
#let MODE = B_MODE
#let ROW4 = N4
#end
#if MODE == "along"
#let PIECES = SIZE * BK / 16
#let VECTORS = 4
#else
#let PIECES = SIZE * BK / 4
#let VECTORS = 1
#end
#for piece in 0..(PIECES + THREADS - 1) / THREADS
#let IS_WHOLE = (piece + 1) * THREADS <= PIECES
#if stage == 0
#if X == "a"
        let p_${X}${piece} = t + ${piece * THREADS}u;
#else
        let p_${X}${piece} = ${(piece + 1) * THREADS - 1}u - t;
#end
#if MODE == "along"
        let k_${X}${piece} = 4u * (p_${X}${piece} % ${BK / 4}u);
        let x4_${X}${piece} = p_${X}${piece} / ${BK / 4}u;
#else
#if MODE == "any" && X == "a"
        // Neighbours take neighbouring k: what is no vector is mostly a row of an odd length.
        let k_${X}${piece} = p_${X}${piece} % ${BK}u;
        let x4_${X}${piece} = p_${X}${piece} / ${BK}u;
#else
        let k_${X}${piece} = p_${X}${piece} / ${SIZE / 4}u;
        let x4_${X}${piece} = p_${X}${piece} % ${SIZE / 4}u;
#end
#end
#for r in 0..VECTORS
        var v_${X}${piece}_${r} = vec4<f32>();
#end
#if IS_WHOLE
        if (k0 + k_${X}${piece} < params.k) {
#else
        if (p_${X}${piece} < ${PIECES}u && k0 + k_${X}${piece} < params.k) {
#end
            let x = tile_${EXTENT} + 4u * x4_${X}${piece};
#if MODE == "along"
            let at = ${X}_base + k0 + k_${X}${piece};
#for r in 0..4
            v_${X}${piece}_${r} = load4_${X}((at + min(x + ${r}u, params.${EXTENT} - 1u) * params.${X}_across) / 4u);
#end
#else
            let at = ${X}_base + (k0 + k_${X}${piece}) * params.${X}_along;
#if MODE == "across"
            v_${X}${piece}_0 = load4_${X}((at + min(x, params.${EXTENT} - 4u)) / 4u);
#else
#for r in 0..4
            v_${X}${piece}_0.${"xyzw"[r]} = load_${X}(at + min(x + ${r}u, params.${EXTENT} - 1u) * params.${X}_across);
#end
#end
#end
        }
#else
#if IS_WHOLE
        {
#else
        if (p_${X}${piece} < ${PIECES}u) {
#end
            let to = k_${X}${piece} * ${ROW4}u + x4_${X}${piece};
#if SLICES == 2
            let at = place * ${BK * ROW4}u + to;
#else
            let at = to;
#end
#if MODE == "along"
#for c in 0..4
            ${X}_tile[at + ${c * ROW4}u] = vec4<f32>(v_${X}${piece}_0.${"xyzw"[c]}, v_${X}${piece}_1.${"xyzw"[c]}, v_${X}${piece}_2.${"xyzw"[c]}, v_${X}${piece}_3.${"xyzw"[c]});
#end
#else
            ${X}_tile[at] = v_${X}${piece}_0;
#end
        }
#end
#end
#end
#end
        workgroupBarrier();
        k0 += ${BK}u;
    }

    let out_base = params.out_offset + batch * params.m * params.n;
#for i in 0..TM
    {
        let row = tile_m + 4u * (m4_at + ${4 * (i / 4)}u) + ${i % 4}u;
        if (row < params.m) {
#for j in 0..TN / 4
            {
                let col = tile_n + 4u * (n4_at + ${8 * j}u);
#if OUT_VECTOR
                if (col < params.n) {
#if FINISH
                    c${i}_${j} = finish(c${i}_${j}, row, col);
#end
                    store4_out((out_base + row * params.n + col) / 4u, c${i}_${j});
                }
#else
#for r in 0..4
                if (col + ${r}u < params.n) {
#if FINISH
                    c${i}_${j}.${"xyzw"[r]} = finish(c${i}_${j}.${"xyzw"[r]}, row, col + ${r}u);
#end
                    store_out(out_base + row * params.n + col + ${r}u, c${i}_${j}.${"xyzw"[r]});
                }
#end
#end
            }
#end
        }
    }
#end
}
