//! Twin of shaders/matmul_units.wgsl.

use super::Product;

/// `a @ b` as matrix units go about it at their worst: `unit` products at a time are exact, and are added to a sum in
/// float32 whose last digits are cut off and not rounded.
#[must_use]
pub fn matmul_units(p: Product<'_>, unit: usize) -> Vec<f64> {
    let mut out = vec![0.0; p.m * p.n];
    for k0 in (0..p.k).step_by(unit.max(1)) {
        p.accumulate(0..p.m, 0..p.n, &(k0..p.k.min(k0 + unit)), &mut out);
        out.iter_mut().for_each(|sum| *sum = cut(*sum));
    }
    out
}

/// The float32 next to it on the side of zero.
fn cut(value: f64) -> f64 {
    let near = value as f32;
    let beyond = f64::from(near).abs() > value.abs();
    f64::from(if beyond { f32::from_bits(near.to_bits() - 1) } else { near })
}

#[cfg(test)]
mod tests {
    use super::{Product, cut, matmul_units};

    #[test]
    fn digits_are_cut_off() {
        let step = f64::from(f32::EPSILON);
        for (value, want) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (1.0 + 0.9 * step, 1.0),
            (-1.0 - 0.9 * step, -1.0),
            (1.0 + 1.1 * step, 1.0 + step),
        ] {
            assert_eq!(cut(value), want, "{value}");
        }
    }

    /// What cutting off costs stays within the bound that a kernel of matrix units is held to.
    #[test]
    fn the_bound_of_matrix_units_holds() {
        let (m, n, k) = (3, 4, 1000);
        let (a, b) = (super::super::random(m * k, 1), super::super::random(k * n, 2));
        let absolute = |values: &[f64]| values.iter().map(|v| v.abs()).collect::<Vec<_>>();
        let exact =
            |a: &[f64], b: &[f64]| super::super::matmul_skinny::matmul_skinny(Product { a, b, m, n, k }, 1);
        let (want, magnitudes) = (exact(&a, &b), exact(&absolute(&a), &absolute(&b)));
        for unit in [8, 16] {
            let got = matmul_units(Product { a: &a, b: &b, m, n, k }, unit);
            let units = (k + 2) as f64 * f64::from(f32::EPSILON) / 2.0;
            for i in 0..m * n {
                assert!((got[i] - want[i]).abs() <= 3.0 * units * magnitudes[i], "{unit} {i}");
            }
        }
    }
}
