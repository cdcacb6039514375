//! Elementwise programs against the same instructions in f64.

use super::*;

/// The program on every element, computed in f64 by the kernel's twin.
fn expected(program: &Program, inputs: &[&Tensor]) -> Vec<f64> {
    let views: Vec<Vec<f64>> = inputs.iter().map(|t| t.view()).collect();
    let views: Vec<&[f64]> = views.iter().map(Vec::as_slice).collect();
    napkin_engine::twin::map::map(program, &views, inputs[0].layout.numel()).unwrap()
}

fn check(cpu: &Cpu, program: &Program, inputs: &[&Tensor], out: &Tensor) {
    let operands: Vec<Operand<'_>> = inputs.iter().map(|t| t.operand()).collect();
    cpu.map(program, &operands, out.operand()).unwrap();
    let (format, tolerance) = (out.dtype.format().unwrap(), eps(out.dtype) + 4.0 * eps(DType::F32));
    for (i, (got, want)) in download(cpu, out).into_iter().zip(expected(program, inputs)).enumerate() {
        let want = format.decode(format.encode(want));
        let bound = tolerance * want.abs() + format.info().smallest_subnormal;
        assert!(
            (got - want).abs() <= bound || got == want || (got.is_nan() && want.is_nan()),
            "{program:?}, shape {:?}: element {i} is {got}, not {want}",
            out.layout.shape()
        );
    }
}

#[test]
fn every_operation_at_ragged_sizes() {
    let cpu = Cpu::new();
    for n in [0, 1, 3, 17, 63, 64, 65, 1023, 1024, 1025, 5000] {
        let a = tensor(&cpu, &[n], DType::F32, |i| 2.0 * noise(1)(i) + 0.1);
        let b = tensor(&cpu, &[n], DType::F32, |i| 2.0 * noise(2)(i) + 0.1);
        let out = || poisoned(&cpu, &[n], DType::F32);
        for op in Unary::ALL {
            check(&cpu, &Program::unary(Compute::F32, op), &[&a], &out());
        }
        for op in Binary::ALL {
            check(&cpu, &Program::binary(Compute::F32, op), &[&a, &b], &out());
            for scalar in [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 1.7] {
                check(&cpu, &Program::scalar(Compute::F32, op, scalar.into()), &[&a], &out());
            }
            let reversed = Program::new(
                Compute::F32,
                vec![Instr::Const(Scalar::Float(2.5)), Instr::Input(0), Instr::Binary(op)],
            );
            check(&cpu, &reversed, &[&a], &out());
        }
        check(&cpu, &Program::copy(DType::F32), &[&a], &out());
        check(&cpu, &Program::fill(4.25.into(), DType::F32), &[&a], &out());
    }
}

#[test]
fn special_values() {
    let cpu = Cpu::new();
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-45];
    let a = tensor(&cpu, &[64], DType::F32, |i| special[i / 8]);
    let b = tensor(&cpu, &[64], DType::F32, |i| special[i % 8]);
    let out = poisoned(&cpu, &[64], DType::F32);
    for op in Unary::ALL {
        check(&cpu, &Program::unary(Compute::F32, op), &[&a], &out);
    }
    for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Pow] {
        check(&cpu, &Program::binary(Compute::F32, op), &[&a, &b], &out);
    }
}

#[test]
fn chains_use_several_registers() {
    let cpu = Cpu::new();
    let (a, b) =
        (tensor(&cpu, &[70, 30], DType::F32, noise(1)), tensor(&cpu, &[70, 30], DType::F32, noise(2)));
    use Instr::{Binary as B, Const, Input, Unary as U};
    // (a − b)² · 0.5 and a·(b + (a − (b·(a + 3))))
    let half_square = Program::new(
        Compute::F32,
        vec![
            Input(0),
            Input(1),
            B(Binary::Sub),
            Const(Scalar::Float(2.0)),
            B(Binary::Pow),
            Const(Scalar::Float(0.5)),
            B(Binary::Mul),
        ],
    );
    let deep = Program::new(
        Compute::F32,
        vec![
            Input(0),
            Input(1),
            Input(0),
            Input(1),
            Input(0),
            Const(Scalar::Float(3.0)),
            B(Binary::Add),
            B(Binary::Mul),
            B(Binary::Sub),
            B(Binary::Add),
            B(Binary::Mul),
            U(Unary::Abs),
        ],
    );
    for dtype in [DType::F32, DType::BF16] {
        check(&cpu, &half_square, &[&a, &b], &poisoned(&cpu, &[70, 30], dtype));
    }
    let out = poisoned(&cpu, &[70, 30], DType::F32);
    cpu.map(&deep, &[a.operand(), b.operand()], out.operand()).unwrap();
    for (got, want) in download(&cpu, &out).into_iter().zip(expected(&deep, &[&a, &b])) {
        assert!((got - want).abs() < 1e-5, "{got} is not {want}");
    }
}

#[test]
fn strided_broadcast_and_mixed_operands() {
    let cpu = Cpu::new();
    for dtype in DType::UP_TO_F32 {
        let row = tensor(&cpu, &[65], dtype, noise(1)).with(|l| l.expand(&[63, 65]));
        let column = tensor(&cpu, &[63, 1], DType::F32, noise(2)).with(|l| l.expand(&[63, 65]));
        let turned = tensor(&cpu, &[65, 63], dtype, noise(3)).with(|l| l.transpose(0, 1));
        let stepped = tensor(&cpu, &[63, 130], DType::F16, noise(4)).with(|l| l.slice(1, Some(1), None, 2));
        let scalar = tensor(&cpu, &[], DType::F32, |_| 0.75).with(|l| l.expand(&[63, 65]));
        let all = [&row, &column, &turned, &stepped, &scalar];
        for a in all {
            for b in all {
                let out = poisoned(&cpu, &[63, 65], DType::F32);
                check(&cpu, &Program::binary(Compute::F32, Binary::Add), &[a, b], &out);
                let turned_out = poisoned(&cpu, &[65, 63], dtype).with(|l| l.transpose(0, 1));
                check(&cpu, &Program::binary(Compute::F32, Binary::Mul), &[a, b], &turned_out);
            }
        }
    }
}

#[test]
fn a_write_into_a_slice_leaves_the_rest() {
    let cpu = Cpu::new();
    for dtype in DType::UP_TO_F32 {
        let whole = tensor(&cpu, &[5, 7], dtype, |i| (i % 8) as f64);
        let before = whole.values.clone();
        let part = whole.with(|l| l.slice(0, Some(1), Some(4), 2)?.slice(1, Some(2), None, 2));
        cpu.map(&Program::fill(16.0.into(), DType::F32), &[], part.operand()).unwrap();
        let written: Vec<usize> = part.layout.storage_indices().collect();
        let all = part.with(|_| Layout::contiguous(&[5, 7]));
        for (i, got) in download(&cpu, &all).into_iter().enumerate() {
            assert_eq!(got, if written.contains(&i) { 16.0 } else { before[i] }, "{dtype} at {i}");
        }
    }
}

#[test]
fn a_program_that_does_not_add_up_is_an_error() {
    let cpu = Cpu::new();
    let x = tensor(&cpu, &[3], DType::F32, noise(1));
    let out = poisoned(&cpu, &[3], DType::F32);
    for (program, message) in [
        (Program::new(Compute::F32, vec![]), "leaves 0 values"),
        (Program::new(Compute::F32, vec![Instr::Input(0), Instr::Input(0)]), "leaves 2 values"),
        (Program::new(Compute::F32, vec![Instr::Input(1)]), "reads input 1 of 1"),
        (Program::new(Compute::F32, vec![Instr::Input(0), Instr::Binary(Binary::Add)]), "finds 1 values"),
    ] {
        let error = cpu.map(&program, &[x.operand()], out.operand()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // An operand is written in place; another view of its storage cannot be.
    let (first, last) = (x.layout.narrow(0, 0, 2).unwrap(), x.layout.narrow(0, 1, 2).unwrap());
    let view = |layout| Operand { layout, ..x.operand() };
    cpu.map(&Program::copy(DType::F32), &[view(&first)], view(&first)).unwrap();
    let shared = cpu.map(&Program::copy(DType::F32), &[view(&first)], view(&last)).unwrap_err();
    assert!(shared.to_string().contains("shares its storage"), "{shared}");
}

/// What is shared between cores is what one core computes of each piece, also where it begins within a word.
#[test]
fn narrow_outputs_do_not_depend_on_how_they_are_shared() {
    const COUNT: usize = 100_003;
    let cpu = Cpu::new();
    let program = Program::scalar(Compute::F32, Binary::Mul, Scalar::Float(1.7));
    for dtype in [DType::BF16, DType::F16, DType::F8E4M3FN, DType::F8E5M2] {
        for skipped in [0, 1, 8] {
            let cut = |layout: &Layout| layout.slice(0, Some(skipped), None, 1);
            let out = poisoned(&cpu, &[COUNT], dtype).with(cut);
            let input = tensor(&cpu, &[COUNT], DType::F32, noise(3)).with(cut);
            cpu.map(&program, &[input.operand()], out.operand()).unwrap();
            let format = dtype.format().unwrap();
            let rounded = |v: &f64| format.decode(format.encode(f64::from(*v as f32 * 1.7)));
            let want: Vec<f64> = input.view().iter().map(rounded).collect();
            assert_eq!(download(&cpu, &out), want, "{dtype} from {skipped} on");
            // In place.
            let y = tensor(&cpu, &[COUNT], dtype, noise(3)).with(cut);
            let want: Vec<f64> = y.view().iter().map(rounded).collect();
            cpu.map(&program, &[y.operand()], y.operand()).unwrap();
            assert_eq!(download(&cpu, &y), want, "{dtype} in place from {skipped} on");
        }
    }
}
