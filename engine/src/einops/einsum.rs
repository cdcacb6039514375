//! Contractions: products of tensors, summed over the indices that the result does not have.

use std::collections::BTreeMap;
use std::fmt;

use super::equation::{Equation, Subscript};
use crate::error::{Error, Result};
use crate::{DType, Tensor};

/// What a sum runs over. The order is that of PyTorch's implicit output.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Index {
    /// A dimension under the ellipsis, counted in the operand where it covers most.
    Covered(usize),
    /// A named one.
    Label(String),
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Covered(at) => write!(f, "...{at}"),
            Self::Label(name) => f.write_str(name),
        }
    }
}

/// A tensor and the index of each of its dimensions.
#[derive(Clone)]
struct Operand {
    tensor: Tensor,
    indices: Vec<Index>,
}

/// The sum of products that `equation` says, of as many tensors as it has inputs.
///
/// # Errors
/// With PyTorch's message if the shapes or the number of tensors do not fit.
pub(super) fn einsum(equation: &Equation, tensors: &[&Tensor]) -> Result<Tensor> {
    if equation.inputs.len() != tensors.len() {
        let what = if tensors.len() < equation.inputs.len() { "fewer" } else { "more" };
        return fault(format!("{what} operands were provided than specified in the equation"));
    }
    let covered = most_covered(equation, tensors)?;
    let mut operands = Vec::new();
    for (tensor, subscripts) in tensors.iter().zip(&equation.inputs) {
        let labels = subscripts.iter().filter(|s| **s != Subscript::Ellipsis).count();
        let own = tensor.shape().len() - labels;
        // Dimensions under an ellipsis are aligned at the last one.
        operands
            .push(Operand { tensor: (*tensor).clone(), indices: spread(subscripts, covered - own, covered) });
    }
    let output = output(equation, &operands, covered)?;
    let mut sizes = BTreeMap::new();
    for (i, operand) in operands.iter_mut().enumerate() {
        operand.check(i, &mut sizes)?;
        *operand = operand.diagonals()?;
    }
    contract(&operands, &output, &sizes)
}

/// How many dimensions the ellipsis stands for in the operand where it covers most.
fn most_covered(equation: &Equation, tensors: &[&Tensor]) -> Result<usize> {
    let mut most = 0;
    for (i, (subscripts, tensor)) in equation.inputs.iter().zip(tensors).enumerate() {
        let labels = subscripts.iter().filter(|s| **s != Subscript::Ellipsis).count();
        let rank = tensor.shape().len();
        let has_ellipsis = subscripts.contains(&Subscript::Ellipsis);
        if labels > rank || (labels < rank && !has_ellipsis) {
            let (relation, end) = if has_ellipsis {
                ("is more than", "")
            } else {
                ("does not match", " and no ellipsis was given")
            };
            return fault(format!(
                "the number of subscripts in the equation ({labels}) {relation} the number of dimensions \
                 ({rank}) for operand {i}{end}"
            ));
        }
        most = most.max(rank - labels);
    }
    Ok(most)
}

/// The indices of a list whose ellipsis covers `first..end`.
fn spread(subscripts: &[Subscript], first: usize, end: usize) -> Vec<Index> {
    let one = |subscript: &Subscript| match subscript {
        Subscript::Label(name) => vec![Index::Label(name.clone())],
        Subscript::Ellipsis => (first..end).map(Index::Covered).collect(),
    };
    subscripts.iter().flat_map(one).collect()
}

/// The indices of the result.
fn output(equation: &Equation, operands: &[Operand], covered: usize) -> Result<Vec<Index>> {
    let mut counts: BTreeMap<&Index, usize> = BTreeMap::new();
    for index in operands.iter().flat_map(|operand| &operand.indices) {
        *counts.entry(index).or_default() += 1;
    }
    let Some(subscripts) = &equation.output else {
        let stays = |(index, count): &(&Index, usize)| *count == 1 || matches!(index, Index::Covered(_));
        return Ok(counts.into_iter().filter(stays).map(|(index, _)| index.clone()).collect());
    };
    let indices = spread(subscripts, 0, covered);
    for (i, index) in indices.iter().enumerate() {
        if indices.iter().take(i).any(|earlier| earlier == index) {
            return fault(format!("output subscript {index} appears more than once in the output"));
        }
        if !counts.contains_key(index) {
            return fault(format!(
                "output subscript {index} does not appear in the equation for any input operand"
            ));
        }
    }
    Ok(indices)
}

/// Multiplies from the first operand to the last, summing each index as soon as nothing needs it any more.
fn contract(operands: &[Operand], output: &[Index], sizes: &BTreeMap<Index, usize>) -> Result<Tensor> {
    let is_single = operands.len() == 1;
    let mut uses: BTreeMap<Index, usize> = BTreeMap::new();
    for (index, _) in operands.iter().flat_map(Operand::dims).filter(|(_, size)| *size != 1) {
        *uses.entry(index.clone()).or_default() += 1;
    }
    let is_lone = |index: &Index, size| {
        !output.contains(index) && (is_single || (size != 1 && uses.get(index).is_some_and(|n| *n == 1)))
    };
    let trimmed = operands.iter().map(|operand| operand.without(is_lone)?.without_units());
    let trimmed = trimmed.collect::<Result<Vec<_>>>()?;
    let mut rest = trimmed.iter();
    let Some(mut product) = rest.next().cloned() else {
        return fault("must provide at least one operand");
    };
    while let Some(next) = rest.next() {
        let later = rest.as_slice();
        let is_needed = |index: &Index| {
            output.contains(index) || later.iter().any(|operand| operand.indices.contains(index))
        };
        product = product.times(next, is_needed)?;
    }
    let present: Vec<&Index> = output.iter().filter(|index| product.indices.contains(index)).collect();
    let size = |index| sizes.get(index).copied().unwrap_or(1).cast_signed();
    product.arranged(&present)?.reshape(&output.iter().map(size).collect::<Vec<_>>())
}

impl Operand {
    fn dims(&self) -> impl Iterator<Item = (&Index, usize)> {
        self.indices.iter().zip(self.tensor.shape().iter().copied())
    }

    fn size(&self, index: &Index) -> usize {
        self.dims().find(|(own, _)| *own == index).map_or(1, |(_, size)| size)
    }

    /// Whether its sizes fit those of the operands before it, which `sizes` gathers.
    fn check(&self, number: usize, sizes: &mut BTreeMap<Index, usize>) -> Result<()> {
        let mut own: BTreeMap<&Index, usize> = BTreeMap::new();
        for (d, (index, size)) in self.dims().enumerate() {
            if let Some(first) = own.insert(index, size).filter(|first| *first != size) {
                return fault(format!(
                    "subscript {index} is repeated for operand {number} but the sizes don't match, {size} != {first}"
                ));
            }
            let seen = sizes.entry(index.clone()).or_insert(size);
            if *seen == 1 {
                *seen = size;
            }
            if size != 1 && size != *seen {
                return fault(match index {
                    Index::Label(_) => format!(
                        "subscript {index} has size {size} for operand {number} which does not broadcast with \
                         previously seen size {seen}"
                    ),
                    Index::Covered(_) => format!(
                        "dimension {d} covered by ellipsis in operand {number} has size {size} which does not \
                         broadcast with previously seen ellipsis with size {seen} for the respective dimension"
                    ),
                });
            }
        }
        Ok(())
    }

    /// Every index once: of an index that stands twice, the diagonal.
    fn diagonals(&self) -> Result<Self> {
        let mut out = self.clone();
        loop {
            let twice = out.indices.iter().enumerate().find_map(|(second, index)| {
                let first = out.indices.iter().take(second).position(|other| other == index)?;
                Some((first, second, index.clone()))
            });
            let Some((first, second, index)) = twice else { return Ok(out) };
            let others: Vec<usize> =
                (0..out.indices.len()).filter(|d| ![first, second].contains(d)).collect();
            let order: Vec<isize> = others.iter().chain([&first, &second]).map(|d| d.cast_signed()).collect();
            let n = out.size(&index).cast_signed();
            let pairs = out.tensor.permute(&order)?;
            let mut shape: Vec<isize> = pairs.shape().iter().map(|n| n.cast_signed()).collect();
            shape.truncate(others.len());
            shape.push(n * n);
            // Of n·n elements in a row, those of the diagonal are n + 1 apart.
            out.tensor = pairs.reshape(&shape)?.slice(-1, None, None, n + 1)?;
            out.indices = others.iter().filter_map(|&d| out.indices.get(d).cloned()).chain([index]).collect();
        }
    }

    /// Sums over the dimensions of which `goes` is true.
    fn without(&self, goes: impl Fn(&Index, usize) -> bool) -> Result<Self> {
        let (mut dims, mut indices) = (Vec::new(), Vec::new());
        for (d, (index, size)) in self.dims().enumerate() {
            if goes(index, size) {
                dims.push(d.cast_signed());
            } else {
                indices.push(index.clone());
            }
        }
        if dims.is_empty() {
            return Ok(self.clone());
        }
        Ok(Self { tensor: self.tensor.sum_dims(&dims, false)?, indices })
    }

    /// Without the dimensions of size 1: in a product they say nothing, and the result gets them back.
    fn without_units(&self) -> Result<Self> {
        let long = self.dims().filter(|(_, size)| *size != 1);
        let (indices, shape): (Vec<Index>, Vec<isize>) =
            long.map(|(index, size)| (index.clone(), size.cast_signed())).unzip();
        if indices.len() == self.indices.len() {
            return Ok(self.clone());
        }
        Ok(Self { tensor: self.tensor.reshape(&shape)?, indices })
    }

    /// The tensor with its dimensions in the order of `indices`, which are all of its own.
    fn arranged(&self, indices: &[&Index]) -> Result<Tensor> {
        let place = |index: &&Index| self.indices.iter().position(|own| own == *index);
        let order: Vec<isize> = indices.iter().filter_map(place).map(usize::cast_signed).collect();
        self.tensor.permute(&order)
    }

    /// The product with `other`, summed over the indices of both that nothing needs any more.
    fn times(&self, other: &Self, is_needed: impl Fn(&Index) -> bool) -> Result<Self> {
        let (common, rows): (Vec<&Index>, Vec<&Index>) =
            self.indices.iter().partition(|index| other.indices.contains(index));
        let (batch, summed): (Vec<&Index>, Vec<&Index>) = common.iter().partition(|index| is_needed(index));
        let columns: Vec<&Index> = other.indices.iter().filter(|index| !common.contains(index)).collect();
        let sizes = |of: &Self, indices: &[&Index]| -> Vec<isize> {
            indices.iter().map(|index| of.size(index).cast_signed()).collect()
        };
        let (b, m, n) = (sizes(self, &batch), sizes(self, &rows), sizes(other, &columns));
        let tensor = if summed.is_empty() {
            // Nothing is summed: elementwise, the rows of one beside the columns of the other.
            let a = self.arranged(&[batch.as_slice(), &rows].concat())?;
            let c = other.arranged(&[batch.as_slice(), &columns].concat())?;
            let a = a.reshape(&[b.as_slice(), &m, &vec![1; n.len()]].concat())?;
            a.mul(&c.reshape(&[b.as_slice(), &vec![1; m.len()], &n].concat())?)?
        } else {
            let a = self.arranged(&[batch.as_slice(), &rows, &summed].concat())?;
            let c = other.arranged(&[batch.as_slice(), &summed, &columns].concat())?;
            if a.dtype() == DType::Bool && c.dtype() == DType::Bool {
                return Err(Error::not_implemented("einsum", "bmm", "Bool"));
            }
            let count = |sizes: &[isize]| sizes.iter().product::<isize>();
            let k = count(&sizes(self, &summed));
            let a = a.reshape(&[count(&b), count(&m), k])?;
            let product = a.matmul(&c.reshape(&[count(&b), k, count(&n)])?)?;
            product.reshape(&[b, m, n].concat())?
        };
        Ok(Self { tensor, indices: [batch, rows, columns].concat().into_iter().cloned().collect() })
    }
}

fn fault<T>(message: impl fmt::Display) -> Result<T> {
    Err(Error::shape("einsum", format!("einsum(): {message}")))
}
