//! Losses: one kernel from predictions to losses, one backward.

use crate::autograd::{self, Node};
use crate::dtype::{DType, result_type};
use crate::error::{Error, Result};
use crate::layout::{broadcast_shapes, join};
use crate::program::{Compute, Expr};
use crate::rows::{self, Rows};
use crate::tensor::Tensor;
use crate::tensor::views::signed;

use super::softmax::{log_softmax, refuse, softmax};

/// How a loss over several examples becomes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossReduction {
    /// One loss per example.
    None,
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
}

impl LossReduction {
    fn of(self, losses: &Tensor) -> Result<Tensor> {
        match self {
            Self::None => Ok(losses.clone()),
            Self::Mean => losses.mean(),
            Self::Sum => losses.sum(),
        }
    }
}

/// `mse_loss(input, target, reduction=reduction)`: the squared differences.
///
/// # Errors
/// If the shapes do not broadcast or nothing is real.
pub fn mse_loss(input: &Tensor, target: &Tensor, reduction: LossReduction) -> Result<Tensor> {
    input.same_device("mse_loss", target)?;
    let dtype = result_type(&[input.as_promoted(), target.as_promoted()])?;
    refuse("mse_cpu", dtype)?;
    let shape = broadcast_shapes(input.shape(), target.shape())?;
    let (a, b) = (input.broadcast_to(&shape)?, target.broadcast_to(&shape)?);
    let compute = Compute::of(dtype);
    let away = |at: usize| Expr::input(at) - Expr::input(at + 1);
    let losses = autograd::no_grad(|| {
        reduction.of(&a.combined(&(away(0) * away(0)).program(compute).named("mse_loss"), &[&b], dtype)?)
    })?;
    // d(a − b)² = 2 (a − b) (da − db), and 1/n of it in a mean.
    let factor = if reduction == LossReduction::Mean { 2.0 / a.numel() as f64 } else { 2.0 };
    let sides = [(&a, factor), (&b, -factor)].map(|(side, factor)| {
        let program = (Expr::input(0) * away(1) * factor).program(compute).named("mse_loss_backward");
        side.requires_grad().then_some((program, side.dtype()))
    });
    let node = Node::record("MseLossBackward0", &[&a, &b], &[&a, &b], move |g, saved| {
        let g = g.broadcast_to(&shape)?;
        let one = |side: &Option<_>| match side {
            Some((program, dtype)) => g.combined_back(program, &[&saved[0], &saved[1]], *dtype).map(Some),
            None => Ok(None),
        };
        sides.iter().map(one).collect()
    });
    Ok(losses.made_by(node))
}

/// The options of [`cross_entropy`], by default PyTorch's; from a [`LossReduction`] all others are.
#[derive(Debug, Clone, Copy)]
pub struct CrossEntropy<'a> {
    /// A weight for each class, `(C,)`.
    pub weight: Option<&'a Tensor>,
    /// The class that does not count.
    pub ignore_index: i64,
    /// What becomes of the losses.
    pub reduction: LossReduction,
    /// How much of the target goes to all classes alike, from 0 to 1.
    pub label_smoothing: f64,
}

impl Default for CrossEntropy<'_> {
    fn default() -> Self {
        LossReduction::Mean.into()
    }
}

impl From<LossReduction> for CrossEntropy<'_> {
    fn from(reduction: LossReduction) -> Self {
        Self { weight: None, ignore_index: -100, reduction, label_smoothing: 0.0 }
    }
}

/// `cross_entropy(logits, target, …)` of logits `(N, C)`, `(N, C, d…)` or `(C,)` and classes `(N,)`, `(N, d…)` or
/// `()`: −ln of the probability that softmax gives to the class. A target of the shape of the logits holds the
/// probabilities of the classes.
///
/// # Errors
/// With PyTorch's message if shapes or dtypes do not fit, or a class is out of bounds; a GPU says that when somebody
/// waits.
pub fn cross_entropy<'a>(
    logits: &Tensor,
    target: &Tensor,
    how: impl Into<CrossEntropy<'a>>,
) -> Result<Tensor> {
    let how = how.into();
    if how.label_smoothing > 1.0 {
        let message = format!("label_smoothing must be between 0.0 and 1.0. Got: {}", how.label_smoothing);
        return Err(Error::shape("cross_entropy", message));
    }
    if logits.shape() == target.shape() {
        of_probabilities(logits, target, how)
    } else {
        of_classes(logits, target, how)
    }
}

/// −Σ w p ln softmax
fn of_probabilities(logits: &Tensor, target: &Tensor, how: CrossEntropy<'_>) -> Result<Tensor> {
    if !target.dtype().is_floating_point() {
        let message = format!(
            "Expected floating point type for target with class probabilities, got {}",
            target.dtype().scalar_type()
        );
        return Err(Error::shape("cross_entropy", message));
    }
    if how.ignore_index >= 0 {
        let message = "ignore_index is not supported for floating point target";
        return Err(Error::shape("cross_entropy", message));
    }
    let dim = class_dim(logits);
    let &classes = logits.shape().get(dim).ok_or_else(|| {
        Error::shape("cross_entropy", "Dimension specified as 1 but tensor has no dimensions")
    })?;
    let mut target = target.clone();
    if how.label_smoothing > 0.0 {
        target = target.mul(1.0 - how.label_smoothing)?.add(how.label_smoothing / classes as f64)?;
    }
    if let Some(weight) = how.weight {
        if weight.shape() != [classes] {
            return Err(Error::shape("cross_entropy", format!("cross_entropy: {}", misfit(weight, classes))));
        }
        let mut shape = vec![1; logits.shape().len()];
        shape[dim] = classes.cast_signed();
        target = target.mul(&weight.view(&shape)?)?;
    }
    let losses = log_softmax(logits, dim.cast_signed())?.mul(&target)?;
    let losses = match how.reduction {
        LossReduction::None => losses.sum_dims(&[dim.cast_signed()], false)?,
        LossReduction::Sum => losses.sum()?,
        LossReduction::Mean => losses.sum()?.div(logits.numel() as f64 / classes as f64)?,
    };
    losses.neg()
}

fn class_dim(logits: &Tensor) -> usize {
    usize::from(logits.shape().len() != 1)
}

fn misfit(weight: &Tensor, classes: usize) -> String {
    format!(
        "weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of \
         shape: [{}]",
        join(weight.shape().iter())
    )
}

/// What PyTorch refuses of logits and classes, in its words.
fn check(logits: &Tensor, target: &Tensor, weight: Option<&Tensor>) -> Result<()> {
    let (shape, of_target) = (logits.shape(), target.shape());
    let list = |shape: &[usize]| join(shape.iter());
    let fault = |message: String| Err(Error::Shape { op: "cross_entropy", message });
    refuse("log_softmax_lastdim_kernel_impl", logits.dtype())?;
    let Some(&classes) = shape.get(class_dim(logits)) else {
        let message = "Dimension out of range (expected to be in range of [-1, 0], but got 1)";
        return Err(Error::index("cross_entropy", message));
    };
    let (batch, targets) = (shape[0], of_target.first().copied().unwrap_or(0));
    match shape.len() {
        1 if of_target.len() == 1 && targets != 1 => {
            return fault(format!(
                "For 1D input, 1D target must have size 1, but got target size: {targets}"
            ));
        }
        2.. if batch != targets => {
            return fault(format!(
                "Expected input batch_size ({batch}) to match target batch_size ({targets})."
            ));
        }
        1 | 2 if of_target.len() > 1 => {
            return fault("0D or 1D target tensor expected, multi-target not supported".into());
        }
        4 if of_target.len() != 3 => {
            return fault(format!(
                "only batches of spatial targets supported (3D tensors) but got targets of dimension: {}",
                of_target.len()
            ));
        }
        4 if of_target[1..] != shape[2..] => {
            // The bracket is PyTorch's.
            return fault(format!(
                "size mismatch (got input: [{}] , target: [{}]",
                list(shape),
                list(of_target)
            ));
        }
        3.. if of_target[1..] != shape[2..] => {
            let want = [&shape[..1], &shape[2..]].concat();
            return fault(format!("Expected target size [{}], got [{}]", list(&want), list(of_target)));
        }
        _ => {}
    }
    let accepts_bytes = shape.len() <= 2;
    match target.dtype() {
        DType::I64 => {}
        DType::U8 if accepts_bytes => {}
        DType::U8 => return fault("expected scalar type Long but found Byte".into()),
        other => {
            return fault(format!(
                "expected target dtype to be Long or Byte, but got {}",
                other.scalar_type()
            ));
        }
    }
    match weight {
        Some(weight) if weight.requires_grad() && autograd::is_grad_enabled() => {
            let name = if accepts_bytes { "nll_loss" } else { "nll_loss2d" };
            Err(Error::Autograd(format!(
                "The function '{name}_forward' is not differentiable with respect to argument 'weight'. This input \
                 cannot have requires_grad True."
            )))
        }
        Some(weight) if weight.shape() != [classes] && accepts_bytes => fault(misfit(weight, classes)),
        Some(weight) if weight.shape() != [classes] => {
            fault("weight tensor should be defined either for all or no classes".into())
        }
        Some(weight) if weight.dtype() != logits.dtype() => fault(format!(
            "expected scalar type {} but found {}",
            logits.dtype().scalar_type(),
            weight.dtype().scalar_type()
        )),
        _ => Ok(()),
    }
}

fn of_classes(logits: &Tensor, target: &Tensor, how: CrossEntropy<'_>) -> Result<Tensor> {
    check(logits, target, how.weight)?;
    let rank = logits.shape().len();
    // The classes of one example as a row.
    let (class, last) = (class_dim(logits).cast_signed(), -1);
    let rows = move |t: &Tensor| t.detach().movedim(&[class], &[last]);
    let rows_of_logits = rows(logits)?;
    let lead = rows_of_logits.shape()[..rank - 1].to_vec();
    let per_row = [lead.as_slice(), &[1]].concat();
    let classes = target.to_dtype(DType::I64)?.reshape(&signed(&per_row))?;
    let weight = how.weight.map(Tensor::detach);
    let op =
        rows::CrossEntropy { ignore_index: how.ignore_index, label_smoothing: how.label_smoothing.max(0.0) };
    let dtype = logits.dtype();
    let kept = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
    let one_each = || Tensor::empty(&per_row, kept, logits.device());
    let (losses, shares, top, log) = (one_each()?, one_each()?, one_each()?, one_each()?);
    Tensor::run_rows(
        Rows::CrossEntropy(op),
        &[Some(&rows_of_logits), Some(&classes), weight.as_ref()],
        &[&losses, &shares, &top, &log],
    )?;
    let (out, total) = match how.reduction {
        LossReduction::None => (losses.view(&signed(&lead))?, None),
        LossReduction::Sum => (losses.sum()?, None),
        LossReduction::Mean => {
            let total = shares.sum()?;
            (losses.sum()?.div(&total)?, Some(total))
        }
    };
    let (has_weight, has_total) = (weight.is_some(), total.is_some());
    let saved: Vec<&Tensor> =
        [logits, &classes, &top, &log].into_iter().chain(&weight).chain(&total).collect();
    let name = if rank > 2 { "NllLoss2DBackward0" } else { "NllLossBackward0" };
    let node = Node::record(name, &[logits], &saved, move |g, saved| {
        let (logits, weight) = (&saved[0], has_weight.then(|| &saved[4]));
        let g = if has_total { g.to_dtype(kept)?.div(&saved[saved.len() - 1])? } else { g.clone() };
        let g = if g.shape() == lead { g.unsqueeze(-1)? } else { g };
        if autograd::creates_graph() {
            let rows_of_logits = logits.movedim(&[class], &[last])?.to_dtype(kept)?;
            let slope = slope(&rows_of_logits, &saved[1], weight, op)?;
            return Ok(vec![Some(slope.mul(&g)?.movedim(&[last], &[class])?.to_dtype(dtype)?)]);
        }
        let dlogits = Tensor::empty(logits.shape(), dtype, logits.device())?;
        Tensor::run_rows(
            Rows::CrossEntropyBackward(op),
            &[Some(&rows(logits)?), Some(&saved[1]), Some(&saved[2]), Some(&saved[3]), Some(&g), weight],
            &[&rows(&dlogits)?],
        )?;
        Ok(vec![Some(dlogits)])
    });
    Ok(out.to_dtype(dtype)?.made_by(node))
}

/// The derivative of the losses of rows by their logits, by recorded operations.
fn slope(
    logits: &Tensor,
    classes: &Tensor,
    weight: Option<&Tensor>,
    op: rows::CrossEntropy,
) -> Result<Tensor> {
    let (count, dtype) = (logits.size(-1)?, logits.dtype());
    // How much of the target each class has, the whole being as much as the row's share.
    let is_class = classes.eq(&Tensor::arange(0, count as i64, 1, None, logits.device())?)?;
    let smooth = op.label_smoothing / count as f64;
    let target = is_class.to_dtype(dtype)?.mul(1.0 - op.label_smoothing)?.add(smooth)?;
    let target = weight.map_or_else(|| Ok(target.clone()), |weight| target.mul(&weight.to_dtype(dtype)?))?;
    let slope = softmax(logits, -1)?.mul(&target.sum_dims(&[-1], true)?)?.sub(&target)?;
    classes.eq(op.ignore_index)?.where_(0.0, &slope)
}
