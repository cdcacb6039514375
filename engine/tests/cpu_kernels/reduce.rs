//! Sums and maxima against f64.

use super::*;

fn check(cpu: &Cpu, op: Reduction, scale: f64, input: &Tensor, dims: &[usize]) {
    let shape = input.layout.shape();
    let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
    let out_shape: Vec<usize> = kept.iter().map(|&d| shape[d]).collect();
    let out = poisoned(cpu, &out_shape, DType::F32);
    cpu.reduce(op, scale, input.operand(), dims, out.operand()).unwrap();
    let start = match op {
        Reduction::Sum => 0.0,
        Reduction::Prod => 1.0,
        Reduction::Min => f64::INFINITY,
        _ => f64::NEG_INFINITY,
    };
    let mut want = vec![(start, 0.0f64); out.layout.numel()];
    for (i, value) in input.view().into_iter().enumerate() {
        let mut rest = i;
        let mut index = vec![0; shape.len()];
        for d in (0..shape.len()).rev() {
            index[d] = rest % shape[d];
            rest /= shape[d];
        }
        let at = kept.iter().fold(0, |at, &d| at * shape[d] + index[d]);
        let (total, size) = &mut want[at];
        *total = match op {
            Reduction::Sum => *total + value,
            Reduction::Prod => *total * value,
            _ if total.is_nan() || value.is_nan() => f64::NAN,
            Reduction::Min => total.min(value),
            _ => total.max(value),
        };
        *size = if op == Reduction::Prod { total.abs() } else { *size + value.abs() };
    }
    for (i, (got, (total, size))) in download(cpu, &out).into_iter().zip(want).enumerate() {
        let want = total * scale;
        // Products of small numbers leave the normal ones on the way.
        let lost = if op == Reduction::Prod { f64::from(f32::MIN_POSITIVE) } else { 0.0 };
        let bound = 64.0 * eps(DType::F32) * size * scale.abs() + lost;
        assert!(
            (got - want).abs() <= bound || got == want || (got.is_nan() && want.is_nan()),
            "{op:?} of {shape:?} strides {:?} over {dims:?}: element {i} is {got}, not {want}",
            input.layout.strides()
        );
    }
}

#[test]
fn any_dimensions_of_any_view() {
    let cpu = Cpu::new();
    for dtype in DType::UP_TO_F32 {
        let base = |seed| tensor(&cpu, &[5, 1, 17, 65], dtype, noise(seed));
        let views = [
            base(1),
            base(2).with(|l| l.permute(&[3, 1, 0, 2])),
            base(3).with(|l| l.slice(3, Some(1), None, 3)?.slice(2, Some(2), None, 2)),
            tensor(&cpu, &[17, 1], dtype, noise(4)).with(|l| l.expand(&[3, 2, 17, 65])),
        ];
        for view in &views {
            for dims in [&[][..], &[0], &[3], &[1], &[0, 2], &[2, 3], &[0, 3], &[0, 1, 2, 3]] {
                check(&cpu, Reduction::Sum, 1.0, view, dims);
                check(&cpu, Reduction::Sum, 0.125, view, dims);
                for op in [Reduction::Max, Reduction::Min, Reduction::Prod] {
                    check(&cpu, op, 1.0, view, dims);
                }
            }
        }
    }
}

#[test]
fn long_and_empty_ones() {
    let cpu = Cpu::new();
    for n in [0, 1, 3, 63, 64, 65, 1023, 1025, 100_003] {
        let x = tensor(&cpu, &[n], DType::F32, noise(1));
        check(&cpu, Reduction::Sum, 1.0, &x, &[0]);
        check(&cpu, Reduction::Max, 1.0, &x, &[0]);
    }
    check(&cpu, Reduction::Sum, 1.0, &tensor(&cpu, &[3, 0, 2], DType::F32, noise(1)), &[1]);
    check(&cpu, Reduction::Sum, 1.0, &tensor(&cpu, &[0, 4], DType::F32, noise(1)), &[1]);
    check(&cpu, Reduction::Sum, 1.0, &tensor(&cpu, &[3000, 70], DType::F32, noise(1)), &[0]);
    check(&cpu, Reduction::Sum, 1.0, &tensor(&cpu, &[3, 2000], DType::F32, noise(1)), &[0]);
    // Where a running f32 sum would stop at 2^24.
    let ones = tensor(&cpu, &[], DType::F32, |_| 1.0).with(|l| l.expand(&[1 << 25]));
    let out = poisoned(&cpu, &[], DType::F32);
    cpu.reduce(Reduction::Sum, 1.0, ones.operand(), &[0], out.operand()).unwrap();
    assert_eq!(download(&cpu, &out), [f64::from(1 << 25)]);
}

#[test]
fn nan_is_the_largest() {
    let cpu = Cpu::new();
    for at in [0, 5, 99] {
        let x = tensor(&cpu, &[100, 3], DType::F32, |i| if i / 3 == at { f64::NAN } else { i as f64 });
        check(&cpu, Reduction::Max, 1.0, &x, &[0]);
        check(&cpu, Reduction::Max, 1.0, &x.with(|l| l.transpose(0, 1)), &[1]);
    }
}

#[test]
fn an_unknown_dimension_is_an_error() {
    let cpu = Cpu::new();
    let (x, out) = (tensor(&cpu, &[3], DType::F32, noise(1)), poisoned(&cpu, &[], DType::F32));
    let error = cpu.reduce(Reduction::Sum, 1.0, x.operand(), &[1], out.operand()).unwrap_err();
    assert_eq!(error.to_string(), "reduce: dimension 1 of a tensor with 1 dimensions");
}
