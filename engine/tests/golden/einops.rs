//! einops' functions and einsum against einops and PyTorch: values, gradients and refusals from
//! golden/einops.py, exactly; and random patterns there and back.

use crate::figures::{Figure, Out, outcome, upstream};
use crate::harness::{block_on, each_device};
use napkin_engine::einops::{einsum, rearrange, reduce, repeat, torch_einsum};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Result, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    op: String,
    pattern: String,
    reduction: Option<String>,
    inputs: Vec<Figure>,
    sizes: Vec<(String, usize)>,
    out: Option<Out>,
    error: Option<String>,
    grads: Option<Vec<Option<Vec<f64>>>>,
}

fn golden() -> Vec<Case> {
    serde_json::from_str::<Golden>(include_str!("einops.json")).unwrap().cases
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| f64::from(u8::from(value.as_bool().unwrap())))
}

fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    Ok(block_on(tensor.to_scalars())?.iter().map(|scalar| scalar.as_f64()).collect())
}

fn run(case: &Case, inputs: &[Tensor]) -> Result<Tensor> {
    let (x, pattern) = (&inputs[0], case.pattern.as_str());
    let sizes: Vec<(&str, usize)> = case.sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    let all: Vec<&Tensor> = inputs.iter().collect();
    match case.op.as_str() {
        "rearrange" => rearrange(x, pattern, &sizes),
        "reduce" => reduce(x, pattern, case.reduction.as_deref().unwrap().parse()?, &sizes),
        "repeat" => repeat(x, pattern, &sizes),
        "einsum" => einsum(pattern, &all),
        "torch_einsum" => torch_einsum(pattern, &all),
        op => panic!("{op} is not known to this test"),
    }
}

fn check(case: &Case, device: &Device) -> std::result::Result<(), String> {
    let text = |error: napkin_engine::Error| error.to_string();
    let inputs =
        case.inputs.iter().map(|input| input.on(device)).collect::<Result<Vec<_>>>().map_err(text)?;
    let result = run(case, &inputs);
    let Some((out, want)) = outcome(result, case.out.as_ref(), case.error.as_deref())? else { return Ok(()) };
    let (got, values) = (numbers(&out).map_err(text)?, want.values.iter().map(number).collect::<Vec<_>>());
    if got != values {
        return Err(format!("is {got:?}, not {values:?}"));
    }
    let Some(grads) = &case.grads else {
        return if out.requires_grad() { Err("requires a gradient".into()) } else { Ok(()) };
    };
    out.backward_with(Some(&upstream(&out).map_err(text)?), false).map_err(text)?;
    for (i, (input, want)) in inputs.iter().zip(grads).enumerate() {
        let got = input.grad().map(|grad| numbers(&grad)).transpose().map_err(text)?;
        if got != *want {
            return Err(format!("gradient {i} is {got:?}, not {want:?}"));
        }
    }
    Ok(())
}

/// Whether a GPU without float64 knows all dtypes of the case.
fn is_for_gpu(case: &Case) -> bool {
    case.inputs.iter().all(|input| input.dtype != "float64")
}

#[test]
fn patterns_mean_what_they_mean_in_einops() {
    let cases = golden();
    let refusals = cases.iter().filter(|case| case.error.is_some()).count();
    assert!(cases.len() >= 340 && refusals >= 95, "{} cases, {refusals} refusals", cases.len());
    each_device(|device| {
        let is_cpu = device.to_string() == "cpu";
        let mut faults = Vec::new();
        for (i, case) in cases.iter().enumerate().filter(|(_, case)| is_cpu || is_for_gpu(case)) {
            if let Err(what) = check(case, device) {
                faults.push(format!("{device}: case {i}, {} {:?}: {what}", case.op, case.pattern));
            }
        }
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    });
}

/// Random numbers below a bound.
struct Random(Generator);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        let value = self.0.randint(0, bound.try_into().unwrap(), 1).unwrap()[0];
        value.try_into().unwrap()
    }

    /// The axes as a side of a pattern: some joined in parentheses, with ones between.
    fn side(&mut self, axes: &[String]) -> String {
        let (mut out, mut rest) = (Vec::new(), axes);
        while !rest.is_empty() {
            let count = 1 + self.below(rest.len().min(3));
            let (group, later) = rest.split_at(count);
            let has_ellipsis = group.iter().any(|axis| axis == "...");
            if self.below(2) == 0 && !has_ellipsis {
                out.push(format!("({})", group.join(" ")));
            } else {
                out.extend(group.iter().cloned());
            }
            if self.below(4) == 0 {
                out.push(["1", "()"][self.below(2)].into());
            }
            rest = later;
        }
        out.join(" ")
    }
}

#[test]
fn random_patterns_lead_there_and_back() {
    let device = Device::cpu();
    let mut random = Random(Generator::new(7));
    let mut moved = 0;
    for _ in 0..400 {
        let count = 1 + random.below(5);
        let mut axes: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
        let sizes: Vec<usize> = (0..count).map(|_| 1 + random.below(4)).collect();
        let named: Vec<(String, usize)> = axes.iter().cloned().zip(sizes.iter().copied()).collect();
        let mut given: Vec<(&str, usize)> = named.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        // Some dimensions are not named: an ellipsis in the place of one.
        if random.below(3) == 0 {
            let place = random.below(count);
            given.remove(place);
            axes[place] = "...".into();
        }
        let plain = axes.join(" ");
        let first = random.side(&axes);
        for i in (1..count).rev() {
            axes.swap(i, random.below(i + 1));
        }
        let second = random.side(&axes);
        let values: Vec<f32> = (0..sizes.iter().product::<usize>()).map(|i| i as f32).collect();
        let whole = Tensor::from_slice(&values, &sizes, DType::F32, &device).unwrap();
        let go = |x: &Tensor, from: &str, to: &str| {
            let pattern = format!("{from} -> {to}");
            rearrange(x, &pattern, &given).unwrap_or_else(|e| panic!("{pattern} {sizes:?}: {e}"))
        };
        let start = go(&whole, &plain, &first);
        let there = go(&start, &first, &second);
        let back = go(&there, &second, &first);
        let elements = |x: &Tensor| block_on(x.to_vec()).unwrap();
        assert_eq!(back.shape(), start.shape(), "{first} -> {second}");
        assert_eq!(elements(&back), elements(&start), "{first} -> {second}");
        moved += usize::from(elements(&there) != elements(&start));
        // The same way over the single axes.
        let long = go(&go(&start, &first, &plain), &plain, &second);
        assert_eq!(long.shape(), there.shape(), "{first} -> {second}");
        assert_eq!(elements(&long), elements(&there), "{first} -> {second}");
    }
    assert!(moved >= 150, "only {moved} patterns moved an element");
}

#[test]
fn no_text_and_no_size_panics() {
    let device = Device::cpu();
    let x = Tensor::zeros(&[2, 0], DType::F32, &device).unwrap();
    let huge = usize::MAX;
    let parts =
        ["a", "b", "(a c d)", "...", "->", "(", ")", "1", "3", "_", ",", ".", "é", "…", " ", "\u{0}", "-"];
    let mut random = Random(Generator::new(11));
    for _ in 0..3000 {
        let count = random.below(9);
        let text: String = (0..count).map(|_| parts[random.below(parts.len())]).collect::<Vec<_>>().join(" ");
        for sizes in [&[][..], &[("a", huge)], &[("a", huge), ("c", huge)], &[("b", 0), ("b", 1)]] {
            // Any result will do.
            let _ = rearrange(&x, &text, sizes).is_ok();
            let _ = repeat(&x, &text, sizes).is_ok();
        }
        let _ = einsum(&text, &[&x, &x]).is_ok() | torch_einsum(&text.replace(' ', ""), &[&x]).is_ok();
    }
    for (pattern, sizes) in [
        ("a b -> a b c", vec![("c", huge)]),
        ("a (b c d) -> a b c d", vec![("b", huge), ("c", huge)]),
        ("a b -> (a c) (b d)", vec![("c", huge / 2), ("d", huge / 2)]),
        ("a b -> a b 99999999999999999999999", vec![]),
    ] {
        assert!(repeat(&x, pattern, &sizes).is_err(), "{pattern}");
    }
    assert!(einsum("a -> a", &[]).is_err() && torch_einsum("a->a", &[]).is_err());
}

#[test]
fn a_result_is_a_view_where_there_is_one() {
    let x = Tensor::zeros(&[4, 6], DType::F32, &Device::cpu()).unwrap();
    let view =
        |pattern: &str, sizes: &[(&str, usize)]| repeat(&x, pattern, sizes).unwrap().shares_storage_with(&x);
    assert!(view("(a b) c -> c b a", &[("a", 2)]));
    assert!(view("a b -> a r b", &[("r", 5)]));
    assert!(!view("a b -> (b a)", &[]));
}

#[test]
fn contractions_are_products_of_matrices() {
    let device = Device::cpu();
    let [q, k] = [[2, 3, 4, 5], [2, 6, 4, 5]].map(|s| Tensor::ones(&s, DType::F32, &device).unwrap());
    device.ledger().reset();
    let scores = einsum("b q h d, b k h d -> b h q k", &[&q, &k]).unwrap();
    assert_eq!(scores.shape(), [2, 4, 3, 6]);
    assert_eq!(device.ledger().totals().matmul_flops, 2 * 2 * 4 * 3 * 6 * 5);
}
