// out[i] = program(in0[i], in1[i], …), elementwise over strided operands; one invocation per element,
// or per four of them along the last dimension.
//
// RANK     dimensions after merging; INPUTS operands that are read
// VECTOR   four elements along the last dimension; SPLAT: of an input that does not change along it
// BODY     the program, one let per instruction; T its type, f32 or vec4<f32>; RESULT its last value
//
// data: elements (or groups of four); the shape; then offset and strides of out and of each input,
// outermost dimension first; then the program's constants.
struct Params {
    first: u32, grid_x: u32, end: u32, nan: u32,
    data: array<vec4<u32>, ${WORDS4}>,
}
@group(1) @binding(0) var<uniform> params: Params;
${CODEC}
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

// aᵇ as C's pow: WGSL's own is undefined for negative a. Whole b up to 64 by squaring.
fn power(a: f32, b: f32) -> f32 {
    if (b == 0.0 || a == 1.0) {
        return 1.0;
    }
    if (is_nan(a) || is_nan(b)) {
        return bitcast<f32>(params.nan);
    }
    if (b == 0.5) {
        return select(sqrt(abs(a)), bitcast<f32>(params.nan), a < 0.0);
    }
    let magnitude = abs(b);
    let whole = floor(magnitude) == magnitude;
    if (whole && magnitude <= 64.0) {
        var left = u32(magnitude);
        var square = a;
        var result = 1.0;
        for (var i = 0; i < 7; i++) {
            result = select(result, result * square, (left & 1u) == 1u);
            left >>= 1u;
            square = select(square, square * square, left > 0u);
        }
        return select(result, 1.0 / result, b < 0.0);
    }
    let result = pow(abs(a), b);
    if (a >= 0.0) {
        return result;
    }
    if (!whole) {
        return bitcast<f32>(params.nan);
    }
    // Beyond 2²⁴ every float is even.
    let odd = magnitude < 16777216.0 && (u32(magnitude) & 1u) == 1u;
    return select(result, -result, odd);
}

fn power4(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(power(a.x, b.x), power(a.y, b.y), power(a.z, b.z), power(a.w, b.w));
}

// Of a negative number NaN; WGSL leaves it open.
fn square_root(x: f32) -> f32 {
    return select(sqrt(abs(x)), bitcast<f32>(params.nan), x < 0.0);
}

fn square_root4(x: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(square_root(x.x), square_root(x.y), square_root(x.z), square_root(x.w));
}

// WGSL's own is off by up to 2⁻²¹ near 1, where the result is small. x = 2ᵉ m with m near 1, and
// ln m = 2 artanh s with s = (m − 1) / (m + 1), |s| < 0.172: five terms of the series are exact to f32.
fn logarithm(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    if (is_nan(x) || (bits & 0x7fffffffu) == 0u || bits >= 0x7f800000u) {
        if ((bits & 0x7fffffffu) == 0u) {
            return bitcast<f32>(params.nan ^ 0x80400000u);
        }
        return select(x, bitcast<f32>(params.nan), (bits >> 31u) == 1u);
    }
    let subnormal = bits < 0x00800000u;
    let scaled = bitcast<u32>(select(x, x * 8388608.0, subnormal));
    // 0x3f3504f3 is √½: m is from there to √2.
    let shifted = scaled - 0x3f3504f3u;
    let exponent = f32(i32(shifted) >> 23u) - select(0.0, 23.0, subnormal);
    let m = bitcast<f32>((shifted & 0x7fffffu) + 0x3f3504f3u);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = 1.0 + z * (0.33333333 + z * (0.2 + z * (0.14285714 + z * 0.11111111)));
    return exponent * 0.69314718 + 2.0 * s * series;
}

fn logarithm4(x: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(logarithm(x.x), logarithm(x.y), logarithm(x.z), logarithm(x.w));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let id = params.first + group.y * params.grid_x + group.x;
    let i = id * 64u + t;
    if (id >= params.end || i >= params.data[0].x) {
        return;
    }
    var rest = i;
#for q in 0..RANK
#let d = RANK - 1 - q
#let w = 1 + d
#if d == 0
    let x0 = rest;
#else
    let x${d} = rest % params.data[${w / 4}].${"xyzw"[w % 4]};
    rest /= params.data[${w / 4}].${"xyzw"[w % 4]};
#end
#end
#for o in 0..INPUTS + 1
#let w = 1 + RANK + o * (RANK + 1)
    let at${o} = params.data[${w / 4}].${"xyzw"[w % 4]}
#for d in 0..RANK
#let w = 2 + RANK + o * (RANK + 1) + d
        + x${d} * params.data[${w / 4}].${"xyzw"[w % 4]}
#end
    ;
#end
${BODY}
#if VECTOR
    store4_out(at0 / 4u, ${RESULT});
#else
    store_out(at0, ${RESULT});
#end
}
