//! What measuring the processor's limits needs: chains of multiply-adds in registers, and passes over memory.

use crate::backend::Storage;
use crate::measure::{Access, Chains, Probe, QUAD_BYTES, ROUND, Stream, Threads, Traits};
use crate::{DType, Error, Result};

use super::pool::Word;
use super::storage::{CpuStorage, own};
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
        each(chains.threads, lanes, PART, |i, out| registers::run(out, i * PART, chains))
    }

    fn sums(&self, quads: usize) -> usize {
        (quads * QUAD_WORDS).div_ceil(PART_WORDS)
    }

    fn stream(&self, stream: &Stream, x: &dyn Storage, out: &dyn Storage) -> Result<()> {
        const OP: &str = "stream";
        let count = stream.quads * QUAD_WORDS;
        let (x, out): (&CpuStorage, &CpuStorage) = (own(OP, x)?, own(OP, out)?);
        let sums = self.sums(stream.quads);
        let written = if stream.access == Access::Read { sums.div_ceil(2) } else { count };
        let mut out = out.words_mut(OP, written)?;
        let read = if stream.access == Access::Write { None } else { Some(x.words(OP, count)?) };
        let x: &[Word] = read.as_deref().unwrap_or_default();
        let value = u64::from(stream.value) << 32 | u64::from(stream.value);
        match stream.access {
            Access::Read => {
                let sums = &mut bytemuck::cast_slice_mut::<Word, u32>(&mut out)[..sums];
                each(stream.threads, sums, 1, |i, sums| {
                    for (sum, words) in sums.iter_mut().zip(x[i * PART_WORDS..].chunks(PART_WORDS)) {
                        *sum = registers::sum(bytemuck::cast_slice(words));
                    }
                })
            }
            Access::Write => each(stream.threads, &mut out, PART_WORDS, |_, out| out.fill(value)),
            Access::Copy => each(stream.threads, &mut out, PART_WORDS, |i, out| {
                out.copy_from_slice(&x[i * PART_WORDS..][..out.len()]);
            }),
        }
    }
}

/// Calls `body(i, part)` for parts of `size` elements, or for all of them as part 0.
fn each<T: Send>(
    threads: Threads,
    data: &mut [T],
    size: usize,
    body: impl Fn(usize, &mut [T]) + parallel::Shared,
) -> Result<()> {
    match threads {
        Threads::One => body(0, data),
        Threads::All => parallel::each_part(data, size, usize::MAX, |i, part| {
            body(i, part);
            Ok(())
        })?,
    }
    Ok(())
}

/// Sums beside each other, for the same reason.
const SUMS: usize = 8;

/// In whatever vectors the processor has; each lane of a chain's is a lane.
#[cfg(not(target_arch = "wasm32"))]
mod registers {
    use pulp::{Arch, Simd, WithSimd};

    use super::{CHAINS, Chains, ROUND, SUMS};

    struct Sum<'a>(&'a [u32]);

    /// Modulo 2³².
    pub(super) fn sum(words: &[u32]) -> u32 {
        Arch::new().dispatch(Sum(words))
    }

    impl WithSimd for Sum<'_> {
        type Output = u32;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> u32 {
            let (vectors, rest) = S::as_simd_u32s(self.0);
            let (blocks, more) = vectors.as_chunks::<SUMS>();
            let mut sums = [simd.splat_u32s(0); SUMS];
            for block in blocks {
                for (sum, words) in sums.iter_mut().zip(block) {
                    *sum = simd.add_u32s(*sum, *words);
                }
            }
            for (sum, words) in sums.iter_mut().zip(more) {
                *sum = simd.add_u32s(*sum, *words);
            }
            let sums = bytemuck::cast_slice::<S::u32s, u32>(&sums);
            sums.iter().chain(rest).fold(0, |all, &word| all.wrapping_add(word))
        }
    }

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

/// In WebAssembly's vectors of four.
#[cfg(target_arch = "wasm32")]
mod registers {
    use core::arch::wasm32::{f32x4, f32x4_add, f32x4_splat, i32x4_add, i32x4_splat, v128};

    use super::super::matmul::multiply_add;
    use super::{CHAINS, Chains, ROUND, SUMS};

    /// Modulo 2³².
    pub(super) fn sum(words: &[u32]) -> u32 {
        let (vectors, rest) = words.as_chunks::<4>();
        let mut sums = [i32x4_splat(0); SUMS];
        for block in vectors.chunks(SUMS) {
            for (sum, words) in sums.iter_mut().zip(block) {
                *sum = i32x4_add(*sum, bytemuck::cast::<[u32; 4], v128>(*words));
            }
        }
        let sums: [u32; 4 * SUMS] = bytemuck::cast(sums);
        sums.iter().chain(rest).fold(0, |all, &word| all.wrapping_add(word))
    }

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
