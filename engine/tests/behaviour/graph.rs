//! What scripts do with the graph itself, on every backend: gradients of chosen tensors, hooks, modes, checkpoints; and
//! tensors of nested lists and as text.

use std::cell::RefCell;
use std::rc::Rc;

use crate::harness::{block_on, each_device};
use napkin_engine::autograd::{
    self, GradOptions, checkpoint, checkpoint_with, enable_grad, inference_mode, is_grad_enabled, no_grad,
    set_grad_enabled,
};
use napkin_engine::nn::functional;
use napkin_engine::random::Generator;
use napkin_engine::tensor::{Nested, Tolerance};
use napkin_engine::{DType, Device, Result, Tensor};

fn leaf(device: &Device, values: &[f32]) -> Tensor {
    let t = Tensor::from_slice(values, &[values.len()], DType::F32, device).unwrap();
    t.set_requires_grad(true).unwrap();
    t
}

fn read(t: &Tensor) -> Vec<f32> {
    block_on(t.to_vec()).unwrap()
}

fn message<T>(result: Result<T>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn gradients_of_chosen_tensors_leave_grad_alone() {
    each_device(|device| {
        let (a, b) = (leaf(device, &[1.0, 2.0]), leaf(device, &[3.0, 4.0]));
        let middle = a.mul(&b).unwrap();
        let out = middle.mul(&middle).unwrap().sum().unwrap();
        let keep = GradOptions { retain_graph: Some(true), ..GradOptions::default() };
        let got = autograd::grad(&[&out], &[&a, &middle, &b], keep).unwrap();
        let got: Vec<_> = got.iter().map(|g| read(g.as_ref().unwrap())).collect();
        assert_eq!(got, [vec![18.0, 64.0], vec![6.0, 16.0], vec![6.0, 32.0]]);
        assert!(a.grad().is_none() && middle.grad().is_none());
        // Only what lies between them has run: the product's own graph is whole.
        let part = autograd::grad(&[&out], &[&middle], GradOptions::default()).unwrap();
        assert_eq!(read(part[0].as_ref().unwrap()), [6.0, 16.0]);
        let ones = middle.ones_like().unwrap();
        let given = GradOptions { grad_outputs: Some(&[Some(&ones)]), ..GradOptions::default() };
        assert_eq!(read(autograd::grad(&[&middle], &[&b], given).unwrap()[0].as_ref().unwrap()), [1.0, 2.0]);
        // Several outputs add up.
        let (x, y) = (a.mul(2.0).unwrap().sum().unwrap(), a.mul(5.0).unwrap().sum().unwrap());
        let sum = autograd::grad(&[&x, &y], &[&a], GradOptions::default()).unwrap();
        assert_eq!(read(sum[0].as_ref().unwrap()), [7.0, 7.0]);
        // What is refused, and what is not used.
        let twice = a.mul(2.0).unwrap();
        let unused = message(autograd::grad(&[&twice.sum().unwrap()], &[&b], GradOptions::default()));
        assert!(
            unused.contains("The differentiated Tensor at index 0 appears to not have been used"),
            "{unused}"
        );
        let allowed = GradOptions { allow_unused: true, ..GradOptions::default() };
        assert!(autograd::grad(&[&twice.sum().unwrap()], &[&b], allowed).unwrap()[0].is_none());
        let plain = twice.detach();
        let none = message(autograd::grad(&[&twice.sum().unwrap()], &[&plain], GradOptions::default()));
        assert_eq!(none, "One of the differentiated Tensors does not require grad");
        let scalar = message(autograd::grad(&[&twice], &[&a], GradOptions::default()));
        assert_eq!(scalar, "grad can be implicitly created only for scalar outputs");
        let whole = Tensor::zeros(&[2], DType::I64, device).unwrap();
        let refused = message(whole.set_requires_grad(true));
        assert_eq!(refused, "only Tensors of floating point dtype can require gradients");
    });
}

#[test]
fn hooks_and_kept_gradients() {
    each_device(|device| {
        let a = leaf(device, &[1.0, 2.0]);
        let middle = a.mul(3.0).unwrap();
        middle.retain_grad().unwrap();
        let seen = Rc::new(RefCell::new(Vec::new()));
        let log = seen.clone();
        middle
            .register_hook(move |g| {
                log.borrow_mut().push(read(g));
                g.mul(10.0).map(Some)
            })
            .unwrap();
        let log = seen.clone();
        a.register_hook(move |g| {
            log.borrow_mut().push(read(g));
            Ok(None)
        })
        .unwrap();
        let out = middle.mul(&middle).unwrap().sum().unwrap();
        out.backward().unwrap();
        assert_eq!(*seen.borrow(), [[6.0, 12.0], [180.0, 360.0]]);
        assert_eq!(read(&middle.grad().unwrap()), [60.0, 120.0]);
        assert_eq!(read(&a.grad().unwrap()), [180.0, 360.0]);
        assert!(out.grad().is_none(), "a tensor that is no leaf keeps no gradient by itself");
        // What is written to keeps the gradient of what it is then.
        let x = a.mul(1.0).unwrap();
        x.retain_grad().unwrap();
        x.mul_(5.0).unwrap();
        x.sum().unwrap().backward().unwrap();
        assert_eq!(read(&x.grad().unwrap()), [1.0, 1.0]);
        let plain = a.detach();
        assert_eq!(message(plain.retain_grad()), "can't retain_grad on Tensor that has requires_grad=False");
        let refused = message(plain.register_hook(|_| Ok(None)));
        assert_eq!(refused, "cannot register a hook on a tensor that doesn't require gradient");
    });
}

#[test]
fn modes_nest() {
    let device = &Device::cpu();
    let a = leaf(device, &[1.0, 2.0]);
    no_grad(|| {
        assert!(!is_grad_enabled());
        enable_grad(|| assert!(a.mul(2.0).unwrap().requires_grad()));
        assert!(!a.mul(2.0).unwrap().requires_grad());
    });
    {
        let _guard = set_grad_enabled(false);
        assert!(!is_grad_enabled());
    }
    assert!(is_grad_enabled());
    let made = inference_mode(|| a.mul(2.0).unwrap());
    assert!(made.is_inference() && !made.requires_grad() && !a.is_inference());
    assert!(message(made.add_(1.0)).contains("Inplace update to inference tensor outside InferenceMode"));
    assert!(message(made.set_requires_grad(true)).contains("Setting requires_grad=True on inference tensor"));
    let kept = a.mul(&made).unwrap().sum().unwrap();
    assert!(message(kept.backward()).contains("Inference tensors cannot be saved for backward"));
    inference_mode(|| made.add_(1.0)).unwrap();
    // A view that was made without recording is not written to with it.
    let base = a.mul(1.0).unwrap();
    let view = no_grad(|| base.narrow(0, 0, 1)).unwrap();
    assert!(
        message(view.add_(1.0)).contains("A view was created in no_grad mode and is being modified inplace")
    );
    no_grad(|| view.add_(1.0)).unwrap();
    assert_eq!(read(&base), [2.0, 2.0]);
    assert!(message(base.narrow(0, 0, 1).unwrap().detach_()).contains("Can't detach views in-place"));
    base.detach_().unwrap();
    assert!(base.is_leaf() && !base.requires_grad());
}

/// A block as of a network: its middle is four times as wide.
fn block(x: &Tensor, weights: &[Tensor]) -> Result<Tensor> {
    let hidden = x.matmul(&weights[0])?.tanh()?.exp()?.sigmoid()?;
    x.add(&hidden.mul(&hidden)?.matmul(&weights[1])?)
}

#[test]
fn checkpoints_compute_again_what_they_do_not_keep() {
    each_device(|device| {
        let (width, rows, layers) = (16, 64, 6);
        let random = |shape: &[usize], seed: u64| {
            let t = Tensor::randn(shape, &mut Generator::new(seed), device).unwrap().mul(0.1).unwrap();
            t.set_requires_grad(true).unwrap();
            t
        };
        let weights: Vec<Vec<Tensor>> = (0..layers)
            .map(|i| vec![random(&[width, 4 * width], i), random(&[4 * width, width], 100 + i)])
            .collect();
        let input = random(&[rows, width], 7);
        let run = |checkpointed: bool| {
            weights.iter().flatten().chain([&input]).for_each(Tensor::zero_grad);
            device.ledger().reset();
            let before = device.ledger().totals();
            let mut x = input.mul(1.0).unwrap();
            for pair in &weights {
                let pair = pair.clone();
                x = if checkpointed {
                    checkpoint(move |x| block(&x[0], &pair), &[x]).unwrap()
                } else {
                    block(&x, &pair).unwrap()
                };
            }
            x.mul(&x).unwrap().sum().unwrap().backward().unwrap();
            let after = device.ledger().totals();
            let gradients: Vec<Vec<f32>> =
                weights.iter().flatten().chain([&input]).map(|t| read(&t.grad().unwrap())).collect();
            (gradients, after.peak_bytes - before.allocated_bytes, after.matmul_flops)
        };
        let ((plain, plain_peak, plain_flops), (again, peak, flops)) = (run(false), run(true));
        assert_eq!(plain, again, "{device}: gradients");
        assert!(2 * peak < plain_peak, "{device}: a peak of {peak} bytes instead of {plain_peak}");
        // The forward pass is a third of the FLOPs, and runs twice.
        assert_eq!(3 * flops, 4 * plain_flops, "{device}: {flops} and {plain_flops} FLOPs");
    });
}

#[test]
fn checkpoints_draw_the_same_numbers_again() {
    each_device(|device| {
        let x = leaf(device, &[1.0; 64]);
        let drop = |x: &[Tensor], generator: &mut Generator| {
            functional::dropout(&x[0].exp()?, 0.5, true, generator)?.sin()
        };
        let mut generators = [Generator::new(5), Generator::new(5)];
        let [plain, other] = &mut generators;
        drop(std::slice::from_ref(&x), plain).unwrap().sum().unwrap().backward().unwrap();
        let want = read(&x.grad().unwrap());
        x.zero_grad();
        let out = checkpoint_with(other, drop, std::slice::from_ref(&x)).unwrap();
        // Whatever is drawn meanwhile.
        assert_eq!(plain.rand(3), other.rand(3));
        out.sum().unwrap().backward().unwrap();
        assert_eq!(read(&x.grad().unwrap()), want);
        assert_eq!(plain.rand(3), other.rand(3));
    });
}

#[test]
fn checkpoints_refuse_what_changed() {
    let device = &Device::cpu();
    let x = leaf(device, &[1.0, 2.0]).mul(1.0).unwrap();
    let out = checkpoint(|x| x[0].exp(), std::slice::from_ref(&x)).unwrap().sum().unwrap();
    x.add_(1.0).unwrap();
    assert!(message(out.backward()).contains("is at version 1; expected version 0 instead"));
    let runs = Rc::new(RefCell::new(0));
    let unsteady = move |x: &[Tensor]| {
        *runs.borrow_mut() += 1;
        if *runs.borrow() == 1 { x[0].exp()?.sin() } else { x[0].exp() }
    };
    let out = checkpoint(unsteady, &[leaf(device, &[1.0])]).unwrap();
    assert!(message(out.sum().unwrap().backward()).contains("A different number of tensors was saved"));
    // Used twice, and within one another.
    let x = leaf(device, &[0.5]);
    let inner = |x: &[Tensor]| checkpoint(|x| x[0].exp()?.sin(), &[x[0].sin()?]);
    let out = checkpoint(inner, std::slice::from_ref(&x)).unwrap();
    out.backward_with(None, true).unwrap();
    let once = read(&x.grad().unwrap())[0];
    out.backward().unwrap();
    assert_eq!(read(&x.grad().unwrap())[0], 2.0 * once);
    x.zero_grad();
    x.sin().unwrap().exp().unwrap().sin().unwrap().backward().unwrap();
    assert_eq!(read(&x.grad().unwrap())[0], once);
}

#[test]
fn nested_lists_become_tensors() {
    let device = &Device::cpu();
    let tensor = |data: Nested| Tensor::from_nested(&data, None, device);
    let cases: [(Nested, &str); 7] = [
        (vec![vec![1, 2], vec![3, 4]].into(), "tensor([[1, 2],\n        [3, 4]])"),
        (vec![1.5, 2.0].into(), "tensor([1.5000, 2.0000])"),
        (vec![Nested::from(1), Nested::from(2.5)].into(), "tensor([1.0000, 2.5000])"),
        (vec![true, false].into(), "tensor([ True, False])"),
        (3.0.into(), "tensor(3.)"),
        (Nested::List(Vec::new()), "tensor([])"),
        (vec![Nested::List(Vec::new()), Nested::List(Vec::new())].into(), "tensor([], size=(2, 0))"),
    ];
    for (data, text) in cases {
        let t = tensor(data).unwrap();
        assert_eq!(t.to_string(), text);
        assert_eq!(block_on(t.repr()).unwrap(), text);
    }
    let list = Nested::from(vec![1, 2]);
    let ragged: [(Nested, &str); 4] = [
        (
            vec![Nested::from(vec![1, 2, 3]), list.clone()].into(),
            "expected sequence of length 3 at dim 1 (got 2)",
        ),
        (vec![Nested::from(vec![1]), 2.into()].into(), "tensor: not a sequence"),
        (vec![Nested::from(1), list].into(), "tensor: 'list' object cannot be interpreted as an integer"),
        (
            vec![vec![vec![1], vec![2]], vec![vec![1]]].into(),
            "expected sequence of length 2 at dim 1 (got 1)",
        ),
    ];
    for (data, text) in ragged {
        assert_eq!(message(tensor(data)), text);
    }
}

#[test]
fn verdicts_wait_for_the_device() {
    each_device(|device| {
        let (a, b) = (leaf(device, &[1.0, 2.0]), leaf(device, &[1.0, 2.00001]));
        assert!(block_on(a.allclose(&b, Tolerance::default())).unwrap());
        assert!(!block_on(a.equal(&b)).unwrap());
        assert!(block_on(a.equal(&a.mul(1.0).unwrap())).unwrap());
        assert!(!block_on(a.equal(&leaf(device, &[1.0]))).unwrap());
        let exact = Tolerance { rtol: 0.0, atol: 0.0, equal_nan: false };
        assert!(!block_on(a.allclose(&b, exact)).unwrap());
        let two = message(block_on(a.item()));
        assert_eq!(two, "a Tensor with 2 elements cannot be converted to Scalar");
        let indices = Tensor::tril_indices(3, 4, -1, device).unwrap();
        assert_eq!(read(&indices), [1.0, 2.0, 2.0, 0.0, 0.0, 1.0]);
        let indices = Tensor::triu_indices(2, 3, 1, device).unwrap();
        assert_eq!(read(&indices), [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
    });
}
