//! Kernels along one dimension.

use napkin_engine::backend::{Backend, Scan};
use napkin_engine::twin::arg_extreme::arg_extreme;
use napkin_engine::twin::gather::gather;
use napkin_engine::twin::scan::scan;
use napkin_engine::twin::scatter_add::{scatter, scatter_add};
use napkin_engine::twin::sort::sort;
use napkin_engine::{DType, Layout};

use crate::common::{Random, Tensor, assert_within, gpu, on_every_backend, unit_roundoff};
use crate::whole::{Whole, contiguous};

/// A layout of a shape whose dimensions lie backwards, with a gap and an offset.
fn turned(shape: &[usize]) -> Layout {
    let mut stride = 2;
    let mut strides = Vec::new();
    for &size in shape {
        strides.push(stride);
        stride *= size.max(1);
    }
    Layout::strided(shape, &strides, 3).unwrap()
}

fn indices(device: &dyn Backend, layout: Layout, below: usize, seed: u64) -> Whole {
    let mut random = Random::new(seed);
    let values: Vec<i64> =
        (0..layout.storage_end()).map(|_| (random.next().abs() * below as f64) as i64).collect();
    Whole::new(device, &values, layout, DType::I64)
}

fn sized(shape: &[usize], dim: usize, size: usize) -> Vec<usize> {
    let mut shape = shape.to_vec();
    shape[dim] = size;
    shape
}

const SHAPES: [(&[usize], usize); 9] = [
    (&[1], 0),
    (&[17], 0),
    (&[300], 0),
    (&[5, 8], 0),
    (&[5, 8], 1),
    (&[3, 65, 4], 1),
    (&[64, 3, 2], 0),
    (&[2, 3, 700], 2),
    (&[0, 3], 1),
];

#[test]
fn elements_are_gathered_by_index() {
    on_every_backend(|device| {
        for (shape, dim) in SHAPES {
            for dtype in
                [DType::F32, DType::BF16, DType::F16, DType::F8E5M2, DType::I64, DType::I32, DType::Bool]
            {
                for taken in [1, 4, 23] {
                    let to = sized(shape, dim, taken);
                    // One index for a whole row, as an embedding has it, and one per element.
                    let mut row = vec![0; shape.len()];
                    row[dim] = 1;
                    let shared = Layout::strided(&to, &row, 1).unwrap();
                    for (from, index) in [
                        (contiguous(shape), shared),
                        (turned(shape), contiguous(&to)),
                        (contiguous(shape), turned(&to)),
                    ] {
                        let what = format!("{}: {dtype} {from:?} by {index:?}", device.name());
                        let input = Tensor::random(device, from, dtype, 1);
                        let index = indices(device, index, shape[dim], 2);
                        let out = Tensor::poisoned(device, contiguous(&to), dtype);
                        device.gather(input.operand(), index.operand(), dim, out.operand()).unwrap();
                        let want = gather((&input.dense(), shape), (&index.dense(), &to), dim);
                        let want: Vec<f64> = want.into_iter().map(Option::unwrap).collect();
                        assert_within(&out.read(device), &want, |_| 0.0, &what);
                    }
                }
            }
        }
    });
}

#[test]
fn elements_are_added_by_index_in_order() {
    on_every_backend(|device| {
        for (shape, dim) in SHAPES {
            for dtype in [DType::F32, DType::BF16, DType::F16] {
                for taken in [1, 4, 40, 600] {
                    let from = sized(shape, dim, taken);
                    let mut row = vec![0; shape.len()];
                    row[dim] = 1;
                    let shared = Layout::strided(&from, &row, 0).unwrap();
                    for (to, index) in [(contiguous(shape), shared), (turned(shape), contiguous(&from))] {
                        let what = format!("{}: {dtype} {to:?} by {index:?}", device.name());
                        let index = indices(device, index, shape[dim], 3);
                        let source = Tensor::random(device, contiguous(&from), dtype, 4);
                        let out = Tensor::random(device, to, dtype, 5);
                        let mut want = out.dense();
                        let mut magnitude: Vec<f64> = want.iter().map(|v| v.abs()).collect();
                        let sizes: Vec<f64> = source.dense().iter().map(|v| v.abs()).collect();
                        scatter_add((&mut want, shape), (&index.dense(), &source.dense(), &from), dim);
                        scatter_add((&mut magnitude, shape), (&index.dense(), &sizes, &from), dim);
                        device.scatter_add(out.operand(), index.operand(), source.operand(), dim).unwrap();
                        // The CPU rounds to the dtype after every addition.
                        let bound = |i: usize| taken as f64 * unit_roundoff(dtype) * magnitude[i];
                        assert_within(&out.read(device), &want, bound, &what);
                    }
                }
            }
            for dtype in [DType::I64, DType::I32, DType::U8] {
                let from = sized(shape, dim, 50);
                let index = indices(device, contiguous(&from), shape[dim], 6);
                let source = Whole::random(device, contiguous(&from), dtype, 7);
                let out = Whole::random(device, turned(shape), dtype, 8);
                let mut want = out.dense();
                scatter_add((&mut want, shape), (&index.dense(), &source.dense(), &from), dim);
                device.scatter_add(out.operand(), index.operand(), source.operand(), dim).unwrap();
                let want = Whole::new(device, &want, contiguous(&[want.len()]), dtype).values;
                assert_eq!(out.read(device), want, "{} {dtype} {shape:?}", device.name());
                let out = Whole::random(device, turned(shape), dtype, 9);
                let mut want = out.dense();
                scatter((&mut want, shape), (&index.dense(), &source.dense(), &from), dim);
                device.scatter(out.operand(), index.operand(), source.operand(), dim).unwrap();
                assert_eq!(out.read(device), want, "{} {dtype} {shape:?}", device.name());
            }
        }
    });
}

#[test]
fn indices_out_of_bounds_touch_nothing_and_are_reported() {
    let gpu = gpu();
    for bad in [5, -1, i64::MAX, 1 << 32] {
        for count in [3, 40] {
            let table = Tensor::random(&gpu, contiguous(&[5, 4]), DType::F32, 1);
            let values: Vec<i64> = (0..count).map(|i| if i == 1 { bad } else { i % 5 }).collect();
            let layout = Layout::strided(&[count as usize, 4], &[1, 0], 0).unwrap();
            let index = Whole::new(&gpu, &values, layout, DType::I64);
            let rows = Tensor::random(&gpu, contiguous(&[count as usize, 4]), DType::F32, 2);
            let before = rows.read(&gpu);
            let want = format!("index {bad} is out of bounds for dimension 0 with size 5");
            gpu.gather(table.operand(), index.operand(), 0, rows.operand()).unwrap();
            let error = pollster::block_on(gpu.download(&*rows.storage)).unwrap_err().to_string();
            assert!(error.contains(&want), "{error}");
            assert_eq!(rows.read(&gpu)[4..8], before[4..8], "the row is left as it was");
            gpu.scatter_add(table.operand(), index.operand(), rows.operand(), 0).unwrap();
            let error = pollster::block_on(gpu.synchronize()).unwrap_err().to_string();
            assert!(error.contains(&want), "{error}");
            assert!(table.read(&gpu).iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn sums_and_products_run_along() {
    on_every_backend(|device| {
        for (shape, dim) in SHAPES {
            for (from, to) in [(DType::F32, DType::F32), (DType::BF16, DType::BF16), (DType::F16, DType::F32)]
            {
                let values: Vec<f64> = Tensor::random(device, turned(shape), from, 1)
                    .values
                    .iter()
                    .map(|v| if v.abs() < 0.5 { 1.0 } else { *v })
                    .collect();
                let input = Tensor::new(device, &values, turned(shape), from);
                let sizes: Vec<f64> = input.dense().iter().map(|v| v.abs()).collect();
                for op in [Scan::Sum, Scan::Prod] {
                    let out = Tensor::poisoned(device, contiguous(shape), to);
                    device.scan(op, input.operand(), dim, out.operand()).unwrap();
                    let (want, magnitude) =
                        (scan(op, &input.dense(), shape, dim), scan(op, &sizes, shape, dim));
                    let lost = shape[dim] as f64 * unit_roundoff(DType::F32) + unit_roundoff(to) * 1.01;
                    let smallest = to.format().unwrap().info().smallest_subnormal;
                    let bound = |i: usize| lost * magnitude[i] + smallest + f64::from(f32::MIN_POSITIVE);
                    assert_within(
                        &out.read(device),
                        &want,
                        bound,
                        &format!("{} {op:?} {shape:?}", device.name()),
                    );
                }
            }
            for dtype in [DType::I64, DType::I32, DType::U8, DType::Bool] {
                let input = Whole::random(device, contiguous(shape), dtype, 2);
                for op in [Scan::Sum, Scan::Prod] {
                    let out =
                        Whole::new(device, &vec![77; input.values.len()], contiguous(shape), DType::I64);
                    device.scan(op, input.operand(), dim, out.operand()).unwrap();
                    let want = scan(op, &input.dense(), shape, dim);
                    assert_eq!(out.read(device), want, "{} {op:?} {dtype} {shape:?}", device.name());
                }
            }
        }
    });
}

#[test]
fn sorting_is_stable_with_nan_at_the_end() {
    on_every_backend(|device| {
        for (shape, dim) in SHAPES {
            let count = turned(shape).storage_end();
            let mut random = Random::new(9);
            // Many are equal, in value if not in sign.
            let values: Vec<f64> = (0..count)
                .map(|i| match i % 11 {
                    3 => f64::NAN,
                    4 => -0.0,
                    5 => f64::NEG_INFINITY,
                    6 => f64::INFINITY,
                    _ => (random.next() * 8.0).round() / 4.0,
                })
                .collect();
            for descending in [false, true] {
                for dtype in [DType::F32, DType::BF16, DType::F8E5M2] {
                    let input = Tensor::new(device, &values, turned(shape), dtype);
                    let sorted = Tensor::poisoned(device, turned(shape), dtype);
                    let places = Whole::new(device, &vec![0; count], turned(shape), DType::I64);
                    let what = format!("{} {dtype} {shape:?} {descending}", device.name());
                    device
                        .sort(input.operand(), dim, descending, sorted.operand(), places.operand())
                        .unwrap_or_else(|e| panic!("{what}: {e}"));
                    let want = sort(descending, &input.dense(), shape, dim);
                    assert_eq!(places.read(device), want, "{what}");
                    let want = gather((&input.dense(), shape), (&want, shape), dim);
                    let want: Vec<f64> = want.into_iter().map(Option::unwrap).collect();
                    assert_within(&sorted.read(device), &want, |_| 0.0, &what);
                }
                for dtype in [DType::I64, DType::I32, DType::U8, DType::Bool] {
                    let input = Whole::random(device, contiguous(shape), dtype, 3);
                    let sorted = Whole::new(device, &vec![77; input.values.len()], contiguous(shape), dtype);
                    let places =
                        Whole::new(device, &vec![0; input.values.len()], contiguous(shape), DType::I64);
                    device
                        .sort(input.operand(), dim, descending, sorted.operand(), places.operand())
                        .unwrap();
                    let want = sort(descending, &input.dense(), shape, dim);
                    assert_eq!(places.read(device), want, "{} {dtype} {shape:?}", device.name());
                    let want = gather((&input.dense(), shape), (&want, shape), dim);
                    let want: Vec<i64> = want.into_iter().map(Option::unwrap).collect();
                    assert_eq!(sorted.read(device), want, "{} {dtype} {shape:?}", device.name());
                }
            }
        }
    });
}

#[test]
fn the_first_of_the_largest_is_found() {
    on_every_backend(|device| {
        for (shape, dim) in SHAPES {
            let to = sized(shape, dim, 1);
            let results: usize = to.iter().product();
            for is_largest in [true, false] {
                for has_nan in [true, false] {
                    let values: Vec<f64> = Tensor::random(device, turned(shape), DType::F32, 1)
                        .values
                        .iter()
                        .enumerate()
                        .map(|(i, v)| if has_nan && i % 5 == 4 { f64::NAN } else { (v * 4.0).round() })
                        .collect();
                    let input = Tensor::new(device, &values, turned(shape), DType::F32);
                    let out = Whole::new(device, &vec![77; results], contiguous(&to), DType::I64);
                    device.arg_extreme(is_largest, input.operand(), dim, out.operand()).unwrap();
                    let want = arg_extreme(is_largest, &input.dense(), shape, dim);
                    assert_eq!(out.read(device), want, "{} {shape:?} {is_largest}", device.name());
                }
                for dtype in [DType::I64, DType::I32, DType::U8, DType::Bool] {
                    let input = Whole::random(device, contiguous(shape), dtype, 2);
                    let out = Whole::new(device, &vec![77; results], contiguous(&to), DType::I64);
                    device.arg_extreme(is_largest, input.operand(), dim, out.operand()).unwrap();
                    let want = arg_extreme(is_largest, &input.dense(), shape, dim);
                    assert_eq!(out.read(device), want, "{} {dtype} {shape:?} {is_largest}", device.name());
                }
            }
        }
    });
}
