//! Tensors side by side in one storage: what is done to each of them can be done to all at once.

use std::ops::Range;
use std::rc::Rc;

use super::Tensor;
use crate::autograd::{Joint, Node, no_grad};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::ledger::Tag;
use crate::order::order;

/// Elements that kernels read and write together. A tensor that begins at such a multiple is walked by vectors.
const ALIGNMENT: usize = 4;

impl Tensor {
    /// New leaves with the values of `tensors`, side by side in one storage; their gradients will lie side by side
    /// as well, so that an optimizer moves all of them with one kernel. Not a byte lies between them.
    ///
    /// # Errors
    /// If dtypes or devices differ, one is no leaf, or memory does not allow it.
    pub fn pack(tensors: &[Self]) -> Result<Vec<Self>> {
        let Some(first) = tensors.first() else { return Ok(Vec::new()) };
        for tensor in tensors {
            first.same_device("pack", tensor)?;
            if tensor.dtype() != first.dtype() || !tensor.is_leaf() {
                let message = format!("packs leaves of one dtype, but got {first:?} and {tensor:?}");
                return Err(Error::Value { op: "pack", message });
            }
        }
        let total = tensors.iter().map(Self::numel).sum();
        let values = Self::empty(&[total], first.dtype(), first.device())?;
        let gradients = Self::empty(&[total], first.dtype(), first.device())?;
        gradients.set_tag(Tag::Gradient);
        // What would push the others off their alignment comes last.
        let (aligned, others): (Vec<usize>, Vec<usize>) =
            (0..tensors.len()).partition(|&i| tensors[i].numel().is_multiple_of(ALIGNMENT));
        let mut start = 0;
        let mut packed = tensors.to_vec();
        for i in aligned.into_iter().chain(others) {
            let tensor = &tensors[i];
            let end = start + tensor.numel();
            let place = values.part(start..end, tensor.shape())?;
            no_grad(|| place.copy_(tensor))?;
            place.set_requires_grad(tensor.requires_grad())?;
            *place.0.grad_place.borrow_mut() = Some(gradients.part(start..end, tensor.shape())?);
            if let Some(gradient) = tensor.grad() {
                place.accumulate_grad(gradient)?;
            }
            packed[i] = place;
            start = end;
        }
        Ok(packed)
    }

    /// These elements of a flat tensor in another shape, without history.
    pub(crate) fn part(&self, range: Range<usize>, shape: &[usize]) -> Result<Self> {
        let strides = Layout::contiguous(shape)?;
        let layout = Layout::strided(shape, strides.strides(), self.layout().offset() + range.start)?;
        Ok(self.with_layout(layout))
    }

    /// Where it begins: which storage, and where in it.
    pub(crate) fn place(&self) -> (usize, usize) {
        (Rc::as_ptr(&self.0.buffer).addr(), self.layout().offset())
    }

    /// Whether `next` begins in the storage where this tensor ends, both being contiguous.
    fn is_followed_by(&self, next: &Self) -> bool {
        let (here, there) = (self.layout(), next.layout());
        self.shares_storage_with(next)
            && self.dtype() == next.dtype()
            && here.is_contiguous()
            && there.is_contiguous()
            && here.offset() + self.numel() == there.offset()
    }
}

/// Tensors that belong together, such as a parameter, its gradient and its state; all contiguous.
pub(crate) type Row = Vec<Tensor>;

/// Rows of which every tensor follows that of the row before.
fn groups(mut rows: Vec<Row>) -> Vec<Vec<Row>> {
    let place = |row: usize| rows[row].first().map(Tensor::place);
    let order = order(rows.len(), &mut |a, b| place(a).cmp(&place(b)));
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for row in order.into_iter().map(|row| std::mem::take(&mut rows[row])) {
        let follows = |group: &Vec<Row>| {
            let last = group.last().filter(|last| last.len() == row.len());
            last.is_some_and(|last| last.iter().zip(&row).all(|(a, b)| a.is_followed_by(b)))
        };
        match groups.last_mut().filter(|group| follows(group)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// Parameters converted to `dtype`, in their order. Those that lie side by side, as do their gradients, are converted by
/// one kernel, and their gradients come back by one.
pub(crate) fn converted(parameters: &[Tensor], dtype: DType) -> Result<Vec<Tensor>> {
    let mut all: Vec<Option<Tensor>> = vec![None; parameters.len()];
    let packed = parameters.iter().filter(|p| p.is_leaf() && p.dtype() != dtype);
    let rows = packed.filter_map(|p| Some(vec![p.clone(), p.grad_place()?]));
    // What is frozen keeps the gradient that it may have.
    let (trained, frozen): (Vec<Row>, Vec<Row>) = rows.partition(|row| row[0].requires_grad());
    let both = groups(trained).into_iter().chain(groups(frozen));
    for group in both.filter(|group| group.len() > 1) {
        let leaves: Vec<&Tensor> = group.iter().filter_map(|row| row.first()).collect();
        let mut end = 0;
        let parts = leaves.iter().map(|leaf| {
            let start = end;
            end += leaf.numel();
            (start..end, leaf.shape().to_vec())
        });
        let parts: Vec<_> = parts.collect();
        let flat = leaves[0].part(0..end, &[end])?.converted(dtype)?;
        let (from, device) = (leaves[0].dtype(), flat.device().clone());
        let node = Node::record_joint(&leaves, Joint { parts: parts.clone(), from, to: dtype, device });
        for (at, (leaf, (range, shape))) in leaves.iter().zip(parts).enumerate() {
            let node = node.as_ref().map(|node| Node::part_of(node, at));
            let part = flat.part(range, &shape)?.made_by(node);
            if let Some(place) = parameters.iter().position(|p| p.is(leaf)) {
                all[place] = Some(part);
            }
        }
    }
    let whole = |(p, part): (&Tensor, Option<Tensor>)| part.map_or_else(|| p.to_dtype(dtype), Ok);
    parameters.iter().zip(all).map(whole).collect()
}

/// The gradients of parameters in as few tensors as possible: those that lie side by side are one.
pub(crate) fn joined_gradients(params: &[Tensor]) -> Result<Row> {
    let rows = params.iter().filter_map(Tensor::grad).map(|gradient| vec![gradient]).collect();
    Ok(joined(rows)?.concat())
}

/// The same elements in as few rows as possible: rows of which every tensor follows that of another row become
/// one with it, of flat tensors.
pub(crate) fn joined(rows: Vec<Row>) -> Result<Vec<Row>> {
    let flat = |mut group: Vec<Row>| -> Result<Row> {
        if group.len() == 1 {
            return Ok(group.swap_remove(0));
        }
        let numel = group.iter().filter_map(|row| row.first()).map(Tensor::numel).sum();
        group[0].iter().map(|first| first.part(0..numel, &[numel])).collect()
    };
    groups(rows).into_iter().map(flat).collect()
}
