//! FP4 under block scales, bit for bit as golden/fp4.py has it; and what `x.view(dtype)` allows.

use crate::harness::{block_on, each_device};
use napkin_engine::tensor::{BlockScaling, Fp4};
use napkin_engine::{DType, Device, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    scaling: String,
    shape: Vec<usize>,
    input: Vec<u32>,
    codes: Vec<u32>,
    scales: Vec<u32>,
    scale: f32,
    numbers: Vec<u32>,
}

fn bits(x: &Tensor) -> Vec<u32> {
    block_on(x.to_vec()).unwrap().iter().map(|x| x.to_bits()).collect()
}

fn bytes(x: &Tensor) -> Vec<u32> {
    let values = block_on(x.view_dtype(DType::U8).unwrap().to_vec()).unwrap();
    values.iter().map(|&x| x as u32).collect()
}

#[test]
fn blocks_are_scaled_and_rounded() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("fp4.json")).unwrap();
    each_device(|device| {
        for (i, case) in cases.iter().enumerate() {
            let at = format!("case {i}, {} on {device}", case.scaling);
            let scaling = if case.scaling == "mx" { BlockScaling::Mx } else { BlockScaling::Nv };
            let input: Vec<f32> = case.input.iter().map(|&b| f32::from_bits(b)).collect();
            let x = Tensor::from_slice(&input, &case.shape, DType::F32, device).unwrap();
            let fp4 = Fp4::quantize(&x, scaling).unwrap();
            assert_eq!(bytes(fp4.scales()), case.scales, "scales of {at}");
            assert_eq!(bits(fp4.scale()), [case.scale.to_bits()], "scale of {at}");
            assert_eq!(bytes(fp4.codes()), case.codes, "codes of {at}");
            let numbers = fp4.dequantize().unwrap();
            assert_eq!(numbers.shape(), case.shape, "{at}");
            assert_eq!(bits(&numbers), case.numbers, "numbers of {at}");
            let numel: usize = case.shape.iter().product();
            assert_eq!(fp4.size_bytes(), numel / 2 + numel / scaling.block() + 4, "{at}");
        }
    });
}

#[test]
fn a_block_with_nan_or_infinity_is_nan() {
    each_device(|device| {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut values = vec![1.0; 64];
            values[40] = bad;
            let x = Tensor::from_slice(&values, &[64], DType::F32, device).unwrap();
            let back = Fp4::quantize(&x, BlockScaling::Mx).unwrap().dequantize().unwrap();
            let back = block_on(back.to_vec()).unwrap();
            assert!(back[..32].iter().all(|&x| x == 1.0) && back[32..].iter().all(|x| x.is_nan()), "{bad}");
        }
    });
}

#[test]
fn what_does_not_make_blocks_is_refused() {
    let device = Device::cpu();
    let zeros = |shape: &[usize], dtype| Tensor::zeros(shape, dtype, &device).unwrap();
    for x in [zeros(&[3, 48], DType::F32), zeros(&[], DType::F32), zeros(&[32], DType::F16)] {
        assert!(Fp4::quantize(&x, BlockScaling::Mx).is_err(), "{x:?}");
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
