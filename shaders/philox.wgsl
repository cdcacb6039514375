// Random words by counting: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011), and numbers made of them. One invocation encrypts one counter, which gives four elements.
//
// KIND   "bits": the words; "uniform": their upper 24 bits over 2²⁴; "normal": pairs of those by Box and Muller
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    count: u32, offset: u32, key0: u32, key1: u32,
    counter: vec4<u32>,
}
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(1) @binding(0) var<uniform> params: Params;
${ARITHMETIC}
fn encrypted(counter: vec4<u32>) -> vec4<u32> {
    var x = counter;
    var key = vec2<u32>(params.key0, params.key1);
    for (var round = 0; round < 10; round++) {
        x = vec4<u32>(
            upper(0xcd9e8d57u, x.z) ^ x.y ^ key.x,
            0xcd9e8d57u * x.z,
            upper(0xd2511f53u, x.x) ^ x.w ^ key.y,
            0xd2511f53u * x.x,
        );
        key += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
    }
    return x;
}

fn uniform_of(word: u32) -> f32 {
    return f32(word >> 8u) * 5.9604645e-8;
}
#if KIND == "normal"

// Two normal numbers: the first uniform number, from (0, 1], gives their distance from 0, the second their direction,
// a multiple of 90° and an angle within ±45°.
fn normal_of(first: u32, second: u32) -> vec2<f32> {
    let radius = sqrt(max(-2.0 * logarithm(f32((first >> 8u) + 1u) * 5.9604645e-8), 0.0));
    let turn = second >> 8u;
    let quarters = (turn + 0x200000u) >> 22u;
    return radius * point_of(quarters, f32(i32(turn) - i32(quarters << 22u)) * 3.7450703e-7);
}
#end

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || 4u * i >= params.count) {
        return;
    }
    // The counter has 128 bits, the lowest word first.
    var counter = params.counter;
    counter.x += i;
    var carry = counter.x < i;
    counter.y += select(0u, 1u, carry);
    carry = carry && counter.y == 0u;
    counter.z += select(0u, 1u, carry);
    carry = carry && counter.z == 0u;
    counter.w += select(0u, 1u, carry);
    let words = encrypted(counter);
#if KIND == "bits"
    let numbers = words;
#end
#if KIND == "uniform"
    let numbers = bitcast<vec4<u32>>(
        vec4<f32>(uniform_of(words.x), uniform_of(words.y), uniform_of(words.z), uniform_of(words.w))
    );
#end
#if KIND == "normal"
    let numbers = bitcast<vec4<u32>>(vec4<f32>(normal_of(words.x, words.y), normal_of(words.z, words.w)));
#end
#for n in 0..4
    if (4u * i + ${n}u < params.count) {
        out[params.offset + 4u * i + ${n}u] = numbers.${"xyzw"[n]};
    }
#end
}
