//! A generator without a state to step: a number is its counter, encrypted. Any part of a sequence can be drawn
//! anywhere, so a GPU draws as the CPU does.

use crate::backend::Distribution;
use crate::tensor::Tensor;
use crate::{DType, Device, Error, Result};

/// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011. The counter has its lowest word first.
#[must_use]
pub(crate) fn philox4x32(counter: u128, seed: u64) -> [u32; 4] {
    let mut x: [u32; 4] = std::array::from_fn(|i| (counter >> (32 * i)) as u32);
    let mut key = [seed as u32, (seed >> 32) as u32];
    for _ in 0..10 {
        let first = 0xd251_1f53 * u64::from(x[0]);
        let second = 0xcd9e_8d57 * u64::from(x[2]);
        x = [
            (second >> 32) as u32 ^ x[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ x[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    x
}

/// A counter-based generator for any device: the same seed gives the same numbers on each, uniform ones bit for bit.
///
/// They are not those of PyTorch's CUDA generator, which depend on how many blocks a kernel is launched with; and not
/// those of its CPU generator, which are [`super::Generator`]'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Philox {
    /// The key.
    pub seed: u64,
    /// The next counter; each gives four numbers.
    pub offset: u64,
}

impl Philox {
    /// At the beginning of the sequence of that seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, offset: 0 }
    }

    /// float32 from [0, 1), multiples of 2⁻²⁴, drawn on the device.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn rand(&mut self, shape: &[usize], device: &Device) -> Result<Tensor> {
        self.draw(Distribution::Uniform, shape, DType::F32, device)
    }

    /// float32, normal with mean 0 and standard deviation 1, drawn on the device.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn randn(&mut self, shape: &[usize], device: &Device) -> Result<Tensor> {
        self.draw(Distribution::Normal, shape, DType::F32, device)
    }

    /// Truth values, each true with probability `p`, drawn on the device.
    ///
    /// # Errors
    /// If `p` is no probability, or memory does not allow it.
    pub fn bernoulli(&mut self, p: f64, shape: &[usize], device: &Device) -> Result<Tensor> {
        super::check_probability(p)?;
        self.rand(shape, device)?.lt(p)
    }

    fn draw(
        &mut self,
        distribution: Distribution,
        shape: &[usize],
        dtype: DType,
        device: &Device,
    ) -> Result<Tensor> {
        let out = Tensor::empty(shape, dtype, device)?;
        device.backend().philox(self.seed, self.offset.into(), distribution, out.operand())?;
        let name = match distribution {
            Distribution::Bits => "random_",
            Distribution::Uniform => "uniform_",
            Distribution::Normal => "normal_",
        };
        device.ledger().ran(name, 0, 0, out.bytes());
        self.offset = self.offset.wrapping_add(out.numel().div_ceil(4) as u64);
        Ok(out)
    }

    /// Seed and offset, 8 bytes each: the form in which PyTorch saves the state of its CUDA generators.
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        [self.seed.to_le_bytes(), self.offset.to_le_bytes()].concat()
    }

    /// Continues where [`Philox::state`] was taken.
    ///
    /// # Errors
    /// If the bytes are not such a state; the generator stays as it was.
    pub fn set_state(&mut self, state: &[u8]) -> Result<()> {
        let (&[seed, offset], []) = state.as_chunks::<8>() else {
            return Err(Error::Value { op: "set_state", message: "RNG state is wrong size".into() });
        };
        *self = Self { seed: u64::from_le_bytes(seed), offset: u64::from_le_bytes(offset) };
        Ok(())
    }
}

impl super::Source for Philox {
    fn mask(&mut self, p: f64, shape: &[usize], device: &Device) -> Result<Tensor> {
        self.bernoulli(p, shape, device)
    }
}

#[cfg(test)]
mod tests {
    use super::philox4x32;

    /// The known answers that come with Random123.
    #[test]
    fn known_answers() {
        let words = |words: [u32; 4]| words.iter().rev().fold(0, |all, &word| all << 32 | u128::from(word));
        let check = |counter, key: [u32; 2], want| {
            let seed = u64::from(key[1]) << 32 | u64::from(key[0]);
            assert_eq!(philox4x32(words(counter), seed), want);
        };
        check([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        check([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        check(
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        );
    }
}
