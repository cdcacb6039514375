//! Optimizer steps against their formulas in f64.

use super::*;

fn check(op: Update, states: usize, step: impl Fn(f64, f64, f64) -> (f64, f64)) {
    let cpu = Cpu::new();
    for n in [0, 1, 3, 17, 65, 2000] {
        // The parameter is a part of a larger storage.
        let p = tensor(&cpu, &[n + 3], DType::F32, noise(1)).with(|l| l.slice(0, Some(3), None, 1));
        let g = tensor(&cpu, &[n], DType::F32, noise(2));
        let s = tensor(&cpu, &[n], DType::F32, |i| noise(3)(i).abs());
        let state: Vec<Operand<'_>> = (0..states).map(|_| s.operand()).collect();
        cpu.update(op, p.operand(), g.operand(), &state, None).unwrap();
        let (got_p, got_s) = (download(&cpu, &p), download(&cpu, &s));
        for (i, before) in p.view().into_iter().enumerate() {
            let (want_p, want_s) = step(before, g.values[i], s.values[i]);
            assert!((got_p[i] - want_p).abs() < 1e-6, "{op:?}: p[{i}] is {}, not {want_p}", got_p[i]);
            assert!((got_s[i] - want_s).abs() < 1e-6, "{op:?}: s[{i}] is {}, not {want_s}", got_s[i]);
        }
    }
}

#[test]
fn plain_sgd() {
    check(sgd(0.1), 0, |p, g, s| (p - 0.1 * g, s));
}

#[test]
fn adagrad_with_eps_beside_and_under_the_root() {
    let op = |eps_inside_root| Update::Adagrad { lr: 0.1, eps: 1e-3, eps_inside_root, weight_decay: 0.0 };
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
    let plain = sgd(0.1);
    let adagrad = Update::Adagrad { lr: 0.1, eps: 0.0, eps_inside_root: false, weight_decay: 0.0 };
    assert!(cpu.update(plain, p.operand(), short.operand(), &[], None).is_err());
    assert!(cpu.update(plain, p.operand(), half.operand(), &[], None).is_err());
    assert!(cpu.update(plain, p.operand(), g.operand(), &[g.operand()], None).is_err());
    assert!(cpu.update(adagrad, p.operand(), g.operand(), &[], None).is_err());
    assert!(cpu.update(plain, p.operand(), p.operand(), &[], None).is_err());
}

/// An empty view may start beyond the storage's end; there is nothing to move and nothing to fault.
#[test]
fn an_empty_parameter_is_left_alone() {
    let cpu = Cpu::new();
    let storage = cpu.allocate(4).unwrap();
    let layout = Layout::strided(&[0], &[1], 100).unwrap();
    let operand = Operand { storage: storage.as_ref(), layout: &layout, dtype: DType::F32 };
    let grad = cpu.allocate(4).unwrap();
    let grad = Operand { storage: grad.as_ref(), ..operand };
    cpu.update(sgd(1.0), operand, grad, &[], None).unwrap();
}

fn sgd(lr: f32) -> Update {
    Update::Sgd { lr, momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0, is_first: false }
}
