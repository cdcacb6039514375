//! Timed products.

use serde::{Deserialize, Serialize};

use crate::DeviceKind;

/// A product `(m, k) @ (k, n)` to be timed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatmulSpec {
    /// Where.
    pub device: DeviceKind,
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// Elements in each dot product.
    pub k: usize,
    /// PyTorch's name of the element type, `float32`.
    pub dtype: String,
}

/// What timing a product gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatmulTiming {
    /// What was timed.
    pub spec: MatmulSpec,
    /// The device, as it calls itself.
    pub adapter: String,
    /// The kernel that ran.
    pub kernel: String,
    /// Seconds per product, median over the runs, waiting for the device included.
    pub median_secs: f64,
    /// Seconds of the fastest run.
    pub min_secs: f64,
    /// The same by the GPU's own clock, where it has one: launching and waiting left out.
    pub timestamp_median_secs: Option<f64>,
    /// Largest difference from the same product in f64, relative to the largest magnitude in it.
    pub max_rel_err: f64,
}

/// The product of two square matrices made by [`fill`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchSpec {
    /// Where.
    pub device: DeviceKind,
    /// Rows and columns of both matrices.
    pub n: usize,
    /// Seed of the left matrix.
    pub seed_a: u32,
    /// Seed of the right matrix.
    pub seed_b: u32,
}

/// How long one product took; the product itself travels as a transferred `Float32Array`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchResult {
    /// Milliseconds of one warm product, waiting for it included, transfers left out.
    pub ms: f64,
    /// The kernel that ran.
    pub kernel: String,
    /// The device, as it calls itself.
    pub adapter: String,
}

/// `len` reproducible values in [−1, 1): mulberry32 started at `seed`, each 32-bit output divided by 2³².
///
/// Source: mulberry32 by Tommy Ettinger (2017, public domain), the generator that browser benchmarks use,
/// so that the same matrices can be made in JavaScript.
#[must_use]
pub fn fill(len: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    (0..len)
        .map(|_| {
            state = state.wrapping_add(0x6d2b_79f5);
            let mut t = (state ^ (state >> 15)).wrapping_mul(state | 1);
            t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
            // The last rounding is the one to f32, as storing into a Float32Array does.
            (f64::from(t ^ (t >> 14)) / 4_294_967_296.0 * 2.0 - 1.0) as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits that `fill` written in JavaScript gives in node for the same seeds.
    #[test]
    fn fill_is_bit_identical_to_javascript() {
        let cases: [(u32, &[u32]); 3] = [
            (1, &[0x3e82_1fac, 0xbf7e_996c, 0x3d60_d89d, 0x3f76_4c50, 0x3f6f_cf3a, 0xbee0_2667]),
            (2, &[0x3eef_df7b, 0xbeb3_339c, 0xbedb_db5a, 0x3d9b_76de, 0x3f40_25be, 0x3e85_f92d]),
            (u32::MAX, &[0x3f4a_f7e8, 0xbf1e_fcb5, 0x3edc_d40e]),
        ];
        for (seed, bits) in cases {
            let got: Vec<u32> = fill(bits.len(), seed).into_iter().map(f32::to_bits).collect();
            assert_eq!(got, bits, "seed {seed}");
        }
        let long = fill(10_000, 1);
        assert_eq!(long[9_999].to_bits(), 0x3f01_db69);
        assert!((long.iter().map(|&x| f64::from(x)).sum::<f64>() - -36.063_336_770_515_89).abs() < 1e-9);
        assert!(fill(0, 1).is_empty());
    }
}
