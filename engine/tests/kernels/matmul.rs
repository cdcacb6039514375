//! Products: every kernel of the table, ragged sizes, transposes, batches, offsets, dtypes.

use napkin_engine::backend::Backend;
use napkin_engine::gpu::Gpu;
use napkin_engine::program::{Binary, Compute, Instr, Program, Unary};
use napkin_engine::twin::{Product, matmul_register, matmul_skinny, matmul_tiled, matmul_units};
use napkin_engine::{DType, Layout};

use crate::common::{Tensor, assert_within, gpu, on_every_backend, unit_roundoff};

/// How an operand lies in its storage.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lie {
    /// Row-major.
    Plain,
    /// Column-major: a transposed view.
    Transposed,
    /// Row-major from element 3 on, with 5 unused elements per row.
    Padded,
    /// Every other column.
    Stepped,
}

const LIES: [Lie; 4] = [Lie::Plain, Lie::Transposed, Lie::Padded, Lie::Stepped];

#[derive(Debug, Clone)]
struct Case {
    batch: Vec<usize>,
    /// Whether a and b are the same for the whole batch (stride 0).
    shared: (bool, bool),
    m: usize,
    n: usize,
    k: usize,
    lies: (Lie, Lie),
    dtypes: [DType; 3],
}

impl Case {
    fn new(m: usize, n: usize, k: usize) -> Self {
        Self {
            batch: vec![],
            shared: (false, false),
            m,
            n,
            k,
            lies: (Lie::Plain, Lie::Plain),
            dtypes: [DType::F32; 3],
        }
    }
}

fn layout(batch: &[usize], shared: bool, rows: usize, cols: usize, lie: Lie) -> Layout {
    let (offset, row, col, matrix) = match lie {
        Lie::Plain => (0, cols, 1, rows * cols),
        Lie::Transposed => (0, 1, rows, rows * cols),
        Lie::Padded => (3, cols + 5, 1, rows * (cols + 5)),
        Lie::Stepped => (1, 2 * cols, 2, 2 * rows * cols),
    };
    let mut strides = vec![0; batch.len()];
    if !shared {
        let mut stride = matrix;
        for d in (0..batch.len()).rev() {
            strides[d] = stride;
            stride *= batch[d];
        }
    }
    let shape: Vec<usize> = batch.iter().copied().chain([rows, cols]).collect();
    Layout::strided(&shape, &[strides, vec![row, col]].concat(), offset).unwrap()
}

/// The product in f64, and `|a| @ |b|` for the bound, by that twin.
fn reference(
    case: &Case,
    a: &[f64],
    b: &[f64],
    twin: &dyn Fn(Product<'_>) -> Vec<f64>,
) -> (Vec<f64>, Vec<f64>) {
    let absolute = |x: &[f64]| x.iter().map(|v| v.abs()).collect::<Vec<_>>();
    let (aa, ab) = (absolute(a), absolute(b));
    let (m, n, k) = (case.m, case.n, case.k);
    let (mut values, mut magnitudes) = (Vec::new(), Vec::new());
    for i in 0..case.batch.iter().product() {
        let product = |a: &[f64], b: &[f64]| {
            twin(Product { a: &a[i * m * k..][..m * k], b: &b[i * k * n..][..k * n], m, n, k })
        };
        values.extend(product(a, b));
        magnitudes.extend(product(&aa, &ab));
    }
    (values, magnitudes)
}

/// One case on one device, under every kernel in `kernels` (by a callback that forces it).
fn check(device: &dyn Backend, case: &Case, kernels: &[String], force: &dyn Fn(&str)) {
    let a = layout(&case.batch, case.shared.0, case.m, case.k, case.lies.0);
    let b = layout(&case.batch, case.shared.1, case.k, case.n, case.lies.1);
    let a = Tensor::random(device, a, case.dtypes[0], 1);
    let b = Tensor::random(device, b, case.dtypes[1], 2);
    let (want, magnitude) =
        reference(case, &a.dense(), &b.dense(), &|p| matmul_tiled::matmul_tiled(p, 64, 64, 16));
    let shape: Vec<usize> = case.batch.iter().copied().chain([case.m, case.n]).collect();
    // Each of k products and sums loses at most one unit, and storing the result another.
    let f32_units = (case.k + 2) as f64 * unit_roundoff(DType::F32);
    let stored = if case.dtypes[2] == DType::F32 { 0.0 } else { unit_roundoff(case.dtypes[2]) };
    let smallest = case.dtypes[2].format().unwrap().info().smallest_subnormal;
    for kernel in kernels {
        force(kernel);
        let out = Tensor::poisoned(device, Layout::contiguous(&shape).unwrap(), case.dtypes[2]);
        device
            .matmul(a.operand(), b.operand(), out.operand())
            .unwrap_or_else(|e| panic!("{kernel} {case:?}: {e}"));
        let bound = |i: usize| f32_units * magnitude[i] + stored * want[i].abs() * 1.01 + smallest;
        assert_within(&out.read(device), &want, bound, &format!("{kernel} {case:?}"));
    }
}

fn check_everywhere(case: &Case) {
    on_every_backend(|device| check(device, case, &["default".to_owned()], &|_| ()));
}

/// Cases on the GPU, under every kernel of the table.
fn check_every_kernel(cases: &[Case]) {
    let gpu = gpu();
    let kernels = gpu.matmul_kernels(DType::F32);
    assert!(kernels.len() >= 10, "llvmpipe runs the whole table, not only {kernels:?}");
    check_kernels(&gpu, cases, &kernels);
}

fn check_kernels(gpu: &Gpu, cases: &[Case], kernels: &[String]) {
    for case in cases {
        check(gpu, case, kernels, &|name| gpu.force_matmul_kernel(Some(name)).unwrap());
    }
}

#[test]
fn ragged_sizes_under_every_kernel() {
    let sizes = [
        (1, 1, 1),
        (3, 17, 1),
        (17, 3, 63),
        (63, 64, 65),
        (64, 64, 64),
        (65, 127, 17),
        (129, 129, 129),
        (128, 4, 68),
    ];
    check_every_kernel(&sizes.map(|(m, n, k)| Case::new(m, n, k)));
}

#[test]
fn empty_products_under_every_kernel() {
    let sizes = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0), (64, 64, 0)];
    check_every_kernel(&sizes.map(|(m, n, k)| Case::new(m, n, k)));
}

#[test]
fn strided_operands_under_every_kernel() {
    let mut cases = Vec::new();
    for lie_a in LIES {
        for lie_b in LIES {
            // Multiples of 4 take the vector paths where strides allow, the others do not.
            for (m, n, k) in [(68, 72, 20), (33, 35, 21)] {
                cases.push(Case { lies: (lie_a, lie_b), ..Case::new(m, n, k) });
            }
        }
    }
    check_every_kernel(&cases);
}

#[test]
fn batches_under_every_kernel() {
    let cases = [
        Case { batch: vec![3], ..Case::new(17, 20, 12) },
        Case { batch: vec![2, 3], shared: (true, false), ..Case::new(8, 12, 16) },
        Case {
            batch: vec![5],
            shared: (false, true),
            lies: (Lie::Plain, Lie::Transposed),
            ..Case::new(3, 9, 33)
        },
        Case { batch: vec![0], ..Case::new(3, 4, 5) },
        Case { batch: vec![2, 1, 3, 2, 1, 2, 2], lies: (Lie::Stepped, Lie::Padded), ..Case::new(5, 4, 3) },
    ];
    check_every_kernel(&cases);
}

/// Batch dimensions that cannot be merged: more than a kernel walks itself.
#[test]
fn batches_of_many_strided_dimensions() {
    let shape = [2, 3, 2, 2, 3, 4, 5];
    let strides_a = [1, 2, 0, 6, 12, 100, 24];
    let strides_b = [700, 0, 200, 0, 3, 40, 12];
    on_every_backend(|device| {
        let a = Layout::strided(&shape, &strides_a, 2).unwrap();
        let b = Layout::strided(&[2, 3, 2, 2, 3, 5, 4], &strides_b, 7).unwrap();
        let (a, b) = (Tensor::random(device, a, DType::F32, 1), Tensor::random(device, b, DType::F32, 2));
        let case = Case { batch: shape[..5].to_vec(), ..Case::new(4, 4, 5) };
        let (want, _) =
            reference(&case, &a.dense(), &b.dense(), &|p| matmul_register::matmul_register(p, 2, 4));
        let out = Layout::contiguous(&[2, 3, 2, 2, 3, 4, 4]).unwrap();
        let out = Tensor::poisoned(device, out, DType::F32);
        device.matmul(a.operand(), b.operand(), out.operand()).unwrap();
        assert_within(&out.read(device), &want, |_| 1e-6, "five batch dimensions");
    });
}

/// One kernel of each shader.
const FAMILIES: [&str; 3] = ["tiled_32x32x16_4x4", "register_4x4_8x8", "skinny_64x4"];

#[test]
fn long_products_in_parts_under_every_kernel_family() {
    let mut cases = vec![
        // One part alone; whole ones; whole ones and a rest; nothing.
        Case::new(5, 7, 100),
        Case::new(5, 7, 512),
        Case::new(33, 36, 1000),
        Case { lies: (Lie::Transposed, Lie::Stepped), ..Case::new(12, 9, 1300) },
        Case {
            batch: vec![2, 3],
            shared: (false, true),
            lies: (Lie::Padded, Lie::Plain),
            ..Case::new(4, 8, 777)
        },
        Case::new(3, 4, 0),
        Case::new(0, 4, 600),
    ];
    for dtype in [DType::F16, DType::BF16] {
        cases.push(Case { dtypes: [dtype; 3], ..Case::new(5, 7, 555) });
    }
    check_kernels(&gpu(), &cases, &FAMILIES.map(|kernel| format!("split_{kernel}")));
}

#[test]
fn narrow_dtypes_under_every_kernel_family() {
    let mut cases = Vec::new();
    for dtype in &DType::UP_TO_F32[1..] {
        for (m, n, k) in [(36, 40, 24), (19, 21, 23)] {
            cases.push(Case { dtypes: [*dtype; 3], ..Case::new(m, n, k) });
            cases.push(Case {
                dtypes: [*dtype, *dtype, DType::F32],
                lies: (Lie::Transposed, Lie::Transposed),
                ..Case::new(m, n, k)
            });
        }
    }
    cases.push(Case { dtypes: [DType::F16, DType::F32, DType::BF16], ..Case::new(64, 32, 16) });
    check_kernels(&gpu(), &cases, &FAMILIES.map(str::to_owned));
}

/// Where the adapter has them.
#[test]
fn products_by_matrix_units() {
    let gpu = gpu();
    let kernels: Vec<String> =
        gpu.matmul_kernels(DType::F16).into_iter().filter(|kernel| kernel.starts_with("units")).collect();
    assert_eq!(kernels.is_empty(), gpu.info().matrix_units.is_empty(), "{kernels:?}");
    let mut cases = Vec::new();
    for lie_a in LIES {
        for lie_b in LIES {
            for (m, n, k) in [(68, 72, 20), (33, 35, 21)] {
                let dtypes = [DType::F16, DType::F16, DType::F32];
                cases.push(Case { lies: (lie_a, lie_b), dtypes, ..Case::new(m, n, k) });
            }
        }
    }
    for dtype in [DType::F16, DType::F8E4M3FN, DType::F8E5M2] {
        for (m, n, k) in [(0, 3, 4), (3, 4, 0), (1, 1, 1), (129, 140, 65), (64, 64, 64), (7, 200, 33)] {
            cases.push(Case { dtypes: [dtype; 3], ..Case::new(m, n, k) });
        }
    }
    cases.push(Case { batch: vec![2, 3], dtypes: [DType::F16; 3], ..Case::new(17, 20, 12) });
    check_kernels(&gpu, &cases, &kernels);
    for kernel in &kernels {
        gpu.force_matmul_kernel(Some(kernel)).unwrap();
        let tensor = |seed| Tensor::random(&gpu, Layout::contiguous(&[4, 4]).unwrap(), DType::F32, seed);
        let (a, b, out) = (tensor(1), tensor(2), tensor(3));
        assert!(gpu.matmul(a.operand(), b.operand(), out.operand()).is_err(), "float32 is not theirs");
    }
}

#[test]
fn every_backend_multiplies() {
    for (m, n, k) in [(0, 3, 4), (3, 4, 0), (1, 1, 1), (4, 16, 16), (65, 63, 64), (127, 129, 17)] {
        for lies in
            [(Lie::Plain, Lie::Plain), (Lie::Transposed, Lie::Stepped), (Lie::Padded, Lie::Transposed)]
        {
            check_everywhere(&Case { lies, ..Case::new(m, n, k) });
        }
    }
    check_everywhere(&Case { batch: vec![2, 3], shared: (false, true), ..Case::new(7, 8, 9) });
    check_everywhere(&Case { dtypes: [DType::F16; 3], ..Case::new(65, 64, 63) });
    check_everywhere(&Case { dtypes: [DType::BF16; 3], ..Case::new(17, 63, 64) });
}

#[test]
fn a_thousand() {
    check_everywhere(&Case::new(1000, 1000, 1000));
}

#[test]
fn more_workgroups_than_one_dimension_takes() {
    // One row per workgroup of the skinny kernel, and more rows than 65535.
    let case = Case { batch: vec![70_001], shared: (false, true), ..Case::new(1, 3, 2) };
    let families = ["tiled_32x32x16_4x4", "register_4x4_8x8", "skinny_64x4"].map(str::to_owned);
    check_kernels(&gpu(), &[case], &families);
}

#[test]
fn twins_agree_with_each_other() {
    for (m, n, k) in [(0, 3, 4), (3, 4, 0), (17, 65, 63), (129, 3, 64)] {
        let values = |len: usize, seed| {
            let mut random = crate::common::Random::new(seed);
            (0..len).map(|_| random.next()).collect::<Vec<_>>()
        };
        let (a, b) = (values(m * k, 1), values(k * n, 2));
        let p = Product { a: &a, b: &b, m, n, k };
        let direct: Vec<f64> =
            (0..m * n).map(|at| (0..k).map(|q| a[at / n * k + q] * b[q * n + at % n]).sum()).collect();
        for (name, got) in [
            ("matmul_tiled", matmul_tiled::matmul_tiled(p, 32, 16, 8)),
            ("matmul_register", matmul_register::matmul_register(p, 8, 4)),
            ("matmul_skinny", matmul_skinny::matmul_skinny(p, 4)),
            ("matmul_units", matmul_units::matmul_units(p, 8)),
        ] {
            // Units have their sums in float32.
            let bound = if name == "matmul_units" { 1e-4 } else { 1e-12 };
            assert_within(&got, &direct, |_| bound, name);
        }
    }
}

#[test]
fn unknown_kernels_and_shapes_that_do_not_fit_are_errors() {
    let gpu = gpu();
    let error = gpu.force_matmul_kernel(Some("tiled_1x1")).unwrap_err().to_string();
    assert!(error.contains("tiled_1x1") && error.contains("register_8x8_8x8"), "{error}");
    on_every_backend(|device| {
        let tensor =
            |shape: &[usize]| Tensor::random(device, Layout::contiguous(shape).unwrap(), DType::F32, 1);
        let (a, b, out) = (tensor(&[2, 3]), tensor(&[4, 5]), tensor(&[2, 5]));
        assert!(device.matmul(a.operand(), b.operand(), out.operand()).is_err());
    });
}

/// `tanh(relu(a @ b + bias)) + other`: a function that WGSL lacks, a bias per column, and a transposed tensor of another dtype.
#[test]
fn epilogues_under_every_kernel_family() {
    use Instr::{Binary as Do, Input, Unary as Of};
    let program =
        [Input(0), Input(1), Do(Binary::Add), Of(Unary::Relu), Of(Unary::Tanh), Input(2), Do(Binary::Add)];
    let program = Program::new(Compute::F32, program);
    let sizes = [(68, 72, 20), (33, 35, 21)].map(|(m, n, k)| Case::new(m, n, k));
    let others = [(1, 64, 17), (65, 1, 8), (3, 4, 0), (0, 3, 4)].map(|(m, n, k)| Case::new(m, n, k));
    let narrow = [DType::BF16, DType::F16, DType::F8E5M2]
        .map(|out| Case { dtypes: [DType::BF16, DType::BF16, out], ..Case::new(20, 12, 9) });
    let batched = Case { batch: vec![2, 3], ..Case::new(5, 8, 7) };
    let check = |device: &dyn Backend, case: &Case, what: &str| {
        let shape: Vec<usize> = case.batch.iter().copied().chain([case.m, case.n]).collect();
        let a =
            Tensor::random(device, layout(&case.batch, false, case.m, case.k, Lie::Plain), case.dtypes[0], 1);
        let b =
            Tensor::random(device, layout(&case.batch, false, case.k, case.n, Lie::Plain), case.dtypes[1], 2);
        let bias = Layout::strided(&[case.n], &[1], 1).unwrap().broadcast_to(&shape).unwrap();
        let bias = Tensor::random(device, bias, case.dtypes[0], 3);
        let other = Tensor::random(
            device,
            layout(&case.batch, false, case.m, case.n, Lie::Transposed),
            DType::F32,
            4,
        );
        let (product, magnitude) =
            reference(case, &a.dense(), &b.dense(), &|p| matmul_skinny::matmul_skinny(p, 4));
        let (addend, rest) = (bias.dense(), other.dense());
        let want: Vec<f64> =
            (0..product.len()).map(|i| (product[i] + addend[i]).max(0.0).tanh() + rest[i]).collect();
        let out = Tensor::poisoned(device, Layout::contiguous(&shape).unwrap(), case.dtypes[2]);
        device
            .matmul_then(
                a.operand(),
                b.operand(),
                &program,
                &[bias.operand(), other.operand()],
                out.operand(),
            )
            .unwrap();
        let f32_units = (case.k + 4) as f64 * unit_roundoff(DType::F32);
        let stored = if case.dtypes[2] == DType::F32 { 0.0 } else { unit_roundoff(case.dtypes[2]) };
        let smallest = case.dtypes[2].format().unwrap().info().smallest_subnormal;
        let bound = |i: usize| {
            f32_units * (magnitude[i] + addend[i].abs() + rest[i].abs())
                + stored * want[i].abs() * 1.01
                + smallest
        };
        assert_within(&out.read(device), &want, bound, &format!("{what} {case:?}"));
    };
    on_every_backend(|device| {
        for case in sizes.iter().chain(&others).chain(&narrow).chain([&batched]) {
            check(device, case, &device.name());
        }
    });
    let gpu = gpu();
    for case in &sizes {
        for kernel in FAMILIES {
            gpu.force_matmul_kernel(Some(kernel)).unwrap();
            check(&gpu, case, kernel);
        }
    }
}
