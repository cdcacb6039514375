//! Sums and maxima over dimensions.

use napkin_engine::backend::{Backend, Reduction};
use napkin_engine::twin::reduce::reduce;
use napkin_engine::{DType, Layout};

use crate::common::{Tensor, assert_within, on_every_backend, unit_roundoff};

fn check(device: &dyn Backend, layout: &Layout, dims: &[usize], dtypes: [DType; 2]) {
    let what = format!("{}: {layout:?} over {dims:?} {dtypes:?}", device.name());
    let input = Tensor::random(device, layout.clone(), dtypes[0], 5);
    let shape: Vec<usize> =
        (0..layout.rank()).filter(|d| !dims.contains(d)).map(|d| layout.shape()[d]).collect();
    let count: usize = dims.iter().map(|&d| layout.shape()[d]).product();
    let scale = 1.0 / count.max(1) as f64;
    let absolute: Vec<f64> = input.values.iter().map(|v| v.abs()).collect();
    let magnitude = reduce(Reduction::Sum, scale, &absolute, layout, dims);
    let stored = if dtypes[1] == DType::F32 { 0.0 } else { unit_roundoff(dtypes[1]) * 1.01 };
    let smallest = dtypes[1].format().unwrap().info().smallest_subnormal;
    let extremes = [Reduction::Max, Reduction::Min].map(|op| (op, 1.0));
    let sums = [(Reduction::Sum, scale), (Reduction::Sum, 1.0), (Reduction::Prod, 1.0)];
    for (op, scale) in sums.into_iter().chain(extremes) {
        if matches!(op, Reduction::Max | Reduction::Min) && count == 0 {
            continue;
        }
        let want = reduce(op, scale, &input.values, layout, dims);
        let out = Tensor::poisoned(device, Layout::contiguous(&shape).unwrap(), dtypes[1]);
        device
            .reduce(op, scale, input.operand(), dims, out.operand())
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        let got = out.read(device);
        // No chain of additions is longer than 1024 + the number of parts.
        let chain = count.min(4096) as f64 + 2.0;
        let loss = chain * unit_roundoff(DType::F32);
        let factor = if scale == 1.0 { count.max(1) as f64 } else { 1.0 };
        let bound = |i: usize| {
            let lost = match op {
                Reduction::Sum => loss * factor * magnitude[i],
                // Products of small numbers leave the normal ones on the way.
                Reduction::Prod => loss * want[i].abs() + f64::from(f32::MIN_POSITIVE),
                _ => 0.0,
            };
            lost + stored * want[i].abs() + smallest
        };
        assert_within(&got, &want, bound, &format!("{op:?} {what}"));
        device.reduce(op, scale, input.operand(), dims, out.operand()).unwrap();
        assert_eq!(got, out.read(device), "the same order on every run: {what}");
    }
}

#[test]
fn dimensions_of_ragged_and_strided_tensors() {
    let contiguous = |shape: &[usize]| Layout::contiguous(shape).unwrap();
    let f32 = [DType::F32; 2];
    on_every_backend(|device| {
        for n in [0, 1, 3, 17, 63, 64, 65, 127, 129, 1000] {
            check(device, &contiguous(&[n]), &[0], f32);
            check(device, &contiguous(&[n, 5]), &[0], f32);
            check(device, &contiguous(&[5, n]), &[1], f32);
        }
        let layout = Layout::strided(&[3, 4, 5, 6], &[1, 3, 30, 500], 7).unwrap();
        for dims in [&[][..], &[0], &[3], &[0, 2], &[1, 3], &[0, 1, 2, 3]] {
            check(device, &layout, dims, f32);
        }
        check(device, &Layout::strided(&[4, 6], &[0, 1], 2).unwrap(), &[0], f32);
        check(device, &contiguous(&[0, 3]), &[1], f32);
        check(device, &contiguous(&[]), &[], f32);
        for dtype in DType::UP_TO_F32 {
            check(device, &contiguous(&[7, 9]), &[1], [dtype, DType::F32]);
            check(device, &contiguous(&[8, 9]), &[0], [dtype, dtype]);
        }
    });
}

#[test]
fn long_reductions_are_cut_into_parts() {
    on_every_backend(|device| {
        check(device, &Layout::contiguous(&[300_001]).unwrap(), &[0], [DType::F32; 2]);
        check(device, &Layout::contiguous(&[3, 5000]).unwrap(), &[1], [DType::F32; 2]);
        check(device, &Layout::contiguous(&[5000, 3]).unwrap(), &[0], [DType::F32; 2]);
    });
}

#[test]
fn a_maximum_keeps_nan_and_infinities() {
    let rows: [[f64; 4]; 4] = [
        [1.0, f64::NAN, 3.0, 2.0],
        [f64::NEG_INFINITY; 4],
        [-5.0, f64::INFINITY, 0.0, -1.0],
        [-3.0, -2.0, -7.0, -2.5],
    ];
    on_every_backend(|device| {
        let layout = Layout::contiguous(&[4, 4]).unwrap();
        let input = Tensor::new(device, rows.as_flattened(), layout.clone(), DType::F32);
        let out = Tensor::poisoned(device, Layout::contiguous(&[4]).unwrap(), DType::F32);
        device.reduce(Reduction::Max, 1.0, input.operand(), &[1], out.operand()).unwrap();
        let want = reduce(Reduction::Max, 1.0, &input.values, &layout, &[1]);
        assert_within(&out.read(device), &want, |_| 0.0, &device.name());
    });
}
