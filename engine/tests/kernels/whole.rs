//! Whole numbers: arithmetic, conversions and reductions, in their full range.

use std::rc::Rc;

use napkin_engine::backend::{Backend, Operand, Reduction, Storage};
use napkin_engine::program::{Binary, Bits, Compute, Instr, Program, Unary};
use napkin_engine::twin::map::map;
use napkin_engine::twin::reduce::reduce;
use napkin_engine::twin::{codec, dot::dot};
use napkin_engine::{DType, Error, Layout, Scalar};

use crate::common::{Random, Tensor, assert_within, gpu, on_every_backend};

const WHOLE: [DType; 4] = [DType::I64, DType::I32, DType::U8, DType::Bool];

/// A tensor with the whole numbers that its storage holds.
pub struct Whole {
    storage: Rc<dyn Storage>,
    layout: Layout,
    dtype: DType,
    pub values: Vec<i64>,
}

impl Whole {
    /// What the dtype keeps of the values.
    pub fn new(device: &dyn Backend, values: &[i64], layout: Layout, dtype: DType) -> Self {
        let bytes = codec::encode_whole(values, dtype);
        let values = codec::decode_whole(&bytes, dtype);
        Self { storage: device.upload(&bytes).unwrap(), layout, dtype, values }
    }

    /// Of all sizes, with both signs; small ones and the ends of the range are frequent.
    pub fn random(device: &dyn Backend, layout: Layout, dtype: DType, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let ends =
            [0, 1, -1, 2, 3, i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 1 << 32, -(1 << 32)];
        let mut value = || {
            let (kind, size) = (random.next(), (random.next() * 32.0) as i32 + 31);
            if kind < -0.5 {
                ends[(random.next().abs() * ends.len() as f64) as usize]
            } else {
                (random.next() * 2f64.powi(size)) as i64 ^ (random.next() * 1e6) as i64
            }
        };
        let values: Vec<i64> = (0..layout.storage_end()).map(|_| value()).collect();
        Self::new(device, &values, layout, dtype)
    }

    pub fn operand(&self) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype: self.dtype }
    }

    pub fn dense(&self) -> Vec<i64> {
        self.layout.storage_indices().map(|i| self.values[i]).collect()
    }

    pub fn read(&self, device: &dyn Backend) -> Vec<i64> {
        let all = pollster::block_on(device.download(&*self.storage)).unwrap();
        let all = codec::decode_whole(&all, self.dtype);
        self.layout.storage_indices().map(|i| all[i]).collect()
    }
}

pub fn contiguous(shape: &[usize]) -> Layout {
    Layout::contiguous(shape).unwrap()
}

/// What a dtype keeps of a number.
fn kept(values: &[i64], dtype: DType) -> Vec<i64> {
    codec::decode_whole(&codec::encode_whole(values, dtype), dtype)
}

fn check(device: &dyn Backend, program: &Program, inputs: &[&Whole], layout: Layout, dtype: DType) {
    let dtypes: Vec<_> = inputs.iter().map(|input| input.dtype).collect();
    let what = format!("{}: {:?} of {dtypes:?} → {dtype}", device.name(), program.instrs);
    let dense: Vec<_> = inputs.iter().map(|input| input.dense()).collect();
    let dense: Vec<_> = dense.iter().map(Vec::as_slice).collect();
    let want = kept(&map(program, &dense, layout.numel()).unwrap(), dtype);
    let out = Whole::new(device, &vec![77; layout.storage_end()], layout, dtype);
    let operands: Vec<_> = inputs.iter().map(|input| input.operand()).collect();
    device.map(program, &operands, out.operand()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let got = out.read(device);
    for (i, (got, want)) in got.iter().zip(&want).enumerate() {
        let given: Vec<i64> = dense.iter().map(|input| input[i]).collect();
        assert_eq!(got, want, "{what}: element {i}, {given:?}");
    }
}

fn divides(op: Binary) -> bool {
    matches!(op, Binary::Div | Binary::FloorDiv | Binary::Remainder | Binary::Fmod)
}

#[test]
fn arithmetic_wraps_around_and_rounds_as_it_says() {
    on_every_backend(|device| {
        for count in [1, 7, 64, 1000] {
            let layout = contiguous(&[count]);
            for dtype in WHOLE {
                let a = Whole::random(device, layout.clone(), dtype, 1);
                let b = Whole::random(device, layout.clone(), dtype, 2);
                let not_zero: Vec<i64> = b.values.iter().map(|&b| if b == 0 { 3 } else { b }).collect();
                let not_zero = Whole::new(device, &not_zero, layout.clone(), dtype);
                for op in Bits::ALL {
                    let bits = [Instr::Input(0), Instr::Input(1), Instr::Bits(op)];
                    let amount = Whole::new(device, &amounts(count), layout.clone(), dtype);
                    let other = if matches!(op, Bits::ShiftLeft | Bits::ShiftRight) { &amount } else { &b };
                    check(device, &Program::new(Compute::I64, bits), &[&a, other], layout.clone(), dtype);
                }
                for op in Binary::ALL.into_iter().filter(|&op| op != Binary::Atan2) {
                    let program = Program::binary(Compute::I64, op);
                    let inputs = [&a, if divides(op) { &not_zero } else { &b }];
                    check(device, &program, &inputs, layout.clone(), dtype);
                    if count == 64 {
                        check(device, &program, &inputs, layout.clone(), DType::I64);
                        check(device, &program, &inputs, layout.clone(), DType::Bool);
                        let program = Program::scalar(Compute::I64, op, Scalar::Int(3));
                        check(device, &program, &[&a], layout.clone(), dtype);
                        let program = Program::scalar(Compute::I64, op, Scalar::Int(-(1 << 40) - 1));
                        check(device, &program, &[&a], layout.clone(), dtype);
                    }
                }
                for op in Unary::ALL.into_iter().filter(|&op| {
                    device.device_type() == "cuda" && napkin_engine::twin::Number::unary(op, 1i64).is_some()
                        || matches!(op, Unary::Neg | Unary::Abs | Unary::Sign | Unary::Not | Unary::Relu)
                }) {
                    check(device, &Program::unary(Compute::I64, op), &[&a], layout.clone(), dtype);
                }
            }
        }
    });
}

/// By how much numbers are shifted: by all that matters, and beyond.
fn amounts(count: usize) -> Vec<i64> {
    let some = [0, 1, 5, 8, 31, 32, 33, 63, 64, 100, -1];
    (0..count).map(|i| some[i % some.len()]).collect()
}

#[test]
fn chains_of_mixed_dtypes_and_layouts() {
    use Instr::{Const, Input, Where};
    // a < b ? a · 3 − b : max(a, −5) // 7
    let program = Program::new(
        Compute::I64,
        vec![
            Input(0),
            Input(1),
            Instr::Binary(Binary::Lt),
            Input(0),
            Const(Scalar::Int(3)),
            Instr::Binary(Binary::Mul),
            Input(1),
            Instr::Binary(Binary::Sub),
            Input(0),
            Const(Scalar::Int(-5)),
            Instr::Binary(Binary::Max),
            Const(Scalar::Int(7)),
            Instr::Binary(Binary::FloorDiv),
            Where,
        ],
    );
    let clamp = Program::new(
        Compute::I64,
        vec![
            Input(0),
            Const(Scalar::Int(-9)),
            Instr::Binary(Binary::Max),
            Input(1),
            Instr::Binary(Binary::Min),
        ],
    );
    on_every_backend(|device| {
        for (rows, columns) in [(3, 5), (6, 8), (1, 1), (0, 4)] {
            let shape = [rows, columns];
            let strided = |strides: &[usize], offset| Layout::strided(&shape, strides, offset).unwrap();
            for (first, second) in [
                (DType::I64, DType::I32),
                (DType::U8, DType::I64),
                (DType::I32, DType::I32),
                (DType::Bool, DType::U8),
            ] {
                let a = Whole::random(device, strided(&[1, rows], 1), first, 3);
                let b = Whole::random(device, strided(&[0, 1], 2), second, 4);
                for out in WHOLE {
                    check(device, &program, &[&a, &b], strided(&[2 * columns, 2], 1), out);
                    check(device, &clamp, &[&a, &b], contiguous(&shape), out);
                }
            }
        }
    });
}

#[test]
fn conversions_between_all_dtypes() {
    let reals = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.99,
        2.5,
        255.0,
        256.0,
        300.7,
        -1.0,
        65_504.0,
        1e9,
        -1e9,
        2_147_483_520.0,
        2_147_483_648.0,
        -2_147_483_648.0,
        1e10,
        -1e10,
        4_294_967_296.0,
        1e18,
        -1e18,
        9.2e18,
        9.3e18,
        -9.3e18,
        1e30,
        -1e30,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        16_777_217.0,
        0.999_999_9,
    ];
    on_every_backend(|device| {
        for count in [reals.len(), reals.len() - 1] {
            let layout = contiguous(&[count]);
            let input = Tensor::new(device, &reals[..count], layout.clone(), DType::F32);
            for dtype in WHOLE {
                let out = Tensor::poisoned(device, layout.clone(), dtype);
                device.map(&Program::copy(DType::F32), &[input.operand()], out.operand()).unwrap();
                let want = codec::decode(&codec::encode(&input.values, dtype), dtype);
                assert_within(&out.read(device), &want, |_| 0.0, &format!("{} {dtype}", device.name()));
            }
        }
        for from in WHOLE {
            for count in [63, 64] {
                let layout = contiguous(&[count]);
                let input = Whole::random(device, layout.clone(), from, 5);
                for to in WHOLE {
                    check(device, &Program::copy(from), &[&input], layout.clone(), to);
                }
                for to in DType::UP_TO_F32 {
                    let out = Tensor::poisoned(device, layout.clone(), to);
                    device.map(&Program::copy(from), &[input.operand()], out.operand()).unwrap();
                    // Rounded once to float32, and then to what is narrower.
                    let rounded: Vec<f64> = input.dense().iter().map(|&v| f64::from(v as f32)).collect();
                    let want = codec::decode(&codec::encode(&rounded, to), to);
                    assert_within(
                        &out.read(device),
                        &want,
                        |_| 0.0,
                        &format!("{} {from} → {to}", device.name()),
                    );
                }
            }
        }
        // Ties and their neighbours on both sides, and carries into the next power of two.
        let ties: Vec<i64> = [24, 25, 31, 32, 33, 47, 55, 62]
            .iter()
            .flat_map(|&bits| {
                let (one, half) = (1i64 << bits, 1i64 << (bits - 24));
                [one + half, one + half - 1, one + half + 1, one + 3 * half, one - 1, -one - half]
            })
            .collect();
        let layout = contiguous(&[ties.len()]);
        let input = Whole::new(device, &ties, layout.clone(), DType::I64);
        let out = Tensor::poisoned(device, layout, DType::F32);
        device.map(&Program::copy(DType::I64), &[input.operand()], out.operand()).unwrap();
        let want: Vec<f64> = ties.iter().map(|&v| f64::from(v as f32)).collect();
        assert_within(&out.read(device), &want, |_| 0.0, &device.name());
    });
}

#[test]
fn sums_products_and_extremes() {
    on_every_backend(|device| {
        for dtype in WHOLE {
            for (shape, dims) in [
                (vec![65], vec![0]),
                (vec![17, 5], vec![0]),
                (vec![5, 17], vec![1]),
                (vec![3, 4, 5], vec![0, 2]),
                (vec![0, 3], vec![0]),
                (vec![], vec![]),
                (vec![70_001], vec![0]),
            ] {
                let input = Whole::random(device, contiguous(&shape), dtype, 6);
                let kept_shape: Vec<usize> =
                    (0..shape.len()).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
                for (op, out) in [
                    (Reduction::Sum, DType::I64),
                    (Reduction::Prod, DType::I64),
                    (Reduction::Sum, DType::I32),
                    (Reduction::Max, dtype),
                    (Reduction::Min, dtype),
                    (Reduction::Max, DType::Bool),
                ] {
                    let extreme = matches!(op, Reduction::Max | Reduction::Min);
                    if extreme && dims.iter().any(|&d| shape[d] == 0) {
                        continue;
                    }
                    let want = kept(&reduce(op, 1.0, &input.values, &input.layout, &dims), out);
                    let result = Whole::new(device, &vec![77; want.len()], contiguous(&kept_shape), out);
                    device.reduce(op, 1.0, input.operand(), &dims, result.operand()).unwrap();
                    assert_eq!(
                        result.read(device),
                        want,
                        "{} {op:?} {dtype} → {out} {shape:?}",
                        device.name()
                    );
                }
            }
        }
    });
}

#[test]
fn products_of_matrices() {
    on_every_backend(|device| {
        for dtype in [DType::I64, DType::I32, DType::U8] {
            for [m, n, k] in [[1, 1, 1], [3, 5, 7], [17, 1, 65], [4, 4, 0], [0, 3, 2]] {
                let a = Whole::random(device, contiguous(&[m, k]), dtype, 7);
                let b = Whole::random(device, Layout::strided(&[k, n], &[1, k], 3).unwrap(), dtype, 8);
                let out = Whole::new(device, &vec![77; m * n], contiguous(&[m, n]), dtype);
                device.matmul(a.operand(), b.operand(), out.operand()).unwrap();
                let want = kept(&dot(&a.dense(), &b.dense(), [m, n, k]), dtype);
                assert_eq!(out.read(device), want, "{} {dtype} {m} {n} {k}", device.name());
            }
        }
    });
}

/// The GPU cannot know before it is done; then it says so once, and works on.
#[test]
fn division_by_zero_is_an_error_of_the_next_wait() {
    let gpu = gpu();
    let layout = contiguous(&[3]);
    for dtype in [DType::I64, DType::I32] {
        let a = Whole::new(&gpu, &[7, -7, 5], layout.clone(), dtype);
        let b = Whole::new(&gpu, &[2, 0, -2], layout.clone(), dtype);
        let out = Whole::new(&gpu, &[0; 3], layout.clone(), dtype);
        for (op, want) in [
            (Binary::FloorDiv, [3, 0, -3]),
            (Binary::Remainder, [1, -7, -1]),
            (Binary::Fmod, [1, -7, 1]),
            (Binary::Div, [3, 0, -2]),
        ] {
            gpu.map(&Program::binary(Compute::I64, op), &[a.operand(), b.operand()], out.operand()).unwrap();
            let error = pollster::block_on(gpu.download(&*out.storage)).unwrap_err();
            assert!(matches!(error, Error::Value { op: "div", .. }), "{error}");
            assert_eq!(out.read(&gpu), want, "{op:?} {dtype}");
        }
        gpu.map(&Program::binary(Compute::I64, Binary::Fmod), &[a.operand(), b.operand()], out.operand())
            .unwrap();
        assert!(pollster::block_on(gpu.synchronize()).is_err());
        assert!(pollster::block_on(gpu.synchronize()).is_ok());
    }
}

#[test]
fn what_the_gpu_lacks_is_refused_in_words() {
    let gpu = gpu();
    let layout = contiguous(&[2]);
    let storage = gpu.upload(&[0; 16]).unwrap();
    let double = Operand { storage: &*storage, layout: &layout, dtype: DType::F64 };
    let out = Tensor::poisoned(&gpu, layout.clone(), DType::F32);
    let sum = Tensor::poisoned(&gpu, contiguous(&[]), DType::F32);
    for result in [
        gpu.map(&Program::copy(DType::F64), &[double], out.operand()),
        gpu.map(&Program::copy(DType::F32), &[double], out.operand()),
        gpu.map(&Program::copy(DType::F32), &[out.operand()], double),
        gpu.reduce(Reduction::Sum, 1.0, double, &[0], sum.operand()),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("float64") && error.contains("float32"), "{error}");
    }
    let whole = Whole::new(&gpu, &[1, 2], layout, DType::I64);
    let error = gpu.map(&Program::unary(Compute::I64, Unary::Sin), &[whole.operand()], whole.operand());
    assert!(matches!(error, Err(Error::DType { .. })));
}
