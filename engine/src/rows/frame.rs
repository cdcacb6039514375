//! How many rows a kernel looks at, how long they are, and where each operand has them.

use super::Rows;
use crate::backend::Operand;
use crate::{Error, Result};

/// The rows of one kernel: how many, how long, and of which shape.
pub(crate) struct Frame {
    /// Sizes of the dimensions before the last.
    pub(crate) lead: Vec<usize>,
    /// Elements per row.
    pub(crate) columns: usize,
}

/// Where an operand's elements are, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) offset: usize,
    /// One for each dimension before the last.
    pub(crate) strides: Vec<usize>,
    /// Step from a column to the next.
    pub(crate) column: usize,
}

impl Frame {
    /// The frame of the operation's first operand.
    pub(crate) fn of(op: Rows, first: Operand<'_>) -> Result<Self> {
        match first.layout.shape().split_last() {
            Some((&columns, lead)) => Ok(Self { lead: lead.to_vec(), columns }),
            None => Err(Error::Shape { op: op.name(), message: "a number has no rows".into() }),
        }
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.lead.iter().product()
    }

    /// Rows of one matrix, whose index a causal mask looks at.
    pub(crate) fn height(&self) -> usize {
        self.lead.last().copied().unwrap_or(1)
    }

    /// The operand's place when it is broadcast to the frame.
    pub(crate) fn place(&self, op: Rows, operand: Operand<'_>) -> Result<Place> {
        let (shape, have) = (operand.layout.shape(), operand.layout.strides());
        let rank = self.lead.len() + 1;
        let sizes = self.lead.iter().chain([&self.columns]);
        let new = rank.checked_sub(shape.len()).ok_or_else(|| self.misfit(op, shape))?;
        let mut strides = vec![0; rank];
        for (d, &size) in sizes.enumerate().skip(new) {
            match shape[d - new] {
                n if n == size => strides[d] = have[d - new],
                1 => {}
                _ => return Err(self.misfit(op, shape)),
            }
        }
        let column = strides.pop().unwrap_or(0);
        Ok(Place { offset: operand.layout.offset(), strides, column })
    }

    fn misfit(&self, op: Rows, shape: &[usize]) -> Error {
        let message =
            format!("an operand of shape {shape:?} beside rows {:?} of {} elements", self.lead, self.columns);
        Error::Shape { op: op.name(), message }
    }

    /// Where that row of an operand starts.
    pub(crate) fn start(&self, place: &Place, mut row: usize) -> usize {
        let mut at = place.offset;
        for (&size, &stride) in self.lead.iter().zip(&place.strides).rev() {
            at += row % size * stride;
            row /= size;
        }
        at
    }
}

/// The operands of a call by their places in the list of [`Rows`].
pub(crate) struct Operands<'a> {
    op: Rows,
    inputs: &'a [Option<Operand<'a>>],
    outputs: &'a [Operand<'a>],
}

impl<'a> Operands<'a> {
    pub(crate) fn new(op: Rows, inputs: &'a [Option<Operand<'a>>], outputs: &'a [Operand<'a>]) -> Self {
        Self { op, inputs, outputs }
    }

    pub(crate) fn input(&self, at: usize) -> Result<Operand<'a>> {
        self.optional(at).ok_or_else(|| self.missing("input", at))
    }

    pub(crate) fn optional(&self, at: usize) -> Option<Operand<'a>> {
        self.inputs.get(at).copied().flatten()
    }

    pub(crate) fn output(&self, at: usize) -> Result<Operand<'a>> {
        self.outputs.get(at).copied().ok_or_else(|| self.missing("output", at))
    }

    pub(crate) fn missing(&self, what: &str, at: usize) -> Error {
        Error::Value { op: self.op.name(), message: format!("{what} {at} is missing") }
    }
}
