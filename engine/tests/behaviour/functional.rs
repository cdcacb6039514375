//! How many kernels the functions of `nn::functional` take, and what they move; and dropout, whose draws no figure
//! tells.

use crate::harness::{block_on, each_device};
use napkin_engine::nn::functional::{
    Attention, CrossEntropy, Gelu, LossReduction, cross_entropy, dropout, elu, gelu, layer_norm, log_softmax,
    logsigmoid, mse_loss, rms_norm, scaled_dot_product_attention, silu, softmax, softplus,
};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Result, Scalar, Tensor};

const ROWS: usize = 6;
const COLUMNS: usize = 10;

fn leaf(shape: &[usize], device: &Device) -> Tensor {
    let numel: usize = shape.iter().product();
    let values: Vec<f32> = (0..numel).map(|i| (i * 7 % 11) as f32 / 4.0 - 1.0).collect();
    let leaf = Tensor::from_slice(&values, shape, DType::F32, device).unwrap();
    leaf.set_requires_grad(true).unwrap();
    leaf
}

/// Kernels, and f32 read and written.
type Cost = [u64; 3];

fn cost(device: &Device) -> Cost {
    let totals = device.ledger().totals();
    device.ledger().reset();
    [totals.ops, totals.read_bytes / 4, totals.written_bytes / 4]
}

#[test]
fn functions_are_few_kernels_and_each_element_is_moved_once() {
    let n = (ROWS * COLUMNS) as u64;
    let (rows, columns) = (ROWS as u64, COLUMNS as u64);
    each_device(|device| {
        let x = leaf(&[ROWS, COLUMNS], device);
        let y = leaf(&[ROWS, COLUMNS], device).detach();
        let (weight, bias) = (leaf(&[COLUMNS], device), leaf(&[COLUMNS], device));
        let labels: Vec<Scalar> = (0..ROWS).map(|i| Scalar::Int(i as i64)).collect();
        let labels = Tensor::from_scalars(&labels, &[ROWS], DType::I64, device).unwrap();
        let each = CrossEntropy::from(LossReduction::None);
        let causal = || Attention { is_causal: true, ..Attention::default() };
        let check = |what: &str, forward: Cost, backward: Cost, run: &dyn Fn() -> Result<Tensor>| {
            device.ledger().reset();
            let out = run().unwrap();
            assert_eq!(cost(device), forward, "{what} on {device}");
            let g = out.detach().ones_like().unwrap();
            device.ledger().reset();
            out.backward_with(Some(&g), false).unwrap();
            assert_eq!(cost(device), backward, "backward of {what} on {device}");
            [&x, &weight, &bias].iter().for_each(|leaf| leaf.zero_grad());
        };
        check("softmax", [1, n, n], [1, 2 * n, n], &|| softmax(&x, 1));
        check("log_softmax", [1, n, n], [1, 2 * n, n], &|| log_softmax(&x, 0));
        check("gelu", [1, n, n], [1, 2 * n, n], &|| gelu(&x, Gelu::Exact));
        check("gelu, tanh", [1, n, n], [1, 2 * n, n], &|| gelu(&x, Gelu::Tanh));
        check("silu", [1, n, n], [1, 2 * n, n], &|| silu(&x));
        check("elu", [1, n, n], [1, 2 * n, n], &|| elu(&x, 1.0));
        check("softplus", [1, n, n], [1, 2 * n, n], &|| softplus(&x, 1.0, 20.0));
        check("logsigmoid", [1, n, n], [1, 2 * n, n], &|| logsigmoid(&x));
        check("sigmoid", [1, n, n], [1, 2 * n, n], &|| x.sigmoid());
        check("a number minus x", [1, n, n], [1, n, n], &|| x.rsub(1));
        check("mse_loss", [1, 2 * n, n], [1, 3 * n, n], &|| mse_loss(&x, &y, LossReduction::None));
        // The numbers of a row are mean and rstd; dx, then dweight and dbias, both from g and x.
        let norm = |x: &Tensor| layer_norm(x, &[COLUMNS], Some(&weight), Some(&bias), 1e-5);
        let of_dx = 2 * n + 2 * rows + columns;
        check(
            "layer_norm",
            [1, n + 2 * columns, n + 2 * rows],
            [2, of_dx + 2 * n + 2 * rows, n + 2 * columns],
            &|| norm(&x),
        );
        let of_dx = 2 * n + rows + columns;
        check("rms_norm", [1, n + columns, n + rows], [2, of_dx + 2 * n + rows, n + columns], &|| {
            rms_norm(&x, &[COLUMNS], Some(&weight), None)
        });
        // A label is two words; loss, share, and two parts of ln Σ eˣ are written.
        check("cross_entropy", [1, n + 2 * rows, 4 * rows], [1, n + 5 * rows, n], &|| {
            cross_entropy(&x, &labels, each)
        });
        device.ledger().reset();
        let loss = cross_entropy(&x, &labels, LossReduction::Mean).unwrap();
        assert_eq!(cost(device)[0], 4, "the losses, two sums, a quotient");
        loss.backward_with(Some(&loss.detach()), false).unwrap();
        assert_eq!(cost(device)[0], 2, "a quotient, the gradient");
        x.zero_grad();
        device.ledger().reset();
        let out = scaled_dot_product_attention(&x, &y, &y, causal()).unwrap();
        assert_eq!(cost(device)[0], 3, "two products, a softmax");
        out.backward_with(Some(&out.detach()), false).unwrap();
        assert_eq!(cost(device)[0], 3, "the product by the weights, the softmax, the product by the query");
    });
}

#[test]
fn dropout_drops_and_scales_in_one_kernel_each_way() {
    each_device(|device| {
        let x = leaf(&[40, 50], device);
        let values = block_on(x.to_vec()).unwrap();
        let out = dropout(&x, 0.25, true, &mut Generator::new(3)).unwrap();
        let got = block_on(out.to_vec()).unwrap();
        let scale = 1.0 / 0.75;
        let kept = values.iter().zip(&got).filter(|(x, y)| **x != 0.0 && **y != 0.0).count();
        let nonzero = values.iter().filter(|x| **x != 0.0).count();
        let share = kept as f64 / nonzero as f64;
        // Five standard deviations.
        assert!((share - 0.75).abs() < 5.0 * (0.75 * 0.25 / nonzero as f64).sqrt(), "{share} are kept");
        for (x, y) in values.iter().zip(&got) {
            assert!(*y == 0.0 || (x * scale - y).abs() <= 1e-6 * x.abs(), "{x} became {y}");
        }
        device.ledger().reset();
        out.backward_with(Some(&out.detach().ones_like().unwrap()), false).unwrap();
        assert_eq!(device.ledger().totals().ops, 2, "the ones, the gradient");
        for ((x, y), g) in values.iter().zip(&got).zip(block_on(x.grad().unwrap().to_vec()).unwrap()) {
            let want = if *y != 0.0 { scale } else { 0.0 };
            assert!(*x == 0.0 || (g - want).abs() < 1e-6, "the gradient of {x}, which became {y}, is {g}");
        }

        let same = dropout(&x, 0.0, true, &mut Generator::new(3)).unwrap();
        assert!(same.shares_storage_with(&x));
        assert!(dropout(&x, 0.9, false, &mut Generator::new(3)).unwrap().shares_storage_with(&x));
        let none = dropout(&x, 1.0, true, &mut Generator::new(3)).unwrap();
        assert!(block_on(none.to_vec()).unwrap().iter().all(|y| *y == 0.0));
        // What is dropped is multiplied by 0, as in PyTorch.
        let nan = Tensor::from_slice(&[f32::NAN; 64], &[64], DType::F32, device).unwrap();
        let dropped = dropout(&nan, 0.5, true, &mut Generator::new(3)).unwrap();
        assert!(block_on(dropped.to_vec()).unwrap().iter().all(|y| y.is_nan()));
        for p in [-0.1, 1.1, f64::NAN] {
            let error = dropout(&x, p, true, &mut Generator::new(3)).unwrap_err().to_string();
            assert!(error.contains("dropout probability has to be between 0 and 1"), "{error}");
        }
        let weighted = Attention { dropout: Some((0.5, &mut Generator::new(3))), ..Attention::default() };
        let (q, v) = (leaf(&[5, 4], device), leaf(&[5, 4], device));
        let out = scaled_dot_product_attention(&q, &q, &v, weighted).unwrap();
        let plain = scaled_dot_product_attention(&q, &q, &v, Attention::default()).unwrap();
        assert_ne!(block_on(out.to_vec()).unwrap(), block_on(plain.to_vec()).unwrap());
    });
}

/// Where nothing is recorded, an activation is part of the product before it: the same numbers by fewer kernels.
#[test]
fn activations_belong_to_the_product_where_nothing_is_recorded() {
    use napkin_engine::autograd::no_grad;
    use napkin_engine::nn::{Activation, Mlp, Mode};
    each_device(|device| {
        for activation in
            [Activation::Relu, Activation::Gelu(Gelu::Exact), Activation::Gelu(Gelu::Tanh), Activation::Silu]
        {
            for (is_gated, bias, hidden) in [(false, true, 16), (true, true, 7), (false, false, 65)] {
                let mut generator = Generator::new(3);
                let mlp = Mlp::new(8, hidden, activation, is_gated, bias, &mut generator, device).unwrap();
                let x = Tensor::randn(&[2, 5, 8], &mut generator, device).unwrap();
                let ops = |run: &dyn Fn() -> Result<Tensor>| {
                    device.ledger().reset();
                    let out = block_on(run().unwrap().to_vec()).unwrap();
                    (out, device.ledger().totals().ops)
                };
                let (want, many) = ops(&|| mlp.forward(&x, &mut Mode::Eval));
                let (got, few) = ops(&|| no_grad(|| mlp.forward(&x, &mut Mode::Eval)));
                assert_eq!(few + 1, many, "{activation:?} on {device}");
                for (got, want) in got.iter().zip(&want) {
                    assert!(
                        (got - want).abs() <= 1e-6 * (1.0 + want.abs()),
                        "{activation:?}: {got}, not {want}"
                    );
                }
            }
        }
    });
}
