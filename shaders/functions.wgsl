// Functions of real numbers that WGSL lacks, leaves open, or has with too few digits. They need params.nan,
// shaders/real.wgsl and shaders/logarithm.wgsl.

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
    t = select(t, 1.0, infinity_mark(smaller_size) == 1.0);
    let is_wide = t > 0.41421357;
    let u = select(t, (t - 1.0) / (t + 1.0), is_wide);
    let z = u * u;
    var out = (((0.080537445 * z - 0.13877686) * z + 0.19977711) * z - 0.3333295) * z * u + u;
    out += select(0.0, 0.78539816, is_wide);
    out = select(out, 1.5707964 - out, abs(y) > abs(x));
    out = select(out, 3.1415927 - out, (bitcast<u32>(x) >> 31u) == 1u);
    return select(out, -out, (bitcast<u32>(y) >> 31u) == 1u);
}

// Of a negative number NaN; WGSL leaves it open.
fn square_root(x: f32) -> f32 {
    return select(sqrt(abs(x)), bitcast<f32>(params.nan), x < 0.0);
}

// Near 0 by its series: eˣ is near 1 there, and its digits are not those of the difference.
fn expm1(x: f32) -> f32 {
    if (abs(x) > 0.5 || is_nan(x)) {
        return exp(x) - 1.0;
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

// WGSL's own may overflow inside for large x.
fn hyperbolic_tangent(x: f32) -> f32 {
    if (abs(x) < 0.1) {
        let z = x * x;
        return x * (1.0 + z * (-0.33333333 + z * (0.13333333 - z * 0.053968254)));
    }
    let e = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - e) / (1.0 + e);
}

// By its series below 2, and as 1 − e^(−x²) / (√π (x + ½/(x + 1/(x + 1½/(x + 2/…))))) from there on.
fn error_function(x: f32) -> f32 {
    let size = abs(x);
    let z = x * x;
    if (is_nan(x)) {
        return x;
    }
    if (size < 2.0) {
        var term = x;
        var sum = x;
        for (var i = 1; i < 22; i++) {
            term *= -z / f32(i);
            sum += term / f32(2 * i + 1);
        }
        return sum * 1.12837917;
    }
    var fraction = size;
    for (var i = 12; i > 0; i--) {
        fraction = size + 0.5 * f32(i) / fraction;
    }
    return sign(x) * (1.0 - exp(-z) * 0.56418958 / fraction);
}

fn nan_mark(x: f32) -> f32 {
    return select(0.0, 1.0, is_nan(x));
}

fn infinity_mark(x: f32) -> f32 {
    return select(0.0, 1.0, (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u);
}

fn fmod(a: f32, b: f32) -> f32 {
    if (b == 0.0) {
        return bitcast<f32>(params.nan);
    }
    if (infinity_mark(b) == 1.0 && infinity_mark(a) == 0.0) {
        return a;
    }
    return a - b * trunc(a / b);
}

fn remainder(a: f32, b: f32) -> f32 {
    let rest = fmod(a, b);
    return select(rest, rest + b, rest != 0.0 && (b < 0.0) != (rest < 0.0));
}

fn floor_divide(a: f32, b: f32) -> f32 {
    if (b == 0.0) {
        return a / b;
    }
    let quotient = (a - remainder(a, b)) / b;
    let whole = floor(quotient);
    return select(whole, whole + 1.0, quotient - whole > 0.5);
}
