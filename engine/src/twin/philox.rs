//! Twin of shaders/philox.wgsl.

use std::f64::consts::TAU;

use crate::backend::Distribution;

/// The numbers that `counter`, `counter + 1`, … are encrypted to; the words themselves as they stand in int32.
#[must_use]
pub fn philox(seed: u64, counter: u128, distribution: Distribution, count: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(count + 3);
    for i in 0..count.div_ceil(4) {
        let words = encrypted(counter.wrapping_add(i as u128), seed);
        let part = |word: u32| f64::from(word >> 8) / 16_777_216.0;
        match distribution {
            Distribution::Bits => out.extend(words.map(|word| f64::from(word.cast_signed()))),
            Distribution::Uniform => out.extend(words.map(part)),
            Distribution::Normal => {
                for pair in words.as_chunks::<2>().0 {
                    let radius = (-2.0 * (part(pair[0]) + 1.0 / 16_777_216.0).ln()).sqrt();
                    out.extend([radius * (TAU * part(pair[1])).cos(), radius * (TAU * part(pair[1])).sin()]);
                }
            }
        }
    }
    out.truncate(count);
    out
}

/// Ten rounds of two products, whose halves cross over; the key grows by the golden ratio and by √3 − 1.
fn encrypted(counter: u128, seed: u64) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    for round in 0..10u32 {
        let first = u64::from(a) * 0xd251_1f53;
        let second = u64::from(c) * 0xcd9e_8d57;
        let low = (seed as u32).wrapping_add(round.wrapping_mul(0x9e37_79b9));
        let high = ((seed >> 32) as u32).wrapping_add(round.wrapping_mul(0xbb67_ae85));
        (a, b, c, d) =
            ((second >> 32) as u32 ^ b ^ low, second as u32, (first >> 32) as u32 ^ d ^ high, first as u32);
    }
    [a, b, c, d]
}
