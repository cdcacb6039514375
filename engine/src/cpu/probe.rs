//! What measuring the processor's limits needs: chains of multiply-adds in registers, and passes over memory.

use crate::backend::Storage;
use crate::measure::{Access, Chains, Probe, QUAD_BYTES, ROUND, Stream, Threads, Traits};
use crate::{DType, Error, Result};

use super::storage::{CpuStorage, Word, own};
use super::vector_math::vectorized;
use super::{Cpu, matmul, parallel};

/// Chains beside each other: as many as keep two units busy over four cycles, and what they need of sixteen registers;
/// ARM's cores have four units and more registers.
const CHAINS: usize = if cfg!(target_arch = "aarch64") { 16 } else { 12 };

/// Lanes that a core takes at a time.
const PART: usize = 256;

/// Words that a core reads or writes at a time, 256 KiB.
const PART_WORDS: usize = 1 << 15;

/// Words in a quad.
const QUAD_WORDS: usize = QUAD_BYTES / size_of::<Word>();

impl Probe for Cpu {
    fn traits(&self) -> Traits {
        Traits {
            backend: if cfg!(target_arch = "wasm32") { "wasm" } else { "native" }.to_owned(),
            driver: matmul::instruction_set().to_owned(),
            is_software: false,
            submits: false,
            threads: parallel::threads(),
            // Of an allocation in Rust; in the browser memory has 4 GiB in all.
            max_storage_bytes: isize::MAX as u64,
            chains: vec![(DType::F32, 1)],
        }
    }

    fn beside(&self, _width: usize) -> usize {
        CHAINS
    }

    fn fma(&self, chains: &Chains, out: &dyn Storage) -> Result<()> {
        if (chains.dtype, chains.width) != (DType::F32, 1) {
            let message = format!("no chains of {} × {} are computed here", chains.width, chains.dtype);
            return Err(Error::Value { op: "fma", message });
        }
        let storage = own("fma", out)?;
        let mut words = storage.words_mut("fma", chains.lanes.div_ceil(2))?;
        let lanes = &mut bytemuck::cast_slice_mut::<Word, f32>(&mut words)[..chains.lanes];
        let part = |i: usize, out: &mut [f32]| {
            registers::run(out, i * PART, chains);
            Ok(())
        };
        match chains.threads {
            Threads::One => part(0, lanes),
            Threads::All => parallel::each_part(lanes, PART, usize::MAX, part),
        }
    }

    fn sums(&self, quads: usize) -> usize {
        2 * (quads * QUAD_WORDS).div_ceil(PART_WORDS)
    }

    fn stream(&self, stream: &Stream, x: &dyn Storage, out: &dyn Storage) -> Result<()> {
        const OP: &str = "stream";
        let count = stream.quads * QUAD_WORDS;
        let (x, out): (&CpuStorage, &CpuStorage) = (own(OP, x)?, own(OP, out)?);
        // Both halves of each word are the sum of a part's halves.
        let written = if stream.access == Access::Read { count.div_ceil(PART_WORDS) } else { count };
        let mut out = out.words_mut(OP, written)?;
        let read = if stream.access == Access::Write { None } else { Some(x.words(OP, count)?) };
        let x: &[Word] = read.as_deref().unwrap_or_default();
        let size = if stream.access == Access::Read { 1 } else { PART_WORDS };
        let value = u64::from(stream.value) << 32 | u64::from(stream.value);
        let part = |i: usize, out: &mut [Word]| {
            let from = x.get(i * PART_WORDS..).unwrap_or_default();
            match stream.access {
                Access::Read => {
                    for (sum, words) in out.iter_mut().zip(from.chunks(PART_WORDS)) {
                        *sum = sum_of_halves(words);
                    }
                }
                Access::Write => out.fill(value),
                Access::Copy => out.copy_from_slice(&from[..out.len()]),
            }
            Ok(())
        };
        match stream.threads {
            Threads::One => part(0, &mut out[..]),
            Threads::All => parallel::each_part(&mut out[..], size, usize::MAX, part),
        }
    }
}

/// The sums of the lower and of the upper halves of words, as the halves of one.
fn sum_of_halves(words: &[Word]) -> Word {
    vectorized(
        #[inline(always)]
        || {
            let mut sums = [0u32; 32];
            let (blocks, rest) = bytemuck::cast_slice::<Word, u32>(words).as_chunks::<32>();
            for block in blocks {
                for (sum, word) in sums.iter_mut().zip(block) {
                    *sum = sum.wrapping_add(*word);
                }
            }
            for (sum, word) in sums.iter_mut().zip(rest) {
                *sum = sum.wrapping_add(*word);
            }
            let half = |first: usize| sums.iter().skip(first).step_by(2).fold(0u32, |a, b| a.wrapping_add(*b));
            u64::from(half(1)) << 32 | u64::from(half(0))
        },
    )
}

/// Chains in whatever vectors the processor has: each lane of them is a lane.
#[cfg(not(target_arch = "wasm32"))]
mod registers {
    use pulp::{Arch, Simd, WithSimd};

    use super::{CHAINS, Chains, ROUND};

    struct Run<'a>(&'a mut [f32], usize, &'a Chains);

    /// The totals of lanes from `first` on.
    pub(super) fn run(out: &mut [f32], first: usize, chains: &Chains) {
        Arch::new().dispatch(Run(out, first, chains));
    }

    impl WithSimd for Run<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self(out, first, chains) = self;
            let (a, b) = (simd.splat_f32s(chains.a), simd.splat_f32s(chains.b));
            let mut starts = [0.0; 64];
            for (at, out) in out.chunks_mut(S::F32_LANES).enumerate() {
                let mut x = [b; CHAINS];
                for (c, x) in x.iter_mut().enumerate() {
                    for (lane, start) in starts[..out.len()].iter_mut().enumerate() {
                        *start = ((first + at * S::F32_LANES + lane + c) % 64) as f32;
                    }
                    *x = simd.partial_load_f32s(&starts[..out.len()]);
                }
                for _ in 0..chains.rounds {
                    for _ in 0..ROUND {
                        for x in &mut x {
                            *x = simd.mul_add_e_f32s(a, *x, b);
                        }
                    }
                }
                let total = x.into_iter().fold(simd.splat_f32s(0.0), |sum, x| simd.add_f32s(sum, x));
                simd.partial_store_f32s(out, total);
            }
        }
    }
}

/// Chains in WebAssembly's vectors of four: each lane of them is a lane.
#[cfg(target_arch = "wasm32")]
mod registers {
    use core::arch::wasm32::{f32x4, f32x4_add, f32x4_splat, v128};

    use super::super::matmul::multiply_add;
    use super::{CHAINS, Chains, ROUND};

    /// The totals of lanes from `first` on.
    #[cfg_attr(feature = "relaxed-simd", target_feature(enable = "relaxed-simd"))]
    pub(super) fn run(out: &mut [f32], first: usize, chains: &Chains) {
        let (a, b) = (f32x4_splat(chains.a), f32x4_splat(chains.b));
        for (at, out) in out.chunks_mut(4).enumerate() {
            let start = |i: usize| ((first + 4 * at + i) % 64) as f32;
            let mut x: [v128; CHAINS] =
                std::array::from_fn(|c| f32x4(start(c), start(c + 1), start(c + 2), start(c + 3)));
            for _ in 0..chains.rounds {
                for _ in 0..ROUND {
                    for x in &mut x {
                        *x = multiply_add(a, *x, b);
                    }
                }
            }
            let total = x.into_iter().fold(f32x4_splat(0.0), |sum, x| f32x4_add(sum, x));
            let total: [f32; 4] = bytemuck::cast(total);
            out.copy_from_slice(&total[..out.len()]);
        }
    }
}
