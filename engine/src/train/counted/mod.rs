//! One training step with the ledger on: FLOPs by operation, memory over time, gradients beside finite differences.
//!
//! Nothing here is predicted: a step runs, and what it did is written down.

mod differences;
mod linear;
mod record;
mod spec;
mod transformer;

pub use linear::LinearStep;
pub use record::{Counted, Gradient, Held, Operation, Point, Stage};
pub use spec::{Spec, Step};
pub use transformer::TransformerStep;

use super::{check_loss, refused};
use crate::amp::{GradScaler, GradScalerConfig, compute_copy};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger::Tag;
use crate::nn::Module;
use crate::optim::{Optimizer, ParamGroup, Rule};
use crate::random::Generator;
use crate::tensor::Tensor;
use differences::Reference;

/// What moves the parameters, with PyTorch's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptimizerKind {
    /// SGD.
    Sgd,
    /// SGD with momentum.
    Momentum,
    /// AdaGrad.
    Adagrad,
    /// RMSProp.
    Rmsprop,
    /// AdamW.
    AdamW,
    /// Muon for the matrices within a model, AdamW for the rest.
    Muon,
}

impl OptimizerKind {
    /// All of them, by the names that commands have for them.
    pub const ALL: [(&'static str, Self); 6] = [
        ("sgd", Self::Sgd),
        ("momentum", Self::Momentum),
        ("adagrad", Self::Adagrad),
        ("rmsprop", Self::Rmsprop),
        ("adamw", Self::AdamW),
        ("muon", Self::Muon),
    ];

    /// What moves matrices within the model, and what moves the rest.
    fn rules(self) -> [Rule; 2] {
        let weight_decay = 0.0;
        let adamw = Rule::AdamW { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.01 };
        let both = match self {
            Self::Sgd => Rule::SGD,
            Self::Momentum => Rule::Sgd { momentum: 0.9, dampening: 0.0, nesterov: false, weight_decay },
            Self::Adagrad => Rule::Adagrad { eps: 1e-10, weight_decay },
            Self::Rmsprop => Rule::Rmsprop { alpha: 0.99, eps: 1e-8, weight_decay },
            Self::AdamW => adamw,
            Self::Muon => return [Rule::MUON, adamw],
        };
        [both; 2]
    }
}

/// How a model is trained, whichever it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Training {
    /// What forward and backward compute in, float32, bfloat16 or float16; parameters stay float32.
    pub dtype: DType,
    /// What moves the parameters.
    pub optimizer: OptimizerKind,
    /// Micro-batches of a step, whose gradients are averaged.
    pub accumulate: usize,
    /// Gradients that are compared with differences.
    pub checks: usize,
    /// Seed of parameters and data.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self { dtype: DType::F32, optimizer: OptimizerKind::AdamW, accumulate: 1, checks: 6, seed: 1 }
    }
}

/// A model with its data.
trait Task {
    type Model: Module + Clone;

    /// With float32 parameters.
    fn model(&self, generator: &mut Generator, device: &Device) -> Result<Self::Model>;

    /// Whether Muon moves that parameter.
    fn is_inner_matrix(&self, name: &str, parameter: &Tensor) -> bool;

    /// The data of a micro-batch; numbers that go through the model are of that dtype.
    fn data(&self, generator: &mut Generator, dtype: DType, device: &Device) -> Result<[Tensor; 2]>;

    /// The mean loss of a micro-batch.
    fn loss(&self, model: &Self::Model, data: &[Tensor; 2]) -> Result<Tensor>;
}

/// Steps that are tried at most: float16 skips some until its scale fits.
const MOST_STEPS: usize = 64;

/// So small that the parameters hardly change: what is counted does not depend on it.
const LR: f32 = 1e-5;

/// Takes steps until one has followed another: the first also makes what is there ever after.
async fn count<T: Task>(task: &T, how: Training, device: &Device) -> Result<Counted> {
    let mut model = task.model(&mut Generator::new(how.seed), device)?;
    let mut optimizer = optimizer(task, &mut model, how)?;
    let data = all_data(task, how, how.dtype, device)?;
    data.iter().flatten().for_each(|data| data.set_tag(Tag::Data));
    let scaler = (how.dtype == DType::F16).then(|| GradScaler::new(GradScalerConfig::default()));
    let mut scaler = scaler.transpose()?;
    let mut has_stepped = false;
    for step in 1..=MOST_STEPS {
        optimizer.zero_grad();
        let before = if has_stepped { Some(Reference::new(&model).await?) } else { None };
        device.ledger().reset();
        device.ledger().start_timeline();
        let (loss, is_taken) = take(task, how, &model, &data, &mut optimizer, scaler.as_mut()).await?;
        let timeline = device.ledger().take_timeline();
        if let (Some(reference), Some(timeline), true) = (before, timeline, is_taken) {
            let mut counted = Counted::of(device.ledger(), timeline, model.num_params());
            counted.loss = loss.item().await?.as_f64();
            check_loss(step as u64, counted.loss)?;
            counted.gradients = reference.check(task, how, &mut model).await?;
            counted.worst_error = counted.gradients.iter().map(Gradient::relative_error).fold(0.0, f64::max);
            return Ok(counted);
        }
        has_stepped |= is_taken;
    }
    let message = format!("the gradients do not fit into {} at any scale; try another dtype", how.dtype);
    Err(Error::Value { op: "train", message })
}

/// A step: the loss, and whether the optimizer took it.
async fn take<T: Task>(
    task: &T,
    how: Training,
    model: &T::Model,
    data: &[[Tensor; 2]],
    optimizer: &mut Optimizer,
    scaler: Option<&mut GradScaler>,
) -> Result<(Tensor, bool)> {
    let mut total: Option<Tensor> = None;
    for data in data {
        let copy = if how.dtype == DType::F32 { model.clone() } else { compute_copy(model, how.dtype)? };
        let loss = task.loss(&copy, data)?;
        let loss = if how.accumulate == 1 { loss } else { loss.mul(1.0 / how.accumulate as f64)? };
        match &scaler {
            Some(scaler) => scaler.scale(&loss)?.backward()?,
            None => loss.backward()?,
        }
        let loss = loss.detach();
        total = Some(match total {
            None => loss,
            Some(total) => total.add(&loss)?,
        });
    }
    let total = total.ok_or_else(|| refused("accumulate", 0, "at least 1"))?;
    let is_taken = match scaler {
        None => {
            optimizer.step()?;
            true
        }
        Some(scaler) => {
            let is_taken = scaler.step(optimizer).await?;
            scaler.update()?;
            is_taken
        }
    };
    Ok((total, is_taken))
}

/// The micro-batches of every step, the same on every device but for rounding.
fn all_data<T: Task>(task: &T, how: Training, dtype: DType, device: &Device) -> Result<Vec<[Tensor; 2]>> {
    let mut generator = Generator::new(how.seed.wrapping_add(1));
    (0..how.accumulate).map(|_| task.data(&mut generator, dtype, device)).collect()
}

fn optimizer<T: Task>(task: &T, model: &mut T::Model, how: Training) -> Result<Optimizer> {
    let named = model.named_parameters();
    let (inner, rest): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|(name, parameter)| task.is_inner_matrix(name, parameter));
    let [of_inner, of_rest] = how.optimizer.rules();
    let group = |params: Vec<(String, Tensor)>, rule| {
        let params = params.into_iter().map(|(_, parameter)| parameter).collect();
        ParamGroup { params, rule, lr: LR }
    };
    Optimizer::with_groups(vec![group(inner, of_inner), group(rest, of_rest)])
}

/// What a step of one example costs, by the shapes of the model.
struct Cost {
    parameters: u128,
    /// Multiplications of a forward pass.
    products: u128,
    /// Values that are kept for a backward pass.
    activations: u128,
}

/// A counted step takes seconds and some hundreds of megabytes at most, in a browser too.
const MOST: [(&str, u128); 3] =
    [("parameters", 1 << 25), ("multiplications", 1 << 32), ("values of activations", 1 << 26)];

impl Training {
    /// Refuses sizes that a step to look at does not need: those of micro-batches of `batch` examples, or, where even one
    /// is too many, of the model, by that size.
    fn check(self, (name, size): (&str, usize), batch: usize, cost: &Cost) -> Result<()> {
        if !matches!(self.dtype, DType::F32 | DType::F16 | DType::BF16) {
            return Err(refused("dtype", self.dtype, "float32, float16 or bfloat16"));
        }
        let (batch, accumulate) = (batch as u128, self.accumulate as u128);
        let all = [(cost.parameters, 1), (cost.products * accumulate, batch), (cost.activations, batch)];
        for ((each, batch), (what, most)) in all.into_iter().zip(MOST) {
            let fits = most / each.max(1);
            if fits == 0 {
                let rule =
                    format!("smaller beside the other sizes: a counted step has at most {most} {what}");
                return Err(refused(name, size, &rule));
            }
            if batch > fits {
                let rule = format!(
                    "at most {fits} beside the other sizes: a counted step has at most {most} {what}"
                );
                return Err(refused("batch", batch, &rule));
            }
        }
        Ok(())
    }
}

/// Refuses a size out of its range.
fn check_sizes(sizes: &[(&str, usize, usize)]) -> Result<()> {
    match sizes.iter().find(|(_, got, most)| !(1..=*most).contains(got)) {
        None => Ok(()),
        Some((name, got, most)) => Err(refused(name, got, &format!("from 1 to {most}"))),
    }
}
