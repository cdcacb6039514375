//! Random numbers by counting.

use napkin_engine::backend::{Backend, Distribution};
use napkin_engine::twin::philox::philox;
use napkin_engine::{DType, Layout};

use crate::common::{Tensor, assert_within, on_every_backend};

fn drawn(
    device: &dyn Backend,
    seed: u64,
    counter: u128,
    distribution: Distribution,
    layout: Layout,
) -> Vec<f64> {
    let dtype = if distribution == Distribution::Bits { DType::I32 } else { DType::F32 };
    let out = Tensor::poisoned(device, layout, dtype);
    device.philox(seed, counter, distribution, out.operand()).unwrap();
    out.read(device)
}

/// The known answers of Random123: counter and key, four and two words, and what they are encrypted to.
#[test]
fn known_answers_on_every_backend() {
    const ANSWERS: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
        ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
        ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
        (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        ),
    ];
    on_every_backend(|device| {
        for (counter, key, want) in ANSWERS {
            let counter = counter.iter().rev().fold(0, |all, &word| all << 32 | u128::from(word));
            let seed = u64::from(key[1]) << 32 | u64::from(key[0]);
            let four = Layout::contiguous(&[4]).unwrap();
            let want = want.map(|word| f64::from(word.cast_signed()));
            assert_eq!(drawn(device, seed, counter, Distribution::Bits, four), want, "{}", device.name());
        }
    });
}

#[test]
fn numbers_are_those_of_the_twin() {
    on_every_backend(|device| {
        // The last counters carry into the second word, and into all.
        for counter in [0, 7, (1 << 32) - 3, (1 << 64) - 2, u128::MAX - 1] {
            for count in [0, 1, 3, 4, 17, 1000] {
                for distribution in [Distribution::Bits, Distribution::Uniform, Distribution::Normal] {
                    let what = format!("{} {distribution:?} {count} from {counter}", device.name());
                    let layout = Layout::strided(&[count], &[1], 5).unwrap();
                    let got = drawn(device, 0x1234_5678_9abc_def0, counter, distribution, layout);
                    let want = philox(0x1234_5678_9abc_def0, counter, distribution, count);
                    let bound = if distribution == Distribution::Normal { 2e-6 } else { 0.0 };
                    assert_within(&got, &want, |_| bound, &what);
                }
            }
        }
    });
}

#[test]
fn wrong_outputs_are_refused() {
    on_every_backend(|device| {
        for (dtype, layout) in [
            (DType::F16, Layout::contiguous(&[4]).unwrap()),
            (DType::F32, Layout::strided(&[4], &[2], 0).unwrap()),
        ] {
            let out = Tensor::poisoned(device, layout, dtype);
            assert!(device.philox(1, 0, Distribution::Uniform, out.operand()).is_err());
        }
    });
}
