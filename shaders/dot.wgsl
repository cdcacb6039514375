// out = Σ a · b along one dimension, for matrices of whole numbers: one invocation per sum, nothing shared. Lectures
// multiply such matrices to look at them, not to train on them.
//
// The kernel's words: sums, their length. Operands: out, a, b; T, ARITHMETIC as elsewhere.
${LANES_PART}
${CODEC}
${ARITHMETIC}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.data[0].x) {
        return;
    }
    let start = lane(i);
    let along = params.data[2];
    var sum = ${T}(0);
    for (var k = 0u; k < params.data[0].y; k++) {
        sum = add(sum, multiply(load_a(start.y + k * along.y), load_b(start.z + k * along.z)));
    }
    store_out(start.x, sum);
}
