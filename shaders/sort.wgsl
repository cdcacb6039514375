// Sorts lanes by keys, stably: sorted runs are merged in pairs. Each element finds its place in the merged run by
// itself: it is its place in its own run, and the number of elements of the other that come before it, which is
// found by bisection.
//
// LOCAL   the first step: keys are made, and workgroups sort runs of BLOCK elements in their own memory; else runs
//         that are sorted are merged
// K       the type of keys
//
// The kernel's words: elements, or for LOCAL runs; length of a lane; runs per lane; length of the runs that are merged.
// Operands: in0 for LOCAL.
${LANES_PART}
${CODEC}
${KEY}
@group(0) @binding(1) var<storage, read_write> keys_out: array<${K}>;
@group(0) @binding(2) var<storage, read_write> places_out: array<u32>;
#if LOCAL
var<workgroup> keys: array<${K}, ${2 * BLOCK}>;
var<workgroup> places: array<u32, ${2 * BLOCK}>;
#else
@group(0) @binding(0) var<storage, read> keys: array<${K}>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
#end

// Where element i of `count`, the first of them at `base`, goes when runs of length `run` are merged.
fn merged(i: u32, run: u32, count: u32, base: u32) -> u32 {
    let key = keys[base + i];
    let begin = i / (2u * run) * (2u * run);
    let is_left = i < begin + run;
    let others = select(begin, min(begin + run, count), is_left);
    var low = others;
    var high = select(begin + run, min(begin + 2u * run, count), is_left);
    for (var step = 0; step < 32; step++) {
        if (low >= high) {
            break;
        }
        let middle = (low + high) / 2u;
        let other = keys[base + middle];
        // Of equal ones those on the left come first.
        if (select(!key_before(key, other), key_before(other, key), is_left)) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return select(i - run, i, is_left) + low - others;
}

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
    let length = params.data[0].y;
#if LOCAL
    let position = id / params.data[0].z;
    let first = id % params.data[0].z * ${BLOCK}u;
    let count = min(length - first, ${BLOCK}u);
    if (t < count) {
        keys[t] = key_of(load_in0(lane(position).x + (first + t) * params.data[2].x));
        places[t] = first + t;
    }
    workgroupBarrier();
    var base = 0u;
    for (var run = 1u; run < ${BLOCK}u; run *= 2u) {
        let next = ${BLOCK}u - base;
        if (t < count) {
            let to = next + merged(t, run, count, base);
            keys[to] = keys[base + t];
            places[to] = places[base + t];
        }
        base = next;
        workgroupBarrier();
    }
    if (t < count) {
        keys_out[position * length + first + t] = keys[base + t];
        places_out[position * length + first + t] = places[base + t];
    }
#else
    let i = id * ${THREADS}u + t;
    if (i >= params.data[0].x) {
        return;
    }
    let base = i / length * length;
    let to = base + merged(i - base, params.data[0].w, length, base);
    keys_out[to] = keys[i];
    places_out[to] = places[i];
#end
}
