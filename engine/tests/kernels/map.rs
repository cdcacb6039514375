//! Elementwise programs over strided, broadcast operands of every dtype.

use napkin_engine::backend::Backend;
use napkin_engine::program::{Binary, Compute, Instr, Program, Unary};
use napkin_engine::twin::map::map;
use napkin_engine::{DType, Layout, Scalar};

use crate::common::{Tensor, assert_within, gpu, on_every_backend, unit_roundoff};

/// Runs `program` and its twin; `ulps` units of the computed value are allowed for each operation.
fn check(
    device: &dyn Backend,
    program: &Program,
    inputs: &[&Tensor],
    layout: Layout,
    dtype: DType,
    ulps: f64,
) {
    let what = format!(
        "{}: {program:?} over {:?} → {dtype} {layout:?}",
        device.name(),
        inputs.iter().map(|t| (&t.layout, t.dtype)).collect::<Vec<_>>()
    );
    let dense: Vec<_> = inputs.iter().map(|t| t.dense()).collect();
    let dense: Vec<_> = dense.iter().map(Vec::as_slice).collect();
    let want = map(program, &dense, layout.numel()).expect("a whole program");
    // What a dtype cannot hold becomes what its format says.
    let format = dtype.format().unwrap();
    let want: Vec<f64> = match dtype {
        DType::F32 => want,
        _ => want.iter().map(|&v| format.decode(format.encode(v))).collect(),
    };
    let out = Tensor::poisoned(device, layout, dtype);
    let operands: Vec<_> = inputs.iter().map(|t| t.operand()).collect();
    device.map(program, &operands, out.operand()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let spacing = if dtype == DType::F32 { 0.0 } else { 2.0 * unit_roundoff(dtype) };
    let bound = |i: usize| want[i].abs() * (ulps * 2f64.powi(-23) + if ulps > 0.0 { spacing } else { 0.0 });
    assert_within(&out.read(device), &want, bound, &what);
}

fn contiguous(shape: &[usize]) -> Layout {
    Layout::contiguous(shape).unwrap()
}

fn strided(shape: &[usize], strides: &[usize], offset: usize) -> Layout {
    Layout::strided(shape, strides, offset).unwrap()
}

#[test]
fn copies_are_exact_between_all_layouts_and_dtypes() {
    let shape = [3, 5, 8];
    let layouts = [
        contiguous(&shape),
        strided(&shape, &[1, 24, 3], 0),
        strided(&shape, &[100, 16, 2], 3),
        strided(&shape, &[44, 8, 1], 4),
    ];
    let sources =
        [strided(&shape, &[0, 8, 1], 0), strided(&shape, &[0, 0, 0], 5), strided(&shape, &[8, 0, 1], 8)];
    on_every_backend(|device| {
        for dtype in DType::UP_TO_F32 {
            for layout in layouts.iter().chain(&sources) {
                let input = Tensor::random(device, layout.clone(), dtype, 1);
                check(device, &Program::copy(DType::F32), &[&input], contiguous(&shape), dtype, 0.0);
            }
            let input = Tensor::random(device, contiguous(&shape), DType::F32, 2);
            for layout in &layouts {
                check(device, &Program::copy(DType::F32), &[&input], layout.clone(), dtype, 0.0);
            }
        }
    });
}

#[test]
fn elements_between_strides_stay_untouched() {
    on_every_backend(|device| {
        for dtype in DType::UP_TO_F32 {
            let layout = strided(&[3, 5], &[14, 2], 1);
            let out = Tensor::random(device, strided(&[50], &[1], 0), dtype, 3);
            let view = Tensor { layout: layout.clone(), values: vec![], storage: out.storage.clone(), dtype };
            device.map(&Program::fill(0.5.into(), DType::F32), &[], view.operand()).unwrap();
            let mut want = out.values.clone();
            layout.storage_indices().for_each(|i| want[i] = 0.5);
            assert_within(&out.read_storage(device), &want, |_| 0.0, &format!("{} {dtype}", device.name()));
        }
    });
}

/// A value that is read again, though the registers have been written over since.
#[test]
fn a_value_can_be_read_again() {
    use Instr::{Again, Binary as Do, Const, Input, Unary as Of};
    // t = tanh(x), u = t² + y: ½ u t + t − u + x, the last one an input read again.
    let program = [
        Input(0),
        Of(Unary::Tanh),
        Again(1),
        Do(Binary::Mul),
        Input(1),
        Do(Binary::Add),
        Const(0.5.into()),
        Again(5),
        Do(Binary::Mul),
        Again(1),
        Do(Binary::Mul),
        Again(1),
        Do(Binary::Add),
        Do(Binary::Sub),
        Of(Unary::Neg),
        Again(0),
        Do(Binary::Add),
        Again(0),
        Do(Binary::Add),
    ];
    let program = Program::new(Compute::F32, program);
    on_every_backend(|device| {
        for count in [7, 8, 20_000] {
            let (x, y) = (contiguous(&[count]), contiguous(&[count]));
            let x = Tensor::random(device, x, DType::F32, 7);
            let y = Tensor::random(device, y, DType::F16, 8);
            let one = Tensor::new(device, &vec![4.0; count], contiguous(&[count]), DType::F32);
            // Far from 0, so that digits lost on the way are few.
            check(device, &program, &[&one, &y], contiguous(&[count]), DType::F32, 64.0);
            let out = Tensor::poisoned(device, contiguous(&[count]), DType::F32);
            device.map(&program, &[x.operand(), y.operand()], out.operand()).unwrap();
            let want = map(&program, &[&x.dense(), &y.dense()], count).unwrap();
            assert_within(&out.read(device), &want, |_| 1e-5, &device.name());
        }
    });
}

/// `x = |x| · x + y`, the old x used twice; what lies between its strides stays.
#[test]
fn an_output_can_be_an_input() {
    use Instr::{Binary as Do, Input, Unary as Of};
    let program = [Input(0), Of(Unary::Abs), Input(0), Do(Binary::Mul), Input(1), Do(Binary::Add)];
    let program = Program::new(Compute::F32, program);
    on_every_backend(|device| {
        for dtype in DType::UP_TO_F32 {
            // By four, one by one, over several parts of what a core takes at a time, and with gaps.
            let shapes = [contiguous(&[3, 8]), contiguous(&[7]), contiguous(&[40_000]), contiguous(&[0])];
            for layout in
                shapes.into_iter().chain([strided(&[3, 5], &[14, 2], 1), strided(&[4, 6], &[1, 4], 0)])
            {
                let what = format!("{} {dtype} {layout:?}", device.name());
                let all = contiguous(&[layout.storage_end().max(1)]);
                let y = Tensor::random(device, contiguous(layout.shape()), dtype, 5);
                let whole = Tensor::random(device, all, dtype, 6);
                let x =
                    Tensor { layout, values: whole.values.clone(), storage: whole.storage.clone(), dtype };
                let format = dtype.format().unwrap();
                let mut want = whole.values.clone();
                for (i, &y) in x.layout.storage_indices().zip(&y.values) {
                    want[i] = format.decode(format.encode(want[i].abs() * want[i] + y));
                }
                device.map(&program, &[x.operand(), y.operand()], x.operand()).unwrap();
                let spacing = 2.0 * unit_roundoff(dtype) + 3e-7;
                assert_within(&whole.read_storage(device), &want, |i| spacing * (1.0 + want[i].abs()), &what);
            }
        }
    });
}

#[test]
fn every_pattern_of_every_narrow_dtype_survives_the_way_to_f32_and_back() {
    on_every_backend(|device| {
        for &dtype in &DType::UP_TO_F32[1..] {
            let format = dtype.format().unwrap();
            let patterns: Vec<f64> = (0..1u32 << format.bits()).map(|bits| format.decode(bits)).collect();
            let layout = contiguous(&[patterns.len()]);
            let narrow = Tensor::new(device, &patterns, layout.clone(), dtype);
            check(device, &Program::copy(DType::F32), &[&narrow], layout.clone(), DType::F32, 0.0);
            let wide = Tensor::new(device, &patterns, layout.clone(), DType::F32);
            check(device, &Program::copy(DType::F32), &[&wide], layout, dtype, 0.0);
        }
    });
}

/// Ties, values between subnormals, beyond the largest number: as [`napkin_engine::format::Format`]
/// rounds.
#[test]
fn rounding_to_narrow_dtypes_is_to_nearest_even() {
    on_every_backend(|device| {
        for &dtype in &DType::UP_TO_F32[1..] {
            let format = dtype.format().unwrap();
            let mut values =
                vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e30, -1e30, 65519.9, 65520.0];
            values.extend([448.0, 464.0, 464.1, 480.0, 57344.0, 61439.0, 61440.0, 3.4e38]);
            for bits in 0..format.max_pattern().min(3000) {
                let (low, high) = (format.decode(bits), format.decode(bits + 1));
                let middle = f64::midpoint(low, high) as f32;
                values.extend([middle, middle.next_up(), -middle.next_down()].map(f64::from));
            }
            // llvmpipe reads subnormal f32 as they are; other GPUs may not, and none of these is one
            // but in bf16, whose subnormals are those of f32.
            values.retain(|v| *v == 0.0 || v.abs() >= f64::from(f32::MIN_POSITIVE) || v.is_nan());
            values.truncate(values.len() / 4 * 4);
            let layout = contiguous(&[values.len()]);
            let input = Tensor::new(device, &values, layout.clone(), DType::F32);
            check(device, &Program::copy(DType::F32), &[&input], layout, dtype, 0.0);
        }
    });
}

#[test]
fn every_operation_in_both_widths() {
    on_every_backend(|device| {
        // Seven elements go one by one, eight by four.
        for count in [7, 8, 1000] {
            let layout = contiguous(&[count]);
            let x = Tensor::random(device, layout.clone(), DType::F32, 4);
            let positive: Vec<f64> = x.values.iter().map(|v| v.abs() + 0.01).collect();
            let positive = Tensor::new(device, &positive, layout.clone(), DType::F32);
            for op in Unary::ALL {
                use Unary::{Log, Log1p, Log2, Log10, Rsqrt, Sqrt};
                let domain = matches!(op, Sqrt | Rsqrt | Log | Log2 | Log10 | Log1p);
                let input = if domain { &positive } else { &x };
                check(device, &Program::unary(Compute::F32, op), &[input], layout.clone(), DType::F32, 16.0);
            }
            for op in Binary::ALL {
                let (program, inputs) = (Program::binary(Compute::F32, op), [&positive, &x]);
                check(device, &program, &inputs, layout.clone(), DType::F32, 32.0);
            }
            let condition = Tensor::new(device, &vec![1.0; count], layout.clone(), DType::F32);
            let choose = [Instr::Input(2), Instr::Input(0), Instr::Input(1), Instr::Where];
            let choose = Program::new(Compute::F32, choose);
            check(device, &choose, &[&positive, &x, &condition], layout.clone(), DType::F32, 0.0);
            check(device, &choose, &[&positive, &condition, &x], layout.clone(), DType::F32, 0.0);
        }
    });
}

#[test]
fn special_values() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let a = [-2.0, -2.0, -2.0, -8.0, 0.0, 0.0, 2.0, nan, nan, 1.0, -1.5, 0.25, -0.5, 1e20, 3.0, -3.0];
    let b = [2.0, 3.0, 0.5, -1.0, 0.0, 3.0, -2.0, 0.0, 1.0, nan, 5.0, 0.5, 2.5, 1.0, 64.0, 13.0];
    let x = [-1.0, 0.0, -0.0, 4.0, nan, inf, -inf, 1.0, 1.0001, 0.9999, 1.42, 0.7, 1e-30, 1e30, 3e-39, 0.5];
    on_every_backend(|device| {
        for count in [16, 15] {
            let layout = contiguous(&[count]);
            let a = Tensor::new(device, &a[..count], layout.clone(), DType::F32);
            let b = Tensor::new(device, &b[..count], layout.clone(), DType::F32);
            use Binary::{And, Eq, Max, Min, Ne, Or, Pow, Xor};
            for op in [Pow, Eq, Ne, And, Or, Xor, Max, Min] {
                let program = Program::binary(Compute::F32, op);
                check(device, &program, &[&a, &b], layout.clone(), DType::F32, 64.0);
            }
            let choose = Program::new(
                Compute::F32,
                [Instr::Input(0), Instr::Input(1), Instr::Const(7.0.into()), Instr::Where],
            );
            check(device, &choose, &[&a, &b], layout, DType::F32, 0.0);
        }
        for count in [16, 15] {
            let layout = contiguous(&[count]);
            let x = Tensor::new(device, &x[..count], layout.clone(), DType::F32);
            for op in [Unary::Relu, Unary::Abs, Unary::Sqrt, Unary::Log] {
                check(device, &Program::unary(Compute::F32, op), &[&x], layout.clone(), DType::F32, 8.0);
            }
        }
    });
}

#[test]
fn fused_chains_broadcasts_and_constants() {
    // (a · 2 − b)² / (|c| + 1)
    let program = Program::new(
        Compute::F32,
        vec![
            Instr::Input(0),
            Instr::Const(Scalar::Float(2.0)),
            Instr::Binary(Binary::Mul),
            Instr::Input(1),
            Instr::Binary(Binary::Sub),
            Instr::Const(Scalar::Float(2.0)),
            Instr::Binary(Binary::Pow),
            Instr::Input(2),
            Instr::Unary(Unary::Abs),
            Instr::Const(Scalar::Float(1.0)),
            Instr::Binary(Binary::Add),
            Instr::Binary(Binary::Div),
        ],
    );
    on_every_backend(|device| {
        for (rows, cols) in [(6, 8), (5, 7), (1, 1), (3, 64), (0, 4)] {
            let shape = [rows, cols];
            let a = Tensor::random(device, contiguous(&shape), DType::F32, 1);
            let row = Tensor::random(device, strided(&shape, &[0, 1], 0), DType::F16, 2);
            let column = Tensor::random(device, strided(&shape, &[1, 0], 2), DType::BF16, 3);
            // (a·2 − b)² loses digits where a·2 ≈ b: bounded against the terms, not the result.
            let out = Tensor::poisoned(device, contiguous(&shape), DType::F32);
            let inputs = [a.dense(), row.dense(), column.dense()];
            let want = map(&program, &inputs.each_ref().map(Vec::as_slice), rows * cols).unwrap();
            device.map(&program, &[a.operand(), row.operand(), column.operand()], out.operand()).unwrap();
            assert_within(&out.read(device), &want, |_| 1e-5, &format!("{} {shape:?}", device.name()));
        }
        let scalar = Tensor::random(device, contiguous(&[]), DType::F32, 9);
        check(
            device,
            &Program::scalar(Compute::F32, Binary::Mul, 3.0.into()),
            &[&scalar],
            contiguous(&[]),
            DType::F32,
            1.0,
        );
    });
}

#[test]
fn malformed_programs_and_wrong_shapes_are_errors() {
    let gpu = gpu();
    let x = Tensor::random(&gpu, contiguous(&[4]), DType::F32, 1);
    let out = Tensor::poisoned(&gpu, contiguous(&[4]), DType::F32);
    let bad = [
        vec![],
        vec![Instr::Input(1)],
        vec![Instr::Binary(Binary::Add)],
        vec![Instr::Unary(Unary::Exp)],
        vec![Instr::Input(0), Instr::Input(0)],
    ];
    for program in bad {
        assert!(
            gpu.map(&Program::new(Compute::F32, program.clone()), &[x.operand()], out.operand()).is_err(),
            "{program:?}"
        );
    }
    let other = Tensor::random(&gpu, contiguous(&[5]), DType::F32, 1);
    assert!(gpu.map(&Program::copy(DType::F32), &[other.operand()], out.operand()).is_err());
    let beyond = Tensor { layout: contiguous(&[500]), ..other };
    let large = Tensor::poisoned(&gpu, contiguous(&[500]), DType::F32);
    let error =
        gpu.map(&Program::copy(DType::F32), &[beyond.operand()], large.operand()).unwrap_err().to_string();
    assert!(error.contains("2000"), "a layout beyond its storage: {error}");
}
