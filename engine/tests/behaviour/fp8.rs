//! Linear layers in 8 bits: against the same rounding done here, and a model that learns with them.

use crate::harness::{block_on, each_device};
use napkin_engine::format::Format;
use napkin_engine::nn::functional::linear_fp8;
use napkin_engine::random::Generator;
use napkin_engine::train::{TextConfig, TextTask};
use napkin_engine::{DType, Device, Tensor};

/// The values under the scale that brings the largest to the format's largest, rounded, and back.
fn rounded(x: &[f32], format: Format) -> Vec<f64> {
    let largest = x.iter().fold(0.0f32, |most, x| most.max(x.abs()));
    let scale = if largest == 0.0 { 1.0 } else { largest / format.info().max as f32 };
    let round = |&x: &f32| format.decode(format.encode(f64::from(x / scale))) * f64::from(scale);
    x.iter().map(round).collect()
}

/// `a (m, k) @ b (k, n)`, elements by functions of their place.
fn product(
    m: usize,
    n: usize,
    k: usize,
    a: impl Fn(usize, usize) -> f64,
    b: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    (0..m * n).map(|at| (0..k).map(|p| a(at / n, p) * b(p, at % n)).sum()).collect()
}

fn check(got: &Tensor, want: &[f64], device: &Device, what: &str) {
    let got = block_on(got.to_vec()).unwrap();
    let largest = want.iter().fold(1e-3f64, |most, x| most.max(x.abs()));
    // A quotient that a GPU rounds differently may become the neighbour of an 8-bit number.
    let bound = if device.to_string() == "cpu" { 1e-5 } else { 2e-2 } * largest;
    assert_eq!(got.len(), want.len());
    for (i, (&got, want)) in got.iter().zip(want).enumerate() {
        assert!((f64::from(got) - want).abs() <= bound, "{what}[{i}] on {device}: {got} instead of {want}");
    }
}

#[test]
fn products_are_those_of_rounded_factors() {
    each_device(|device| {
        for (rows, inputs, outputs) in [(1, 1, 1), (3, 17, 5), (16, 64, 32), (63, 65, 64)] {
            let draw = |seed, numel: usize| Generator::new(seed).randn(numel);
            let (x, w, b, g) = (
                draw(1, rows * inputs),
                draw(2, outputs * inputs),
                draw(3, outputs),
                draw(4, rows * outputs),
            );
            let leaf = |values: &[f32], shape: &[usize]| {
                let t = Tensor::from_slice(values, shape, DType::F32, device).unwrap();
                t.set_requires_grad(true).unwrap();
                t
            };
            let (tx, tw, tb) =
                (leaf(&x, &[rows, inputs]), leaf(&w, &[outputs, inputs]), leaf(&b, &[outputs]));
            let y = linear_fp8(&tx, &tw, Some(&tb)).unwrap();
            let upstream = Tensor::from_slice(&g, &[rows, outputs], DType::F32, device).unwrap();
            y.backward_with(Some(&upstream), false).unwrap();

            let (x, w) = (rounded(&x, Format::E4M3), rounded(&w, Format::E4M3));
            let mut want = product(rows, outputs, inputs, |i, p| x[i * inputs + p], |p, j| w[j * inputs + p]);
            want.iter_mut().enumerate().for_each(|(i, y)| *y += f64::from(b[i % outputs]));
            check(&y, &want, device, "y");
            let exact: Vec<f64> =
                (0..outputs).map(|j| (0..rows).map(|i| f64::from(g[i * outputs + j])).sum()).collect();
            let g = rounded(&g, Format::E5M2);
            let dx = product(rows, inputs, outputs, |i, p| g[i * outputs + p], |p, j| w[p * inputs + j]);
            check(&tx.grad().unwrap(), &dx, device, "dx");
            let dw = product(outputs, inputs, rows, |i, p| g[p * outputs + i], |p, j| x[p * inputs + j]);
            check(&tw.grad().unwrap(), &dw, device, "dw");
            check(&tb.grad().unwrap(), &exact, device, "db");
        }
    });
}

#[test]
fn zeros_empty_rows_and_misfits() {
    let device = Device::cpu();
    let zeros = |shape: &[usize], dtype| Tensor::zeros(shape, dtype, &device).unwrap();
    let y = linear_fp8(&zeros(&[2, 3], DType::F32), &zeros(&[4, 3], DType::F32), None).unwrap();
    assert_eq!(block_on(y.to_vec()).unwrap(), [0.0; 8]);
    assert_eq!(
        linear_fp8(&zeros(&[0, 3], DType::F32), &zeros(&[4, 3], DType::F32), None).unwrap().shape(),
        [0, 4]
    );
    assert!(linear_fp8(&zeros(&[2, 3], DType::F16), &zeros(&[4, 3], DType::F32), None).is_err());
    assert!(linear_fp8(&zeros(&[2, 3], DType::F32), &zeros(&[4, 2], DType::F32), None).is_err());
    assert!(linear_fp8(&zeros(&[2, 3], DType::F32), &zeros(&[3], DType::F32), None).is_err());
}

/// The loss after some steps is near that of float32, for every dtype to compute in.
#[test]
fn a_transformer_learns_in_every_dtype() {
    let text: String = (0..300).map(|i| format!("{i} bits are {} bytes. ", i / 8)).collect();
    each_device(|device| {
        let last = |dtype| {
            let config = TextConfig {
                layers: 2,
                heads: 2,
                dim: 32,
                context: 32,
                batch: 4,
                lr: 1e-2,
                warmup: 5,
                steps: 30,
                dtype,
                ..TextConfig::default()
            };
            let mut task = TextTask::new(config, &text, device).unwrap();
            let step = |_| block_on(async { task.step().await?.await }).unwrap().as_f64();
            let losses: Vec<f64> = (0..config.steps).map(step).collect();
            assert!(losses[29] < 0.8 * losses[0], "{dtype} on {device}: {losses:?}");
            losses[29]
        };
        let wide = last(DType::F32);
        for dtype in [DType::BF16, DType::F16, DType::F8E4M3FN] {
            let narrow = last(dtype);
            assert!((narrow - wide).abs() < 0.15 * wide, "{dtype} on {device}: {narrow}, {wide} in float32");
        }
    });
}
