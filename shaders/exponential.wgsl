// Powers, which WGSL promises few digits of: its exp is off by 60 units in the last place of e^±80, and some drivers
// take NaN for infinity. They need params.nan, shaders/real.wgsl and shaders/logarithm.wgsl.

fn power_of_two(n: i32) -> f32 {
    return bitcast<f32>(u32(n + 127) << 23u);
}

// The upper half of the digits: the product of two such numbers is exact. By bits, since a compiler may take a sum that
// is only there for its rounding for what it would be without.
fn short(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// e^(high + low) 2ⁿ with n whole, low below the digits of high, and both together up to ½ ln 2: the polynomial of
// Cephes' expf, with 1 + r in two parts. 2ⁿ as two factors, which are normal numbers even where it is not.
fn raised(high: f32, low: f32, n: f32) -> f32 {
    let r = high + low;
    let one = short(1.0 + r);
    let left = (high - (one - 1.0)) + low;
    let front = ((1.9875692e-4 * r + 1.3981999e-3) * r + 8.333452e-3) * r + 4.1665796e-2;
    let y = one + (r * r * ((front * r + 0.16666666) * r + 0.5) + left);
    let half = i32(n) >> 1u;
    return y * power_of_two(half) * power_of_two(i32(n) - half);
}

// eˣ. ln 2 in two parts, the first so short that its product with n is exact.
fn exponential(x: f32) -> f32 {
    let near = clamp(x, -105.0, 89.0);
    let n = round(near * 1.442695);
    return select(raised(near - n * 0.6933594, n * 2.1219444e-4, n), x, is_nan(x));
}

// 2^(high + low), likewise.
fn raised_two(high: f32, low: f32, n: f32) -> f32 {
    let rest = (high - short(high)) * 0.6933594 - high * 2.1219444e-4 + low * 0.6931472;
    return raised(short(high) * 0.6933594, rest, n);
}

fn two_to_the(x: f32) -> f32 {
    let near = clamp(x, -151.0, 129.0);
    let n = round(near);
    return select(raised_two(near - n, 0.0, n), x, is_nan(x));
}

// aᵇ of a positive a, through b log₂ a. Every digit of that before the point costs one behind it, so log₂ a is there in
// two parts, and so is what it comes from: log₂ m = 2 artanh s / ln 2 with s = f / (2 + f), f = m − 1.
fn positive_power(a: f32, b: f32) -> f32 {
    let parts = binary_parts(a);
    let f = parts.y - 1.0;
    let s_high = short(f / (2.0 + f));
    let s_low = (((f - 2.0 * s_high) - s_high * short(f)) - s_high * (f - short(f))) / (2.0 + f);
    let s = s_high + s_low;
    let z = s * s;
    let tail = s * z * (0.33333333 + z * (0.2 + z * (0.14285714 + z * 0.11111111)));
    let high = s_high * 2.8847656;
    let low = s_high * 6.2445678e-4 + (s_low + tail) * 2.8853901;
    let log_high = short(parts.x + (high + low));
    let log_low = ((parts.x - log_high) + high) + low;
    let product = short(b) * log_high;
    // Beyond this everything is infinite or 0, and what follows may be no number.
    if (abs(product) > 160.0) {
        return raised(0.0, 0.0, select(-160.0, 160.0, product > 0.0));
    }
    let n = round(product);
    return raised_two(product - n, short(b) * log_low + (b - short(b)) * (log_high + log_low), n);
}

// aᵇ as C's pow: WGSL's own is undefined for negative a. Small whole b by squaring, which keeps whole numbers whole
// however a device divides.
fn power(a: f32, b: f32) -> f32 {
    if (b == 0.0 || a == 1.0) {
        return 1.0;
    }
    let is_whole = floor(b) == b;
    if (is_whole && abs(b) <= 4.0) {
        var square = a;
        var result = 1.0;
        for (var left = u32(abs(b)); left > 0u; left >>= 1u) {
            result = select(result, result * square, (left & 1u) == 1u);
            square *= square;
        }
        return select(result, 1.0 / result, b < 0.0);
    }
    let size = abs(a);
    let infinite = bitcast<f32>(params.nan ^ 0x00400000u);
    if (is_nan(a) || is_nan(b) || (a < 0.0 && size < infinite && !is_whole)) {
        return bitcast<f32>(params.nan);
    }
    var result = 1.0;
    if (size == 0.0 || size == infinite) {
        result = select(0.0, infinite, (size == 0.0) == (b < 0.0));
    } else if (size != 1.0) {
        result = positive_power(size, b);
    }
    // Beyond 2²⁴ every float is even.
    let is_odd = is_whole && abs(b) < 16777216.0 && (i32(b) & 1) == 1;
    return select(result, -result, is_odd && (bitcast<u32>(a) >> 31u) == 1u);
}
