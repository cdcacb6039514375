//! What stands between the brackets of `x[…]`, and which dimension each part of it means.

use super::Layout;
use crate::error::{Error, Result};

/// One item between the brackets of `x[…]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexItem {
    /// `2`, `-1`: takes one element and drops the dimension.
    At(isize),
    /// `start:end:step`.
    Slice {
        /// First index; from the beginning if missing.
        start: Option<isize>,
        /// One past the last index; to the end if missing.
        end: Option<isize>,
        /// Distance, at least 1.
        step: isize,
    },
    /// `None`: a new dimension of size 1.
    NewAxis,
    /// `...`: as many full slices as are missing.
    Ellipsis,
}

/// An item, as far as views go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item {
    /// Makes a view.
    View(IndexItem),
    /// Indices in a tensor, which stand for so many dimensions of the view; for none, a new one is made for them.
    #[cfg_attr(not(feature = "cpu"), expect(dead_code, reason = "indices in tensors need a backend"))]
    Places(usize),
}

/// A view operation, along a dimension of what those before it have left.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Select { dim: isize, index: isize },
    Slice { dim: isize, start: Option<isize>, end: Option<isize>, step: isize },
    NewAxis { dim: isize },
}

/// The view operations that items amount to, and where the indices in tensors begin among the dimensions of the
/// view; with the messages of PyTorch's indexing.
pub(crate) fn steps(shape: &[usize], items: &[Item]) -> Result<(Vec<Step>, Vec<usize>)> {
    let refuse = |message: String| Err(Error::index("__getitem__", message));
    let consumes = |item: &Item| match item {
        Item::View(IndexItem::At(_) | IndexItem::Slice { .. }) => 1,
        Item::View(IndexItem::NewAxis | IndexItem::Ellipsis) => 0,
        Item::Places(dims) => *dims,
    };
    let Some(rest) = shape.len().checked_sub(items.iter().map(consumes).sum()) else {
        return refuse(match items {
            [Item::View(IndexItem::Slice { .. })] if shape.is_empty() => {
                "slice() cannot be applied to a 0-dim tensor.".to_owned()
            }
            [Item::View(IndexItem::At(_))] if shape.is_empty() => {
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to \
                 convert a 0-dim tensor to a number"
                    .to_owned()
            }
            _ => format!("too many indices for tensor of dimension {}", shape.len()),
        });
    };
    let (mut steps, mut places) = (Vec::new(), Vec::new());
    // The dimension of the view and that of the tensor which come next.
    let (mut dim, mut original) = (0isize, 0usize);
    for item in items {
        match *item {
            Item::View(IndexItem::At(index)) => {
                let size = shape.get(original).copied().unwrap_or(0).cast_signed();
                if index < -size || index >= size {
                    return refuse(format!(
                        "index {index} is out of bounds for dimension {original} with size {size}"
                    ));
                }
                steps.push(Step::Select { dim, index });
                original += 1;
            }
            Item::View(IndexItem::Slice { start, end, step }) => {
                steps.push(Step::Slice { dim, start, end, step });
                dim += 1;
                original += 1;
            }
            Item::View(IndexItem::NewAxis) => {
                steps.push(Step::NewAxis { dim });
                dim += 1;
            }
            Item::View(IndexItem::Ellipsis) => {
                dim += rest.cast_signed();
                original += rest;
            }
            Item::Places(dims) => {
                places.push(dim.cast_unsigned());
                if dims == 0 {
                    steps.push(Step::NewAxis { dim });
                }
                dim += dims.max(1).cast_signed();
                original += dims;
            }
        }
    }
    Ok((steps, places))
}

impl Layout {
    /// `x[items]`
    ///
    /// # Errors
    /// With the messages of PyTorch's indexing.
    pub fn index(&self, items: &[IndexItem]) -> Result<Self> {
        let items: Vec<Item> = items.iter().copied().map(Item::View).collect();
        let (steps, _) = steps(self.shape(), &items)?;
        steps.into_iter().try_fold(self.clone(), |x, step| match step {
            Step::Select { dim, index } => x.select(dim, index),
            Step::Slice { dim, start, end, step } => x.slice(dim, start, end, step),
            Step::NewAxis { dim } => x.unsqueeze(dim),
        })
    }
}
