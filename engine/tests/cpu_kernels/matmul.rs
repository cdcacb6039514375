//! Products against sequential sums in f64.

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
            tensor(&cpu, &[k, n], DType::F32, noise(3)).with(|l| l.expand(&[4, 3, k as isize, n as isize]))
        };
        check(&cpu, &a(), &weight(), DType::F32);
        let heads = tensor(&cpu, &[4, m, 3, k], DType::F32, noise(4)).with(|l| l.permute(&[0, 2, 1, 3]));
        check(&cpu, &heads, &full, DType::F32);
        check(&cpu, &heads, &weight(), DType::F32);
        let one = tensor(&cpu, &[1, 3, m, k], DType::F32, noise(5)).with(|l| l.expand(&[4, -1, -1, -1]));
        check(&cpu, &one, &full, DType::F32);
        let half =
            tensor(&cpu, &[k, n], DType::BF16, noise(3)).with(|l| l.expand(&[4, 3, k as isize, n as isize]));
        check(&cpu, &heads, &half, DType::BF16);
    }
}

#[test]
fn narrow_dtypes_accumulate_in_f32() {
    let cpu = Cpu::new();
    for (i, a_dtype) in DType::UP_TO_F32.into_iter().enumerate() {
        for b_dtype in DType::UP_TO_F32 {
            for (m, n, k) in [(1, 1, 0), (7, 5, 3), (17, 65, 300)] {
                let a = tensor(&cpu, &[k, m], a_dtype, noise(1)).with(|l| l.transpose(0, 1));
                let b = tensor(&cpu, &[k, n], b_dtype, noise(2));
                check(&cpu, &a, &b, DType::UP_TO_F32[i]);
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
fn the_kernel_has_a_name() {
    let cpu = Cpu::new();
    let t = tensor(&cpu, &[2, 2], DType::F32, noise(1));
    let name = cpu.matmul_kernel(t.operand(), t.operand(), t.operand());
    assert!(name.starts_with("gemm (") && cpu.name().ends_with(&name["gemm ".len()..]), "{name}");
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

/// Products in narrow dtypes are those in float32, rounded: one large one, many small ones, and ones that do not end
/// with a word.
#[test]
fn narrow_products_are_rounded_wide_ones() {
    let cpu = Cpu::new();
    for (batch, m, k, n) in [(1, 300, 5, 301), (7, 33, 4, 65), (6, 32, 16, 64), (3, 1, 2, 1)] {
        for dtype in [DType::BF16, DType::F16] {
            let a = tensor(&cpu, &[batch, m, k], dtype, noise(1));
            let b = tensor(&cpu, &[batch, k, n], dtype, noise(2));
            let (wide, narrow) =
                (poisoned(&cpu, &[batch, m, n], DType::F32), poisoned(&cpu, &[batch, m, n], dtype));
            cpu.matmul(a.operand(), b.operand(), wide.operand()).unwrap();
            cpu.matmul(a.operand(), b.operand(), narrow.operand()).unwrap();
            let format = dtype.format().unwrap();
            let want: Vec<f64> =
                download(&cpu, &wide).iter().map(|&v| format.decode(format.encode(v))).collect();
            assert_eq!(download(&cpu, &narrow), want, "{dtype}: {batch} of {m} x {k} x {n}");
        }
    }
}
