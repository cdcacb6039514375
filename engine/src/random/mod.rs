//! Seeded random numbers, the same as those of PyTorch's CPU generator: a Mersenne Twister and
//! PyTorch's ways from its bits to numbers. Uniform numbers, integers and permutations are equal bit
//! for bit; normal ones up to the last bits of the platform's `ln`, `sin` and `cos`.

mod bernoulli;
mod cephes;
mod mt19937;
mod philox;
mod real;

use crate::room::collect;
use crate::tensor::Tensor;
use crate::{Device, Error, Result};
use mt19937::{Mt19937, N};
pub use philox::Philox;
pub(crate) use philox::philox4x32;
pub use real::Real;

/// A generator that layers draw their masks from.
pub trait Source {
    /// Truth values on the device, each true with probability `p`.
    ///
    /// # Errors
    /// If `p` is no probability, or memory does not allow it.
    fn mask(&mut self, p: f64, shape: &[usize], device: &Device) -> Result<Tensor>;
}

fn check_probability(p: f64) -> Result<()> {
    if (0.0..=1.0).contains(&p) {
        return Ok(());
    }
    let message = format!("expects p to be in [0, 1], but got p={p}");
    Err(Error::Value { op: "bernoulli_", message })
}

/// PyTorch's CPU generator.
#[derive(Clone)]
pub struct Generator {
    seed: u64,
    engine: Mt19937,
    /// The second of a pair of normal numbers, kept for the next draw of a single one.
    spare_normal: Option<f64>,
}

impl Generator {
    /// `torch.Generator().manual_seed(seed)`; the twister takes the lower 32 bits.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, engine: Mt19937::new(seed as u32), spare_normal: None }
    }

    /// `generator.initial_seed()`.
    #[must_use]
    pub fn initial_seed(&self) -> u64 {
        self.seed
    }

    /// `torch.rand(n)`: float32 from [0, 1).
    pub fn rand(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| real::uniform(&mut self.engine)).collect()
    }

    /// `torch.randn(n)`: float32, normal with mean 0 and standard deviation 1.
    pub fn randn(&mut self, n: usize) -> Vec<f32> {
        let mut out = vec![0.0; n];
        self.fill_normal(&mut out, 0.0, 1.0);
        out
    }

    /// `torch.randint(low, high, (n,))`: integers from [low, high). PyTorch takes 64 bits each where
    /// the range reaches 2^28, and 32 below.
    ///
    /// # Errors
    /// If the range is empty, or memory does not allow it.
    pub fn randint(&mut self, low: i64, high: i64, n: usize) -> Result<Vec<i64>> {
        if low >= high {
            let message =
                format!("random_ expects 'from' to be less than 'to', but got from={low} >= to={high}");
            return Err(Error::Value { op: "randint", message });
        }
        let range = high.abs_diff(low);
        let draw = |_| {
            let bits = if range >= 1 << 28 { self.engine.bits64() } else { self.engine.bits32().into() };
            low.wrapping_add_unsigned(bits % range)
        };
        collect(n, (0..n).map(draw))
    }

    /// `torch.randperm(n)`: the numbers below n in random order (Fisher and Yates).
    ///
    /// # Errors
    /// If n is so large that 32 random bits would favour some orders, or memory does not allow it.
    pub fn randperm(&mut self, n: usize) -> Result<Vec<i64>> {
        // Where PyTorch changes to another method.
        let limit = u32::MAX / 20;
        let Some(len) = u32::try_from(n).ok().filter(|&n| n < limit) else {
            let message = format!("a permutation has fewer than {limit} numbers here, but n is {n}");
            return Err(Error::Value { op: "randperm", message });
        };
        let mut out = collect(n, 0..i64::from(len))?;
        for i in 0..len.saturating_sub(1) {
            let other = i + self.engine.bits32() % (len - i);
            out.swap(i as usize, other as usize);
        }
        Ok(out)
    }
}

/// Where things are in a saved state: the structure that PyTorch's generator has in memory.
mod saved {
    pub(super) const SEED: usize = 0;
    pub(super) const LEFT: usize = 8;
    pub(super) const SEEDED: usize = 12;
    pub(super) const NEXT: usize = 16;
    pub(super) const WORDS: usize = 24;
    pub(super) const SPARE_NORMAL: usize = WORDS + 8 * super::N + 8;
    pub(super) const HAS_SPARE_NORMAL: usize = WORDS + 8 * super::N + 24;
    pub(super) const SIZE: usize = HAS_SPARE_NORMAL + 16;
}

impl Generator {
    /// `generator.get_state()`: the 5056 bytes that PyTorch saves.
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        let mut out = vec![0; saved::SIZE];
        let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
        put(saved::SEED, &self.seed.to_le_bytes());
        put(saved::LEFT, &(self.engine.left as u32).to_le_bytes());
        put(saved::SEEDED, &1u32.to_le_bytes());
        put(saved::NEXT, &(self.engine.next as u64).to_le_bytes());
        for (i, &word) in self.engine.words.iter().enumerate() {
            put(saved::WORDS + 8 * i, &u64::from(word).to_le_bytes());
        }
        if let Some(spare) = self.spare_normal {
            put(saved::SPARE_NORMAL, &spare.to_le_bytes());
            put(saved::HAS_SPARE_NORMAL, &1u32.to_le_bytes());
        }
        out
    }

    /// `generator.set_state(state)`: continues where [`Generator::state`] was taken, here or in PyTorch.
    ///
    /// # Errors
    /// If the bytes are not such a state; the generator stays as it was.
    pub fn set_state(&mut self, state: &[u8]) -> Result<()> {
        let fault = |message| Err(Error::Value { op: "set_state", message });
        let Ok(state) = <&[u8; saved::SIZE]>::try_from(state) else {
            return fault(format!(
                "Expected a CPUGeneratorImplState of size {} but found the input RNG state size to be {}",
                saved::SIZE,
                state.len()
            ));
        };
        let u64_at = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&state[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let u32_at = |at: usize| u64_at(at) as u32;
        let (next, left) =
            (usize::try_from(u64_at(saved::NEXT)).unwrap_or(usize::MAX), u32_at(saved::LEFT) as usize);
        if u32_at(saved::SEEDED) & 1 == 0 || !Mt19937::is_valid(next, left) {
            return fault("Invalid mt19937 state".into());
        }
        let mut words = Box::new([0; N]);
        words.iter_mut().enumerate().for_each(|(i, word)| *word = u32_at(saved::WORDS + 8 * i));
        *self = Self {
            seed: u64_at(saved::SEED),
            engine: Mt19937 { words, next, left },
            spare_normal: (u32_at(saved::HAS_SPARE_NORMAL) != 0)
                .then(|| f64::from_bits(u64_at(saved::SPARE_NORMAL))),
        };
        Ok(())
    }
}
