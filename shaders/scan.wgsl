// The running sum or product along one dimension, in the same order on every run.
//
// LANES   1 (64 lanes per workgroup), or a power of two: so many invocations share a lane, which they take piece by
//         piece; within one, each adds what lies 1, 2, 4, … before it
// T       what is combined; OP the function of two of them in ARITHMETIC, IDENTITY what it leaves unchanged
//
// The kernel's words: lanes, their length. Operands: out, in0.
${LANES_PART}
${CODEC}
${ARITHMETIC}
#if LANES > 1
var<workgroup> piece: array<${T}, ${LANES}>;

#end
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let along = params.data[2];
    let length = params.data[0].y;
    var total = ${IDENTITY};
#if LANES == 1
    let position = id * ${THREADS}u + t;
    if (position >= params.data[0].x) {
        return;
    }
    let start = lane(position);
    for (var i = 0u; i < length; i++) {
        total = ${OP}(total, load_in0(start.y + i * along.y));
        store_out(start.x + i * along.x, total);
    }
#else
    let start = lane(id);
    for (var first = 0u; first < length; first += ${LANES}u) {
        let i = first + t;
        var value = ${IDENTITY};
        if (i < length) {
            value = load_in0(start.y + i * along.y);
        }
        piece[t] = value;
        workgroupBarrier();
        for (var step = 1u; step < ${LANES}u; step *= 2u) {
            if (t >= step) {
                value = ${OP}(piece[t - step], value);
            }
            workgroupBarrier();
            piece[t] = value;
            workgroupBarrier();
        }
        if (i < length) {
            store_out(start.x + i * along.x, ${OP}(total, value));
        }
        total = ${OP}(total, piece[${LANES - 1}]);
        workgroupBarrier();
    }
#end
}
