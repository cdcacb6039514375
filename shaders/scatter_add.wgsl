// out[…, index[…, i, …], …] += in0[…, i, …] along one dimension, in order. The first of the sources with the same
// index adds all of them, the others do nothing: no atomics, so the order is the same on every run.
//
// SORTED   whether sources come with their indices sorted, in `keys` (see shaders/key.wgsl), and where they were, in
//          `places`; else each looks for others with its index by itself, which pays for a few
// REPLACES whether sources take the place of what is there, the last of those with the same index, instead of being added
// VECTOR   four elements at a time, along the last of the other dimensions
//
// The kernel's words: sources (or groups of four), length of a lane of in0, size of the dimension of out, its number.
// Operands: out, in0, index (or keys and places).
${LANES_PART}
${CODEC}
@group(0) @binding(2) var<storage, read> indices: array<vec2<u32>>;
#if SORTED
@group(0) @binding(3) var<storage, read> places: array<u32>;
#end
${ALARM}
${ARITHMETIC}
fn index_at(i: u32) -> vec2<u32> {
#if SORTED
    return indices[i] ^ vec2<u32>(0u, 0x80000000u);
#else
    return indices[i];
#end
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.data[0].x) {
        return;
    }
    let length = params.data[0].y;
    let lanes = params.data[0].x / length;
    let place = i / lanes;
    let start = lane(i % lanes);
    let along = params.data[2];
    let index = index_at(start.z + place * along.z);
#if SORTED
    let before = select(0u, place - 1u, place > 0u);
#else
    let before = 0u;
#end
    for (var other = before; other < place; other++) {
        if (all(index_at(start.z + other * along.z) == index)) {
            return;
        }
    }
    if (index.y != 0u || index.x >= params.data[0].z) {
        report_index(index, params.data[0].w, params.data[0].z);
        return;
    }
    let target_at = start.x + index.x * along.x;
#if VECTOR
    var sum = load4_out(target_at / 4u);
#else
    var sum = load_out(target_at);
#end
    for (var other = place; other < length; other++) {
        let same = all(index_at(start.z + other * along.z) == index);
#if SORTED
        if (!same) {
            break;
        }
        let source = start.y + places[start.z + other * along.z] * along.y;
#else
        if (!same) {
            continue;
        }
        let source = start.y + other * along.y;
#end
#if VECTOR
#if REPLACES
        sum = load4_in0(source / 4u);
#else
        sum += load4_in0(source / 4u);
#end
#else
#if REPLACES
        sum = load_in0(source);
#else
        sum = add(sum, load_in0(source));
#end
#end
    }
#if VECTOR
    store4_out(target_at / 4u, sum);
#else
    store_out(target_at, sum);
#end
}
