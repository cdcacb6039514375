// out = a @ b without workgroup memory, for adapters that run several invocations in the lanes of one
// CPU register and fetch one lane at a time, unless all lanes read one address or neighbouring ones
// (SwiftShader). So neighbours compute neighbouring columns, element by element: loads of a are the
// same for all of them, loads of b and writes of out are side by side.
//
// TM, TN   rows, and columns WX apart, of an invocation; a workgroup has WX × WY of them (n × m)
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    m: u32, n: u32, k: u32, tiles_n: u32,
    a_offset: u32, a_row: u32, a_col: u32, tiles_m: u32,
    b_offset: u32, b_row: u32, b_col: u32, out_offset: u32,
    batch: vec4<u32>, a_batch: vec4<u32>, b_batch: vec4<u32>,
}
@group(1) @binding(0) var<uniform> params: Params;
${CODEC}
@compute @workgroup_size(${WX * WY})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let tiles = params.tiles_m * params.tiles_n;
    let batch = id / tiles;
    let tile = id % tiles;
    let row = ((tile / params.tiles_n) * ${WY}u + t / ${WX}u) * ${TM}u;
    let col = (tile % params.tiles_n) * ${WX * TN}u + t % ${WX}u;
    if (row >= params.m) {
        return;
    }
    let i3 = batch % params.batch.w;
    let i2 = (batch / params.batch.w) % params.batch.z;
    let i1 = (batch / (params.batch.w * params.batch.z)) % params.batch.y;
    let i0 = batch / (params.batch.w * params.batch.z * params.batch.y);
    let a_base = params.a_offset + i0 * params.a_batch.x + i1 * params.a_batch.y
        + i2 * params.a_batch.z + i3 * params.a_batch.w;
    let b_base = params.b_offset + i0 * params.b_batch.x + i1 * params.b_batch.y
        + i2 * params.b_batch.z + i3 * params.b_batch.w;
#for i in 0..TM
    var a_at${i} = a_base + min(row + ${i}u, params.m - 1u) * params.a_row;
#end
#for j in 0..TN
    var b_at${j} = b_base + min(col + ${j * WX}u, params.n - 1u) * params.b_col;
#end
#for i in 0..TM
#for j in 0..TN
    var c${i}_${j} = 0.0;
#end
#end
    for (var kk = 0u; kk < params.k; kk++) {
#for j in 0..TN
        let b${j} = load_b(b_at${j});
        b_at${j} += params.b_row;
#end
#for i in 0..TM
        let a${i} = load_a(a_at${i});
        a_at${i} += params.a_col;
#for j in 0..TN
        c${i}_${j} += a${i} * b${j};
#end
#end
    }
    let out_base = params.out_offset + batch * params.m * params.n;
#for i in 0..TM
    if (row + ${i}u < params.m) {
        let at = out_base + (row + ${i}u) * params.n + col;
#for j in 0..TN
        if (col + ${j * WX}u < params.n) {
            store_out(at + ${j * WX}u, c${i}_${j});
        }
#end
    }
#end
}
