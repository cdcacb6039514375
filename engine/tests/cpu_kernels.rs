//! The CPU backend against sequential sums in f64 and against single elements.
#![cfg(feature = "cpu")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

use std::rc::Rc;

use napkin_engine::backend::{Backend, Operand, Reduction, Storage, Update};
use napkin_engine::cpu::Cpu;
use napkin_engine::program::{Binary, Instr, Program, Unary};
use napkin_engine::{DType, Error, Layout};

/// A tensor on the CPU, and what is in it.
struct Tensor {
    storage: Rc<dyn Storage>,
    layout: Layout,
    dtype: DType,
    /// Every element of the storage, after rounding to the dtype.
    values: Vec<f64>,
}

impl Tensor {
    fn operand(&self) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype: self.dtype }
    }

    /// Elements in the order of the view.
    fn view(&self) -> Vec<f64> {
        self.layout.storage_indices().map(|i| self.values[i]).collect()
    }

    fn with(mut self, change: impl Fn(&Layout) -> napkin_engine::Result<Layout>) -> Self {
        self.layout = change(&self.layout).unwrap();
        self
    }
}

fn bytes(dtype: DType, values: &[f64]) -> Vec<u8> {
    let pattern = |&v| dtype.format().encode(v).to_le_bytes();
    values.iter().flat_map(|v| pattern(v).into_iter().take(dtype.size_bytes())).collect()
}

fn tensor(cpu: &Cpu, shape: &[usize], dtype: DType, value: impl Fn(usize) -> f64) -> Tensor {
    let layout = Layout::contiguous(shape).unwrap();
    let rounded = |i| dtype.format().decode(dtype.format().encode(value(i)));
    let values: Vec<f64> = (0..layout.numel()).map(rounded).collect();
    Tensor { storage: cpu.upload(&bytes(dtype, &values)).unwrap(), layout, dtype, values }
}

/// Pseudo-random numbers in [-1, 1).
fn noise(seed: u64) -> impl Fn(usize) -> f64 {
    move |i| {
        let mut x =
            (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_mul(0xd1b5_4a32_d192_ed03);
        x ^= x >> 31;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 29;
        (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// An output whose every byte is set, so that what a kernel leaves out shows.
fn poisoned(cpu: &Cpu, shape: &[usize], dtype: DType) -> Tensor {
    tensor(cpu, shape, dtype, |_| f64::NAN)
}

fn download(cpu: &Cpu, t: &Tensor) -> Vec<f64> {
    let bytes = pollster::block_on(cpu.download(&*t.storage)).unwrap();
    let size = t.dtype.size_bytes();
    let mut all = bytes.chunks_exact(size).map(|b| {
        let mut pattern = [0; 4];
        pattern[..size].copy_from_slice(b);
        t.dtype.format().decode(u32::from_le_bytes(pattern))
    });
    let all: Vec<f64> = all.by_ref().collect();
    t.layout.storage_indices().map(|i| all[i]).collect()
}

/// Spacing of a dtype relative to 1, and of f32 sums.
fn eps(dtype: DType) -> f64 {
    dtype.format().info().eps
}

mod matmul {
    use super::*;

    /// Every element within c·k·eps·(|A||B|) of the f64 product, c = 2.
    fn check(cpu: &Cpu, a: &Tensor, b: &Tensor, out_dtype: DType) {
        let (sa, sb) = (a.layout.shape(), b.layout.shape());
        let batch = &sa[..sa.len() - 2];
        let ([.., m, k], [.., n]) = (sa, sb) else { panic!("a matrix has two dimensions") };
        let mut shape = batch.to_vec();
        shape.extend([m, n]);
        let out = poisoned(cpu, &shape, out_dtype);
        cpu.matmul(a.operand(), b.operand(), out.operand()).unwrap();
        let got = download(cpu, &out);
        let (av, bv) = (a.view(), b.view());
        for (i, got) in got.into_iter().enumerate() {
            let (area, item) = (m * n, i / (m * n).max(1));
            let (row, col) = (i % area / n, i % n);
            let products = (0..*k).map(|p| av[item * m * k + row * k + p] * bv[item * k * n + p * n + col]);
            let (sum, size) = products.fold((0.0, 0.0), |(s, t), x| (s + x, t + x.abs()));
            let bound = 2.0 * *k as f64 * eps(DType::F32) * size + eps(out_dtype) * sum.abs();
            assert!(
                (got - sum).abs() <= bound,
                "{sa:?} @ {sb:?} {} {} -> {out_dtype}: element {i} is {}, not {sum} ± {bound}",
                a.dtype,
                b.dtype,
                got
            );
        }
    }

    #[test]
    fn ragged_sizes() {
        let cpu = Cpu::new();
        let sizes = [0, 1, 3, 17, 63, 64, 65, 129];
        for m in sizes {
            for n in sizes {
                for k in sizes {
                    let a = tensor(&cpu, &[m, k], DType::F32, noise(1));
                    let b = tensor(&cpu, &[k, n], DType::F32, noise(2));
                    check(&cpu, &a, &b, DType::F32);
                }
            }
        }
        let a = tensor(&cpu, &[127, 1000], DType::F32, noise(3));
        let b = tensor(&cpu, &[1000, 65], DType::F32, noise(4));
        check(&cpu, &a, &b, DType::F32);
    }

    #[test]
    fn views_are_not_copied_first() {
        let cpu = Cpu::new();
        for (m, n, k) in [(3, 2, 4), (17, 63, 65), (64, 65, 129)] {
            let plain = |r, c, seed| tensor(&cpu, &[r, c], DType::F32, noise(seed));
            let turned = |r, c, seed| plain(c, r, seed).with(|l| l.transpose(0, 1));
            let stepped = |r, c, seed| {
                tensor(&cpu, &[2 * r + 1, 3 * c], DType::F32, noise(seed))
                    .with(|l| l.slice(0, Some(1), None, 2)?.slice(1, Some(2), None, 3))
            };
            let repeated = |r, c, seed| plain(1, c, seed).with(|l| l.expand(&[r as isize, -1]));
            for a in [plain(m, k, 1), turned(m, k, 2), stepped(m, k, 3), repeated(m, k, 4)] {
                for b in [plain(k, n, 5), turned(k, n, 6), stepped(k, n, 7), repeated(k, n, 8)] {
                    check(&cpu, &a, &b, DType::F32);
                }
            }
        }
    }

    #[test]
    fn batches_equal_permuted_and_broadcast() {
        let cpu = Cpu::new();
        for (m, n, k) in [(2, 3, 1), (5, 17, 33)] {
            let a = || tensor(&cpu, &[4, 3, m, k], DType::F32, noise(1));
            let full = tensor(&cpu, &[4, 3, k, n], DType::F32, noise(2));
            check(&cpu, &a(), &full, DType::F32);
            let weight = || {
                tensor(&cpu, &[k, n], DType::F32, noise(3))
                    .with(|l| l.expand(&[4, 3, k as isize, n as isize]))
            };
            check(&cpu, &a(), &weight(), DType::F32);
            let heads = tensor(&cpu, &[4, m, 3, k], DType::F32, noise(4)).with(|l| l.permute(&[0, 2, 1, 3]));
            check(&cpu, &heads, &full, DType::F32);
            check(&cpu, &heads, &weight(), DType::F32);
            let one = tensor(&cpu, &[1, 3, m, k], DType::F32, noise(5)).with(|l| l.expand(&[4, -1, -1, -1]));
            check(&cpu, &one, &full, DType::F32);
            let half = tensor(&cpu, &[k, n], DType::BF16, noise(3))
                .with(|l| l.expand(&[4, 3, k as isize, n as isize]));
            check(&cpu, &heads, &half, DType::BF16);
        }
    }

    #[test]
    fn narrow_dtypes_accumulate_in_f32() {
        let cpu = Cpu::new();
        for (i, a_dtype) in DType::ALL.into_iter().enumerate() {
            for b_dtype in DType::ALL {
                for (m, n, k) in [(1, 1, 0), (7, 5, 3), (17, 65, 300)] {
                    let a = tensor(&cpu, &[k, m], a_dtype, noise(1)).with(|l| l.transpose(0, 1));
                    let b = tensor(&cpu, &[k, n], b_dtype, noise(2));
                    check(&cpu, &a, &b, DType::ALL[i]);
                }
            }
        }
    }

    #[test]
    fn a_thousand_addends_of_one_sign_do_not_drift() {
        let cpu = Cpu::new();
        let a = tensor(&cpu, &[4, 4096], DType::F16, |_| 1.0);
        let b = tensor(&cpu, &[4096, 9], DType::F16, |_| 1.0);
        let out = poisoned(&cpu, &[4, 9], DType::F32);
        cpu.matmul(a.operand(), b.operand(), out.operand()).unwrap();
        assert_eq!(download(&cpu, &out), [4096.0; 36]);
    }

    #[test]
    fn sizes_that_do_not_fit_are_an_error() {
        let cpu = Cpu::new();
        let t = |shape: &[usize]| tensor(&cpu, shape, DType::F32, noise(1));
        for (a, b, out) in [
            (t(&[2, 3]), t(&[4, 5]), t(&[2, 5])),
            (t(&[2, 3]), t(&[3, 5]), t(&[5, 2])),
            (t(&[2, 3]), t(&[3, 5]), t(&[5, 2]).with(|l| l.transpose(0, 1))),
            (t(&[3]), t(&[3, 5]), t(&[5])),
            (t(&[2, 2, 3]), t(&[3, 3, 5]), t(&[2, 2, 5])),
        ] {
            let error = cpu.matmul(a.operand(), b.operand(), out.operand()).unwrap_err();
            assert!(error.to_string().starts_with("matmul: no product"), "{error}");
        }
    }
}

mod map {
    use super::*;

    /// The program on every element, computed in f64 by the same instructions.
    fn expected(program: &Program, inputs: &[&Tensor]) -> Vec<f64> {
        let views: Vec<Vec<f64>> = inputs.iter().map(|t| t.view()).collect();
        let element = |i: usize| {
            let mut stack = Vec::new();
            for instr in &program.0 {
                match *instr {
                    Instr::Input(n) => stack.push(views[n][i]),
                    Instr::Const(c) => stack.push(f64::from(c)),
                    Instr::Unary(op) => {
                        let x: f64 = stack.pop().unwrap();
                        stack.push(match op {
                            Unary::Neg => -x,
                            Unary::Abs => x.abs(),
                            Unary::Sqrt => x.sqrt(),
                            Unary::Rsqrt => 1.0 / x.sqrt(),
                            Unary::Exp => x.exp(),
                            Unary::Log => x.ln(),
                            Unary::Relu => {
                                if x.is_nan() {
                                    x
                                } else {
                                    x.max(0.0)
                                }
                            }
                            other => panic!("{other:?} has no reference"),
                        });
                    }
                    Instr::Binary(op) => {
                        let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                        stack.push(match op {
                            Binary::Add => a + b,
                            Binary::Sub => a - b,
                            Binary::Mul => a * b,
                            Binary::Div => a / b,
                            Binary::Pow => a.powf(b),
                            other => panic!("{other:?} has no reference"),
                        });
                    }
                    ref other => panic!("{other:?} has no reference"),
                }
            }
            stack[0]
        };
        (0..inputs[0].layout.numel()).map(element).collect()
    }

    fn check(cpu: &Cpu, program: &Program, inputs: &[&Tensor], out: &Tensor) {
        let operands: Vec<Operand<'_>> = inputs.iter().map(|t| t.operand()).collect();
        cpu.map(program, &operands, out.operand()).unwrap();
        let (format, tolerance) = (out.dtype.format(), eps(out.dtype) + 4.0 * eps(DType::F32));
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

    const UNARY: [Unary; 7] =
        [Unary::Neg, Unary::Abs, Unary::Sqrt, Unary::Rsqrt, Unary::Exp, Unary::Log, Unary::Relu];
    const BINARY: [Binary; 5] = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Pow];

    #[test]
    fn every_operation_at_ragged_sizes() {
        let cpu = Cpu::new();
        for n in [0, 1, 3, 17, 63, 64, 65, 1023, 1024, 1025, 5000] {
            let a = tensor(&cpu, &[n], DType::F32, |i| 2.0 * noise(1)(i) + 0.1);
            let b = tensor(&cpu, &[n], DType::F32, |i| 2.0 * noise(2)(i) + 0.1);
            let out = || poisoned(&cpu, &[n], DType::F32);
            for op in UNARY {
                check(&cpu, &Program::unary(op), &[&a], &out());
            }
            for op in BINARY {
                check(&cpu, &Program::binary(op), &[&a, &b], &out());
                for scalar in [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 1.7] {
                    check(&cpu, &Program::scalar(op, scalar), &[&a], &out());
                }
                let reversed = Program(vec![Instr::Const(2.5), Instr::Input(0), Instr::Binary(op)]);
                check(&cpu, &reversed, &[&a], &out());
            }
            check(&cpu, &Program::copy(), &[&a], &out());
            check(&cpu, &Program::fill(4.25), &[&a], &out());
        }
    }

    #[test]
    fn special_values() {
        let cpu = Cpu::new();
        let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-45];
        let a = tensor(&cpu, &[64], DType::F32, |i| special[i / 8]);
        let b = tensor(&cpu, &[64], DType::F32, |i| special[i % 8]);
        let out = poisoned(&cpu, &[64], DType::F32);
        for op in UNARY {
            check(&cpu, &Program::unary(op), &[&a], &out);
        }
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Pow] {
            check(&cpu, &Program::binary(op), &[&a, &b], &out);
        }
    }

    #[test]
    fn chains_use_several_registers() {
        let cpu = Cpu::new();
        let (a, b) =
            (tensor(&cpu, &[70, 30], DType::F32, noise(1)), tensor(&cpu, &[70, 30], DType::F32, noise(2)));
        use Instr::{Binary as B, Const, Input, Unary as U};
        // (a − b)² · 0.5 and a·(b + (a − (b·(a + 3))))
        let half_square = Program(vec![
            Input(0),
            Input(1),
            B(Binary::Sub),
            Const(2.0),
            B(Binary::Pow),
            Const(0.5),
            B(Binary::Mul),
        ]);
        let deep = Program(vec![
            Input(0),
            Input(1),
            Input(0),
            Input(1),
            Input(0),
            Const(3.0),
            B(Binary::Add),
            B(Binary::Mul),
            B(Binary::Sub),
            B(Binary::Add),
            B(Binary::Mul),
            U(Unary::Abs),
        ]);
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
        for dtype in DType::ALL {
            let row = tensor(&cpu, &[65], dtype, noise(1)).with(|l| l.expand(&[63, 65]));
            let column = tensor(&cpu, &[63, 1], DType::F32, noise(2)).with(|l| l.expand(&[63, 65]));
            let turned = tensor(&cpu, &[65, 63], dtype, noise(3)).with(|l| l.transpose(0, 1));
            let stepped =
                tensor(&cpu, &[63, 130], DType::F16, noise(4)).with(|l| l.slice(1, Some(1), None, 2));
            let scalar = tensor(&cpu, &[], DType::F32, |_| 0.75).with(|l| l.expand(&[63, 65]));
            let all = [&row, &column, &turned, &stepped, &scalar];
            for a in all {
                for b in all {
                    let out = poisoned(&cpu, &[63, 65], DType::F32);
                    check(&cpu, &Program::binary(Binary::Add), &[a, b], &out);
                    let turned_out = poisoned(&cpu, &[65, 63], dtype).with(|l| l.transpose(0, 1));
                    check(&cpu, &Program::binary(Binary::Mul), &[a, b], &turned_out);
                }
            }
        }
    }

    #[test]
    fn a_write_into_a_slice_leaves_the_rest() {
        let cpu = Cpu::new();
        for dtype in DType::ALL {
            let whole = tensor(&cpu, &[5, 7], dtype, |i| (i % 8) as f64);
            let before = whole.values.clone();
            let part = whole.with(|l| l.slice(0, Some(1), Some(4), 2)?.slice(1, Some(2), None, 2));
            cpu.map(&Program::fill(16.0), &[], part.operand()).unwrap();
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
            (Program(vec![]), "leaves 0 values"),
            (Program(vec![Instr::Input(0), Instr::Input(0)]), "leaves 2 values"),
            (Program(vec![Instr::Input(1)]), "reads input 1 of 1"),
            (Program(vec![Instr::Input(0), Instr::Binary(Binary::Add)]), "finds 1 values"),
        ] {
            let error = cpu.map(&program, &[x.operand()], out.operand()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        let shared = cpu.map(&Program::copy(), &[x.operand()], x.operand()).unwrap_err();
        assert!(shared.to_string().contains("shares its storage"), "{shared}");
    }
}

mod reduce {
    use super::*;

    fn check(cpu: &Cpu, op: Reduction, scale: f32, input: &Tensor, dims: &[usize]) {
        let shape = input.layout.shape();
        let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
        let out_shape: Vec<usize> = kept.iter().map(|&d| shape[d]).collect();
        let out = poisoned(cpu, &out_shape, DType::F32);
        cpu.reduce(op, scale, input.operand(), dims, out.operand()).unwrap();
        let start = if op == Reduction::Sum { 0.0 } else { f64::NEG_INFINITY };
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
                _ if total.is_nan() || value.is_nan() => f64::NAN,
                _ => total.max(value),
            };
            *size += value.abs();
        }
        for (i, (got, (total, size))) in download(cpu, &out).into_iter().zip(want).enumerate() {
            let want = total * f64::from(scale);
            let bound = 64.0 * eps(DType::F32) * size * f64::from(scale).abs();
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
        for dtype in DType::ALL {
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
                    check(&cpu, Reduction::Max, 1.0, view, dims);
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
}

mod update {
    use super::*;

    fn check(op: Update, states: usize, step: impl Fn(f64, f64, f64) -> (f64, f64)) {
        let cpu = Cpu::new();
        for n in [0, 1, 3, 17, 65, 2000] {
            // The parameter is a part of a larger storage.
            let p = tensor(&cpu, &[n + 3], DType::F32, noise(1)).with(|l| l.slice(0, Some(3), None, 1));
            let g = tensor(&cpu, &[n], DType::F32, noise(2));
            let s = tensor(&cpu, &[n], DType::F32, |i| noise(3)(i).abs());
            let state: Vec<Operand<'_>> = (0..states).map(|_| s.operand()).collect();
            cpu.update(op, p.operand(), g.operand(), &state).unwrap();
            let (got_p, got_s) = (download(&cpu, &p), download(&cpu, &s));
            for (i, before) in p.view().into_iter().enumerate() {
                let (want_p, want_s) = step(before, g.values[i], s.values[i]);
                assert!((got_p[i] - want_p).abs() < 1e-6, "{op:?}: p[{i}] is {}, not {want_p}", got_p[i]);
                assert!((got_s[i] - want_s).abs() < 1e-6, "{op:?}: s[{i}] is {}, not {want_s}", got_s[i]);
            }
        }
    }

    #[test]
    fn sgd() {
        check(Update::Sgd { lr: 0.1 }, 0, |p, g, s| (p - 0.1 * g, s));
    }

    #[test]
    fn adagrad_with_eps_beside_and_under_the_root() {
        let op = |eps_inside_root| Update::Adagrad { lr: 0.1, eps: 1e-3, eps_inside_root };
        check(op(false), 1, |p, g, s| {
            let s = s + g * g;
            (p - 0.1 * g / (s.sqrt() + 1e-3), s)
        });
        check(op(true), 1, |p, g, s| {
            let s = s + g * g;
            (p - 0.1 * g / (s + 1e-3).sqrt(), s)
        });
    }

    #[test]
    fn operands_that_do_not_match_are_an_error() {
        let cpu = Cpu::new();
        let t = |n, dtype| tensor(&cpu, &[n], dtype, noise(1));
        let (p, g, short, half) = (t(4, DType::F32), t(4, DType::F32), t(3, DType::F32), t(4, DType::F16));
        let sgd = Update::Sgd { lr: 0.1 };
        let adagrad = Update::Adagrad { lr: 0.1, eps: 0.0, eps_inside_root: false };
        assert!(cpu.update(sgd, p.operand(), short.operand(), &[]).is_err());
        assert!(cpu.update(sgd, p.operand(), half.operand(), &[]).is_err());
        assert!(cpu.update(sgd, p.operand(), g.operand(), &[g.operand()]).is_err());
        assert!(cpu.update(adagrad, p.operand(), g.operand(), &[]).is_err());
        assert!(cpu.update(sgd, p.operand(), p.operand(), &[]).is_err());
    }
}

mod memory {
    use super::*;

    #[test]
    fn a_large_tensor_costs_nothing_until_it_is_written() {
        // torch.empty(49152, 12288): 2.25 GiB.
        let storage = Cpu::new().allocate(49152 * 12288 * 4).unwrap();
        assert_eq!(storage.size_bytes(), 2_415_919_104);
    }

    #[test]
    fn what_memory_does_not_hold_is_an_error() {
        for bytes in [usize::MAX, usize::MAX / 2, 1 << 60] {
            match Cpu::new().allocate(bytes).err() {
                Some(Error::OutOfMemory { bytes: asked, device, .. }) => {
                    assert!(asked >= bytes as u128 && device == "cpu", "{asked} bytes on {device}");
                }
                other => panic!("{bytes} bytes: {other:?}"),
            }
        }
    }

    #[test]
    fn bytes_come_back_as_they_went() {
        let cpu = Cpu::new();
        for len in [0, 1, 7, 8, 9, 1000] {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 37 % 256) as u8).collect();
            let storage = cpu.upload(&bytes).unwrap();
            assert_eq!(storage.size_bytes(), len);
            assert_eq!(pollster::block_on(cpu.download(&*storage)).unwrap(), bytes);
        }
    }

    #[test]
    fn a_layout_beyond_the_storage_is_an_error() {
        let cpu = Cpu::new();
        let mut x = tensor(&cpu, &[4], DType::F32, noise(1));
        x.layout = Layout::strided(&[2, 2], &[3, 1], 0).unwrap();
        let out = poisoned(&cpu, &[2, 2], DType::F32);
        let error = cpu.map(&Program::copy(), &[x.operand()], out.operand()).unwrap_err();
        assert!(error.to_string().contains("needs 20 bytes of storage, which has 16"), "{error}");
    }

    #[test]
    fn the_name_says_what_runs() {
        let name = Cpu::new().name();
        assert!(name.starts_with("CPU (") && name.ends_with(')'), "{name}");
        assert_eq!(Cpu::new().device_type(), "cpu");
    }
}
