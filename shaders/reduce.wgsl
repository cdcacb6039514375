// Sums, products or extremes over some dimensions. Every result is combined in the same order on every run: no
// atomics.
//
// The reduced elements of one result are cut into parts of `chunk`; each part is combined by LANES
// invocations, which take every LANES-th element and then meet in a tree. More than one part means
// that out holds the parts, to be reduced again.
//
// KEPT, REDUCED   numbers of dimensions after merging
// LANES           1 (64 parts per workgroup) or a power of two (one part per workgroup)
// T               what is combined, f32, i32 or vec2<u32>; OP the function of two of them in ARITHMETIC
//
// data: slots (results × parts), parts, chunk, reduced elements; offsets of input and out, scale as bits; identity
// as bits (two words); then shape and strides of the kept and of the reduced dimensions.
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    data: array<vec4<u32>, ${WORDS4}>,
}
@group(1) @binding(0) var<uniform> params: Params;
${CODEC}
#if LANES > 1
var<workgroup> shared_parts: array<${T}, ${LANES}>;

#end
${ARITHMETIC}
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    if (id >= params.end) {
        return;
    }
#if LANES > 1
    let slot = id;
    let lane = t;
#else
    let slot = id * ${THREADS}u + t;
    let lane = 0u;
    if (slot >= params.data[0].x) {
        return;
    }
#end
    let parts = params.data[0].y;
    let chunk = params.data[0].z;
    let begin = (slot % parts) * chunk;
    let stop = min(begin + chunk, params.data[0].w);
    var rest = slot / parts;
    var base = params.data[1].x;
#for q in 0..KEPT
#let d = KEPT - 1 - q
#let w = 12 + d
#let s = 12 + KEPT + d
#if d == 0
    base += rest * params.data[${s / 4}].${"xyzw"[s % 4]};
#else
    base += (rest % params.data[${w / 4}].${"xyzw"[w % 4]}) * params.data[${s / 4}].${"xyzw"[s % 4]};
    rest /= params.data[${w / 4}].${"xyzw"[w % 4]};
#end
#end
#if T == "vec2<u32>"
    var total = params.data[2].xy;
#else
    var total = bitcast<${T}>(params.data[2].x);
#end
    for (var r = begin + lane; r < stop; r += ${LANES}u) {
        var at = base;
        var left = r;
#for q in 0..REDUCED
#let d = REDUCED - 1 - q
#let w = 12 + 2 * KEPT + d
#let s = 12 + 2 * KEPT + REDUCED + d
#if d == 0
        at += left * params.data[${s / 4}].${"xyzw"[s % 4]};
#else
        at += (left % params.data[${w / 4}].${"xyzw"[w % 4]}) * params.data[${s / 4}].${"xyzw"[s % 4]};
        left /= params.data[${w / 4}].${"xyzw"[w % 4]};
#end
#end
        total = ${OP}(total, load_in0(at));
    }
#if LANES > 1
    shared_parts[lane] = total;
    workgroupBarrier();
    for (var half = ${LANES / 2}u; half > 0u; half /= 2u) {
        if (lane < half) {
            shared_parts[lane] = ${OP}(shared_parts[lane], shared_parts[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane != 0u) {
        return;
    }
    total = shared_parts[0];
#end
#if T == "f32"
    total *= bitcast<f32>(params.data[1].z);
#end
    store_out(params.data[1].y + slot, total);
}
