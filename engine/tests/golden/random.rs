//! Random numbers against PyTorch's CPU generator.

use napkin_engine::Result;
use napkin_engine::random::Generator;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    sequences: Vec<Sequence>,
    errors: Vec<Fault>,
}

#[derive(Deserialize)]
struct Sequence {
    /// Up to 64 bits: a string in JSON.
    seed: String,
    calls: Vec<Call>,
    /// Of the state after all calls.
    state_crc32: u32,
    /// That state, where it is given.
    state_hex: Option<String>,
}

#[derive(Deserialize)]
struct Call {
    /// `[name, n, arguments…]`
    call: Vec<Value>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Fault {
    call: Vec<Value>,
    error: String,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("random.json")).unwrap()
}

/// Values of a call and by how much they may differ from PyTorch's, relative to 1 and to themselves.
fn draw(generator: &mut Generator, call: &[Value]) -> Result<(Vec<f64>, f64)> {
    let n = call[1].as_u64().unwrap() as usize;
    let float = |i: usize| call[i].as_f64().unwrap();
    let integer = |i: usize| call[i].as_i64().unwrap();
    let floats = |values: Vec<f32>| values.into_iter().map(f64::from).collect::<Vec<_>>();
    let integers = |values: Vec<i64>| values.into_iter().map(|v| v as f64).collect::<Vec<_>>();
    let mut out = vec![f32::NAN; n];
    Ok(match call[0].as_str().unwrap() {
        "rand" => (floats(generator.rand(n)), 0.0),
        "randn" => (floats(generator.randn(n)), 1e-6),
        "uniform_" => {
            generator.uniform_(&mut out, float(2) as f32, float(3) as f32)?;
            (floats(out), 0.0)
        }
        "normal_" => {
            generator.normal_(&mut out, float(2), float(3))?;
            (floats(out), 1e-6)
        }
        "randint" => (integers(generator.randint(integer(2), integer(3), n)?), 0.0),
        "randperm" => (integers(generator.randperm(n)?), 0.0),
        other => panic!("{other} is no call of this test"),
    })
}

/// As in zlib, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| (c >> 1) ^ if c & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

#[test]
fn the_same_seed_gives_pytorchs_numbers() {
    let sequences = golden().sequences;
    assert!(sequences.len() >= 50, "{} sequences", sequences.len());
    for sequence in sequences {
        let mut generator = Generator::new(sequence.seed.parse().unwrap());
        assert_eq!(generator.initial_seed().to_string(), sequence.seed);
        for call in &sequence.calls {
            let (got, tolerance) = draw(&mut generator, &call.call).unwrap();
            assert_eq!(got.len(), call.values.len(), "{:?}", call.call);
            for (i, (got, want)) in got.iter().zip(&call.values).enumerate() {
                let (got, want) = (*got, if tolerance == 0.0 { *want } else { f64::from(*want as f32) });
                let exact = got == want || got as f32 == want as f32;
                assert!(
                    exact || (got - want).abs() <= tolerance * want.abs().max(1.0),
                    "seed {}, {:?} of {:?}: value {i} is {got}, not {want}",
                    sequence.seed,
                    call.call,
                    sequence.calls.iter().map(|c| &c.call).collect::<Vec<_>>()
                );
            }
        }
        assert_eq!(generator.state().len(), 5056);
        // A kept normal number is part of the state, and its last bits are those of `sin`.
        if let Some(hex) = &sequence.state_hex {
            let bytes: Vec<u8> =
                (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
            assert_eq!(crc32(&bytes), sequence.state_crc32);
            check_states(&generator.state(), &bytes);
            let mut restored = Generator::new(0);
            restored.set_state(&bytes).unwrap();
            assert_eq!(restored.rand(700), generator.rand(700));
        } else if !sequence.calls.iter().any(|c| c.call[0] == "randn" || c.call[0] == "normal_") {
            assert_eq!(crc32(&generator.state()), sequence.state_crc32, "state after seed {}", sequence.seed);
        }
    }
}

/// Equal but for the kept normal number, which is close.
fn check_states(got: &[u8], want: &[u8]) {
    let kept = 5024..5032;
    let number = |state: &[u8]| f64::from_le_bytes(state[kept.clone()].try_into().unwrap());
    assert!((number(got) - number(want)).abs() < 1e-12);
    assert_eq!(got[..kept.start], want[..kept.start]);
    assert_eq!(got[kept.end..], want[kept.end..]);
}

#[test]
fn a_saved_state_goes_on_where_it_was_taken() {
    for calls in 0..40 {
        let mut generator = Generator::new(9);
        generator.randn(calls);
        generator.rand(17 * calls);
        let state = generator.state();
        let mut other = Generator::new(1);
        other.set_state(&state).unwrap();
        assert_eq!(other.state(), state);
        assert_eq!(other.randn(5), generator.randn(5));
        assert_eq!(other.rand(1000), generator.rand(1000));
    }
}

#[test]
fn faults_are_told_in_pytorchs_words() {
    for fault in golden().errors {
        let error = draw(&mut Generator::new(0), &fault.call).unwrap_err().to_string();
        // Ours begins with the operation.
        let words = error.split_once(": ").map_or("", |(_, words)| words);
        assert!(fault.error.ends_with(words), "{error:?} and {:?}", fault.error);
    }
    let mut generator = Generator::new(0);
    let error = generator.set_state(&[0; 10]).unwrap_err().to_string();
    assert!(error.contains("of size 5056 but found the input RNG state size to be 10"), "{error}");
    let mut state = generator.state();
    state[8..16].fill(255);
    let error = generator.set_state(&state).unwrap_err().to_string();
    assert!(error.contains("Invalid mt19937 state"), "{error}");
    assert!(generator.uniform_(&mut [0.0], f32::NAN, 1.0).is_err());
    assert!(generator.uniform_(&mut [0.0], f32::MIN, f32::MAX).is_err());
    assert!(generator.normal_(&mut [0.0], 0.0, f64::NAN).is_err());
    assert!(generator.randperm(usize::MAX).is_err());
}
