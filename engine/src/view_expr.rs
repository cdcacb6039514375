//! View expressions as people type them: `x.transpose(0, 1)[::2]`.
//!
//! [`parse`] reads a name followed by method calls and indexing, as Python would. [`ViewExpr::trace`]
//! applies them to a layout, one after the other. Nothing here holds or moves elements.

use crate::error::{Error, Result};
use crate::layout::Layout;

mod reader;
pub(crate) mod suggest;

pub use crate::layout::IndexItem;
pub use reader::parse;

/// One operation on a view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewOp {
    /// `.view(2, 8)`
    View(Vec<isize>),
    /// `.reshape(2, 8)`
    Reshape(Vec<isize>),
    /// `.transpose(0, 1)`
    Transpose(isize, isize),
    /// `.permute(2, 0, 1)`
    Permute(Vec<isize>),
    /// `.T` and `.t()`
    T,
    /// `.mT`
    MatrixT,
    /// `.expand(3, -1)`
    Expand(Vec<isize>),
    /// `.narrow(0, 1, 2)`
    Narrow {
        /// Dimension.
        dim: isize,
        /// First index.
        start: isize,
        /// Number of indices.
        length: isize,
    },
    /// `.select(0, 1)`
    Select {
        /// Dimension, which is dropped.
        dim: isize,
        /// Index in it.
        index: isize,
    },
    /// `.squeeze()`, `.squeeze(0)`
    Squeeze(Option<isize>),
    /// `.unsqueeze(0)`
    Unsqueeze(isize),
    /// `.contiguous()`
    Contiguous,
    /// `[1, ::2]`
    Index(Vec<IndexItem>),
}

/// A parsed expression: operations on the tensor of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewExpr {
    /// What the expression begins with.
    pub name: String,
    /// The operations, in order, each with the text that it was read from.
    pub ops: Vec<(ViewOp, String)>,
}

/// What an operation led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// Another layout over the same storage.
    View(Layout),
    /// The elements that `from` shows were copied, in its order, to a new storage that `to` lies over.
    Copy {
        /// The layout that was copied.
        from: Layout,
        /// The contiguous layout of the copy.
        to: Layout,
    },
}

impl Stage {
    /// The layout after the operation.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        match self {
            Self::View(layout) | Self::Copy { to: layout, .. } => layout,
        }
    }
}

impl ViewExpr {
    /// Applies all operations to `start`: one [`Stage`] for each.
    ///
    /// # Errors
    /// PyTorch's own, from the first operation that PyTorch refuses.
    pub fn trace(&self, start: &Layout) -> Result<Vec<Stage>> {
        let mut stages: Vec<Stage> = Vec::with_capacity(self.ops.len());
        for (op, _) in &self.ops {
            let layout = stages.last().map_or(start, Stage::layout);
            stages.push(op.apply(layout)?);
        }
        Ok(stages)
    }
}

impl ViewOp {
    /// Applies the operation to a layout.
    ///
    /// # Errors
    /// PyTorch's own.
    pub fn apply(&self, x: &Layout) -> Result<Stage> {
        let view = match self {
            Self::View(shape) => x.view(shape)?,
            Self::Reshape(shape) => match x.reshape(shape)? {
                (Some(view), _) => view,
                (None, shape) => return copy(x, &shape),
            },
            Self::Contiguous if x.is_contiguous() => x.clone(),
            Self::Contiguous => return copy(x, x.shape()),
            Self::Transpose(dim0, dim1) => x.transpose(*dim0, *dim1)?,
            Self::Permute(dims) => x.permute(dims)?,
            Self::T if x.rank() > 2 => {
                return Err(Error::shape(
                    "t",
                    format!("t() expects a tensor with <= 2 dimensions, but self is {}D", x.rank()),
                ));
            }
            Self::T if x.rank() < 2 => x.clone(),
            Self::T => x.transpose(0, 1)?,
            Self::MatrixT if x.rank() < 2 => {
                return Err(Error::shape(
                    "mT",
                    format!(
                        "tensor.mT is only supported on matrices or batches of matrices. Got {}-D tensor.",
                        x.rank()
                    ),
                ));
            }
            Self::MatrixT => x.transpose(-2, -1)?,
            Self::Expand(sizes) => x.expand(sizes)?,
            Self::Narrow { dim, start, length } => x.narrow(*dim, *start, *length)?,
            Self::Select { dim, index } => x.select(*dim, *index)?,
            Self::Squeeze(dim) => x.squeeze(*dim)?,
            Self::Unsqueeze(dim) => x.unsqueeze(*dim)?,
            Self::Index(items) => x.index(items)?,
        };
        Ok(Stage::View(view))
    }
}

fn copy(from: &Layout, shape: &[usize]) -> Result<Stage> {
    Ok(Stage::Copy { from: from.clone(), to: Layout::contiguous(shape)? })
}

#[cfg(test)]
mod tests;
