//! Views against PyTorch: shape, strides, offset, contiguity, and the words of its errors.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

use napkin_engine::layout::broadcast_shapes;
use napkin_engine::{Layout, Result};
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
    serde_json::from_str(include_str!("golden/layouts.json")).unwrap()
}

/// The layout after one operation, and whether it needed a copy.
fn apply(layout: &Layout, op: &[Value]) -> Result<(Layout, bool)> {
    let name = op[0].as_str().unwrap();
    let numbers: Vec<Option<isize>> = op[1..].iter().map(|v| v.as_i64().map(|n| n as isize)).collect();
    let all: Vec<isize> = numbers.iter().map(|n| n.unwrap_or(0)).collect();
    let view = match (name, &all[..]) {
        ("view", sizes) => layout.view(sizes),
        ("reshape", sizes) => {
            let (view, shape) = layout.reshape(sizes)?;
            return match view {
                Some(view) => Ok((view, false)),
                None => Ok((Layout::contiguous(&shape)?, true)),
            };
        }
        ("permute", dims) => layout.permute(dims),
        ("expand", sizes) => layout.expand(sizes),
        ("transpose", &[a, b]) => layout.transpose(a, b),
        ("slice", &[dim, _, _, step]) => layout.slice(dim, numbers[1], numbers[2], step),
        ("select", &[dim, index]) => layout.select(dim, index),
        ("index", &[dim, index]) => layout.index(dim, index),
        ("narrow", &[dim, start, length]) => layout.narrow(dim, start, length),
        ("squeeze", &[]) => layout.squeeze(None),
        ("squeeze", &[dim]) => layout.squeeze(Some(dim)),
        ("unsqueeze", &[dim]) => layout.unsqueeze(dim),
        _ => panic!("{op:?} is no operation of this test"),
    };
    Ok((view?, false))
}

#[test]
fn chains_of_views_end_where_pytorch_ends() {
    let cases = golden().cases;
    assert!(cases.len() >= 300, "{} cases", cases.len());
    for case in cases {
        let told = || format!("torch.empty({:?}) through {:?}", case.shape, case.ops);
        let mut layout = Layout::contiguous(&case.shape).unwrap();
        let mut copied = false;
        let mut error = None;
        for op in &case.ops {
            match apply(&layout, op) {
                Ok((next, copy)) => {
                    layout = next;
                    copied |= copy;
                }
                Err(e) => error = Some(e.to_string()),
            }
        }
        if error.is_some() || case.error.is_some() {
            assert_eq!(error, case.error, "{}", told());
            continue;
        }
        let got = View {
            shape: layout.shape().to_vec(),
            strides: layout.strides().to_vec(),
            offset: layout.offset(),
            contiguous: layout.is_contiguous(),
            copied,
        };
        assert_eq!(Some(got), case.result, "{}", told());
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
