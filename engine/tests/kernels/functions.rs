//! Functions of any real numbers, the largest and those that are none included, to the last digits.

use napkin_engine::backend::Backend;
use napkin_engine::program::{Binary, Compute, Program, Unary};
use napkin_engine::twin::map::map;
use napkin_engine::{DType, Layout};

use crate::common::{Random, Tensor, assert_within, on_every_backend};

const SPECIAL: [f64; 28] = [
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1.0,
    -1.0,
    f32::MAX as f64,
    f32::MIN as f64,
    1e-30,
    -1e-30,
    1e30,
    0.1,
    -0.3,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.0,
    3.0,
    -3.0,
    88.0,
    -87.3,
    126.7,
    -127.0,
    std::f32::consts::PI as f64,
    16_777_215.0,
    8_388_607.5,
];

/// What a device computes, and its twin rounded to float32.
fn both(device: &dyn Backend, program: &Program, inputs: &[&[f64]]) -> (Vec<f64>, Vec<f64>) {
    let layout = Layout::contiguous(&[inputs[0].len()]).unwrap();
    let tensors: Vec<Tensor> =
        inputs.iter().map(|values| Tensor::new(device, values, layout.clone(), DType::F32)).collect();
    let out = Tensor::poisoned(device, layout, DType::F32);
    let operands: Vec<_> = tensors.iter().map(Tensor::operand).collect();
    device.map(program, &operands, out.operand()).unwrap();
    let rounded: Vec<&[f64]> = tensors.iter().map(|tensor| tensor.values.as_slice()).collect();
    let want = map(program, &rounded, rounded[0].len()).unwrap();
    (out.read(device), want.iter().map(|&value| f64::from(value as f32)).collect())
}

/// Within so many units in the last place; devices may take for 0 what is below the smallest normal number, on their
/// way to the result, too.
fn check(device: &dyn Backend, program: &Program, inputs: &[&[f64]], ulps: f64) {
    let (got, want) = both(device, program, inputs);
    let bound =
        |i: usize| ulps * f64::from(f32::EPSILON) * want[i].abs() + 2.0 * f64::from(f32::MIN_POSITIVE);
    let arguments = |i: usize| inputs.iter().map(|values| values[i]).collect::<Vec<_>>();
    let fine = |i: &usize| got[*i] == want[*i] || (got[*i] - want[*i]).abs() <= bound(*i);
    let at = (0..got.len()).find(|i| !fine(i) && !(got[*i].is_nan() && want[*i].is_nan())).unwrap_or(0);
    assert_within(&got, &want, bound, &format!("{} {program:?} of {:?}", device.name(), arguments(at)));
}

fn spread(count: usize, size: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..count).map(|_| size * random.next()).collect()
}

/// Of both signs and of every size from 2⁻⁴⁰ to 2⁴⁰.
fn of_every_size(count: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.next() * (40.0 * random.next()).exp2()).collect()
}

/// Each of the special values with each other one.
fn special_pairs() -> (Vec<f64>, Vec<f64>) {
    SPECIAL.iter().flat_map(|&a| SPECIAL.iter().map(move |&b| (a, b))).unzip()
}

#[test]
fn functions_of_any_number_are_right_to_a_few_digits_of_the_last_place() {
    // A prime step visits all exponents; no number is subnormal.
    let all = (0..=u32::MAX).step_by(199_999).map(f32::from_bits).filter(|x| !x.is_subnormal());
    let mut x: Vec<f64> = all.map(f64::from).chain(SPECIAL).collect();
    for (size, seed) in [(1.0, 1), (3.2, 2), (20.0, 3), (90.0, 4), (1e4, 5), (1e5, 6)] {
        x.extend(spread(5000, size, seed));
    }
    // Where logarithms are small.
    x.extend(spread(5000, 0.1, 7).iter().map(|x| 1.0 + x));
    on_every_backend(|device| {
        for op in Unary::ALL {
            check(device, &Program::unary(Compute::F32, op), &[&x], 4.0);
        }
    });
}

#[test]
fn functions_of_any_two_numbers_are_right_to_a_few_digits_of_the_last_place() {
    let (special_a, special_b) = special_pairs();
    let pairs = [
        (special_a, special_b),
        (spread(20_000, 1000.0, 1), spread(20_000, 3.0, 2)),
        (spread(20_000, 2.0, 3).iter().map(|x| x.abs()).collect(), spread(20_000, 200.0, 4)),
        (of_every_size(20_000, 5), of_every_size(20_000, 6)),
    ];
    on_every_backend(|device| {
        for op in Binary::ALL {
            for (a, b) in &pairs {
                check(device, &Program::binary(Compute::F32, op), &[a, b], 4.0);
            }
        }
    });
}

#[test]
fn sines_of_large_numbers_have_all_digits() {
    on_every_backend(|device| {
        for op in [Unary::Sin, Unary::Cos] {
            for size in [3.2, 100.0, 1e4, 1e5, 1e30] {
                let (got, want) =
                    both(device, &Program::unary(Compute::F32, op), &[&spread(40_000, size, 8)]);
                assert_within(&got, &want, |_| 2e-7, &format!("{} {op:?} up to {size}", device.name()));
            }
        }
    });
}

/// Whole numbers to whole powers, and roots that are whole numbers.
#[test]
fn powers_that_are_whole_numbers_are_exact() {
    let whole = (-100..100).flat_map(|a| (0..16).map(move |b| (f64::from(a), f64::from(b))));
    let roots = (1..1000).flat_map(|a| [(f64::from(a * a), 0.5), (f64::from(a * a), 1.5)]);
    let (a, b): (Vec<f64>, Vec<f64>) =
        whole.chain(roots).filter(|(a, b)| a.powf(*b).abs() <= 16_777_216.0).unzip();
    on_every_backend(|device| {
        let (got, want) = both(device, &Program::binary(Compute::F32, Binary::Pow), &[&a, &b]);
        assert_within(&got, &want, |_| 0.0, &device.name());
    });
}

/// The rounded quotient of these is often the next whole number.
#[test]
fn rests_of_divisions_are_exact() {
    let tenths: Vec<f64> = (0..20_001).map(|i| 0.05 * f64::from(i)).collect();
    let pairs = [
        (tenths.clone(), vec![0.1; tenths.len()]),
        (tenths.iter().map(|x| -x).collect(), vec![0.3; tenths.len()]),
        (tenths, spread(20_001, 2.0, 1)),
        (of_every_size(20_000, 2), of_every_size(20_000, 3)),
        (vec![0.5, 1e10, 1e20, 3.4e38, -3.4e38], vec![0.1, 3.0, 1.0, 0.7, 1e-30]),
    ];
    on_every_backend(|device| {
        for (a, b) in &pairs {
            let what = device.name();
            let (got, want) = both(device, &Program::binary(Compute::F32, Binary::Fmod), &[a, b]);
            assert_within(&got, &want, |_| 0.0, &what);
            // The sum of a rest and the divisor is rounded, by the twin twice.
            let (got, want) = both(device, &Program::binary(Compute::F32, Binary::Remainder), &[a, b]);
            assert_within(&got, &want, |i| f64::from(f32::EPSILON) * want[i].abs(), &what);
            let (got, want) = both(device, &Program::binary(Compute::F32, Binary::FloorDiv), &[a, b]);
            assert_within(
                &got,
                &want,
                |i| if want[i].abs() < 1e6 { 0.0 } else { 1e-6 * want[i].abs() },
                &what,
            );
        }
    });
}

#[test]
fn rests_of_what_is_no_number_and_signs_of_zero_are_those_of_pytorch() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    // a, b, torch.remainder, torch.fmod, torch.floor_divide
    let cases = [
        (-1.0, inf, inf, -1.0, -1.0),
        (1.0, -inf, -inf, 1.0, -1.0),
        (1.0, inf, 1.0, 1.0, 0.0),
        (inf, 2.0, nan, nan, nan),
        (-inf, inf, nan, nan, nan),
        (nan, 1.0, nan, nan, nan),
        (1.0, nan, nan, nan, nan),
        (1.0, 0.0, nan, nan, inf),
        (-1.0, 0.0, nan, nan, -inf),
        (0.0, 0.0, nan, nan, nan),
        (-0.0, 3.0, -0.0, -0.0, -0.0),
        (0.0, -3.0, 0.0, 0.0, -0.0),
        (-3.0, 3.0, -0.0, -0.0, -1.0),
        (-0.5, 0.1, 7.450_581e-9, -0.099_999_994, -5.0),
    ];
    let (a, b) = (cases.map(|case| case.0), cases.map(|case| case.1));
    on_every_backend(|device| {
        for (op, want) in [
            (Binary::Remainder, cases.map(|case| case.2)),
            (Binary::Fmod, cases.map(|case| case.3)),
            (Binary::FloorDiv, cases.map(|case| case.4)),
        ] {
            let (got, twin) = both(device, &Program::binary(Compute::F32, op), &[&a, &b]);
            for (i, want) in want.map(|want| want as f32).into_iter().enumerate() {
                for (who, value) in [(device.name(), got[i] as f32), ("twin".into(), twin[i] as f32)] {
                    let same = value.to_bits() == want.to_bits() || (value.is_nan() && want.is_nan());
                    assert!(same, "{who}: {op:?} of {} and {} is {value}, not {want}", a[i], b[i]);
                }
            }
        }
    });
}
