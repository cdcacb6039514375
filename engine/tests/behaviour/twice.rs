//! Derivatives of derivatives: what is recorded of a backward pass, what becomes of `.grad`, and what is refused. The
//! figures are checked by gradcheck.rs and against PyTorch's.

use std::cell::RefCell;
use std::rc::Rc;

use crate::harness::{block_on, each_device};
use crate::leaves::{check, leaf, values};
use napkin_engine::amp::compute_copy;
use napkin_engine::autograd::{BackwardOptions, GradOptions, backward, checkpoint, function, grad};
use napkin_engine::nn::{Linear, Module, functional};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Result, Tensor};

const RECORDED: GradOptions<'static> =
    GradOptions { grad_outputs: None, retain_graph: None, create_graph: true, allow_unused: false };

/// d out / d input, recorded.
fn slope(out: &Tensor, input: &Tensor) -> Tensor {
    grad(&[out], &[input], RECORDED).unwrap().remove(0).unwrap()
}

fn read(t: &Tensor) -> Vec<f32> {
    block_on(t.to_vec()).unwrap()
}

fn message<T>(result: Result<T>) -> String {
    result.err().unwrap().to_string()
}

fn recorded_backward(out: &Tensor) -> Result<()> {
    backward(&[out], BackwardOptions { create_graph: true, ..BackwardOptions::default() })
}

#[test]
fn a_cube_three_times() {
    each_device(|device| {
        let x = leaf(&[2], &[2.0, -3.0], device);
        let first = slope(&x.pow(3.0).unwrap().sum().unwrap(), &x);
        assert_eq!((first.grad_fn_name(), read(&first)), (Some("MulBackward0"), vec![12.0, 27.0]));
        let second = slope(&first.sum().unwrap(), &x);
        assert_eq!(read(&second), [12.0, -18.0]);
        let third = slope(&second.sum().unwrap(), &x);
        assert_eq!(read(&third), [6.0, 6.0]);
        assert!(x.grad().is_none());
        // Unless it is asked for nothing is recorded.
        let plain = grad(&[&x.pow(3.0).unwrap().sum().unwrap()], &[&x], GradOptions::default()).unwrap();
        assert!(!plain[0].as_ref().unwrap().requires_grad());
    });
}

#[test]
fn gradients_that_come_in_have_gradients() {
    each_device(|device| {
        let (x, g) = (leaf(&[2], &[2.0, 3.0], device), leaf(&[2], &[5.0, 7.0], device));
        let y = x.mul(&x).unwrap();
        let options = GradOptions { grad_outputs: Some(&[Some(&g)]), ..RECORDED };
        let first = grad(&[&y], &[&x], options).unwrap().remove(0).unwrap();
        let both = grad(&[&first.sum().unwrap()], &[&x, &g], GradOptions::default()).unwrap();
        assert_eq!(
            both.iter().map(|g| read(g.as_ref().unwrap())).collect::<Vec<_>>(),
            [[10.0, 14.0], [4.0, 6.0]]
        );
    });
}

#[test]
fn graphs_end_as_they_are_told() {
    each_device(|device| {
        let x = leaf(&[1], &[0.5], device);
        let y = x.exp().unwrap().sin().unwrap();
        let freed = GradOptions { retain_graph: Some(false), ..RECORDED };
        let first = grad(&[&y], &[&x], freed).unwrap().remove(0).unwrap();
        // cos eˣ eˣ goes through eˣ again, which has been let go of.
        let again = message(grad(&[&first], &[&x], GradOptions::default()));
        assert!(again.starts_with("Trying to backward through the graph a second time"), "{again}");
        let y = x.exp().unwrap().sin().unwrap();
        let first = slope(&y, &x);
        y.backward().unwrap();
        let over = message(grad(&[&first], &[&x], GradOptions::default()));
        assert!(over.starts_with("Trying to backward through the graph a second time"), "{over}");
    });
}

#[test]
fn kept_gradients_have_histories_and_are_not_written_to() {
    each_device(|device| {
        let x = leaf(&[2], &[1.0, 2.0], device);
        let middle = x.mul(3.0).unwrap();
        middle.retain_grad().unwrap();
        let seen = Rc::new(RefCell::new(Vec::new()));
        let log = seen.clone();
        let see = move |g: &Tensor| {
            log.borrow_mut().push(g.requires_grad());
            g.mul(2.0).map(Some)
        };
        middle.register_hook(see.clone()).unwrap();
        x.register_hook(see).unwrap();
        recorded_backward(&middle.pow(2.0).unwrap().sum().unwrap()).unwrap();
        let first = x.grad().unwrap();
        assert_eq!((first.grad_fn_name(), read(&first)), (Some("CopyBackwards"), vec![72.0, 144.0]));
        assert!(middle.grad().unwrap().requires_grad() && *seen.borrow() == [true, true]);
        recorded_backward(&middle.sum().unwrap()).unwrap();
        let second = x.grad().unwrap();
        assert_eq!((second.grad_fn_name(), read(&second)), (Some("AddBackward0"), vec![84.0, 156.0]));
        assert_eq!(read(&first), [72.0, 144.0], "the gradient before is another tensor");
        x.zero_grad();
        second.sum().unwrap().backward().unwrap();
        // 72, and both hooks once more.
        assert_eq!(read(&x.grad().unwrap()), [288.0, 288.0]);
    });
}

#[test]
fn nothing_is_held_by_itself() {
    each_device(|device| {
        let before = device.ledger().totals().allocated_bytes;
        let x = leaf(&[64], &[0.25; 64], device);
        let named = |x: &Tensor| {
            // An operation whose derivative looks at its own result.
            let y = x.detach().sigmoid().unwrap();
            function("Own", &[x], &[&y], &y, |g, saved| {
                let y = &saved[0];
                Ok(vec![Some(g.mul(&y.sub(&y.mul(y)?)?)?)])
            })
        };
        let once = functional::softmax(&x.tanh().unwrap(), 0).unwrap().sigmoid().unwrap();
        let out = named(&once);
        let want = once.sigmoid().unwrap().sum().unwrap();
        let [got, want] = [out.sum().unwrap(), want].map(|out| {
            let first = slope(&out, &x);
            read(&slope(&first.pow(2.0).unwrap().sum().unwrap(), &x))
        });
        let want: Vec<f64> = want.into_iter().map(f64::from).collect();
        check(&got, &want, "a derivative of one's own");
        drop((out, once, x));
        assert_eq!(device.ledger().totals().allocated_bytes, before, "{device}: bytes are held");
    });
}

#[test]
fn checkpoints_are_differentiated_twice() {
    each_device(|device| {
        let (x, w) = (leaf(&[4], &[0.5, -1.0, 2.0, 0.1], device), leaf(&[4], &[1.0, 0.3, -0.5, 2.0], device));
        let of = |out: &Tensor| {
            let first = slope(&out.sum().unwrap(), &x);
            let all =
                grad(&[&first.pow(2.0).unwrap().sum().unwrap()], &[&x, &w], GradOptions::default()).unwrap();
            all.iter().flat_map(|g| read(g.as_ref().unwrap())).collect::<Vec<_>>()
        };
        let factor = w.clone();
        let f = move |x: &[Tensor]| {
            functional::gelu(&x[0].mul(&factor)?.exp()?, functional::Gelu::Tanh)?.sigmoid()
        };
        let want = of(&f(std::slice::from_ref(&x)).unwrap());
        assert_eq!(of(&checkpoint(f, std::slice::from_ref(&x)).unwrap()), want, "{device}");
    });
}

#[test]
fn parameters_side_by_side_are_differentiated_twice() {
    each_device(|device| {
        let penalty = |is_packed: bool, dtype: DType| {
            let mut layers: Vec<Linear> =
                (0..2).map(|i| Linear::new(8, 8, true, &mut Generator::new(i), device).unwrap()).collect();
            if is_packed {
                layers.pack().unwrap();
            }
            let copy = compute_copy(&layers, dtype).unwrap();
            let x = Tensor::ones(&[2, 8], dtype, device).unwrap();
            let hidden = copy[0].forward(&x).unwrap().tanh().unwrap();
            let loss = copy[1].forward(&hidden).unwrap().pow(2.0).unwrap().mean().unwrap();
            let parameters = layers.parameters();
            let all: Vec<&Tensor> = parameters.iter().collect();
            let slopes = grad(&[&loss], &all, RECORDED).unwrap();
            let squares = slopes.iter().map(|g| g.as_ref().unwrap().pow(2.0).unwrap().sum().unwrap());
            let norm = squares.reduce(|a, b| a.add(&b).unwrap()).unwrap();
            recorded_backward(&norm).unwrap();
            let once: Vec<Tensor> = parameters.iter().map(|p| p.grad().unwrap()).collect();
            let figures = values(&once);
            // And then as usual, to the same places.
            parameters.iter().for_each(Tensor::zero_grad);
            norm.backward().unwrap();
            let again: Vec<Tensor> = parameters.iter().map(|p| p.grad().unwrap()).collect();
            assert!(again.iter().all(|g| !g.requires_grad()));
            assert_eq!(values(&again), figures, "{device}: packed {is_packed}");
            parameters.iter().for_each(Tensor::zero_grad);
            figures
        };
        let want: Vec<f64> = penalty(false, DType::F32).into_iter().map(f64::from).collect();
        assert!(want.iter().any(|g| g.abs() > 1e-3));
        check(&penalty(true, DType::F32), &want, "packed");
        // In half precision what is known is that both ways agree.
        assert_eq!(penalty(true, DType::BF16), penalty(false, DType::BF16), "{device}");
    });
}

#[test]
fn what_is_not_implemented_twice_says_so() {
    each_device(|device| {
        let x = leaf(&[2, 16], &[0.5; 32], device);
        let weight = leaf(&[16, 16], &[0.25; 256], device);
        let out = functional::linear_fp8(&x, &weight, None).unwrap().sum().unwrap();
        let first = slope(&out, &x);
        let told = message(grad(&[&first.sum().unwrap()], &[&weight], GradOptions::default()));
        assert_eq!(told, "the derivative of LinearFp8 is not implemented twice");
        // What was written to since is told as ever.
        let base = x.mul(1.0).unwrap();
        let out = base.exp().unwrap();
        let first = slope(&out.sin().unwrap().sum().unwrap(), &base);
        out.detach().zero_().unwrap();
        let told = message(grad(&[&first.sum().unwrap()], &[&base], GradOptions::default()));
        assert!(told.contains("which is output 0 of Exp, is at version 1; expected version 0"), "{told}");
    });
}
