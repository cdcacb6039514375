// Part of every kernel that takes a logarithm; needs params.nan and shaders/real.wgsl.

// A positive number is 2ᵉ m with m from √½ to √2: e and m.
fn binary_parts(x: f32) -> vec2<f32> {
    let is_subnormal = bitcast<u32>(x) < 0x00800000u;
    let scaled = bitcast<u32>(select(x, x * 8388608.0, is_subnormal));
    // 0x3f3504f3 is √½.
    let shifted = scaled - 0x3f3504f3u;
    let exponent = f32(i32(shifted) >> 23u) - select(0.0, 23.0, is_subnormal);
    return vec2<f32>(exponent, bitcast<f32>((shifted & 0x7fffffu) + 0x3f3504f3u));
}

// WGSL's own is off by up to 2⁻²¹ near 1, where the result is small. ln x = e ln 2 + ln m, and
// ln m = 2 artanh s with s = (m − 1) / (m + 1), |s| < 0.172: five terms of the series are exact to f32.
fn logarithm(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    if (is_nan(x) || (bits & 0x7fffffffu) == 0u || bits >= 0x7f800000u) {
        if ((bits & 0x7fffffffu) == 0u) {
            return bitcast<f32>(params.nan ^ 0x80400000u);
        }
        return select(x, bitcast<f32>(params.nan), (bits >> 31u) == 1u);
    }
    let parts = binary_parts(x);
    let s = (parts.y - 1.0) / (parts.y + 1.0);
    let z = s * s;
    let series = 1.0 + z * (0.33333333 + z * (0.2 + z * (0.14285714 + z * 0.11111111)));
    return parts.x * 0.69314718 + 2.0 * s * series;
}
