//! The first three derivatives of every differentiable operation against central differences in float64, in mid-graph
//! position: inputs are strided or broadcast views of leaves, and what comes out is weighed and squared.

use std::collections::BTreeSet;
use std::path::Path;

use crate::operations::{B, Domain, ELEMENTWISE, Function, Input, SHAPED, real};
use napkin_engine::autograd::{GradOptions, grad, no_grad, recorded};
use napkin_engine::random::Generator;
use napkin_engine::{Result, Tensor};
use pollster::block_on;

impl Domain {
    fn draw(self, generator: &mut Generator) -> f64 {
        let u = f64::from(generator.rand(1)[0]);
        match self {
            // A quarter around each half number is left out.
            Self::Any => {
                let steps = (u * 7.0).floor();
                -2.0 + 0.5 * steps + 0.125 + 0.25 * (u * 7.0 - steps)
            }
            Self::Positive => 0.3 + 1.7 * u,
            Self::Unit => (0.1 + 0.8 * (2.0 * u - 1.0).abs()).copysign(u - 0.5),
        }
    }
}

/// How an input lies over its leaf.
#[derive(Debug, Clone, Copy)]
enum Way {
    Order,
    Turned,
    Stepped,
    Repeated,
}
const WAYS: [Way; 4] = [Way::Order, Way::Turned, Way::Stepped, Way::Repeated];

impl Way {
    /// The leaf's shape.
    fn leaf(self, shape: &[usize]) -> Vec<usize> {
        let mut out = shape.to_vec();
        match (self, out.len()) {
            (Self::Turned, _) => out.reverse(),
            (Self::Stepped, 1..) => *out.last_mut().unwrap() *= 2,
            (Self::Repeated, 1..) => out[0] = 1,
            _ => {}
        }
        out
    }

    fn view(self, leaf: &Tensor, shape: &[usize]) -> Result<Tensor> {
        let sizes: Vec<isize> = shape.iter().map(|&n| n as isize).collect();
        match self {
            Self::Turned => leaf.permute(&(0..shape.len() as isize).rev().collect::<Vec<_>>()),
            Self::Stepped if !shape.is_empty() => leaf.slice(-1, Some(1), None, 2),
            Self::Repeated => leaf.expand(&sizes),
            _ => Ok(leaf.clone()),
        }
    }
}

/// Σ w t (1 + t / 4) of each element: what comes back is neither constant nor the same for all.
fn weighed(t: &Tensor) -> Tensor {
    let weights = real((0..t.numel()).map(|i| 0.3 + ((i * 37) % 11) as f64 / 10.0), t.shape());
    t.mul(&weights).unwrap().mul(&t.mul(0.25).unwrap().add(1.0).unwrap()).unwrap().sum().unwrap()
}

/// The derivatives of `scalar`, again and again of what they weigh together; as many numbers as derivatives, from which
/// the next ones come, and the last gradients.
fn derivatives(
    order: usize,
    scalar: &dyn Fn(&[Tensor]) -> Tensor,
    leaves: &[Tensor],
) -> (Tensor, Vec<Tensor>) {
    let leaves_of: Vec<&Tensor> = leaves.iter().collect();
    let mut value = scalar(leaves);
    let mut gradients = Vec::new();
    for at in 1..=order {
        if !value.requires_grad() {
            return (value.detach(), leaves.iter().map(|leaf| leaf.detach().zeros_like().unwrap()).collect());
        }
        let options =
            GradOptions { create_graph: at < order, allow_unused: at > 1, ..GradOptions::default() };
        let given = grad(&[&value], &leaves_of, options).unwrap_or_else(|e| panic!("derivative {at}: {e}"));
        let or_zeros =
            |(g, leaf): (Option<Tensor>, &Tensor)| g.unwrap_or_else(|| leaf.detach().zeros_like().unwrap());
        gradients = given.into_iter().zip(leaves).map(or_zeros).collect();
        if at < order {
            let terms = gradients.iter().map(weighed);
            value = terms.reduce(|a, b| a.add(&b).unwrap()).unwrap();
        }
    }
    (value, gradients)
}

/// The derivatives of f by its leaves, of all orders up to the third, by backward and by central differences of the
/// order before.
fn check(name: &str, f: Function, inputs: &[(&[usize], Domain)], ways: &[Way], seed: u64) {
    let mut generator = Generator::new(seed);
    let shapes: Vec<Vec<usize>> = inputs.iter().zip(ways).map(|((shape, _), way)| way.leaf(shape)).collect();
    let data: Vec<Vec<f64>> = shapes
        .iter()
        .zip(inputs)
        .map(|(shape, (_, domain))| {
            (0..shape.iter().product()).map(|_| domain.draw(&mut generator)).collect()
        })
        .collect();
    let leaves = |data: &[Vec<f64>]| -> Vec<Tensor> {
        let one = |(values, shape): (&Vec<f64>, &Vec<usize>)| {
            let leaf = real(values.iter().copied(), shape);
            leaf.set_requires_grad(true).unwrap();
            leaf
        };
        data.iter().zip(&shapes).map(one).collect()
    };
    let scalar = |leaves: &[Tensor]| -> Tensor {
        let views: Vec<Tensor> = leaves
            .iter()
            .zip(inputs)
            .zip(ways)
            .map(|((leaf, (shape, _)), way)| way.view(&leaf.mul(1.0).unwrap(), shape).unwrap())
            .collect();
        weighed(&f(&views).unwrap_or_else(|e| panic!("{name} of {shapes:?}: {e}")))
    };
    for order in 1..=3 {
        let given = leaves(&data);
        let gradients = derivatives(order, &scalar, &given).1;
        // What the derivatives of this order are those of.
        let before = |data: &[Vec<f64>]| -> f64 {
            let leaves = leaves(data);
            let value = match order {
                1 => no_grad(|| scalar(&leaves)),
                _ => {
                    let gradients = derivatives(order - 1, &scalar, &leaves).1;
                    gradients.iter().map(weighed).reduce(|a, b| a.add(&b).unwrap()).unwrap()
                }
            };
            block_on(value.item()).unwrap().as_f64()
        };
        // What is rounded in the value is large in the differences.
        let (h, noise) = (1e-5, 1e-10 * before(&data).abs());
        for (which, (leaf, gradient)) in given.iter().zip(&gradients).enumerate() {
            assert_eq!(gradient.shape(), leaf.shape(), "{name}: shape of gradient {which}");
            let values = block_on(gradient.to_scalars()).unwrap();
            // Of higher orders one element tells as much as all.
            let step = if order == 1 { 1 } else { values.len().max(1) };
            for (i, got) in values.iter().enumerate().step_by(step) {
                let at = |delta: f64| {
                    let mut moved = data.clone();
                    moved[which][i] += delta;
                    before(&moved)
                };
                let numeric = (at(h) - at(-h)) / (2.0 * h);
                let (got, scale) = (got.as_f64(), numeric.abs().max(1.0));
                assert!(
                    (got - numeric).abs() <= 1e-6 * scale * 10f64.powi(order as i32 - 1) + noise,
                    "{name} of {shapes:?} {ways:?}: derivative {order} by input {which}[{i}] is {got} by backward, \
                     {numeric} by differences",
                );
            }
        }
    }
}

#[test]
fn elementwise_derivatives_are_differences() {
    let shapes: [&[usize]; 4] = [&[], &[3], &[2, 3], &[3, 1, 2]];
    for (at, (name, domains, f)) in ELEMENTWISE.iter().enumerate() {
        for (i, shape) in shapes.iter().enumerate() {
            let mut inputs: Vec<(&[usize], Domain)> = domains.iter().map(|&d| (*shape, d)).collect();
            // The others are broadcast.
            for (j, input) in inputs.iter_mut().enumerate().skip(1) {
                input.0 = &shape[(i + j) % (shape.len() + 1)..];
            }
            let ways: Vec<Way> = (0..inputs.len()).map(|j| WAYS[(at + i + 3 * j) % WAYS.len()]).collect();
            check(name, *f, &inputs, &ways, (at * 10 + i) as u64);
        }
    }
}

#[test]
fn derivatives_of_shaped_operations_are_differences() {
    for (at, (name, inputs, f)) in SHAPED.iter().enumerate() {
        // What is repeated has ties, where the extremes have no derivative.
        let is_extreme = ["max", "min", "median", "sort", "topk"].iter().any(|op| name.contains(op));
        for round in 0..WAYS.len() - usize::from(is_extreme) {
            let ways: Vec<Way> = (0..inputs.len()).map(|j| WAYS[(round + j) % WAYS.len()]).collect();
            check(name, *f, inputs, &ways, (1000 + at * 10 + round) as u64);
        }
    }
}

/// What is recorded under a name that no case above leads to: what has no derivative in float64, or none at all; and what
/// `twice.rs` looks at.
const ELSEWHERE: [&str; 2] = ["LinearFp8Backward0", "ToCopyBackward0"];

/// The names under which the sources record operations.
fn names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(path).unwrap();
            let texts = source.split('"').filter(|text| text.chars().all(char::is_alphanumeric));
            let is_name = |text: &&str| {
                *text == "CopySlices"
                    || text.find("Backward").is_some_and(|at| at > 0 && text.len() < at + 10)
            };
            found.extend(texts.filter(is_name).map(String::from));
        }
    }
}

#[test]
fn every_recorded_operation_is_among_the_cases() {
    let mut wanted = BTreeSet::new();
    names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut wanted);
    assert!(wanted.len() >= 100, "{} names", wanted.len());
    let mut checked: BTreeSet<String> = ELSEWHERE.map(String::from).into();
    let mut generator = Generator::new(1);
    let mut run = |name: &str, f: Function, inputs: &[Input]| {
        let leaf = |(shape, domain): &Input| {
            let leaf = real((0..shape.iter().product()).map(|_| domain.draw(&mut generator)), shape);
            leaf.set_requires_grad(true).unwrap();
            leaf
        };
        let leaves: Vec<Tensor> = inputs.iter().map(leaf).collect();
        let out = f(&leaves).unwrap_or_else(|e| panic!("{name}: {e}"));
        checked.extend(recorded(&out).into_iter().map(String::from));
    };
    for (name, domains, f) in ELEMENTWISE {
        run(name, *f, &domains.iter().map(|&domain| (B, domain)).collect::<Vec<_>>());
    }
    SHAPED.iter().for_each(|(name, inputs, f)| run(name, *f, inputs));
    let missing: Vec<_> = wanted.difference(&checked).collect();
    assert!(missing.is_empty(), "no case differentiates {missing:?}");
}
