// Functions of real numbers that WGSL lacks, leaves open, or has with too few digits. They need params.nan,
// shaders/real.wgsl, shaders/logarithm.wgsl and shaders/exponential.wgsl.

// Of a negative number NaN; WGSL leaves it open.
fn square_root(x: f32) -> f32 {
    return select(sqrt(x), bitcast<f32>(params.nan), x < 0.0);
}

// Near 0 by its series: eˣ is near 1 there, and its digits are not those of the difference.
fn expm1(x: f32) -> f32 {
    if (abs(x) > 0.5 || is_nan(x)) {
        return exponential(x) - 1.0;
    }
    var term = x;
    var sum = x;
    for (var i = 2; i < 10; i++) {
        term *= x / f32(i);
        sum += term;
    }
    return sum;
}

// Near 0 as 2 artanh(x / (2 + x)), for the same reason.
fn log1p(x: f32) -> f32 {
    if (abs(x) > 0.4 || is_nan(x)) {
        return logarithm(1.0 + x);
    }
    let s = x / (2.0 + x);
    let z = s * s;
    let tail = 0.14285714 + z * (0.11111111 + z * (0.09090909 + z * 0.07692308));
    return 2.0 * s * (1.0 + z * (0.33333333 + z * (0.2 + z * tail)));
}

// WGSL's own may overflow inside for large x. A polynomial near 0, where a difference from 1 has few digits.
fn hyperbolic_tangent(x: f32) -> f32 {
    let size = abs(x);
    if (size > 0.6) {
        let e = exponential(-2.0 * size);
        return sign(x) * (1.0 - 2.0 * e / (1.0 + e));
    }
    let z = x * x;
    let front = (-0.005910618 * z + 0.020809807) * z - 0.053788133;
    return x + x * (z * ((front * z + 0.13331978) * z - 0.33333302));
}

// Both polynomials are those of engine/src/cpu/vector_math.rs: x near 0, and from there on 1 − e^(−p).
fn error_function(x: f32) -> f32 {
    let size = abs(x);
    if (size > 0.92) {
        // Beyond 4 it is 1.
        let t = min(size, 4.0);
        let front = ((2.109505e-5 * t - 4.3446262e-4) * t + 0.004171063) * t - 0.025119428;
        let p = (((front * t + 0.10828009) * t + 0.6333469) * t + 1.1295149) * t - 1.7468444e-4;
        return sign(x) * (1.0 - exponential(-p));
    }
    let z = x * x;
    let front = (-6.021806e-4 * z + 0.0049996013) * z - 0.026771283;
    return x + x * (((front * z + 0.11281955) * z - 0.37612507) * z + 0.12837915);
}

fn nan_mark(x: f32) -> f32 {
    return select(0.0, 1.0, is_nan(x));
}

fn infinity_mark(x: f32) -> f32 {
    return select(0.0, 1.0, (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u);
}

// The digits of a positive number as a whole one, and their exponent: 0 means subnormal there, which is written like 1.
fn digits_of(bits: u32) -> u32 {
    return select(bits, (bits & 0x7fffffu) | 0x800000u, bits >= 0x800000u);
}

fn exponent_of(bits: u32) -> u32 {
    return max(bits >> 23u, 1u);
}

// By long division, eight binary digits at a time, which is exact: of a − b trunc(a / b) few digits are left, and none
// where the quotient was rounded up to a whole number.
fn fmod(a: f32, b: f32) -> f32 {
    let dividend = bitcast<u32>(a) & 0x7fffffffu;
    let divisor = bitcast<u32>(b) & 0x7fffffffu;
    if (dividend >= 0x7f800000u || divisor > 0x7f800000u || divisor == 0u) {
        return bitcast<f32>(params.nan);
    }
    if (dividend < divisor) {
        return a;
    }
    let digits = digits_of(divisor);
    let exponent = exponent_of(divisor);
    var rest = digits_of(dividend) % digits;
    var places = exponent_of(dividend) - exponent;
    while (places > 0u) {
        let step = min(places, 8u);
        rest = (rest << step) % digits;
        places -= step;
    }
    let size = f32(rest) * 1.1920929e-7 * bitcast<f32>(exponent << 23u);
    return bitcast<f32>(bitcast<u32>(size) | (bitcast<u32>(a) & 0x80000000u));
}

fn is_of_other_sign(rest: f32, b: f32) -> bool {
    return rest != 0.0 && (b < 0.0) != (rest < 0.0);
}

fn remainder(a: f32, b: f32) -> f32 {
    let rest = fmod(a, b);
    return select(rest, rest + b, is_of_other_sign(rest, b));
}

// Rounded down, as PyTorch does it: what is left of a after its rest is divided by b, which is near a whole number.
fn floor_divide(a: f32, b: f32) -> f32 {
    if (b == 0.0) {
        return a / b;
    }
    let rest = fmod(a, b);
    let quotient = (a - rest) / b - select(0.0, 1.0, is_of_other_sign(rest, b));
    let whole = floor(quotient);
    let zero = bitcast<f32>((bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u);
    return select(select(whole, whole + 1.0, quotient - whole > 0.5), zero, quotient == 0.0);
}
