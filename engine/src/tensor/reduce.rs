//! Reductions over dimensions, the derivative of each beside it.

use super::Tensor;
use super::views::signed;
use crate::amp::autocast;
use crate::autograd::{Node, creates_graph};
use crate::backend::Reduction;
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::layout::{Layout, wrap_dim};

/// Which dimensions go, and the shapes before and after.
pub(super) struct Plan {
    /// The dimensions that are combined, ascending.
    axes: Vec<usize>,
    /// The shape with 1 in their place.
    pub(super) kept: Vec<usize>,
    /// The shape of the result.
    shape: Vec<usize>,
    /// Elements that make one of the result.
    count: usize,
}

impl Plan {
    /// No dims means all of them.
    pub(super) fn new(op: &'static str, full: &[usize], dims: &[isize], keepdim: bool) -> Result<Self> {
        let rank = full.len();
        let mut over = vec![dims.is_empty(); rank];
        for &dim in dims {
            let d = wrap_dim(op, dim, rank)?;
            if d < rank && std::mem::replace(&mut over[d], true) {
                return Err(Error::shape(op, format!("dim {d} appears multiple times in the list of dims")));
            }
        }
        let axes: Vec<usize> = (0..rank).filter(|&d| over[d]).collect();
        let kept: Vec<usize> = full.iter().zip(&over).map(|(&n, &o)| if o { 1 } else { n }).collect();
        let shape =
            if keepdim { kept.clone() } else { (0..rank).filter(|&d| !over[d]).map(|d| kept[d]).collect() };
        let count = axes.iter().map(|&d| full[d]).product();
        Ok(Self { axes, kept, shape, count })
    }
}

/// Sums and means.
impl Tensor {
    /// `x.sum()`; of whole numbers and truth values an int64.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sum(&self) -> Result<Self> {
        self.sum_dims(&[], false)
    }

    /// `x.mean()`; NaN for a tensor without elements.
    ///
    /// # Errors
    /// For whole numbers and truth values.
    pub fn mean(&self) -> Result<Self> {
        self.mean_dims(&[], false)
    }

    /// `x.sum(dim=dims, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice.
    pub fn sum_dims(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        let name = if dims.is_empty() { "SumBackward0" } else { "SumBackward1" };
        self.added(name, &Plan::new("sum", self.shape(), dims, keepdim)?, 1.0)
    }

    /// `x.mean(dim=dims, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::sum_dims`], and for whole numbers and truth values.
    pub fn mean_dims(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        if !self.dtype().is_floating_point() {
            let message = format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex \
                 dtype. Got: {}",
                self.dtype().scalar_type()
            );
            return Err(Error::NotImplemented { op: "mean", message });
        }
        let plan = Plan::new("mean", self.shape(), dims, keepdim)?;
        let name = if dims.is_empty() { "MeanBackward0" } else { "MeanBackward1" };
        let scale = 1.0 / plan.count as f64;
        self.added(name, &plan, scale)
    }

    fn added(&self, name: &'static str, plan: &Plan, scale: f64) -> Result<Self> {
        let (full, kept) = (self.shape().to_vec(), signed(&plan.kept));
        // d Σx = Σ dx: every element receives the gradient of its sum, times 1/n for a mean.
        let node = Node::record(name, &[self], &[], move |g, _| {
            let g = if scale == 1.0 { g.clone() } else { g.mul(scale)? };
            Ok(vec![Some(g.reshape(&kept)?.broadcast_to(&full)?)])
        });
        let dtype = if self.dtype().is_floating_point() { self.dtype() } else { DType::I64 };
        Ok(self.combine(Reduction::Sum, plan, scale, dtype)?.made_by(node))
    }

    /// `x.prod()`, or along one dimension; of whole numbers and truth values an int64.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn prod(&self, dim: Option<isize>, keepdim: bool) -> Result<Self> {
        // Autocast leaves a product of many to float32.
        if autocast().is_some() && self.dtype().is_half() {
            return self.to_dtype(DType::F32)?.prod(dim, keepdim);
        }
        let dims: Vec<isize> = dim.into_iter().collect();
        let plan = Plan::new("prod", self.shape(), &dims, keepdim)?;
        let dtype = if self.dtype().is_floating_point() { self.dtype() } else { DType::I64 };
        let out = self.combine(Reduction::Prod, &plan, 1.0, dtype)?;
        let kept = signed(&plan.kept);
        // dΠx / dx is Πx / x, and where something is 0, the product of the others.
        let node = Node::record("ProdBackward0", &[self], &[self, &out], move |g, saved| {
            let (x, g) = (&saved[0], g.reshape(&kept)?);
            if x.shape().is_empty() {
                return Ok(vec![Some(g)]);
            }
            let (lanes, along) =
                dim.map_or_else(|| Ok((x.reshape(&[-1])?, 0)), |dim| Ok((x.clone(), dim)))?;
            if creates_graph() {
                // Whatever is 0: each product without the element, by itself.
                let others = lanes.each_as_one(along)?.prod(Some(-1), false)?.ending_with(along)?;
                return Ok(vec![Some(g.mul(&others.view_or_copy(x.shape())?)?)]);
            }
            let zeros = x.eq(0)?.sum()?;
            let mut others = lanes.product_of_others(along)?.view_or_copy(x.shape())?;
            if dim.is_none() {
                // Not even infinities count where several are 0; along a dimension they do.
                others = zeros.gt(1)?.where_(0.0, &others)?;
            }
            let quotients = saved[1].reshape(&kept)?.div(x)?;
            Ok(vec![Some(g.mul(&zeros.eq(0)?.where_(&quotients, &others)?)?)])
        });
        Ok(out.made_by(node))
    }

    /// For each element the product of those before it along a dimension, times that of those after it.
    fn product_of_others(&self, dim: isize) -> Result<Self> {
        if self.numel() == 0 {
            return Ok(self.clone());
        }
        let before = self.size(dim)?.cast_signed() - 1;
        let one = self.narrow(dim, 0, 1)?.ones_like()?;
        let running = |x: &Self| Self::cat(&[&one, &x.narrow(dim, 0, before)?], dim)?.cumprod(dim);
        running(self)?.mul(&running(&self.flip(&[dim])?)?.flip(&[dim])?)
    }

    /// What lies along a dimension, at the end, once for each of its elements, and 1 in that one's place.
    pub(super) fn each_as_one(&self, dim: isize) -> Result<Self> {
        let x = self.ending_with(dim)?;
        let places = Self::arange(0, x.size(-1)? as i64, 1, None, self.device())?;
        places.unsqueeze(1)?.eq(&places)?.where_(1.0, &x.unsqueeze(-2)?)
    }

    /// With that dimension in the place of the last one; a number as a vector.
    pub(super) fn ending_with(&self, dim: isize) -> Result<Self> {
        self.with_dimension()?.transpose(dim, -1)
    }

    /// `x.amax(dim=dims, keepdim=keepdim)`; no dims means all of them. Equal largest ones share the gradient.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice, or there is nothing to choose from.
    pub fn amax(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        self.extreme_of("amax", "AmaxBackward0", Reduction::Max, dims, keepdim, |x, extreme| x.eq(extreme))
    }

    /// The largest or the smallest of all, under another name.
    pub(super) fn extreme_of_all(&self, op: &'static str, name: &'static str, largest: bool) -> Result<Self> {
        let reduction = if largest { Reduction::Max } else { Reduction::Min };
        self.extreme_of(op, name, reduction, &[], false, Self::places_of)
    }

    /// `x.amin(dim=dims, keepdim=keepdim)`; no dims means all of them. Equal smallest ones share the gradient.
    ///
    /// # Errors
    /// As [`Tensor::amax`].
    pub fn amin(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        self.extreme_of("amin", "AminBackward0", Reduction::Min, dims, keepdim, |x, extreme| x.eq(extreme))
    }

    fn extreme_of(
        &self,
        op: &'static str,
        name: &'static str,
        reduction: Reduction,
        dims: &[isize],
        keepdim: bool,
        mask: fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let plan = Plan::new(op, self.shape(), dims, keepdim)?;
        if plan.count == 0 {
            let rank = self.shape().len();
            let is_empty =
                |dim: &&isize| wrap_dim(op, **dim, rank).is_ok_and(|d| self.shape().get(d) == Some(&0));
            return Err(match dims.iter().find(is_empty) {
                Some(dim) => {
                    Error::index(op, format!("{op}(): Expected reduction dim {dim} to have non-zero size."))
                }
                None => Error::shape(
                    op,
                    format!(
                        "{op}(): Expected reduction dim to be specified for input.numel() == 0. Specify the \
                         reduction dim with the 'dim' argument."
                    ),
                ),
            });
        }
        let out = self.combine(reduction, &plan, 1.0, self.dtype())?;
        let (kept, axes) = (signed(&plan.kept), signed(&plan.axes));
        let node = Node::record(name, &[self], &[self, &out], move |g, saved| {
            let (x, extreme) = (&saved[0], saved[1].reshape(&kept)?);
            let mask = mask(x, &extreme)?.to_dtype(g.dtype())?;
            let share = g.reshape(&kept)?.div(&mask.sum_dims(&axes, true)?)?;
            Ok(vec![Some(mask.mul(&share)?)])
        });
        Ok(out.made_by(node))
    }

    /// `x.any(dim=dims, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice.
    pub fn any(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        let plan = Plan::new("any", self.shape(), dims, keepdim)?;
        self.ne(0)?.combine(Reduction::Max, &plan, 1.0, self.verdict())?.settled(plan.count, false)
    }

    /// `x.all(dim=dims, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice.
    pub fn all(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        let plan = Plan::new("all", self.shape(), dims, keepdim)?;
        self.ne(0)?.combine(Reduction::Min, &plan, 1.0, self.verdict())?.settled(plan.count, true)
    }

    /// The dtype of a verdict: truth values, but uint8 of uint8, which once stood for them.
    fn verdict(&self) -> DType {
        if self.dtype() == DType::U8 { DType::U8 } else { DType::Bool }
    }

    /// What is said of nothing.
    fn settled(self, count: usize, of_nothing: bool) -> Result<Self> {
        if count == 0 { self.full_like(of_nothing) } else { Ok(self) }
    }

    /// `x.var(dim=dims, correction=correction, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::mean_dims`].
    pub fn var(&self, dims: &[isize], correction: f64, keepdim: bool) -> Result<Self> {
        self.spread("VarBackward0", dims, correction, keepdim)
    }

    /// `x.std(dim=dims, correction=correction, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::var`].
    pub fn std(&self, dims: &[isize], correction: f64, keepdim: bool) -> Result<Self> {
        self.spread("StdBackward0", dims, correction, keepdim)
    }

    fn spread(&self, name: &'static str, dims: &[isize], correction: f64, keepdim: bool) -> Result<Self> {
        if self.dtype().category() != Category::Floating {
            let message = "std and var only support floating point and complex dtypes".into();
            return Err(Error::NotImplemented { op: "var", message });
        }
        let plan = Plan::new("var", self.shape(), dims, keepdim)?;
        let (axes, kept) = (signed(&plan.axes), signed(&plan.kept));
        let freedom = (plan.count as f64 - correction).max(0.0);
        let centred = move |x: &Self| {
            // A number is its own mean.
            if axes.is_empty() { x.sub(x) } else { x.sub(&x.mean_dims(&axes, true)?) }
        };
        let x = self.detach();
        let squared = |x: &Self| centred(x).and_then(|away| away.mul(&away));
        // Where there is float64, nothing is rounded in between; the shaders of GPUs have none.
        let within = |dtype| x.to_dtype(dtype).and_then(|wide| squared(&wide));
        let squares = within(DType::F64).or_else(|_| within(DType::F32))?;
        let sum =
            if plan.axes.is_empty() { squares } else { squares.sum_dims(&signed(&plan.axes), keepdim)? };
        let var = sum.div(freedom)?;
        let is_root = name == "StdBackward0";
        let out = if is_root { var.sqrt()? } else { var }.to_dtype(self.dtype())?;
        let node = Node::record(name, &[self], &[self, &out], move |g, saved| {
            let (out, g) = (saved[1].reshape(&kept)?, g.reshape(&kept)?);
            // ∂var/∂x = 2 (x − mean) / freedom; a root of 0 has the gradient 0 and not infinity, as PyTorch has it.
            let g = if is_root { out.eq(0)?.where_(0.0, &g.div(&out.mul(2.0)?)?)? } else { g };
            Ok(vec![Some(centred(&saved[0])?.mul(&g)?.mul(2.0 / freedom)?)])
        });
        Ok(out.made_by(node))
    }

    /// `x.logsumexp(dim=dims, keepdim=keepdim)`: ln Σ eˣ, without overflow.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice.
    pub fn logsumexp(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        if !self.dtype().is_floating_point() {
            return self.to_dtype(DType::standard())?.logsumexp(dims, keepdim);
        }
        if Plan::new("logsumexp", self.shape(), dims, keepdim)?.count == 0 {
            return self.exp()?.sum_dims(dims, keepdim)?.log();
        }
        let largest = self.detach().amax(dims, true)?;
        // Of nothing but infinities the largest is no help.
        let largest = largest.isinf()?.where_(0.0, &largest)?;
        let sum = self.sub(&largest)?.exp()?.sum_dims(dims, keepdim)?.log()?;
        let largest = if keepdim { largest } else { largest.reshape(&signed(sum.shape()))? };
        Ok(sum.add(&largest)?.called("LogsumexpBackward0"))
    }

    /// Combines the dimensions of a plan.
    fn combine(&self, reduction: Reduction, plan: &Plan, scale: f64, dtype: DType) -> Result<Self> {
        let kept: Vec<usize> =
            (0..self.shape().len()).filter(|d| !plan.axes.contains(d)).map(|d| self.shape()[d]).collect();
        let out = Self::empty(&kept, dtype, self.device())?;
        self.device().backend().reduce(reduction, scale, self.operand(), &plan.axes, out.operand())?;
        let name = match reduction {
            Reduction::Sum if scale != 1.0 => "mean",
            Reduction::Sum => "sum",
            Reduction::Prod => "prod",
            Reduction::Max => "amax",
            Reduction::Min => "amin",
        };
        self.device().ledger().ran(name, 0, self.bytes(), out.bytes());
        Ok(out.with_layout(Layout::contiguous(&plan.shape)?))
    }

    /// The sum over the dimensions along which `shape` was broadcast to this tensor's shape.
    pub(crate) fn sum_to(&self, shape: &[usize]) -> Result<Self> {
        if self.shape() == shape {
            return Ok(self.clone());
        }
        let new = self.shape().len() - shape.len();
        let axes: Vec<isize> = (0..self.shape().len())
            .filter(|&d| d < new || (shape[d - new] == 1 && self.shape()[d] != 1))
            .map(usize::cast_signed)
            .collect();
        self.sum_dims(&axes, false)?.view(&signed(shape))
    }
}
