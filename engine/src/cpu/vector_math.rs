//! Functions of f32 without branches, so that a loop of them is vectors throughout; and the loops run with the
//! vectors that the processor has, which a build for every processor would not use.

/// Runs `body` compiled for the widest vectors of this processor. What it calls must be inlined to profit.
#[inline(always)]
pub(super) fn vectorized<R>(body: impl FnOnce() -> R) -> R {
    #[cfg(not(target_arch = "wasm32"))]
    return pulp::Arch::new().dispatch(body);
    #[cfg(target_arch = "wasm32")]
    return body();
}

/// `eˣ` within 1 ulp; subnormal results, infinities and NaN as IEEE has them.
///
/// `eˣ = 2ⁿ eʳ` with n whole and |r| ≤ ½ ln 2, and eʳ as a polynomial: the minimax one of Cephes' expf (Moshier).
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // 1.5 · 2²³: the sum's lowest bits are n, rounded to the nearest.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, the first so short that its product with n is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Beyond these everything is infinite or 0. Comparisons, so that NaN stays.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -105.0 { -105.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let (near, rest) = (x - n * LN2_HIGH, n * LN2_LOW);
    let r = near - rest;
    let p = polynomial(r, [1.987_569_2e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5]);
    // What the roundings of r and of 1 + r have left over comes back with the small part.
    let one = 1.0 + r;
    let left = (r - (one - 1.0)) + ((near - r) - rest);
    let y = one + (p * (r * r) + left);
    // 2ⁿ as a product of two powers, which are normal numbers even where 2ⁿ is not.
    let whole = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let half = whole >> 1;
    y * power_of_two(half) * power_of_two(whole.wrapping_sub(half))
}

/// `1/(1 + e⁻ˣ)` within 2.5 ulp; 0 where e⁻ˣ is too large for f32, as in PyTorch.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `tanh x` within 2 ulp: a polynomial near 0, and from there on `1 − 2/(e²ˣ + 1)`.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let (size, z) = (x.abs(), x * x);
    let series = polynomial(z, [-0.005_910_618, 0.020_809_807, -0.053_788_133, 0.133_319_78, -0.333_333_02]);
    let far = 1.0 - 2.0 / (exp(size + size) + 1.0);
    if size > 0.6 { far.copysign(x) } else { x + x * (z * series) }
}

/// `erf x` within 2 ulp: a polynomial near 0, and from there on `1 − e^(−p)` with a polynomial p near −ln(1 − erf x).
/// Both were fitted for this file, for the smallest of the largest errors.
#[inline(always)]
pub(super) fn erf(x: f32) -> f32 {
    let (size, z) = (x.abs(), x * x);
    let near = [-6.021_806e-4, 0.004_999_601_3, -0.026_771_283, 0.112_819_55, -0.376_125_07, 0.128_379_15];
    // Beyond 4 it is 1.
    let t = if size > 4.0 { 4.0 } else { size };
    let far = [
        2.109_505e-5,
        -4.344_626_2e-4,
        0.004_171_063,
        -0.025_119_428,
        0.108_280_09,
        0.633_346_9,
        1.129_514_9,
        -1.746_844_4e-4,
    ];
    let tail = 1.0 - exp(-polynomial(t, far));
    if size > 0.92 { tail.copysign(x) } else { x + x * polynomial(z, near) }
}

/// The highest power first.
#[inline(always)]
fn polynomial<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut sum = 0.0;
    for c in coefficients {
        sum = sum * x + c;
    }
    sum
}

#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::{erf, exp, sigmoid, tanh, vectorized};

    /// Distance from the exact value in units of the last place of the f32 beside it.
    fn ulps(got: f32, exact: f64) -> f64 {
        let near = exact as f32;
        if near.is_infinite() || near.is_nan() {
            return if got == near || (got.is_nan() && near.is_nan()) { 0.0 } else { f64::INFINITY };
        }
        let spacing = f64::from(f32::from_bits(near.abs().to_bits() + 1)) - f64::from(near.abs());
        (f64::from(got) - exact).abs() / spacing
    }

    /// Over all of f32, around what decides, and where most arguments are.
    fn worst(function: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) -> (f64, f32) {
        let all = (0..=u32::MAX).step_by(9973).map(f32::from_bits);
        let specials =
            [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 88.722_84, 88.722_83, -103.972_08];
        let near = (-110_000..90_000).flat_map(|i| [1e-3, 1e-4].map(|step| i as f32 * step + 1e-5));
        let x: Vec<f32> = all.chain(specials).chain(near).collect();
        let mut y = x.clone();
        vectorized(|| y.iter_mut().for_each(|y| *y = function(*y)));
        let far = x.iter().zip(&y).map(|(&x, &y)| (ulps(y, exact(x.into())), x));
        far.fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
    }

    #[test]
    fn functions_are_exact_to_an_ulp_or_two_everywhere() {
        type Function = (&'static str, f64, fn(f32) -> f32, fn(f64) -> f64);
        let functions: [Function; 4] = [
            ("exp", 1.0, exp, f64::exp),
            ("sigmoid", 2.5, sigmoid, |x| if x < -88.722_84 { 0.0 } else { 1.0 / (1.0 + (-x).exp()) }),
            ("tanh", 2.0, tanh, f64::tanh),
            ("erf", 2.0, erf, libm::erf),
        ];
        for (name, bound, function, exact) in functions {
            let (ulps, at) = worst(function, exact);
            assert!(ulps <= bound, "{name}: {ulps} ulp at {at}");
        }
    }
}
