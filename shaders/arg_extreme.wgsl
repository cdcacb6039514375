// Where along one dimension the element with the smallest key is, the first of equal ones. What is largest, or whether
// NaN counts, is a matter of the keys: see shaders/key.wgsl.
//
// LANES   1 (64 lanes per workgroup), or a power of two: so many invocations share a lane and then meet in a tree
// K       the type of keys
//
// The kernel's words: lanes, their length. Operands: out, in0.
${LANES_PART}
@group(0) @binding(0) var<storage, read_write> places: array<vec2<u32>>;
${CODEC}
${KEY}
#if LANES > 1
var<workgroup> keys: array<${K}, ${LANES}>;
var<workgroup> bests: array<u32, ${LANES}>;

#end
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
#if LANES > 1
    let position = id;
    let first = t;
#else
    let position = id * ${THREADS}u + t;
    let first = 0u;
    if (position >= params.data[0].x) {
        return;
    }
#end
    let start = lane(position);
    let length = params.data[0].y;
    // Who has no element of its own repeats the first one.
    var best = select(0u, first, first < length);
    var key = key_of(load_in0(start.y + best * params.data[2].y));
    for (var i = first + ${LANES}u; i < length; i += ${LANES}u) {
        let other = key_of(load_in0(start.y + i * params.data[2].y));
        if (key_before(other, key)) {
            key = other;
            best = i;
        }
    }
#if LANES > 1
    keys[t] = key;
    bests[t] = best;
    workgroupBarrier();
    for (var half = ${LANES / 2}u; half > 0u; half /= 2u) {
        if (t < half) {
            let other = keys[t + half];
            let is_equal = !key_before(other, keys[t]) && !key_before(keys[t], other);
            if (key_before(other, keys[t]) || (is_equal && bests[t + half] < bests[t])) {
                keys[t] = other;
                bests[t] = bests[t + half];
            }
        }
        workgroupBarrier();
    }
    if (t != 0u) {
        return;
    }
    best = bests[0];
#end
    places[start.x] = vec2<u32>(best, 0u);
}
