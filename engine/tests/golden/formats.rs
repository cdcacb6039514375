//! Bit formats against `ml_dtypes` and PyTorch: every pattern, and rounding where it is hardest; and what `x.view(dtype)` allows.

use crate::harness::block_on;
use napkin_engine::format::Format;
use napkin_engine::{DType, Device, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    decode: Vec<Decode>,
    encode: Vec<Encode>,
    finfo: Vec<Info>,
}

#[derive(Deserialize)]
struct Decode {
    format: String,
    /// Of all values as little-endian float32, NaN as 0x7fc00000.
    crc32: u32,
    patterns: Vec<u32>,
    values: Vec<Number>,
}

#[derive(Deserialize)]
struct Encode {
    format: String,
    /// Bits of float32.
    inputs: Vec<u32>,
    patterns: Vec<u32>,
}

#[derive(Deserialize)]
struct Info {
    dtype: String,
    bits: u32,
    max: f64,
    min: f64,
    eps: f64,
    tiny: f64,
    smallest_subnormal: f64,
}

/// NaN and the infinities are strings in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Special(String),
}

impl Number {
    fn value(&self) -> f64 {
        match self {
            Self::Finite(x) => *x,
            Self::Special(text) => text.parse().unwrap(),
        }
    }
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("formats.json")).unwrap()
}

fn format(name: &str) -> Format {
    Format::ALL.into_iter().find(|f| f.name == name).unwrap()
}

/// As in zlib, bit by bit.
fn crc32(bytes: impl Iterator<Item = u8>) -> u32 {
    !bytes.fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| (c >> 1) ^ if c & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

/// How many formats have so few patterns that all are compared.
fn narrow_formats() -> usize {
    Format::ALL.into_iter().filter(|format| format.bits() <= 16).count()
}

#[test]
fn every_pattern_has_the_value_that_ml_dtypes_and_pytorch_give_it() {
    let golden = golden();
    assert_eq!(golden.decode.len(), narrow_formats());
    for entry in golden.decode {
        let format = format(&entry.format);
        for (&pattern, want) in entry.patterns.iter().zip(&entry.values) {
            let (got, want) = (format.decode(pattern), want.value());
            // The figures are the shortest decimals of float32.
            assert!(
                (got as f32).to_bits() == (want as f32).to_bits() || (got.is_nan() && want.is_nan()),
                "{} {pattern:#x}: {got}, not {want}",
                entry.format
            );
        }
        let all = (0..1 << format.bits()).flat_map(|pattern| {
            let value = format.decode(pattern) as f32;
            (if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }).to_le_bytes()
        });
        assert_eq!(crc32(all), entry.crc32, "one of the other patterns of {}", entry.format);
    }
}

#[test]
fn numbers_are_stored_as_pytorch_stores_them() {
    let golden = golden();
    assert_eq!(golden.encode.len(), narrow_formats());
    for entry in golden.encode {
        let format = format(&entry.format);
        for (&input, &want) in entry.inputs.iter().zip(&entry.patterns) {
            let value = f32::from_bits(input);
            let got = format.encode(value.into());
            // Which of its NaNs a format takes is left open; E2M1 has none and takes −0.
            let both_nan = format.decode(got).is_nan() && format.decode(want).is_nan();
            assert!(
                got == want || both_nan,
                "{} of {value:e} ({input:#010x}): {got:#x}, not {want:#x}",
                entry.format
            );
        }
    }
}

#[test]
fn the_lists_have_every_format_of_a_dtype() {
    let narrow: Vec<DType> = DType::ALL.into_iter().filter(|dtype| dtype.format().is_some()).collect();
    assert_eq!(narrow, DType::UP_TO_F32);
    for format in narrow.into_iter().filter_map(DType::format) {
        assert!(Format::ALL.contains(&format), "{}", format.name);
    }
}

#[test]
fn finfo_is_pytorchs() {
    let golden = golden();
    assert_eq!(golden.finfo.len(), DType::UP_TO_F32.len());
    for want in golden.finfo {
        let got = DType::from_name(&want.dtype).unwrap().format().unwrap().info();
        assert_eq!(
            (got.bits, got.max, got.min, got.eps, got.tiny, got.smallest_subnormal),
            (want.bits, want.max, want.min, want.eps, want.tiny, want.smallest_subnormal),
            "{}",
            want.dtype
        );
    }
}

#[test]
fn bytes_are_read_as_another_dtype() {
    let x = Tensor::arange(0, 12, 1, Some(DType::F32), &Device::cpu()).unwrap().reshape(&[3, 4]).unwrap();
    let check = |x: &Tensor, dtype, want: Result<&[usize], &str>| match (x.view_dtype(dtype), want) {
        (Ok(y), Ok(shape)) => {
            assert_eq!(y.shape(), shape);
            assert!(y.shares_storage_with(x));
            assert_eq!(
                block_on(y.view_dtype(x.dtype()).unwrap().to_vec()).unwrap(),
                block_on(x.to_vec()).unwrap()
            );
        }
        (Err(e), Err(message)) => assert_eq!(e.to_string(), message),
        (got, want) => assert!(got.is_ok() == want.is_ok(), "{got:?} instead of {want:?}"),
    };
    check(&x, DType::F64, Ok(&[3, 2]));
    check(&x, DType::I32, Ok(&[3, 4]));
    check(&x, DType::U8, Ok(&[3, 16]));
    check(&x.narrow(1, 2, 2).unwrap(), DType::F64, Ok(&[3, 1]));
    check(&x.narrow(1, 2, 2).unwrap(), DType::BF16, Ok(&[3, 4]));
    check(&x.t().unwrap(), DType::I32, Ok(&[4, 3]));
    let why = " must be divisible by 2 to view Float as Double (different element sizes), but got ";
    check(&x.narrow(1, 0, 3).unwrap(), DType::F64, Err(&format!("self.size(-1){why}3")));
    check(&x.narrow(1, 1, 2).unwrap(), DType::F64, Err(&format!("self.storage_offset(){why}1")));
    let odd = x.reshape(&[12]).unwrap().narrow(0, 0, 9).unwrap().reshape(&[3, 3]).unwrap();
    check(&odd.narrow(1, 0, 2).unwrap(), DType::F64, Err(&format!("self.stride(0){why}3")));
    check(
        &x.t().unwrap(),
        DType::F16,
        Err("self.stride(-1) must be 1 to view Float as Half (different element sizes), but got 4"),
    );
    check(
        &x.select(0, 0).unwrap().select(0, 0).unwrap(),
        DType::F64,
        Err("self.dim() cannot be 0 to view Float as Double (different element sizes)"),
    );
}
