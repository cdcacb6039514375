//! Places in a tensor that index tensors name together: one linear index over the dimensions they stand for.

use super::Tensor;
use super::views::signed;
use crate::DType;
use crate::autograd::{Node, no_grad};
use crate::error::{Error, Result};
use crate::layout::broadcast_shapes;

/// Where index tensors lead in tensors of one shape.
#[derive(Clone)]
pub(super) struct Places {
    /// The order of the dimensions that puts the indexed ones first.
    order: Vec<isize>,
    /// Sizes of the indexed dimensions.
    indexed: Vec<usize>,
    /// Sizes of the others.
    rest: Vec<usize>,
    /// What the index tensors broadcast to.
    block: Vec<usize>,
    /// Where the block stands in the result: in the place of the indexed dimensions if they are neighbours, else
    /// at the beginning.
    at: usize,
    /// A vector of int64: the place of each element of the block among the indexed dimensions in row-major order.
    linear: Tensor,
}

impl Places {
    /// Of a tensor of that shape; `along` has an int64 tensor, or none, for each dimension, and one at least. What is
    /// out of bounds is told by the number of the index tensor, or that of the dimension if it was to be written.
    pub(super) fn new(shape: &[usize], along: Vec<Option<Tensor>>, writes: bool) -> Result<Self> {
        let (mut order, mut rest, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let mut given: Vec<(usize, Tensor)> = Vec::new();
        for (d, index) in along.into_iter().enumerate() {
            match index {
                Some(index) => {
                    order.push(d.cast_signed());
                    given.push((shape[d], index));
                }
                None => {
                    others.push(d.cast_signed());
                    rest.push(shape[d]);
                }
            }
        }
        let first = order.first().map_or(0, |d| d.cast_unsigned());
        let are_neighbours = order.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        order.extend(others);
        let block =
            given.iter().try_fold(Vec::new(), |all, (_, index)| broadcast_shapes(&all, index.shape()));
        let block = block.map_err(|_| {
            let shapes: Vec<String> = given
                .iter()
                .map(|(_, index)| format!("[{}]", crate::layout::join(index.shape().iter())))
                .collect();
            let message = format!(
                "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                shapes.join(", ")
            );
            Error::index("index", message)
        })?;
        let mut linear: Option<Tensor> = None;
        for (number, (size, index)) in given.iter().enumerate() {
            let number = if writes { order[number].cast_unsigned() } else { number };
            let index = index.wrapped_index(*size, |at| {
                format!("index {at} is out of bounds for dimension {number} with size {size}")
            })?;
            linear = Some(match linear {
                None => index,
                Some(outer) => outer.mul(*size as i64)?.add(&index)?,
            });
        }
        let Some(linear) = linear else {
            return Err(Error::shape("index", "at least one index tensor is needed"));
        };
        let linear = linear.broadcast_to(&block)?.reshape(&[count(&block)])?;
        let indexed = given.iter().map(|(size, _)| *size).collect();
        Ok(Self { order, indexed, rest, block, at: if are_neighbours { first } else { 0 }, linear })
    }

    /// The shape of what is taken.
    pub(super) fn shape(&self) -> Vec<usize> {
        let (before, after) = self.rest.split_at(self.at);
        [before, &self.block, after].concat()
    }

    /// The order of dimensions that moves the block from the beginning to where it belongs.
    fn settled(&self) -> Vec<isize> {
        let (block, rest) = (self.block.len(), self.rest.len());
        let (before, after) = ((block..block + self.at), (block + self.at..block + rest));
        before.chain(0..block).chain(after).map(usize::cast_signed).collect()
    }

    /// The linear index along the first of `(indexed, rest…)`, once for each of the rest.
    fn index(&self) -> Result<Tensor> {
        let mut shape = vec![1; 1 + self.rest.len()];
        shape[0] = self.linear.numel().cast_signed();
        let full = [&[self.linear.numel()], self.rest.as_slice()].concat();
        self.linear.view(&shape)?.broadcast_to(&full)
    }

    /// A tensor with all indexed dimensions as one in front; a view where there is one.
    fn flat(&self, x: &Tensor) -> Result<Tensor> {
        x.permute(&self.order)?.view_or_copy(&self.flat_shape())
    }

    /// The elements at these places; the name is that of the recorded operation.
    pub(super) fn take(&self, name: &'static str, x: &Tensor) -> Result<Tensor> {
        let places = self.clone();
        let shape = x.shape().to_vec();
        let node = Node::record(name, &[x], &[], move |g, _| {
            let zeros = Tensor::zeros(&shape, g.dtype(), g.device())?;
            Ok(vec![Some(places.put(&zeros, g, true)?)])
        });
        let taken = no_grad(|| self.taken(&x.detach()))?;
        Ok(taken.made_by(node))
    }

    fn taken(&self, x: &Tensor) -> Result<Tensor> {
        let (flat, index) = (self.flat(x)?, self.index()?);
        let out = Tensor::empty(index.shape(), x.dtype(), x.device())?;
        x.device().backend().gather(flat.operand(), index.operand(), 0, out.operand())?;
        x.device().ledger().ran("index", 0, out.bytes() + self.linear.bytes(), out.bytes());
        let block = [self.block.as_slice(), &self.rest].concat();
        Ok(out.view_or_copy(&block)?.permute(&self.settled())?.contiguous()?.detach())
    }

    /// A copy of x with values at these places, or with them added there.
    pub(super) fn put(&self, x: &Tensor, values: &Tensor, accumulate: bool) -> Result<Tensor> {
        if values.dtype() != x.dtype() {
            let (to, from) = (x.dtype().scalar_type(), values.dtype().scalar_type());
            let message = format!(
                "Index put requires the source and destination dtypes match, got {to} for the destination and {from} \
                 for the source."
            );
            return Err(Error::DType { op: "index_put", message });
        }
        let shape = self.shape();
        if broadcast_shapes(&shape, values.shape()).ok().as_ref() != Some(&shape) {
            let join = |shape: &[usize]| crate::layout::join(shape.iter());
            let message = format!(
                "shape mismatch: value tensor of shape [{}] cannot be broadcast to indexing result of shape [{}]",
                join(values.shape()),
                join(&shape)
            );
            return Err(Error::shape("index_put", message));
        }
        let (places, given) = (self.clone(), values.shape().to_vec());
        // The values receive the gradients of the places where they are; what was overwritten receives none.
        let node = Node::record("IndexPutBackward0", &[x, values], &[], move |g, _| {
            let of_values = places.take("IndexBackward0", g)?.sum_to(&given)?;
            let of_x = if accumulate {
                g.clone()
            } else {
                places.put(g, &Tensor::zeros(&[], g.dtype(), g.device())?, false)?
            };
            Ok(vec![Some(of_x), Some(of_values)])
        });
        let out = no_grad(|| self.written(&x.detach(), &values.detach(), accumulate))?;
        Ok(out.made_by(node))
    }

    fn written(&self, x: &Tensor, values: &Tensor, accumulate: bool) -> Result<Tensor> {
        // The copy lies in the order in which it is written.
        let ordered = x.permute(&self.order)?.duplicate()?;
        let (flat, index) = (ordered.view(&signed(&self.flat_shape()))?, self.index()?);
        let mut inverse = vec![0; self.block.len() + self.rest.len()];
        for (new, &old) in self.settled().iter().enumerate() {
            inverse[old.cast_unsigned()] = new.cast_signed();
        }
        let values = values.broadcast_to(&self.shape())?.permute(&inverse)?.view_or_copy(index.shape())?;
        let backend = x.device().backend();
        if accumulate {
            backend.scatter_add(flat.operand(), index.operand(), values.operand(), 0)?;
        } else {
            backend.scatter(flat.operand(), index.operand(), values.operand(), 0)?;
        }
        x.device().ledger().ran("index_put_", 0, values.bytes() + self.linear.bytes(), values.bytes());
        let mut back = vec![0; self.order.len()];
        for (new, &old) in self.order.iter().enumerate() {
            back[old.cast_unsigned()] = new.cast_signed();
        }
        Ok(ordered.permute(&back)?.detach())
    }

    fn flat_shape(&self) -> Vec<usize> {
        [&[self.indexed.iter().product()], self.rest.as_slice()].concat()
    }
}

fn count(shape: &[usize]) -> isize {
    shape.iter().product::<usize>().cast_signed()
}

impl Tensor {
    /// `self.reshape(shape)` of a shape of as many elements.
    pub(super) fn view_or_copy(&self, shape: &[usize]) -> Result<Self> {
        self.reshape(&signed(shape))
    }

    /// Indices below `size` as they are, negative ones counted from there; others are refused as by
    /// [`Tensor::check_bounds`].
    pub(super) fn wrapped_index(&self, size: usize, refusal: impl Fn(i64) -> String) -> Result<Self> {
        let size = size as i64;
        self.check_bounds(-size..size, refusal)?;
        self.lt(0)?.where_(&self.add(size)?, self)
    }

    /// Refuses indices out of a range, in these words: on the CPU. Elsewhere that would need waiting; there the
    /// kernel that meets them knows.
    pub(super) fn check_bounds(
        &self,
        range: std::ops::Range<i64>,
        refusal: impl Fn(i64) -> String,
    ) -> Result<()> {
        let Some(values) = self.values_at_hand()? else { return Ok(()) };
        match values.into_iter().find(|index| !range.contains(index)) {
            Some(index) => Err(Error::index("index", refusal(index))),
            None => Ok(()),
        }
    }

    /// Whole numbers that need no waiting: those on the CPU.
    fn values_at_hand(&self) -> Result<Option<Vec<i64>>> {
        if self.device().backend().device_type() != "cpu" {
            return Ok(None);
        }
        super::values::at_once(self.numbers(crate::Scalar::as_i64)).transpose()
    }

    /// Where this is true, an index vector for each dimension, in row-major order of the elements. Waits for the
    /// device.
    pub(super) async fn true_places(&self) -> Result<Vec<Self>> {
        let is_true = self.numbers(|value| value.as_f64() != 0.0).await?;
        let count = is_true.iter().filter(|&&is_true| is_true).count();
        let mut stride = self.numel();
        let column = |&size: &usize| {
            stride /= size.max(1);
            let all = is_true.iter().enumerate().filter(|&(_, &is_true)| is_true);
            let places = all.map(|(i, _)| crate::Scalar::Int((i / stride % size) as i64));
            Self::from_values(places, &[count], DType::I64, self.device())
        };
        self.shape().iter().map(column).collect()
    }

    /// `torch.nonzero(self)`: the index of each element that is not 0, as rows of an int64 matrix. Waits for the
    /// device, which alone knows how many there are.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn nonzero(&self) -> Result<Self> {
        if self.shape().is_empty() {
            let count = usize::from(self.item().await?.as_f64() != 0.0);
            return Self::empty(&[count, 0], DType::I64, self.device());
        }
        let columns = self.true_places().await?;
        Self::stack(&columns.iter().collect::<Vec<_>>(), 1)
    }

    /// `torch.nonzero(self, as_tuple=True)`: a vector for each dimension, so that `x[x.nonzero(as_tuple=True)]` takes
    /// the elements. Waits as [`Tensor::nonzero`].
    ///
    /// # Errors
    /// If the device fails.
    pub async fn nonzero_as_tuple(&self) -> Result<Vec<Self>> {
        if self.shape().is_empty() {
            self.unsqueeze(0)?.true_places().await
        } else {
            self.true_places().await
        }
    }
}
