//! What holds of all views, shapes and dtypes, against implementations that know nothing of strides. The seeds are
//! fixed: the cases are the same on every run.
#![cfg(all(feature = "cpu", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

#[path = "../figures/mod.rs"]
mod figures;
mod naive;

use figures::dtype;
use naive::Naive;
use napkin_engine::dtype::{Category, Operand, promote_types, result_type};
use napkin_engine::layout::broadcast_shapes;
use napkin_engine::view_expr::{IndexItem, Stage, ViewOp};
use napkin_engine::{DType, Device, Result, Tensor};
use pollster::block_on;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, RngSeed};

fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Config::default() }
}

/// Larger arrays are not looked at.
const MAX_NUMEL: usize = 2000;

fn view(x: &Tensor, op: &ViewOp) -> Result<Tensor> {
    match op {
        ViewOp::View(sizes) => x.view(sizes),
        ViewOp::Reshape(sizes) => x.reshape(sizes),
        ViewOp::Contiguous => x.contiguous(),
        ViewOp::Transpose(a, b) => x.transpose(*a, *b),
        ViewOp::Permute(dims) => x.permute(dims),
        ViewOp::Expand(sizes) => x.expand(sizes),
        ViewOp::Narrow { dim, start, length } => x.narrow(*dim, *start, *length),
        ViewOp::Select { dim, index } => x.select(*dim, *index),
        ViewOp::Squeeze(dim) => x.squeeze(*dim),
        ViewOp::Unsqueeze(dim) => x.unsqueeze(*dim),
        // Several items are an expression's: a tensor of its layout, where all of the storage is known.
        ViewOp::Index(_) => {
            let layout = op.apply(x.layout())?.layout().clone();
            x.as_strided(layout.shape(), layout.strides(), layout.offset())
        }
        other => panic!("{other:?} is no operation of this test"),
    }
}

fn sizes() -> impl Strategy<Value = Vec<isize>> {
    vec(prop_oneof![1 => Just(-1), 8 => 0isize..7, 1 => select(vec![12, 24, isize::MAX])], 0..5)
}

fn item() -> impl Strategy<Value = IndexItem> {
    let bound = || option::of(prop_oneof![-5isize..6, select(vec![isize::MIN + 9, isize::MAX])]);
    prop_oneof![
        3 => (-4isize..4).prop_map(IndexItem::At),
        4 => (bound(), bound(), prop_oneof![9 => 1isize..4, 1 => select(vec![-1, 0, isize::MAX])])
            .prop_map(|(start, end, step)| IndexItem::Slice { start, end, step }),
        1 => Just(IndexItem::NewAxis),
        1 => Just(IndexItem::Ellipsis),
    ]
}

fn op() -> impl Strategy<Value = ViewOp> {
    let dim = || -4isize..4;
    prop_oneof![
        // Shapes that fit come from reshaping; random ones rarely do.
        sizes().prop_map(ViewOp::View),
        sizes().prop_map(ViewOp::Reshape),
        Just(ViewOp::View(vec![-1])),
        Just(ViewOp::View(vec![2, -1])),
        Just(ViewOp::Reshape(vec![-1, 3])),
        Just(ViewOp::Reshape(vec![2, 1, -1])),
        Just(ViewOp::Contiguous),
        (dim(), dim()).prop_map(|(a, b)| ViewOp::Transpose(a, b)),
        (1usize..5)
            .prop_flat_map(|n| Just((0..n as isize).collect::<Vec<_>>()).prop_shuffle())
            .prop_map(ViewOp::Permute),
        vec(dim(), 0..4).prop_map(ViewOp::Permute),
        sizes().prop_map(ViewOp::Expand),
        vec(Just(-1), 1..5).prop_map(|mut sizes| {
            sizes.insert(0, 3);
            ViewOp::Expand(sizes)
        }),
        (dim(), -4isize..5, -1isize..5).prop_map(|(dim, start, length)| ViewOp::Narrow {
            dim,
            start,
            length
        }),
        (dim(), -4isize..4).prop_map(|(dim, index)| ViewOp::Select { dim, index }),
        option::of(dim()).prop_map(ViewOp::Squeeze),
        dim().prop_map(ViewOp::Unsqueeze),
        vec(item(), 1..5).prop_map(ViewOp::Index),
    ]
}

fn shape() -> impl Strategy<Value = Vec<usize>> {
    vec(prop_oneof![1 => Just(0usize), 2 => Just(1), 9 => 2usize..5, 1 => Just(6)], 0..5)
        .prop_filter("small", |shape| shape.iter().product::<usize>() <= MAX_NUMEL)
}

/// Sizes that were asked for, at most; refused ones count too.
fn reach(shape: &[usize], op: &ViewOp) -> u128 {
    let sizes: &[isize] = if let ViewOp::Expand(sizes) = op { sizes } else { &[] };
    let old = shape.iter().map(|&n| n.max(1) as u128);
    old.chain(sizes.iter().map(|&n| n.max(1) as u128)).fold(1, u128::saturating_mul)
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn chains_of_views_are_those_of_written_out_arrays(shape in shape(), ops in vec(op(), 1..8)) {
        let device = Device::cpu();
        let mut naive = Naive::new(&shape);
        let mut x = Tensor::from_slice(&naive.values, &shape, DType::F32, &device).unwrap();
        for op in &ops {
            if reach(&naive.shape, op) > MAX_NUMEL as u128 {
                // Only that it does not panic.
                let _ = op.apply(x.layout());
                continue;
            }
            let before = device.ledger().totals().allocated_bytes;
            let (want, got) = (naive.apply(op), view(&x, op));
            let stage = op.apply(x.layout());
            prop_assert_eq!(got.is_ok(), stage.is_ok(), "{:?}", op);
            let must = match op {
                ViewOp::View(_) => want.as_ref().is_some_and(Naive::has_strides),
                _ => want.is_some(),
            };
            prop_assert_eq!(got.is_ok(), must, "{:?} of {:?}: {:?}", op, naive.shape, got.err());
            let (Some(mut want), Ok(got), Ok(stage)) = (want, got, stage) else { continue };
            let copies = matches!(stage, Stage::Copy { .. });
            prop_assert_eq!(stage.layout(), got.layout());
            let may_copy = matches!(op, ViewOp::Reshape(_) | ViewOp::Contiguous);
            if copies {
                // A copy is made only where there is no view.
                prop_assert!(may_copy && !(want.has_strides() && matches!(op, ViewOp::Reshape(_))));
                want.places = (0..want.values.len()).collect();
            } else {
                prop_assert_eq!(device.ledger().totals().allocated_bytes, before, "{:?} allocates", op);
            }
            prop_assert_eq!(got.shares_storage_with(&x), !copies);
            prop_assert_eq!(got.shape(), &want.shape[..]);
            prop_assert_eq!(got.layout().storage_indices().collect::<Vec<_>>(), want.places.clone());
            prop_assert_eq!(block_on(got.to_vec()).unwrap(), want.values.clone());
            prop_assert_eq!(got.layout().is_contiguous(), want.is_contiguous());
            (naive, x) = (want, got);
        }
    }
}

/// Broadcasting, from the last dimension to the first.
fn naive_broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.reverse();
    b.reverse();
    a.resize(a.len().max(b.len()), 1);
    b.resize(a.len(), 1);
    let pairs = a.into_iter().zip(b);
    let mut out = pairs
        .map(|pair| match pair {
            (1, n) | (n, 1) => Some(n),
            (n, m) => (n == m).then_some(n),
        })
        .collect::<Option<Vec<_>>>()?;
    out.reverse();
    Some(out)
}

/// Two shapes that broadcast, mostly: parts of one.
fn shapes() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let part = |whole: Vec<usize>| {
        (0..=whole.len(), vec(prop::bool::weighted(0.3), whole.len())).prop_map(move |(from, ones)| {
            let sizes = whole.iter().zip(&ones).skip(from);
            sizes.map(|(&size, &one)| if one { 1 } else { size }).collect::<Vec<_>>()
        })
    };
    prop_oneof![
        3 => shape().prop_flat_map(move |whole| (part(whole.clone()), part(whole))),
        1 => (shape(), shape()),
    ]
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn broadcasting_is_symmetrical_and_as_written_out((a, b) in shapes()) {
        let want = naive_broadcast(&a, &b);
        prop_assert_eq!(broadcast_shapes(&a, &b).ok(), want.clone());
        prop_assert_eq!(broadcast_shapes(&b, &a).ok(), want.clone());
        prop_assert_eq!(broadcast_shapes(&a, &a).unwrap(), a.clone());
        prop_assert_eq!(broadcast_shapes(&a, &[]).unwrap(), a.clone());
        let tensor = |shape: &[usize], first: f32| {
            let values: Vec<f32> = (0..shape.iter().product()).map(|i| first + i as f32).collect();
            (Tensor::from_slice(&values, shape, DType::F32, &Device::cpu()).unwrap(), Naive { values, ..Naive::new(shape) })
        };
        let ((x, left), (y, right)) = (tensor(&a, 0.0), tensor(&b, 1000.0));
        let (there, back) = (x.sub(&y), y.sub(&x));
        let Some(shape) = want else {
            prop_assert!(there.is_err() && back.is_err());
            return Ok(());
        };
        if shape.iter().product::<usize>() > MAX_NUMEL {
            return Ok(());
        }
        let sizes = ViewOp::Expand(shape.iter().map(|&n| n as isize).collect());
        let (left, right) = (left.apply(&sizes).unwrap(), right.apply(&sizes).unwrap());
        let want: Vec<f32> = left.values.iter().zip(&right.values).map(|(l, r)| l - r).collect();
        prop_assert_eq!(there.as_ref().unwrap().shape(), &shape[..]);
        prop_assert_eq!(block_on(there.unwrap().to_vec()).unwrap(), want.clone());
        let negated: Vec<f32> = want.iter().map(|x| -x).collect();
        prop_assert_eq!(block_on(back.unwrap().to_vec()).unwrap(), negated);
    }

    /// What the arguments of an operation become does not depend on their order, and naming one twice changes
    /// nothing.
    #[test]
    fn result_types_do_not_depend_on_the_order(operands in vec(operand(), 1..5).prop_flat_map(|operands| {
        (Just(operands.clone()), Just(operands.clone()).prop_shuffle(), subsequence(operands, 0..2))
    })) {
        let (first, second, twice) = operands;
        let want = result_type(&first).ok();
        prop_assert_eq!(result_type(&second).ok(), want);
        prop_assert_eq!(result_type(&[first, twice].concat()).ok(), want);
    }
}

fn operand() -> impl Strategy<Value = Operand> {
    // 8-bit floats are promoted with nothing: one in many is enough.
    let dtype = || prop_oneof![9 => select(vec![DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32, DType::U8, DType::Bool]), 1 => select(DType::ALL.to_vec())];
    prop_oneof![
        dtype().prop_map(Operand::Tensor),
        dtype().prop_map(Operand::ZeroDim),
        select(vec![Category::Bool, Category::Integral, Category::Floating]).prop_map(Operand::Scalar),
    ]
}

#[test]
fn promotion_is_commutative_idempotent_and_pytorchs() {
    #[derive(serde::Deserialize)]
    struct Golden {
        promotions: Vec<(String, String, Option<String>)>,
    }
    let golden: Golden = serde_json::from_str(include_str!("../golden/ops.json")).unwrap();
    assert_eq!(golden.promotions.len(), DType::ALL.len().pow(2));
    for (a, b, want) in &golden.promotions {
        let (a, b) = (dtype(a), dtype(b));
        let got = promote_types(a, b).ok();
        assert_eq!(got, want.as_deref().map(dtype), "{a} and {b}");
        assert_eq!(got, promote_types(b, a).ok());
        if let Some(both) = got {
            assert_eq!(promote_types(both, a).unwrap(), both);
            assert_eq!(promote_types(both, b).unwrap(), both);
        }
    }
    for dtype in DType::ALL {
        assert_eq!(promote_types(dtype, dtype).unwrap(), dtype);
    }
}

/// Found by the properties above: a step so long that the next element would be beyond all numbers, and an offset
/// of nothing that is.
#[test]
fn steps_beyond_all_numbers_lead_nowhere() {
    let device = Device::cpu();
    let x = Tensor::from_slice(&[1.0, 2.0, 3.0], &[1, 3], DType::F32, &device).unwrap();
    let last = x.slice(0, None, None, isize::MAX).unwrap().select(1, -1).unwrap();
    assert_eq!(last.layout().storage_indices().collect::<Vec<_>>(), [2]);
    assert_eq!(block_on(last.to_vec()).unwrap(), [3.0]);
    let nothing = last.slice(0, Some(1), None, 1).unwrap();
    assert!(block_on(nothing.to_vec()).unwrap().is_empty());
    assert!(
        block_on(nothing.slice(0, Some(1), None, 1).unwrap().unsqueeze(0).unwrap().to_vec())
            .unwrap()
            .is_empty()
    );
    let far =
        Tensor::zeros(&[0], DType::F32, &device).unwrap().as_strided(&[0, 5], &[1, usize::MAX], 7).unwrap();
    assert_eq!(far.select(1, 4).unwrap().unsqueeze(0).unwrap().shape(), [1, 0]);
}
