//! Gradients against finite differences, PyTorch's rules and texts of autograd, on every backend.

use crate::harness::{block_on, each_device};
use napkin_engine::autograd::no_grad;
use napkin_engine::nn::functional::{LossReduction, mse_loss};
use napkin_engine::{DType, Device, Result, Tensor};

type Function = fn(&[Tensor]) -> Result<Tensor>;

/// Reproducible values away from 0, where powers and quotients are smooth.
fn values(n: usize, seed: usize) -> Vec<f32> {
    (0..n).map(|i| 0.5 + ((i * 7919 + seed * 104_729) % 1000) as f32 / 1000.0).collect()
}

/// d f / d inputs of a scalar `f`, by backward and by central differences.
fn check_gradients(device: &Device, name: &str, shapes: &[&[usize]], f: Function) {
    let data: Vec<Vec<f32>> =
        shapes.iter().enumerate().map(|(i, s)| values(s.iter().product(), i + 1)).collect();
    let inputs = |data: &[Vec<f32>]| -> Vec<Tensor> {
        data.iter().zip(shapes).map(|(d, s)| Tensor::from_slice(d, s, DType::F32, device).unwrap()).collect()
    };
    // A weighted sum makes the incoming gradient differ from element to element: f stands mid-graph.
    let scalar = |inputs: &[Tensor]| -> Tensor {
        let y = f(inputs).unwrap();
        let w = Tensor::from_slice(&values(y.numel(), 99), y.shape(), DType::F32, device).unwrap();
        y.mul(&w).unwrap().sum().unwrap()
    };
    let leaves = inputs(&data);
    for leaf in &leaves {
        leaf.set_requires_grad(true).unwrap();
    }
    scalar(&leaves).backward().unwrap();
    let h = 1e-2f32;
    for (which, leaf) in leaves.iter().enumerate() {
        let grad = leaf.grad().unwrap_or_else(|| panic!("{name}: input {which} has no gradient"));
        assert_eq!(grad.shape(), leaf.shape(), "{name}: shape of gradient {which}");
        let grad = block_on(grad.to_vec()).unwrap();
        for i in 0..data[which].len() {
            let at = |delta: f32| {
                let mut moved = data.clone();
                moved[which][i] += delta;
                block_on(no_grad(|| scalar(&inputs(&moved))).item()).unwrap().as_f64()
            };
            let numeric = (at(h) - at(-h)) / f64::from(2.0 * h);
            let error = (f64::from(grad[i]) - numeric).abs();
            assert!(
                error <= 4e-3 * numeric.abs().max(1.0),
                "{name} on {device}: d/d input {which}[{i}] is {} by backward, {numeric} by differences",
                grad[i]
            );
        }
    }
}

#[test]
fn gradients_match_finite_differences() {
    let cases: &[(&str, &[&[usize]], Function)] = &[
        ("add", &[&[2, 3], &[2, 3]], |t| t[0].add(&t[1])),
        ("add broadcast", &[&[2, 3], &[3]], |t| t[0].add(&t[1])),
        ("add itself", &[&[3]], |t| t[0].add(&t[0])),
        ("sub broadcast", &[&[2, 1, 3], &[4, 1]], |t| t[0].sub(&t[1])),
        ("mul", &[&[2, 3], &[1, 3]], |t| t[0].mul(&t[1])),
        ("mul itself", &[&[5]], |t| t[0].mul(&t[0])),
        ("div", &[&[2, 3], &[2, 1]], |t| t[0].div(&t[1])),
        ("neg", &[&[4]], |t| t[0].neg()),
        ("scalars", &[&[4]], |t| t[0].add(2.0)?.mul(-3.0)),
        ("pow 2", &[&[2, 2]], |t| t[0].pow(2.0)),
        ("pow 3", &[&[3]], |t| t[0].pow(3.0)),
        ("pow -0.5", &[&[3]], |t| t[0].pow(-0.5)),
        ("pow 0", &[&[3]], |t| t[0].pow(0.0)),
        ("pow 1", &[&[3]], |t| t[0].pow(1.0)),
        ("sum", &[&[2, 3]], |t| t[0].sum()),
        ("sum of a dim", &[&[2, 3, 2]], |t| t[0].sum_dims(&[1], false)),
        ("sum of dims, kept", &[&[2, 3, 2]], |t| t[0].sum_dims(&[0, -1], true)),
        ("mean", &[&[3, 3]], |t| t[0].mean()),
        ("mean of a dim", &[&[2, 5]], |t| t[0].mean_dims(&[-1], false)),
        ("matmul", &[&[2, 3], &[3, 4]], |t| t[0].matmul(&t[1])),
        ("matmul of transposes", &[&[3, 2], &[4, 3]], |t| {
            t[0].transpose(0, 1)?.matmul(&t[1].transpose(0, 1)?)
        }),
        ("dot", &[&[3], &[3]], |t| t[0].matmul(&t[1])),
        ("matrix · vector", &[&[2, 3], &[3]], |t| t[0].matmul(&t[1])),
        ("vector · matrix", &[&[2], &[2, 3]], |t| t[0].matmul(&t[1])),
        ("batched · matrix", &[&[2, 2, 3], &[3, 2]], |t| t[0].matmul(&t[1])),
        ("batched, broadcast", &[&[2, 1, 2, 3], &[3, 3, 2]], |t| t[0].matmul(&t[1])),
        ("batched transposed · matrix", &[&[2, 3, 2], &[3, 2]], |t| t[0].transpose(1, 2)?.matmul(&t[1])),
        ("view", &[&[2, 6]], |t| t[0].view(&[3, -1])),
        ("reshape that copies", &[&[2, 3]], |t| t[0].transpose(0, 1)?.reshape(&[6])),
        ("permute", &[&[2, 3, 2]], |t| t[0].permute(&[2, 0, 1])),
        ("slice", &[&[7]], |t| t[0].slice(0, Some(1), None, 3)),
        ("select", &[&[3, 2]], |t| t[0].select(1, -1)),
        ("narrow", &[&[2, 5]], |t| t[0].narrow(1, 1, 3)),
        ("expand", &[&[3, 1]], |t| t[0].expand(&[2, 3, 4])),
        ("squeeze", &[&[2, 1, 3]], |t| t[0].squeeze(Some(1))),
        ("unsqueeze", &[&[2, 3]], |t| t[0].unsqueeze(-1)),
        ("contiguous", &[&[2, 3]], |t| t[0].transpose(0, 1)?.contiguous()),
        ("mse", &[&[5], &[5]], |t| mse_loss(&t[0], &t[1], LossReduction::Mean)),
    ];
    each_device(|device| {
        for (name, shapes, f) in cases {
            check_gradients(device, name, shapes, *f);
        }
    });
}

fn tensor(device: &Device, values: &[f32], shape: &[usize]) -> Tensor {
    Tensor::from_slice(values, shape, DType::F32, device).unwrap()
}

/// y = ½ (x·w − 5)², the lecture's first gradient.
#[test]
fn gradient_of_the_lecture() {
    each_device(|device| {
        let x = tensor(device, &[1.0, 2.0, 3.0], &[3]);
        let w = tensor(device, &[1.0, 1.0, 1.0], &[3]);
        w.set_requires_grad(true).unwrap();
        let pred = x.matmul(&w).unwrap();
        let loss = pred.add(-5.0).unwrap().pow(2.0).unwrap().mul(0.5).unwrap();
        loss.backward().unwrap();
        assert_eq!(block_on(w.grad().unwrap().to_vec()).unwrap(), [1.0, 2.0, 3.0]);
        assert!(loss.grad().is_none() && pred.grad().is_none() && x.grad().is_none());
        assert!(!pred.is_leaf() && w.is_leaf());
    });
}

#[test]
fn leaf_rules_and_messages() {
    let device = &Device::cpu();
    let w = tensor(device, &[1.0, 2.0], &[2]);
    let refused = w.sum().unwrap().backward().unwrap_err().to_string();
    assert_eq!(refused, "element 0 of tensors does not require grad and does not have a grad_fn");
    w.set_requires_grad(true).unwrap();

    let not_scalar = w.mul(2.0).unwrap().backward().unwrap_err().to_string();
    assert_eq!(not_scalar, "grad can be implicitly created only for scalar outputs");

    let in_place = w.fill_(1.0).unwrap_err().to_string();
    assert_eq!(in_place, "a leaf Variable that requires grad is being used in an in-place operation.");

    let y = w.mul(&w).unwrap().sum().unwrap();
    y.backward_with(None, true).unwrap();
    y.backward().unwrap();
    assert_eq!(block_on(w.grad().unwrap().to_vec()).unwrap(), [4.0, 8.0], "gradients add up");
    let twice = y.backward().unwrap_err().to_string();
    assert!(twice.starts_with("Trying to backward through the graph a second time"), "{twice}");

    w.zero_grad();
    let y = w.mul(&w).unwrap().sum().unwrap();
    no_grad(|| w.fill_(3.0)).unwrap();
    let changed = y.backward().unwrap_err().to_string();
    assert!(changed.contains("has been modified by an inplace operation"), "{changed}");
    assert!(w.grad().is_none(), "a refused backward leaves no gradient");

    assert!(!no_grad(|| w.mul(&w)).unwrap().requires_grad());
    assert!(w.mul(&w).unwrap().set_requires_grad(false).is_err());
}

/// Dropping a long graph link by link would overflow the stack.
#[test]
fn a_long_graph_is_dropped() {
    let device = &Device::cpu();
    let w = tensor(device, &[1.0], &[1]);
    w.set_requires_grad(true).unwrap();
    let mut x = w.clone();
    for _ in 0..200_000 {
        x = x.add(&w).unwrap();
    }
    drop(x);
}

#[test]
fn writes_through_views_are_seen_in_all() {
    each_device(|device| {
        let x = tensor(device, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]);
        let y = x.transpose(1, 0).unwrap();
        x.select(0, 0).unwrap().select(0, 0).unwrap().fill_(100.0).unwrap();
        assert_eq!(block_on(y.to_vec()).unwrap(), [100.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        let row = tensor(device, &[1.0, 2.0, 3.0], &[3]);
        let part = row.narrow(0, 1, 2).unwrap().copy_(&row.narrow(0, 0, 2).unwrap()).unwrap_err().to_string();
        assert!(part.contains("some elements of the input tensor and the written-to tensor refer"), "{part}");
        let many = row.expand(&[2, 3]).unwrap().fill_(0.0).unwrap_err().to_string();
        assert!(many.contains("more than one element of the written-to tensor"), "{many}");
    });
}

#[test]
fn bad_input_names_shapes() {
    let device = &Device::cpu();
    let t = |shape: &[usize]| Tensor::zeros(shape, DType::F32, device).unwrap();
    let message = |r: Result<Tensor>| r.unwrap_err().to_string();
    assert_eq!(
        message(t(&[2, 3]).matmul(&t(&[4, 5]))),
        "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
    );
    assert_eq!(
        message(t(&[2, 3]).add(&t(&[4]))),
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
    );
    assert_eq!(
        message(t(&[]).matmul(&t(&[2]))),
        "both arguments to matmul need to be at least 1D, but they are 0D and 1D"
    );
    assert!(message(Tensor::zeros(&[1 << 30, 1 << 30], DType::F32, device)).contains("2^53"));
    let huge = Tensor::empty(&[1 << 50], DType::F32, device).unwrap_err();
    assert!(matches!(huge, napkin_engine::Error::OutOfMemory { .. }), "{huge}");
    let mixed = t(&[1]).to_dtype(DType::F8E5M2).unwrap().add(&t(&[1]));
    assert!(message(mixed).contains("Promotion for Float8 Types is not supported"));
}
