// out = a @ b through workgroup memory, for GPUs that have such a memory.
//
// A workgroup computes a tile of BM × BN elements of out, an invocation TM × TN of them in registers.
// Slices of BK columns of a and BK rows of b pass through workgroup memory, both with k outermost
// ([k][m] and [k][n], as vec4 along m and n), so that the inner loop reads whole vec4s and neighbours
// in a subgroup read neighbouring ones. Blocks that come along k are transposed 4 × 4 in registers on
// the way in. Each row of a slice is one vec4 longer than needed: banks are then hit evenly.
//
// BM, BN, BK, TM, TN   tile sizes; invocations are grouped 8 × 4 (n × m), WARPS_N such groups wide
// A_MODE, B_MODE       how the operand is read: "along" k by vec4, "across" k by vec4, or "any" strides
// OUT_VECTOR           out is written by vec4
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    m: u32, n: u32, k: u32, tiles_n: u32,
    a_offset: u32, a_row: u32, a_col: u32, tiles_m: u32,
    b_offset: u32, b_row: u32, b_col: u32, out_offset: u32,
    batch: vec4<u32>, a_batch: vec4<u32>, b_batch: vec4<u32>,
}
@group(1) @binding(0) var<uniform> params: Params;
${CODEC}
#let M4 = BM / 4 + 1
#let N4 = BN / 4 + 1
var<workgroup> a_tile: array<vec4<f32>, ${BK * M4}>;
var<workgroup> b_tile: array<vec4<f32>, ${BK * N4}>;

// Neighbouring workgroups share rows of a and columns of b: they walk bands of 8 tiles of m.
const BAND = 8u;

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let tiles = params.tiles_m * params.tiles_n;
    let batch = id / tiles;
    let tile = id % tiles;
    let band = tile / (BAND * params.tiles_n);
    let height = min(BAND, params.tiles_m - band * BAND);
    let within = tile - band * BAND * params.tiles_n;
    let tile_m = (band * BAND + within % height) * ${BM}u;
    let tile_n = (within / height) * ${BN}u;

    let i3 = batch % params.batch.w;
    let i2 = (batch / params.batch.w) % params.batch.z;
    let i1 = (batch / (params.batch.w * params.batch.z)) % params.batch.y;
    let i0 = batch / (params.batch.w * params.batch.z * params.batch.y);
    let a_base = params.a_offset + i0 * params.a_batch.x + i1 * params.a_batch.y
        + i2 * params.a_batch.z + i3 * params.a_batch.w;
    let b_base = params.b_offset + i0 * params.b_batch.x + i1 * params.b_batch.y
        + i2 * params.b_batch.z + i3 * params.b_batch.w;

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
    for (var k0 = 0u; k0 < params.k; k0 += ${BK}u) {
        // a first by the first invocations, b first by the last ones: where a slice has fewer pieces
        // than there are invocations, each half loads one operand.
#for piece in 0..(BM * BK / A_PIECE + THREADS - 1) / THREADS
        {
            let p = t + ${piece * THREADS}u;
#if (piece + 1) * THREADS > BM * BK / A_PIECE
            if (p < ${BM * BK / A_PIECE}u)
#end
            {
#if A_MODE == "along"
                let kq = p % ${BK / 4}u;
                let x4 = p / ${BK / 4}u;
#for r in 0..4
                var v${r} = vec4<f32>();
#end
                if (k0 + 4u * kq < params.k) {
                    let at = a_base + k0 + 4u * kq;
#for r in 0..4
                    v${r} = load4_a((at + min(tile_m + 4u * x4 + ${r}u, params.m - 1u) * params.a_row) / 4u);
#end
                }
#for c in 0..4
                a_tile[(4u * kq + ${c}u) * ${M4}u + x4] = vec4<f32>(v0.${"xyzw"[c]}, v1.${"xyzw"[c]}, v2.${"xyzw"[c]}, v3.${"xyzw"[c]});
#end
#end
#if A_MODE == "across"
                let kk = p / ${BM / 4}u;
                let x4 = p % ${BM / 4}u;
                var v = vec4<f32>();
                if (k0 + kk < params.k) {
                    v = load4_a((a_base + (k0 + kk) * params.a_col + min(tile_m + 4u * x4, params.m - 4u)) / 4u);
                }
                a_tile[kk * ${M4}u + x4] = v;
#end
#if A_MODE == "any"
                let kk = p % ${BK}u;
                let x4 = p / ${BK}u;
                var v = vec4<f32>();
                if (k0 + kk < params.k) {
                    let at = a_base + (k0 + kk) * params.a_col;
#for r in 0..4
                    v.${"xyzw"[r]} = load_a(at + min(tile_m + 4u * x4 + ${r}u, params.m - 1u) * params.a_row);
#end
                }
                a_tile[kk * ${M4}u + x4] = v;
#end
            }
        }
#end
#for piece in 0..(BN * BK / B_PIECE + THREADS - 1) / THREADS
        {
            let p = ${(piece + 1) * THREADS - 1}u - t;
#if (piece + 1) * THREADS > BN * BK / B_PIECE
            if (p < ${BN * BK / B_PIECE}u)
#end
            {
#if B_MODE == "along"
                let kq = p % ${BK / 4}u;
                let x4 = p / ${BK / 4}u;
#for r in 0..4
                var v${r} = vec4<f32>();
#end
                if (k0 + 4u * kq < params.k) {
                    let at = b_base + k0 + 4u * kq;
#for r in 0..4
                    v${r} = load4_b((at + min(tile_n + 4u * x4 + ${r}u, params.n - 1u) * params.b_col) / 4u);
#end
                }
#for c in 0..4
                b_tile[(4u * kq + ${c}u) * ${N4}u + x4] = vec4<f32>(v0.${"xyzw"[c]}, v1.${"xyzw"[c]}, v2.${"xyzw"[c]}, v3.${"xyzw"[c]});
#end
#end
#if B_MODE == "across"
                let kk = p / ${BN / 4}u;
                let x4 = p % ${BN / 4}u;
                var v = vec4<f32>();
                if (k0 + kk < params.k) {
                    v = load4_b((b_base + (k0 + kk) * params.b_row + min(tile_n + 4u * x4, params.n - 4u)) / 4u);
                }
                b_tile[kk * ${N4}u + x4] = v;
#end
#if B_MODE == "any"
                let kk = p / ${BN / 4}u;
                let x4 = p % ${BN / 4}u;
                var v = vec4<f32>();
                if (k0 + kk < params.k) {
                    let at = b_base + (k0 + kk) * params.b_row;
#for r in 0..4
                    v.${"xyzw"[r]} = load_b(at + min(tile_n + 4u * x4 + ${r}u, params.n - 1u) * params.b_col);
#end
                }
                b_tile[kk * ${N4}u + x4] = v;
#end
            }
        }
#end
        workgroupBarrier();
#for kk in 0..BK
        {
#for g in 0..TM / 4
            let a${g} = a_tile[${kk * M4 + 4 * g}u + m4_at];
#end
#for j in 0..TN / 4
            let b${j} = b_tile[${kk * N4 + 8 * j}u + n4_at];
#end
#for i in 0..TM
#for j in 0..TN / 4
            c${i}_${j} = fma(vec4<f32>(a${i / 4}.${"xyzw"[i % 4]}), b${j}, c${i}_${j});
#end
#end
        }
#end
        workgroupBarrier();
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
                    store4_out((out_base + row * params.n + col) / 4u, c${i}_${j});
                }
#else
#for r in 0..4
                if (col + ${r}u < params.n) {
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
