//! Views against PyTorch: shape, strides, offset, contiguity, and the words of its errors.

use napkin_engine::Layout;
use napkin_engine::layout::broadcast_shapes;
use napkin_engine::view_expr::{IndexItem, Stage, ViewExpr, ViewOp};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
    broadcast: Vec<Broadcast>,
}

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    /// `[name, arguments…]`, one after the other.
    ops: Vec<Vec<Value>>,
    result: Option<View>,
    /// Of the last operation; all before it succeed.
    error: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct View {
    shape: Vec<usize>,
    strides: Vec<usize>,
    offset: usize,
    contiguous: bool,
    /// Whether a `reshape` had to copy.
    copied: bool,
}

#[derive(Deserialize)]
struct Broadcast {
    a: Vec<usize>,
    b: Vec<usize>,
    shape: Option<Vec<usize>>,
    error: Option<String>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("layouts.json")).unwrap()
}

fn op(parts: &[Value]) -> ViewOp {
    let numbers: Vec<Option<isize>> = parts[1..].iter().map(|v| v.as_i64().map(|n| n as isize)).collect();
    let all: Vec<isize> = numbers.iter().map(|n| n.unwrap_or(0)).collect();
    // `x[:, :, item]`
    let bracket = |dim: isize, item| {
        let mut items = vec![IndexItem::Slice { start: None, end: None, step: 1 }; dim as usize];
        items.push(item);
        ViewOp::Index(items)
    };
    match (parts[0].as_str().unwrap(), &all[..]) {
        ("view", sizes) => ViewOp::View(sizes.to_vec()),
        ("reshape", sizes) => ViewOp::Reshape(sizes.to_vec()),
        ("permute", dims) => ViewOp::Permute(dims.to_vec()),
        ("expand", sizes) => ViewOp::Expand(sizes.to_vec()),
        ("transpose", &[a, b]) => ViewOp::Transpose(a, b),
        ("slice", &[dim, _, _, step]) => {
            bracket(dim, IndexItem::Slice { start: numbers[1], end: numbers[2], step })
        }
        ("index", &[dim, at]) => bracket(dim, IndexItem::At(at)),
        ("select", &[dim, index]) => ViewOp::Select { dim, index },
        ("narrow", &[dim, start, length]) => ViewOp::Narrow { dim, start, length },
        ("squeeze", &[]) => ViewOp::Squeeze(None),
        ("squeeze", &[dim]) => ViewOp::Squeeze(Some(dim)),
        ("unsqueeze", &[dim]) => ViewOp::Unsqueeze(dim),
        _ => panic!("{parts:?} is no operation of this test"),
    }
}

#[test]
fn chains_of_views_end_where_pytorch_ends() {
    let cases = golden().cases;
    assert!(cases.len() >= 300, "{} cases", cases.len());
    for case in cases {
        let told = || format!("torch.empty({:?}) through {:?}", case.shape, case.ops);
        let start = Layout::contiguous(&case.shape).unwrap();
        let ops = case.ops.iter().map(|parts| (op(parts), String::new())).collect();
        let outcome = ViewExpr { name: "x".into(), ops }.trace(&start);
        let (result, error) = match outcome {
            Ok(stages) => {
                let layout = stages.last().map_or(&start, Stage::layout);
                let view = View {
                    shape: layout.shape().to_vec(),
                    strides: layout.strides().to_vec(),
                    offset: layout.offset(),
                    contiguous: layout.is_contiguous(),
                    copied: stages.iter().any(|s| matches!(s, Stage::Copy { .. })),
                };
                (Some(view), None)
            }
            Err(error) => (None, Some(error.to_string())),
        };
        assert_eq!((&result, &error), (&case.result, &case.error), "{}", told());
    }
}

#[test]
fn shapes_broadcast_as_in_pytorch() {
    let cases = golden().broadcast;
    assert!(!cases.is_empty());
    for case in cases {
        let (shape, error) = match broadcast_shapes(&case.a, &case.b) {
            Ok(shape) => (Some(shape), None),
            Err(error) => (None, Some(error.to_string())),
        };
        assert_eq!((shape, error), (case.shape, case.error), "{:?} and {:?}", case.a, case.b);
    }
}

#[test]
fn a_view_of_nothing_has_strides_that_exist() {
    let nothing = Layout::contiguous(&[0, 3]).unwrap();
    assert!(nothing.view(&[0, isize::MAX, isize::MAX]).is_err());
    assert!(nothing.reshape(&[isize::MAX, 0, isize::MAX]).is_err());
    assert_eq!(nothing.view(&[5, 0, 7]).unwrap().shape(), [5, 0, 7]);
}
