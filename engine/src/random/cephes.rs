//! Logarithm, sine and cosine in float32 by the polynomials of the Cephes library (Moshier), each step rounded as the
//! vector code rounds it with which PyTorch draws normal numbers.

/// `a · b + c`, rounded once as a fused instruction does: the product is exact in f64.
pub(super) fn fused(a: f32, b: f32, c: f32) -> f32 {
    (f64::from(a) * f64::from(b) + f64::from(c)) as f32
}

/// From the highest power down.
fn polynomial<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    coefficients.into_iter().fold(0.0, |sum, coefficient| fused(sum, x, coefficient))
}

const LOGARITHM: [f32; 9] = [
    7.037_683_6e-2,
    -1.151_461e-1,
    1.167_699_84e-1,
    -1.242_014_1e-1,
    1.424_932_3e-1,
    -1.666_805_8e-1,
    2.000_071_4e-1,
    -2.499_999_4e-1,
    3.333_333e-1,
];
const SINE: [f32; 3] = [-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1];
const COSINE: [f32; 3] = [2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2];
/// ln 2 in two parts, of which the first one has few digits.
const LN_2: [f32; 2] = [355.0 / 512.0, -2.121_944_4e-4];
/// π/4 in three parts, likewise.
const QUARTER: [f32; 3] = [0.785_156_25, 2.418_756_5e-4, 3.774_895e-8];

/// The natural logarithm of a normal number above 0.
pub(super) fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 23).cast_signed() - 126;
    // From ½ to 1, and then from √½ to √2.
    let mut x = f32::from_bits((bits & 0x007f_ffff) | 0.5f32.to_bits());
    if x < std::f32::consts::FRAC_1_SQRT_2 {
        exponent -= 1;
        x = (x - 1.0) + x;
    } else {
        x -= 1.0;
    }
    let (e, z) = (exponent as f32, x * x);
    let y = fused(polynomial(x, LOGARITHM) * x, z, e * LN_2[1]);
    fused(e, LN_2[0], x + fused(z, -0.5, y))
}

/// Sine and cosine of an angle that is not negative.
pub(super) fn sin_cos(x: f32) -> (f32, f32) {
    // Which eighth of a turn, rounded up to an even number.
    let eighth = ((x * (4.0 / std::f32::consts::PI)) as i32 + 1) & !1;
    let x = QUARTER.into_iter().fold(x, |rest, part| fused(eighth as f32, -part, rest));
    let z = x * x;
    let cosine = fused(polynomial(z, COSINE) * z, z, -(z * 0.5)) + 1.0;
    let sine = fused(polynomial(z, SINE) * z, x, x);
    let (sine, cosine) = if eighth & 2 == 0 { (sine, cosine) } else { (cosine, sine) };
    let is_below = |eighth: i32| eighth & 4 != 0;
    (if is_below(eighth) { -sine } else { sine }, if is_below(eighth + 2) { -cosine } else { cosine })
}
