// Part of every kernel that takes a logarithm; needs params.nan and shaders/real.wgsl.

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
