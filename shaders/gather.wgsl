// out[…, i, …] = in0[…, index[…, i, …], …] along one dimension; elements are moved as bits. One invocation per
// element, or per four neighbours that the same index moves.
//
// INNER    whether neighbours in memory lie along the dimension
// VECTOR   four elements at a time, along the last of the other dimensions
//
// The kernel's words: elements (or groups of four), length of a lane of out, size of the dimension of in0, its number.
// Operands: out, in0, index.
${LANES_PART}
${CODEC}
@group(0) @binding(2) var<storage, read> indices: array<vec2<u32>>;
${ALARM}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.data[0].x) {
        return;
    }
    let length = params.data[0].y;
#if INNER
    let position = i / length;
    let place = i % length;
#else
    let lanes = params.data[0].x / length;
    let position = i % lanes;
    let place = i / lanes;
#end
    let start = lane(position);
    let at = start + place * params.data[2];
    let index = indices[at.z];
    if (index.y != 0u || index.x >= params.data[0].z) {
        report_index(index, params.data[0].w, params.data[0].z);
        return;
    }
    let source = start.y + index.x * params.data[2].y;
#if VECTOR
    store4_out(at.x / 4u, load4_in0(source / 4u));
#else
    store_out(at.x, load_in0(source));
#end
}
