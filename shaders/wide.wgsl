// Whole numbers of 64 bits as two words, the low one first, since WGSL has none; and the ways between them, i32
// and f32. Part of every kernel that has such an operand.
struct Wide4 {
    x: vec2<u32>,
    y: vec2<u32>,
    z: vec2<u32>,
    w: vec2<u32>,
}

fn wide_negative(x: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(~x.x + 1u, ~x.y + select(0u, 1u, x.x == 0u));
}

fn wide_from_whole(x: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

fn whole_from_wide(x: vec2<u32>) -> i32 {
    return bitcast<i32>(x.x);
}

// Towards 0; what does not fit, and NaN, become the smallest, as processors have it.
fn wide_from_float(value: f32) -> vec2<u32> {
    let bits = bitcast<u32>(value);
    let exponent = i32((bits >> 23u) & 0xffu) - 127;
    if (exponent < 0) {
        return vec2<u32>(0u);
    }
    if (exponent > 62) {
        return vec2<u32>(0u, 0x80000000u);
    }
    let fraction = (bits & 0x7fffffu) | 0x800000u;
    var magnitude = vec2<u32>(fraction >> u32(max(23 - exponent, 0)), 0u);
    if (exponent >= 55) {
        magnitude = vec2<u32>(0u, fraction << u32(exponent - 55));
    } else if (exponent > 23) {
        let shift = u32(exponent - 23);
        magnitude = vec2<u32>(fraction << shift, fraction >> (32u - shift));
    }
    return select(magnitude, wide_negative(magnitude), (bits >> 31u) == 1u);
}

// The same for i32.
fn whole_from_float(value: f32) -> i32 {
    let fits = (bitcast<u32>(value) & 0x7fffffffu) < 0x4f000000u;
    return select(bitcast<i32>(0x80000000u), i32(select(0.0, value, fits)), fits);
}

// For uint8, which keeps the low bits of the 64.
fn byte_from_float(value: f32) -> i32 {
    return whole_from_wide(wide_from_float(value));
}

// To the nearest, ties to even.
fn float_from_wide(x: vec2<u32>) -> f32 {
    let sign = x.y & 0x80000000u;
    var magnitude = select(x, wide_negative(x), sign != 0u);
    if ((magnitude.x | magnitude.y) == 0u) {
        return 0.0;
    }
    // With its highest bit at the top.
    var exponent = 190u;
    if (magnitude.y == 0u) {
        magnitude = vec2<u32>(0u, magnitude.x);
        exponent -= 32u;
    }
    let zeros = countLeadingZeros(magnitude.y);
    if (zeros > 0u) {
        magnitude = vec2<u32>(magnitude.x << zeros, (magnitude.y << zeros) | (magnitude.x >> (32u - zeros)));
        exponent -= zeros;
    }
    let fraction = magnitude.y >> 8u;
    let dropped = magnitude.y & 0xffu;
    let up = dropped > 0x80u || (dropped == 0x80u && (magnitude.x != 0u || (fraction & 1u) == 1u));
    // A carry out of the fraction runs into the exponent.
    return bitcast<f32>(sign | ((exponent << 23u) + (fraction & 0x7fffffu) + select(0u, 1u, up)));
}

fn wide_splat(x: vec2<u32>) -> Wide4 {
    return Wide4(x, x, x, x);
}
