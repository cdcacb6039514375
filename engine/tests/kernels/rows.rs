//! Kernels of whole rows: softmax, norms and cross-entropy, forward and backward.

use std::rc::Rc;

use napkin_engine::backend::{Backend, Operand, Storage};
use napkin_engine::rows::{CrossEntropy, Rows, Softmax};
use napkin_engine::twin::cross_entropy::{cross_entropy, cross_entropy_backward};
use napkin_engine::twin::norm::{norm, norm_backward};
use napkin_engine::twin::norm_parameters::norm_parameters;
use napkin_engine::twin::softmax::{softmax, softmax_backward};
use napkin_engine::{DType, Layout};

use crate::common::{Tensor, assert_within, on_every_backend, unit_roundoff};

/// Lengths of rows around every way to work on them: alone, in vectors, together, in several rounds.
const COLUMNS: [usize; 12] = [1, 3, 4, 17, 33, 63, 64, 65, 257, 260, 1025, 3000];

fn contiguous(shape: &[usize]) -> Layout {
    Layout::contiguous(shape).unwrap()
}

/// Rows of that length in order, with a margin, and lying across memory.
fn layouts(rows: usize, columns: usize) -> [Layout; 3] {
    [
        contiguous(&[2, rows, columns]),
        Layout::strided(&[2, rows, columns], &[rows * (columns + 4), columns + 4, 1], 4).unwrap(),
        contiguous(&[columns, 2, rows]).permute(&[1, 2, 0]).unwrap(),
    ]
}

fn run(device: &dyn Backend, op: Rows, inputs: &[Option<&Tensor>], outputs: &[&Tensor]) {
    let inputs: Vec<_> = inputs.iter().map(|input| input.map(Tensor::operand)).collect();
    run_on(device, op, &inputs, outputs);
}

fn run_on(device: &dyn Backend, op: Rows, inputs: &[Option<Operand<'_>>], outputs: &[&Tensor]) {
    let outputs: Vec<_> = outputs.iter().map(|output| output.operand()).collect();
    device.rows(op, inputs, &outputs).unwrap_or_else(|e| panic!("{op:?} on {}: {e}", device.name()));
}

/// `got` within a few roundings of `want`, which is of the size of `size`.
fn compare(got: &[f64], want: &[f64], dtype: DType, size: f64, what: &str) {
    let stored = if dtype == DType::F32 { 0.0 } else { unit_roundoff(dtype) * 1.01 };
    let smallest = dtype.format().unwrap().info().smallest_subnormal;
    assert_within(
        got,
        want,
        |i| 16.0 * unit_roundoff(DType::F32) * (want[i].abs() + size) + stored * want[i].abs() + smallest,
        what,
    );
}

fn check_softmax(device: &dyn Backend, how: Softmax, layout: &Layout, mask: Option<&Tensor>, dtype: DType) {
    let what = format!("{how:?} {layout:?} {dtype} on {}", device.name());
    let (columns, height) = (layout.shape()[2], layout.shape()[1]);
    let x = Tensor::random(device, layout.clone(), dtype, 3);
    let y = Tensor::poisoned(device, layout.clone(), dtype);
    run(device, Rows::Softmax(how), &[Some(&x), mask], &[&y]);
    let added = mask.map(|mask| {
        let full = mask.layout.broadcast_to(layout.shape()).unwrap();
        let values = napkin_engine::twin::dense(&mask.values, &full);
        let choose = |v: f64| if v == 0.0 { f64::NEG_INFINITY } else { 0.0 };
        if mask.dtype == DType::Bool { values.into_iter().map(choose).collect() } else { values }
    });
    let want = softmax(how, &x.dense(), added.as_deref(), columns, height);
    compare(&y.read(device), &want, dtype, 0.5, &what);

    let y = Tensor::new(device, &scattered(&want, layout), layout.clone(), dtype);
    let g = Tensor::random(device, contiguous(layout.shape()), dtype, 4);
    let dx = Tensor::poisoned(device, layout.clone(), dtype);
    run(device, Rows::SoftmaxBackward(how), &[Some(&g), Some(&y)], &[&dx]);
    let want = softmax_backward(how, &g.dense(), &y.dense(), columns, height);
    compare(&dx.read(device), &want, dtype, (columns as f64).sqrt(), &format!("backward of {what}"));
}

/// Row-major values where the layout has them.
fn scattered(values: &[f64], layout: &Layout) -> Vec<f64> {
    let mut storage = vec![0.0; layout.storage_end()];
    layout.storage_indices().zip(values).for_each(|(at, &value)| storage[at] = value);
    storage
}

#[test]
fn softmax_and_its_logarithm() {
    on_every_backend(|device| {
        for columns in COLUMNS {
            for layout in layouts(3, columns) {
                for is_log in [false, true] {
                    let plain = Softmax { is_log, scale: 0.5, ..Softmax::PLAIN };
                    check_softmax(device, plain, &layout, None, DType::F32);
                    check_softmax(device, Softmax { is_causal: true, ..plain }, &layout, None, DType::F32);
                }
            }
        }
        for dtype in DType::UP_TO_F32 {
            for columns in [5, 8, 300] {
                check_softmax(device, Softmax::PLAIN, &contiguous(&[2, 2, columns]), None, dtype);
            }
        }
        for empty in [[0, 2, 3], [2, 2, 0]] {
            check_softmax(device, Softmax::PLAIN, &contiguous(&empty), None, DType::F32);
        }
    });
}

#[test]
fn softmax_with_a_mask() {
    let safe = Softmax { is_safe: true, scale: 2.0, ..Softmax::PLAIN };
    on_every_backend(|device| {
        for columns in [1, 4, 7, 64, 300] {
            let layout = contiguous(&[2, 3, columns]);
            for shape in [&[columns][..], &[3, columns], &[2, 1, columns]] {
                let added = Tensor::random(device, contiguous(shape), DType::F32, 8);
                check_softmax(device, safe, &layout, Some(&added), DType::F32);
                // The last row sees nothing.
                let numel: usize = shape.iter().product();
                let seen: Vec<f64> =
                    (0..numel).map(|i| f64::from(u8::from(i % 3 != 1 && i < numel - columns))).collect();
                let chosen = Tensor::new(device, &seen, contiguous(shape), DType::Bool);
                check_softmax(device, safe, &layout, Some(&chosen), DType::F32);
            }
        }
    });
}

#[test]
fn norms() {
    on_every_backend(|device| {
        for columns in COLUMNS {
            for layout in layouts(3, columns) {
                for centred in [false, true] {
                    check_norm(device, centred, &layout, DType::F32);
                }
            }
        }
        for dtype in DType::UP_TO_F32 {
            check_norm(device, true, &contiguous(&[2, 2, 5]), dtype);
            check_norm(device, true, &contiguous(&[2, 2, 300]), dtype);
        }
        // More rows than one part of the sums over them.
        check_norm(device, true, &contiguous(&[3, 67, 5]), DType::F32);
        check_norm(device, true, &contiguous(&[0, 2, 3]), DType::F32);
    });
}

fn check_norm(device: &dyn Backend, centred: bool, layout: &Layout, dtype: DType) {
    let what = format!("norm, centred {centred}, {layout:?} {dtype} on {}", device.name());
    let (shape, columns) = (layout.shape(), layout.shape()[2]);
    let x = Tensor::random(device, layout.clone(), dtype, 3);
    let [weight, bias] = [5, 6].map(|seed| Tensor::random(device, contiguous(&[columns]), dtype, seed));
    let y = Tensor::poisoned(device, layout.clone(), dtype);
    let per_row = || Tensor::poisoned(device, contiguous(&[shape[0], shape[1], 1]), DType::F32);
    let (rstd, mean) = (per_row(), per_row());
    let outputs = [&y, &rstd, &mean];
    let op = Rows::Norm { centred, eps: 0.1 };
    run(device, op, &[Some(&x), Some(&weight), Some(&bias)], &outputs[..if centred { 3 } else { 2 }]);
    let (want, rstds, means) =
        norm(centred, 0.1, &x.dense(), Some(&weight.dense()), Some(&bias.dense()), columns);
    compare(&y.read(device), &want, dtype, 2.0, &what);
    compare(&rstd.read(device), &rstds, DType::F32, 1.0, &what);

    let g = Tensor::random(device, contiguous(shape), dtype, 4);
    let rstd = Tensor::new(device, &rstds, rstd.layout.clone(), DType::F32);
    let mean = centred.then(|| Tensor::new(device, &means, mean.layout.clone(), DType::F32));
    let known = [Some(&g), Some(&x), Some(&rstd), mean.as_ref()];
    let of_mean = mean.as_ref().map(Tensor::dense);
    let dx = Tensor::poisoned(device, layout.clone(), dtype);
    run(device, Rows::NormBackward, &[&known[..], &[Some(&weight)]].concat(), &[&dx]);
    let weights = weight.dense();
    let (g_rows, x_rows, rstds) = (g.dense(), x.dense(), rstd.dense());
    let want = norm_backward(&g_rows, &x_rows, &rstds, of_mean.as_deref(), Some(&weights), columns);
    compare(&dx.read(device), &want, dtype, 8.0, &format!("backward of {what}"));
    if g_rows.is_empty() {
        return;
    }
    let [dweight, dbias] = [(); 2].map(|()| Tensor::poisoned(device, contiguous(&[columns]), dtype));
    run(device, Rows::NormParameters, &known, &[&dweight, &dbias]);
    let want = norm_parameters(&g_rows, &x_rows, &rstds, of_mean.as_deref(), columns);
    compare(&dweight.read(device), &want.0, dtype, rstds.len() as f64, &format!("weight of {what}"));
    compare(&dbias.read(device), &want.1, dtype, rstds.len() as f64, &format!("bias of {what}"));
}

/// int64 labels on a device.
struct Labels {
    storage: Rc<dyn Storage>,
    layout: Layout,
    values: Vec<i64>,
}

impl Labels {
    fn new(device: &dyn Backend, values: Vec<i64>, layout: Layout) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { storage: device.upload(&bytes).unwrap(), layout, values }
    }

    fn operand(&self) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype: DType::I64 }
    }
}

fn check_cross_entropy(
    device: &dyn Backend,
    how: CrossEntropy,
    layout: &Layout,
    weighted: bool,
    dtype: DType,
) {
    let what = format!("{how:?} {layout:?} {dtype}, weighted {weighted}, on {}", device.name());
    let (shape, columns) = (layout.shape(), layout.shape()[2]);
    let rows = shape[0] * shape[1];
    let per_row = contiguous(&[shape[0], shape[1], 1]);
    let x = Tensor::random(device, layout.clone(), dtype, 3);
    let label = |row: usize| if row % 4 == 3 { how.ignore_index } else { (row * 7 % columns) as i64 };
    let labels = Labels::new(device, (0..rows).map(label).collect(), per_row.clone());
    let weight = weighted.then(|| {
        let values: Vec<f64> = (0..columns).map(|c| 0.25 + (c % 5) as f64).collect();
        Tensor::new(device, &values, contiguous(&[columns]), dtype)
    });
    let weights = weight.as_ref().map(Tensor::dense);
    let kept: [Tensor; 4] = [(); 4].map(|()| Tensor::poisoned(device, per_row.clone(), DType::F32));
    let operand = weight.as_ref().map(Tensor::operand);
    let inputs = [Some(x.operand()), Some(labels.operand()), operand];
    run_on(device, Rows::CrossEntropy(how), &inputs, &kept.each_ref());
    let (losses, shares) = cross_entropy(how, &x.dense(), &labels.values, weights.as_deref(), columns);
    compare(&kept[0].read(device), &losses, DType::F32, 4.0, &what);
    compare(&kept[1].read(device), &shares, DType::F32, 0.0, &what);

    let g = Tensor::random(device, per_row, DType::F32, 4);
    let dx = Tensor::poisoned(device, layout.clone(), dtype);
    let [_, _, top, log] = &kept;
    let known = [x.operand(), labels.operand(), top.operand(), log.operand(), g.operand()].map(Some);
    let inputs = [&known[..], &[operand]].concat();
    run_on(device, Rows::CrossEntropyBackward(how), &inputs, &[&dx]);
    let want =
        cross_entropy_backward(how, &g.dense(), &x.dense(), &labels.values, weights.as_deref(), columns);
    compare(&dx.read(device), &want, dtype, 4.0, &format!("backward of {what}"));
}

#[test]
fn cross_entropies() {
    on_every_backend(|device| {
        for columns in COLUMNS {
            for layout in layouts(3, columns) {
                for (label_smoothing, weighted) in [(0.0, false), (0.0, true), (0.3, false), (0.3, true)] {
                    let how = CrossEntropy { ignore_index: -100, label_smoothing };
                    check_cross_entropy(device, how, &layout, weighted, DType::F32);
                }
            }
        }
        let how = CrossEntropy { ignore_index: 1, label_smoothing: 0.0 };
        for dtype in DType::UP_TO_F32 {
            check_cross_entropy(device, how, &contiguous(&[2, 5, 12]), true, dtype);
        }
        check_cross_entropy(device, how, &contiguous(&[0, 5, 12]), true, DType::F32);
    });
}

#[test]
fn a_label_that_is_no_class_is_reported() {
    let how = CrossEntropy { ignore_index: -100, label_smoothing: 0.0 };
    on_every_backend(|device| {
        for label in [3, -1, 1 << 32, (1 << 32) + 1] {
            let x = Tensor::random(device, contiguous(&[2, 3]), DType::F32, 3);
            let labels = Labels::new(device, vec![label, 1], contiguous(&[2, 1]));
            let kept: [Tensor; 4] =
                [(); 4].map(|()| Tensor::poisoned(device, contiguous(&[2, 1]), DType::F32));
            let outputs: Vec<_> = kept.iter().map(Tensor::operand).collect();
            let inputs = [Some(x.operand()), Some(labels.operand())];
            let done = device.rows(Rows::CrossEntropy(how), &inputs, &outputs);
            // A GPU says so when somebody waits, and only once.
            let done = done.and_then(|()| pollster::block_on(device.synchronize()));
            assert_eq!(done.unwrap_err().to_string(), format!("Target {label} is out of bounds."));
            pollster::block_on(device.synchronize()).unwrap();
        }
    });
}

#[test]
fn missing_and_misshapen_operands_are_errors() {
    on_every_backend(|device| {
        let x = Tensor::random(device, contiguous(&[2, 3]), DType::F32, 3);
        let y = Tensor::poisoned(device, contiguous(&[2, 3]), DType::F32);
        let short = Tensor::poisoned(device, contiguous(&[2, 2]), DType::F32);
        let deep = Tensor::poisoned(device, contiguous(&[1, 2, 3]), DType::F32);
        let number = Tensor::random(device, contiguous(&[]), DType::F32, 3);
        let op = Rows::Softmax(Softmax::PLAIN);
        assert!(device.rows(op, &[], &[y.operand()]).is_err(), "no input");
        assert!(device.rows(op, &[Some(x.operand())], &[]).is_err(), "no output");
        assert!(device.rows(op, &[Some(number.operand())], &[y.operand()]).is_err(), "no rows");
        for bad in [&short, &deep] {
            assert!(device.rows(op, &[Some(x.operand())], &[bad.operand()]).is_err());
            assert!(device.rows(op, &[Some(x.operand()), Some(bad.operand())], &[y.operand()]).is_err());
        }
    });
}
