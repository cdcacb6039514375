// Angles and points of the circle: WGSL promises 11 bits of sin and cos, and those only up to π. They need params.nan
// and shaders/real.wgsl.

// The upper half of a product.
fn upper(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let middle = a_high * b_low + ((a_low * b_low) >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    return a_high * b_high + (middle >> 16u) + (other >> 16u);
}

// Cosine and sine of so many quarters of a turn and an angle within ±45° (Cephes, sinf and cosf).
fn point_of(quarters: u32, angle: f32) -> vec2<f32> {
    let z = angle * angle;
    let s = angle + angle * z * (-0.16666655 + z * (8.3321609e-3 - z * 1.951529e-4));
    let c = 1.0 + z * (-0.5 + z * (4.1666646e-2 + z * (-1.3887316e-3 + z * 2.4433157e-5)));
    let swapped = select(vec2<f32>(c, s), vec2<f32>(-s, c), (quarters & 1u) == 1u);
    return select(swapped, -swapped, (quarters & 2u) == 2u);
}

// 128 places of 1/2π in binary from a whole word on, 32 zeros before the first. By choice: where an array is read at a
// place that is not known before, some drivers write it to memory first.
fn places_of_turn(word: u32) -> vec4<u32> {
    let near = select(
        vec4<u32>(0u, 0x28be60dbu, 0x9391054au, 0x7f09d5f4u),
        vec4<u32>(0x28be60dbu, 0x9391054au, 0x7f09d5f4u, 0x7d4d3770u),
        word == 1u,
    );
    let far = select(
        vec4<u32>(0x9391054au, 0x7f09d5f4u, 0x7d4d3770u, 0x36d8a566u),
        vec4<u32>(0x7f09d5f4u, 0x7d4d3770u, 0x36d8a566u, 0x4f10e410u),
        word == 3u,
    );
    let last = vec4<u32>(0x7d4d3770u, 0x36d8a566u, 0x4f10e410u, 0x7f9458eau);
    return select(select(near, far, word > 1u), last, word > 3u);
}

// Cosine and sine of any number (Payne and Hanek). x = 2ᵏ m with m whole: of 2ᵏ/2π only what lies behind the point
// matters, and 96 bits of it, times m, are the part of a turn that is left. Whole numbers, since a compiler may change
// the order of the others.
fn point_at(x: f32) -> vec2<f32> {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    if (bits >= 0x7f800000u) {
        return vec2<f32>(bitcast<f32>(params.nan));
    }
    if (bits < 0x3f490fdbu) {
        return point_of(0u, x);
    }
    let m = (bits & 0x7fffffu) | 0x800000u;
    let first = (bits >> 23u) - 118u;
    let places = places_of_turn(first >> 5u);
    let shift = vec3<u32>(first & 31u);
    let part = (places.xyz << shift) | ((places.yzw >> vec3<u32>(1u)) >> (vec3<u32>(31u) - shift));
    let low = m * part.y + upper(m, part.z);
    let high = m * part.x + upper(m, part.y) + select(0u, 1u, low < m * part.y);
    let quarters = (high + 0x20000000u) >> 30u;
    let rest = f32(bitcast<i32>(high - (quarters << 30u))) + f32(low) * 2.3283064e-10;
    let point = point_of(quarters, rest * 1.4629181e-9);
    return vec2<f32>(point.x, select(point.y, -point.y, x < 0.0));
}

fn sine(x: f32) -> f32 {
    return point_at(x).y;
}

fn cosine(x: f32) -> f32 {
    return point_at(x).x;
}

// The angle of the point (x, y), as C's atan2: WGSL's own may be off by 4096 units in the last place. The smaller size
// by the larger one has an angle up to π/4; above π/8 that is π/4 + atan((t − 1) / (t + 1)), and the rest is a
// polynomial (Cephes, atanf).
fn angle(y: f32, x: f32) -> f32 {
    if (is_nan(x) || is_nan(y)) {
        return bitcast<f32>(params.nan);
    }
    let larger_size = max(abs(x), abs(y));
    let smaller_size = min(abs(x), abs(y));
    var t = select(smaller_size / larger_size, 0.0, smaller_size == 0.0);
    t = select(t, 1.0, bitcast<u32>(smaller_size) == 0x7f800000u);
    let is_wide = t > 0.41421357;
    let u = select(t, (t - 1.0) / (t + 1.0), is_wide);
    let z = u * u;
    var out = (((0.080537445 * z - 0.13877686) * z + 0.19977711) * z - 0.3333295) * z * u + u;
    out += select(0.0, 0.78539816, is_wide);
    out = select(out, 1.5707964 - out, abs(y) > abs(x));
    out = select(out, 3.1415927 - out, (bitcast<u32>(x) >> 31u) == 1u);
    return select(out, -out, (bitcast<u32>(y) >> 31u) == 1u);
}
