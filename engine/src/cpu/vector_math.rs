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
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let p = 1.987_569_2e-4;
    let p = p * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 0.166_666_66;
    let p = p * r + 0.5;
    let y = p * (r * r) + r + 1.0;
    // 2ⁿ as a product of two powers, which are normal numbers even where 2ⁿ is not.
    let whole = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let half = whole >> 1;
    y * power_of_two(half) * power_of_two(whole.wrapping_sub(half))
}

#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::{exp, vectorized};

    /// Distance from the exact value in units of the last place of the f32 beside it.
    fn ulps(got: f32, exact: f64) -> f64 {
        let near = exact as f32;
        if near.is_infinite() || near.is_nan() {
            return if got == near || (got.is_nan() && near.is_nan()) { 0.0 } else { f64::INFINITY };
        }
        let spacing = f64::from(f32::from_bits(near.abs().to_bits() + 1)) - f64::from(near.abs());
        (f64::from(got) - exact).abs() / spacing
    }

    #[test]
    fn the_exponential_is_within_an_ulp_everywhere() {
        let all: Vec<f32> = (0..=u32::MAX).step_by(9973).map(f32::from_bits).collect();
        let specials =
            [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 88.722_84, 88.722_83, -103.972_08];
        let near = (-110_000..90_000).map(|i| i as f32 * 1e-3 + 1e-5);
        let x: Vec<f32> = all.into_iter().chain(specials).chain(near).collect();
        let mut y = x.clone();
        vectorized(|| y.iter_mut().for_each(|y| *y = exp(*y)));
        let worst = x.iter().zip(&y).map(|(&x, &y)| (ulps(y, f64::from(x).exp()), x));
        let worst = worst.fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        assert!(worst.0 <= 1.0, "{} ulp at {}", worst.0, worst.1);
    }
}
