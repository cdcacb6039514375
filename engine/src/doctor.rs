//! Every kernel of every family against its twin, on whatever device a reader has.
//!
//! The tests of this project do the same at length on the devices that are here; this is for those that are not.

use std::rc::Rc;

use web_time::Instant;

use crate::backend::{Distribution, Operand, Reduction, Scan, Storage, Update};
use crate::dtype::DType;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::layout::Layout;
use crate::measure::{Access, Chains, Probe, QUAD_BYTES, Stream, Threads};
use crate::program::{Binary, Compute, Instr, Program, Unary};
use crate::rows::{CrossEntropy, Rows, Softmax};
use crate::twin::{
    self, Product, arg_extreme, codec, cross_entropy, dot, fma, gather, matmul_register, norm,
    norm_parameters, philox, reduce, scan, scatter_add, softmax, sort, stream, update,
};

/// What came of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its name: that of its shader and twin, of products that of the tile, of functions what PyTorch calls them.
    pub kernel: String,
    /// Of its operands.
    pub dtype: DType,
    /// What is wrong, or why it did not run.
    pub fault: Option<String>,
    /// Until its result was there and compared, compiling included.
    pub secs: f64,
}

/// How far the doctor is.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress<'a> {
    /// A kernel is about to run, which may take the program with it.
    Begins(&'a str, DType),
    /// What came of it.
    Ends(Finding),
}

/// Rows and columns of the operands: no tile divides them.
const SHAPE: [usize; 2] = [37, 131];

/// Functions of which WGSL promises few digits or none, with arguments up to that size.
const UNARY: [(Unary, f64); 12] = [
    (Unary::Sqrt, 1e3),
    (Unary::Rsqrt, 1e3),
    (Unary::Exp, 50.0),
    (Unary::Exp2, 50.0),
    (Unary::Expm1, 1.0),
    (Unary::Log, 1e3),
    (Unary::Log1p, 1.0),
    (Unary::Sin, 1e5),
    (Unary::Cos, 1e5),
    (Unary::Tanh, 3.0),
    (Unary::Sigmoid, 50.0),
    (Unary::Erf, 3.0),
];

/// Those of two arguments.
const BINARY: [Binary; 5] = [Binary::FloorDiv, Binary::Remainder, Binary::Fmod, Binary::Pow, Binary::Atan2];

/// Quads that an invocation of shaders/stream.wgsl takes.
const QUADS_EACH: usize = 16;

/// Runs one kernel after the other on a device.
pub struct Doctor<'a> {
    device: &'a dyn Probe,
    /// Hears of each.
    hear: Box<dyn FnMut(Progress<'_>) + 'a>,
}

/// A tensor with the values that it was made of.
struct Tensor {
    storage: Rc<dyn Storage>,
    layout: Layout,
    dtype: DType,
    values: Vec<f64>,
}

impl Tensor {
    fn operand(&self) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype: self.dtype }
    }
}

/// An output, what it should be, and what is allowed beside rounding to its dtype.
struct Expected {
    out: Tensor,
    want: Vec<f64>,
    bound: f64,
}

impl<'a> Doctor<'a> {
    /// A doctor for that device; `hear` is told of each kernel.
    pub fn new(device: &'a dyn Probe, hear: impl FnMut(Progress<'_>) + 'a) -> Self {
        Self { device, hear: Box::new(hear) }
    }

    /// All families, products by the kernel that the device chooses.
    pub async fn families(&mut self) {
        for dtype in DType::UP_TO_F32 {
            self.examine("map", dtype, |d| d.map(dtype)).await;
            self.examine("reduce", dtype, |d| d.reduce(dtype)).await;
            self.examine("gather", dtype, |d| d.gather(dtype)).await;
            self.examine("softmax", dtype, |d| d.softmax(dtype)).await;
            self.examine("norm", dtype, |d| d.norm(dtype)).await;
            self.examine("norm_parameters", dtype, |d| d.norm_parameters(dtype)).await;
            self.examine("cross_entropy", dtype, |d| d.cross_entropy(dtype)).await;
            self.examine("matmul", dtype, |d| d.matmul(dtype)).await;
        }
        for dtype in [DType::F32, DType::I64] {
            self.examine("scan", dtype, |d| d.scan(dtype)).await;
            self.examine("sort", dtype, |d| d.sort(dtype)).await;
            self.examine("arg_extreme", dtype, |d| d.arg_extreme(dtype)).await;
            self.examine("scatter_add", dtype, |d| d.scatter_add(dtype)).await;
        }
        for (op, size) in UNARY {
            let program = Program::unary(Compute::F32, op);
            self.examine(program.name(), DType::F32, |d| d.function(&program, size)).await;
        }
        for op in BINARY {
            let program = Program::binary(Compute::F32, op);
            self.examine(program.name(), DType::F32, |d| d.function(&program, 1e3)).await;
        }
        self.examine("whole", DType::I64, Self::whole).await;
        self.examine("dot", DType::I64, Self::dot).await;
        self.examine("philox", DType::F32, Self::philox).await;
        self.examine("update", DType::F32, Self::update).await;
        for dtype in [DType::F32, DType::F16] {
            if self.device.traits().chains.contains(&(dtype, 1)) {
                self.examine("fma", dtype, |d| d.fma(dtype)).await;
            }
        }
        self.examine("stream", DType::I32, Self::stream).await;
    }

    /// Runs a kernel and compares what it leaves.
    async fn examine(&mut self, kernel: &str, dtype: DType, run: impl Fn(&Self) -> Result<Vec<Expected>>) {
        (self.hear)(Progress::Begins(kernel, dtype));
        let start = Instant::now();
        let fault = match run(self) {
            Err(error) => Some(error.to_string()),
            Ok(all) => {
                let mut fault = None;
                for expected in &all {
                    match self.device.download(&*expected.out.storage).await {
                        Err(error) => fault = fault.or(Some(error.to_string())),
                        Ok(bytes) => fault = fault.or_else(|| compare(expected, &bytes)),
                    }
                }
                fault
            }
        };
        let secs = start.elapsed().as_secs_f64();
        (self.hear)(Progress::Ends(Finding { kernel: kernel.to_owned(), dtype, fault, secs }));
    }

    fn tensor(&self, shape: &[usize], dtype: DType, values: &[f64]) -> Result<Tensor> {
        let bytes = codec::encode(values, dtype);
        let (storage, values) = (self.device.upload(&bytes)?, codec::decode(&bytes, dtype));
        Ok(Tensor { storage, layout: Layout::contiguous(shape)?, dtype, values })
    }

    /// Random numbers in [-1, 1), or whole ones in [-50, 50).
    fn random(&self, shape: &[usize], dtype: DType, seed: u64) -> Result<Tensor> {
        let values = twin::random(shape.iter().product(), seed);
        if dtype.is_floating_point() {
            return self.tensor(shape, dtype, &values);
        }
        self.tensor(shape, dtype, &values.iter().map(|value| (50.0 * value).floor()).collect::<Vec<_>>())
    }

    /// What no kernel leaves behind.
    fn poisoned(&self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        let value = if dtype.is_floating_point() { f64::NAN } else { 111_111.0 };
        self.tensor(shape, dtype, &vec![value; shape.iter().product()])
    }

    /// Whole numbers below `below`.
    fn indices(&self, shape: &[usize], below: usize, seed: u64) -> Result<(Tensor, Vec<i64>)> {
        let values = twin::random(shape.iter().product(), seed);
        let values: Vec<f64> = values.iter().map(|value| (value.abs() * below as f64).floor()).collect();
        let tensor = self.tensor(shape, DType::I64, &values)?;
        Ok((tensor, values.iter().map(|&value| value as i64).collect()))
    }

    fn map(&self, dtype: DType) -> Result<Vec<Expected>> {
        let [a, b] = [self.random(&SHAPE, dtype, 1)?, self.random(&SHAPE, dtype, 2)?];
        let out = self.poisoned(&SHAPE, dtype)?;
        let instrs = [
            Instr::Input(0),
            Instr::Unary(Unary::Tanh),
            Instr::Input(1),
            Instr::Unary(Unary::Exp),
            Instr::Binary(Binary::Mul),
            Instr::Input(0),
            Instr::Binary(Binary::Add),
        ];
        let program = Program::new(Compute::F32, instrs);
        self.device.map(&program, &[a.operand(), b.operand()], out.operand())?;
        let want = twin::map::map(&program, &[&a.values, &b.values], a.values.len()).unwrap_or_default();
        Ok(vec![Expected { out, want, bound: 1e-5 }])
    }

    /// A function of a positive number up to `size`, and of another in [-1, 1).
    fn function(&self, program: &Program, size: f64) -> Result<Vec<Expected>> {
        let sizes: Vec<f64> = twin::random(SHAPE[0] * SHAPE[1], 1).iter().map(|x| x.abs() * size).collect();
        let [a, b] = [self.tensor(&SHAPE, DType::F32, &sizes)?, self.random(&SHAPE, DType::F32, 2)?];
        let out = self.poisoned(&SHAPE, DType::F32)?;
        let inputs = [a.operand(), b.operand()];
        let count = program.instrs.iter().filter(|instr| matches!(instr, Instr::Input(_))).count();
        self.device.map(program, &inputs[..count], out.operand())?;
        let want = twin::map::map(program, &[&a.values, &b.values], a.values.len()).unwrap_or_default();
        Ok(vec![Expected { out, want, bound: 1e-6 }])
    }

    fn whole(&self) -> Result<Vec<Expected>> {
        let [a, b] = [self.random(&SHAPE, DType::I64, 1)?, self.random(&SHAPE, DType::I64, 2)?];
        let out = self.poisoned(&SHAPE, DType::I64)?;
        let program = Program::binary(Compute::I64, Binary::Mul);
        self.device.map(&program, &[a.operand(), b.operand()], out.operand())?;
        let want = a.values.iter().zip(&b.values).map(|(a, b)| a * b).collect();
        Ok(vec![Expected { out, want, bound: 0.0 }])
    }

    fn reduce(&self, dtype: DType) -> Result<Vec<Expected>> {
        let x = self.random(&SHAPE, dtype, 1)?;
        let mut all = Vec::new();
        for (op, dim) in [(Reduction::Sum, 0), (Reduction::Sum, 1), (Reduction::Max, 1)] {
            let out = self.poisoned(&[SHAPE[1 - dim]], dtype)?;
            self.device.reduce(op, 1.0, x.operand(), &[dim], out.operand())?;
            let want = reduce::reduce(op, 1.0, &x.values, &x.layout, &[dim]);
            all.push(Expected { out, want, bound: 1e-4 });
        }
        Ok(all)
    }

    fn scan(&self, dtype: DType) -> Result<Vec<Expected>> {
        let x = self.random(&SHAPE, dtype, 1)?;
        let out = self.poisoned(&SHAPE, dtype)?;
        self.device.scan(Scan::Sum, x.operand(), 1, out.operand())?;
        Ok(vec![Expected { out, want: scan::scan(Scan::Sum, &x.values, &SHAPE, 1), bound: 1e-4 }])
    }

    fn sort(&self, dtype: DType) -> Result<Vec<Expected>> {
        let x = self.random(&SHAPE, dtype, 1)?;
        let (values, indices) = (self.poisoned(&SHAPE, dtype)?, self.poisoned(&SHAPE, DType::I64)?);
        self.device.sort(x.operand(), 1, false, values.operand(), indices.operand())?;
        let order = sort::sort(false, &x.values, &SHAPE, 1);
        let at =
            order.iter().enumerate().map(|(i, &place)| x.values[i / SHAPE[1] * SHAPE[1] + place as usize]);
        let sorted = Expected { want: at.collect(), out: values, bound: 0.0 };
        let want = order.iter().map(|&place| place as f64).collect();
        Ok(vec![sorted, Expected { out: indices, want, bound: 0.0 }])
    }

    fn arg_extreme(&self, dtype: DType) -> Result<Vec<Expected>> {
        let x = self.random(&SHAPE, dtype, 1)?;
        let out = self.poisoned(&[SHAPE[0], 1], DType::I64)?;
        self.device.arg_extreme(true, x.operand(), 1, out.operand())?;
        let places = arg_extreme::arg_extreme(true, &x.values, &SHAPE, 1);
        let want = places.into_iter().map(|place| place as f64).collect();
        Ok(vec![Expected { out, want, bound: 0.0 }])
    }

    fn gather(&self, dtype: DType) -> Result<Vec<Expected>> {
        let (shape, x) = ([50, SHAPE[1]], self.random(&SHAPE, dtype, 1)?);
        let (index, indices) = self.indices(&shape, SHAPE[0], 2)?;
        let out = self.poisoned(&shape, dtype)?;
        self.device.gather(x.operand(), index.operand(), 0, out.operand())?;
        let want = gather::gather((&x.values, &SHAPE), (&indices, &shape), 0);
        Ok(vec![Expected { out, want: want.into_iter().flatten().collect(), bound: 0.0 }])
    }

    fn scatter_add(&self, dtype: DType) -> Result<Vec<Expected>> {
        let (shape, out) = ([50, SHAPE[1]], self.random(&SHAPE, dtype, 1)?);
        let (index, indices) = self.indices(&shape, SHAPE[0], 2)?;
        let source = self.random(&shape, dtype, 3)?;
        self.device.scatter_add(out.operand(), index.operand(), source.operand(), 0)?;
        let mut want = out.values.clone();
        scatter_add::scatter_add((&mut want, &SHAPE), (&indices, &source.values, &shape), 0);
        Ok(vec![Expected { out, want, bound: 1e-5 }])
    }

    fn rows(&self, op: Rows, inputs: &[&Tensor], outputs: &[&Tensor]) -> Result<()> {
        let inputs: Vec<_> = inputs.iter().map(|input| Some(input.operand())).collect();
        let outputs: Vec<_> = outputs.iter().map(|output| output.operand()).collect();
        self.device.rows(op, &inputs, &outputs)
    }

    fn softmax(&self, dtype: DType) -> Result<Vec<Expected>> {
        let [x, g] = [self.random(&SHAPE, dtype, 1)?, self.random(&SHAPE, dtype, 2)?];
        let (y, dx) = (self.poisoned(&SHAPE, dtype)?, self.poisoned(&SHAPE, dtype)?);
        let how = Softmax { scale: 2.0, is_causal: true, ..Softmax::PLAIN };
        self.rows(Rows::Softmax(how), &[&x], &[&y])?;
        let want = softmax::softmax(how, &x.values, None, SHAPE[1], SHAPE[0]);
        let given = self.tensor(&SHAPE, dtype, &want)?;
        self.rows(Rows::SoftmaxBackward(how), &[&g, &given], &[&dx])?;
        let back = softmax::softmax_backward(how, &g.values, &given.values, SHAPE[1], SHAPE[0]);
        Ok(vec![Expected { out: y, want, bound: 1e-5 }, Expected { out: dx, want: back, bound: 1e-4 }])
    }

    fn norm(&self, dtype: DType) -> Result<Vec<Expected>> {
        let [x, g] = [self.random(&SHAPE, dtype, 1)?, self.random(&SHAPE, dtype, 2)?];
        let [weight, bias] = [self.random(&SHAPE[1..], dtype, 3)?, self.random(&SHAPE[1..], dtype, 4)?];
        let (y, dx) = (self.poisoned(&SHAPE, dtype)?, self.poisoned(&SHAPE, dtype)?);
        let per_row = [SHAPE[0], 1];
        let (rstd, mean) = (self.poisoned(&per_row, DType::F32)?, self.poisoned(&per_row, DType::F32)?);
        let op = Rows::Norm { centred: true, eps: 0.1 };
        self.rows(op, &[&x, &weight, &bias], &[&y, &rstd, &mean])?;
        let (want, rstds, means) =
            norm::norm(true, 0.1, &x.values, Some(&weight.values), Some(&bias.values), SHAPE[1]);
        let given = [self.tensor(&per_row, DType::F32, &rstds)?, self.tensor(&per_row, DType::F32, &means)?];
        self.rows(Rows::NormBackward, &[&g, &x, &given[0], &given[1], &weight], &[&dx])?;
        let [rstds_given, means_given] = given.map(|tensor| tensor.values);
        let (of_mean, of_weight) = (Some(&means_given[..]), Some(&weight.values[..]));
        let back = norm::norm_backward(&g.values, &x.values, &rstds_given, of_mean, of_weight, SHAPE[1]);
        Ok(vec![
            Expected { out: y, want, bound: 1e-4 },
            Expected { out: rstd, want: rstds, bound: 1e-4 },
            Expected { out: mean, want: means, bound: 1e-4 },
            Expected { out: dx, want: back, bound: 1e-4 },
        ])
    }

    fn norm_parameters(&self, dtype: DType) -> Result<Vec<Expected>> {
        let [x, g] = [self.random(&SHAPE, dtype, 1)?, self.random(&SHAPE, dtype, 2)?];
        let rstd = self.random(&[SHAPE[0], 1], DType::F32, 3)?;
        let [weight, bias] = [self.poisoned(&SHAPE[1..], dtype)?, self.poisoned(&SHAPE[1..], dtype)?];
        let mean = self.random(&[SHAPE[0], 1], DType::F32, 4)?;
        self.rows(Rows::NormParameters, &[&g, &x, &rstd, &mean], &[&weight, &bias])?;
        let means = Some(&mean.values[..]);
        let wants = norm_parameters::norm_parameters(&g.values, &x.values, &rstd.values, means, SHAPE[1]);
        Ok(vec![
            Expected { out: weight, want: wants.0, bound: 1e-4 },
            Expected { out: bias, want: wants.1, bound: 1e-4 },
        ])
    }

    fn cross_entropy(&self, dtype: DType) -> Result<Vec<Expected>> {
        let (per_row, x) = ([SHAPE[0], 1], self.random(&SHAPE, dtype, 1)?);
        let (class, classes) = self.indices(&per_row, SHAPE[1], 2)?;
        let how = CrossEntropy { ignore_index: -100, label_smoothing: 0.1 };
        let outs = [(); 4].map(|()| self.poisoned(&per_row, DType::F32));
        let [loss, share, top, log] = outs;
        let (loss, share, top, log) = (loss?, share?, top?, log?);
        self.rows(Rows::CrossEntropy(how), &[&x, &class], &[&loss, &share, &top, &log])?;
        let (losses, shares) = cross_entropy::cross_entropy(how, &x.values, &classes, None, SHAPE[1]);
        let (g, dx) = (self.random(&per_row, DType::F32, 3)?, self.poisoned(&SHAPE, dtype)?);
        self.rows(Rows::CrossEntropyBackward(how), &[&x, &class, &top, &log, &g], &[&dx])?;
        let want = cross_entropy::cross_entropy_backward(how, &g.values, &x.values, &classes, None, SHAPE[1]);
        Ok(vec![
            Expected { out: loss, want: losses, bound: 1e-4 },
            Expected { out: share, want: shares, bound: 0.0 },
            Expected { out: dx, want, bound: 1e-4 },
        ])
    }

    fn matmul(&self, dtype: DType) -> Result<Vec<Expected>> {
        let ([m, k], n) = (SHAPE, 45);
        let [a, b] = [self.random(&[m, k], dtype, 1)?, self.random(&[k, n], dtype, 2)?];
        let out = self.poisoned(&[m, n], dtype)?;
        self.device.matmul(a.operand(), b.operand(), out.operand())?;
        let product = Product { a: &a.values, b: &b.values, m, n, k };
        Ok(vec![Expected { out, want: matmul_register::matmul_register(product, m, n), bound: 1e-4 }])
    }

    fn dot(&self) -> Result<Vec<Expected>> {
        let ([m, k], n) = (SHAPE, 45);
        let [a, b] = [self.random(&[m, k], DType::I64, 1)?, self.random(&[k, n], DType::I64, 2)?];
        let out = self.poisoned(&[m, n], DType::I64)?;
        self.device.matmul(a.operand(), b.operand(), out.operand())?;
        let whole = |values: &[f64]| values.iter().map(|&value| value as i64).collect::<Vec<_>>();
        let sums = dot::dot(&whole(&a.values), &whole(&b.values), [m, n, k]);
        Ok(vec![Expected { out, want: sums.into_iter().map(|sum| sum as f64).collect(), bound: 0.0 }])
    }

    fn philox(&self) -> Result<Vec<Expected>> {
        let mut all = Vec::new();
        for distribution in [Distribution::Uniform, Distribution::Normal] {
            let out = self.poisoned(&[1001], DType::F32)?;
            self.device.philox(0x1234_5678_9abc_def0, (1 << 32) - 3, distribution, out.operand())?;
            let want = philox::philox(0x1234_5678_9abc_def0, (1 << 32) - 3, distribution, 1001);
            all.push(Expected { out, want, bound: 1e-5 });
        }
        Ok(all)
    }

    fn update(&self) -> Result<Vec<Expected>> {
        let [param, grad] = [self.random(&[1001], DType::F32, 1)?, self.random(&[1001], DType::F32, 2)?];
        let states = [
            self.tensor(&[1001], DType::F32, &[0.5; 1001])?,
            self.tensor(&[1001], DType::F32, &[0.25; 1001])?,
        ];
        let betas = [0.9, 0.99];
        let op = Update::Adam { lr: 0.1, betas, eps: 1e-3, weight_decay: 0.1, is_decoupled: true, step: 7 };
        let operands = states.each_ref().map(Tensor::operand);
        self.device.update(op, param.operand(), grad.operand(), &operands, None)?;
        let mut want = param.values.clone();
        let mut wants = states.each_ref().map(|state| state.values.clone());
        update::update(op, &mut want, &grad.values, &mut wants, 1.0);
        let kept = states.into_iter().zip(wants).map(|(out, want)| Expected { out, want, bound: 1e-5 });
        Ok(std::iter::once(Expected { out: param, want, bound: 1e-5 }).chain(kept).collect())
    }

    fn fma(&self, dtype: DType) -> Result<Vec<Expected>> {
        // Numbers that are exact in every dtype.
        let chains =
            Chains { dtype, width: 1, lanes: 1000, rounds: 2, a: -1.0, b: 3.0, threads: Threads::All };
        let out = self.poisoned(&[1000], DType::F32)?;
        self.device.fma(&chains, &*out.storage)?;
        Ok(vec![Expected { out, want: fma::fma(&chains, self.device.beside(1)), bound: 0.0 }])
    }

    fn stream(&self) -> Result<Vec<Expected>> {
        let quads = 5000;
        let words: Vec<u32> = (0..4 * quads as u32).map(|i| i % 1000).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let x = self.device.upload(&bytes)?;
        let mut all = Vec::new();
        for access in [Access::Copy, Access::Write] {
            let out = self.poisoned(&[quads * QUAD_BYTES / 4], DType::I32)?;
            let pass = Stream { access, quads, value: 77, threads: Threads::All };
            self.device.stream(&pass, &*x, &*out.storage)?;
            let want = stream::stream(access, &words, QUADS_EACH, 77);
            all.push(Expected { out, want: want.into_iter().map(f64::from).collect(), bound: 0.0 });
        }
        Ok(all)
    }
}

/// Every kernel for products that the adapter can run, with operands of every dtype, and then all other families.
///
/// # Errors
/// If memory does not suffice. A kernel that fails is a finding.
pub async fn gpu(gpu: &Gpu, mut hear: impl FnMut(Progress<'_>)) -> Result<()> {
    for dtype in DType::UP_TO_F32 {
        for kernel in gpu.matmul_kernels(dtype) {
            hear(Progress::Begins(&kernel, dtype));
            let start = Instant::now();
            let fault = gpu.differs_from_twin(&kernel, dtype).await?;
            let secs = start.elapsed().as_secs_f64();
            hear(Progress::Ends(Finding { kernel, dtype, fault, secs }));
        }
    }
    Doctor::new(gpu, hear).families().await;
    Ok(())
}

/// What is wrong with what a kernel has left.
fn compare(expected: &Expected, bytes: &[u8]) -> Option<String> {
    let Expected { out, want, bound } = expected;
    let got = codec::decode(bytes, out.dtype);
    if got.len() != want.len() {
        return Some(format!("{} elements, not {}", got.len(), want.len()));
    }
    // Beside the last digit of the dtype, relative to numbers of the size of 1.
    let (unit, smallest) = match out.dtype.format() {
        Some(_) if out.dtype == DType::F32 => (*bound, 0.0),
        Some(format) => (bound + 1.01 * format.info().eps / 2.0, format.info().smallest_subnormal),
        None => (0.0, 0.0),
    };
    let differs = |(&got, &want): (&f64, &f64)| {
        let distance = (got - want).abs();
        distance.is_nan() || distance > unit * want.abs() + bound + smallest
    };
    let at = got.iter().zip(want).position(differs)?;
    Some(format!("element {at} is {}, its twin has {}", got[at], want[at]))
}
