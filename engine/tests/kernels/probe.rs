//! What a device's limits are measured with: chains of multiply-adds, and passes over memory.

use napkin_engine::measure::{Access, Chains, Probe, QUAD_BYTES, Stream, Threads};
use napkin_engine::twin::fma::fma;
use napkin_engine::twin::stream::stream;
use napkin_engine::{DType, Error};

use crate::common::on_every_probe;

/// Quads per invocation, in shaders/stream.wgsl as the backend expands it.
const EACH: usize = 16;

const CHAINS: Chains =
    Chains { dtype: DType::F32, width: 1, lanes: 1, rounds: 1, a: 1.0, b: 1.0, threads: Threads::All };

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

fn download(probe: &dyn Probe, storage: &dyn napkin_engine::backend::Storage) -> Vec<u32> {
    words(&pollster::block_on(probe.download(storage)).unwrap())
}

#[test]
fn chains_are_those_of_the_twin() {
    on_every_probe(|probe| {
        for (dtype, width) in probe.traits().chains {
            // Numbers that are exact in every dtype, however the product is rounded.
            for (a, b) in [(1.0, 1.0), (-1.0, 3.0), (0.0, 0.5), (1.0, -0.25)] {
                for (lanes, rounds, threads) in [
                    (0, 1, Threads::All),
                    (1, 0, Threads::All),
                    (3, 1, Threads::One),
                    (17, 2, Threads::All),
                    (64, 3, Threads::One),
                    (65, 1, Threads::All),
                    (1000, 4, Threads::All),
                    (1000, 4, Threads::One),
                ] {
                    let chains = Chains { dtype, width, lanes, rounds, a, b, threads };
                    let out = probe.upload(&[0xff; 4 * 1024]).unwrap();
                    probe.fma(&chains, &*out).unwrap();
                    let got = download(probe, &*out);
                    let totals: Vec<f64> =
                        got[..lanes].iter().map(|&bits| f64::from(f32::from_bits(bits))).collect();
                    let want = fma(&chains, probe.beside(width));
                    assert_eq!(totals, want, "{} {chains:?}", probe.name());
                    let beyond = lanes.next_multiple_of(2);
                    assert!(
                        got[beyond..].iter().all(|&bits| bits == u32::MAX),
                        "{}: {chains:?}",
                        probe.name()
                    );
                }
            }
        }
    });
}

#[test]
fn flop_of_chains_are_two_for_each_step_number_and_chain() {
    let chains = Chains { lanes: 3, rounds: 5, width: 4, ..CHAINS };
    assert_eq!((chains.steps(), chains.flop(7)), (40, 2 * 3 * 7 * 4 * 40));
}

#[test]
fn passes_over_memory_are_those_of_the_twin() {
    const VALUE: u32 = 0x1234_5678;
    let sum = |words: &[u32]| words.iter().fold(0u32, |sum, &word| sum.wrapping_add(word));
    on_every_probe(|probe| {
        // Less than a block, whole blocks, and a little more; those of the CPU are larger.
        for quads in [0, 1, 3, 17, 63, 64, 65, 255, 256, 257, 4096, 4097, 3 * 4096 + 5, 16384, 40_000] {
            let x: Vec<u32> = (0..4 * quads as u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i >> 3).collect();
            let bytes: Vec<u8> = x.iter().flat_map(|word| word.to_le_bytes()).collect();
            let input = probe.upload(&bytes).unwrap();
            for threads in [Threads::One, Threads::All] {
                for access in Access::ALL {
                    let what = format!("{} {access:?} {quads} {threads:?}", probe.name());
                    let pass = Stream { access, quads, value: VALUE, threads };
                    let sums = probe.sums(quads);
                    let size = if access == Access::Read { 4 * sums } else { quads * QUAD_BYTES };
                    let out = probe.upload(&vec![0xff; size + 32]).unwrap();
                    probe.stream(&pass, &*input, &*out).unwrap();
                    let got = download(probe, &*out);
                    let (got, beyond) = got.split_at(size / 4);
                    let want = stream(access, &x, EACH, VALUE);
                    if access == Access::Read && probe.device_type() == "cpu" {
                        // Cores share the quads in another way.
                        assert_eq!(sum(got), sum(&want), "{what}");
                    } else {
                        assert_eq!(got, want, "{what}");
                    }
                    assert!(beyond.iter().all(|&word| word == u32::MAX), "{what}: written beyond the end");
                    let moved = pass.bytes(sums);
                    let once = (16 * quads) as u64;
                    let expected = match access {
                        Access::Read => once + 4 * sums as u64,
                        Access::Write => once,
                        Access::Copy => 2 * once,
                    };
                    assert_eq!(moved, expected, "{what}");
                }
            }
        }
    });
}

#[test]
fn what_does_not_fit_or_cannot_be_computed_is_refused() {
    on_every_probe(|probe| {
        let small = probe.allocate(64).unwrap();
        let is_refused = |result: Result<(), Error>| {
            matches!(result, Err(Error::Value { .. })) || panic!("{}: {result:?}", probe.name())
        };
        assert!(is_refused(probe.fma(&Chains { lanes: 1000, ..CHAINS }, &*small)));
        for (dtype, width) in [(DType::F64, 1), (DType::BF16, 1), (DType::I32, 1), (DType::F32, 3)] {
            assert!(is_refused(probe.fma(&Chains { dtype, width, ..CHAINS }, &*small)));
        }
        let large = probe.allocate(16 * 1024).unwrap();
        for access in Access::ALL {
            let pass = Stream { access, quads: 1024, value: 0, threads: Threads::All };
            if access != Access::Read {
                assert!(is_refused(probe.stream(&pass, &*large, &*small)), "{access:?}");
            }
            if access != Access::Write {
                assert!(is_refused(probe.stream(&pass, &*small, &*large)), "{access:?}");
            }
        }
    });
}
