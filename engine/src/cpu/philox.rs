//! Random numbers by counting; see [`crate::random::Philox`].

use std::f64::consts::TAU;

use crate::Result;
use crate::backend::{Distribution, Operand};
use crate::random::philox4x32;

use super::elements::elements_mut;
use super::storage;

pub(super) fn philox(seed: u64, counter: u128, distribution: Distribution, out: Operand<'_>) -> Result<()> {
    distribution.check(out)?;
    let mut words = storage::write("philox", out)?;
    // An empty one may begin behind its storage.
    let start = if out.layout.numel() == 0 { 0 } else { out.layout.offset() };
    let out = &mut elements_mut::<u32>(&mut words)[start..][..out.layout.numel()];
    for (i, four) in out.chunks_mut(4).enumerate() {
        let words = philox4x32(counter.wrapping_add(i as u128), seed);
        let numbers = match distribution {
            Distribution::Bits => words,
            Distribution::Uniform => words.map(|word| uniform(word).to_bits()),
            Distribution::Normal => {
                let [a, b, c, d] = words;
                let ([a, b], [c, d]) = (normal(a, b), normal(c, d));
                [a, b, c, d].map(f32::to_bits)
            }
        };
        four.copy_from_slice(&numbers[..four.len()]);
    }
    Ok(())
}

/// From [0, 1): 24 bits over 2²⁴.
fn uniform(word: u32) -> f32 {
    (word >> 8) as f32 / 16_777_216.0
}

/// Two normal numbers of two words (Box and Muller 1958).
fn normal(first: u32, second: u32) -> [f32; 2] {
    let (distance, turn) =
        (f64::from((first >> 8) + 1) / 16_777_216.0, f64::from(second >> 8) / 16_777_216.0);
    let radius = (-2.0 * distance.ln()).sqrt();
    let (sin, cos) = (TAU * turn).sin_cos();
    [(radius * cos) as f32, (radius * sin) as f32]
}
