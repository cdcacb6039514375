//! Mixed precision (Micikevicius et al. 2018): float32 parameters, a copy of them in half precision to compute with, and
//! a loss scaled so that small gradients survive there.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::autograd::no_grad;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger::{Phase, Tag, during};
use crate::nn::Module;
use crate::optim::Optimizer;
use crate::tensor::{Tensor, converted, joined_gradients};

/// The model with every parameter converted to `dtype`, for one forward and backward pass: gradients flow through the
/// conversion to the parameters of `model`, in their own dtype. Those of a packed model ([`Module::pack`]) are converted
/// by one kernel, and their gradients by another.
///
/// # Errors
/// If memory does not allow it.
pub fn compute_copy<M: Module + Clone>(model: &M, dtype: DType) -> Result<M> {
    let mut copy = model.clone();
    let made = converted(&copy.parameters(), dtype)?;
    made.iter().filter(|t| t.tag() == Tag::Temporary).for_each(|t| t.set_tag(Tag::Copy));
    let mut made = made.into_iter();
    copy.replace_parameters(&mut |_, parameter| made.next().map_or_else(|| parameter.to_dtype(dtype), Ok))?;
    Ok(copy)
}

thread_local! {
    static AUTOCAST: Cell<Option<DType>> = const { Cell::new(None) };
}

/// `torch.autocast(dtype=dtype)`, for this thread: from now on products of float32 tensors are computed in that dtype.
/// Gives back what was set before.
pub fn set_autocast(dtype: Option<DType>) -> Option<DType> {
    AUTOCAST.replace(dtype)
}

/// What products of float32 tensors are computed in, if it is something else.
#[must_use]
pub fn autocast() -> Option<DType> {
    AUTOCAST.get()
}

/// The operands of a product as [`autocast`] has them; none where that changes nothing.
pub(crate) fn lowered<const N: usize>(operands: [Option<&Tensor>; N]) -> Result<Option<[Option<Tensor>; N]>> {
    let Some(dtype) = autocast() else { return Ok(None) };
    let is_other = |tensor: &&Tensor| {
        tensor.dtype() != dtype && tensor.dtype().is_floating_point() && tensor.dtype() != DType::F64
    };
    if !operands.iter().flatten().any(is_other) {
        return Ok(None);
    }
    let mut lower = [const { None }; N];
    for (to, from) in lower.iter_mut().zip(operands) {
        *to = from
            .map(|tensor| if is_other(&tensor) { tensor.to_dtype(dtype) } else { Ok(tensor.clone()) })
            .transpose()?;
    }
    Ok(Some(lower))
}

/// How a [`GradScaler`] finds its scale; defaults are those of `torch.amp.GradScaler`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradScalerConfig {
    /// The first scale.
    pub init_scale: f32,
    /// What the scale is multiplied by after `growth_interval` steps in a row without infinities.
    pub growth_factor: f64,
    /// What the scale is multiplied by after an infinity.
    pub backoff_factor: f64,
    /// Steps in a row.
    pub growth_interval: u32,
}

impl Default for GradScalerConfig {
    fn default() -> Self {
        Self { init_scale: 65536.0, growth_factor: 2.0, backoff_factor: 0.5, growth_interval: 2000 }
    }
}

/// `torch.amp.GradScaler`: multiplies losses by a scale as large as half precision bears, and skips the steps for which
/// it was too large.
///
/// In each step: `scale(loss).backward()`, if need be `unscale_` and clipping, `step`, `update`.
#[derive(Debug, Clone)]
pub struct GradScaler {
    config: GradScalerConfig,
    scale: f32,
    /// Steps in a row without infinities.
    growth_tracker: u32,
    /// What has happened since the last update, by the id of the optimizer's first parameter.
    optimizers: BTreeMap<usize, Stage>,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Gradients have been divided; the tensor is 0 if all were finite.
    Unscaled(Tensor),
    Stepped {
        found_inf: bool,
    },
}

impl GradScaler {
    /// A scaler at its first scale.
    ///
    /// # Errors
    /// If the scale does not grow or shrink by its factors, or is no number above 0.
    pub fn new(config: GradScalerConfig) -> Result<Self> {
        let fault = |message: String| Err(Error::Value { op: "GradScaler", message });
        if !(config.growth_factor > 1.0 && config.growth_factor.is_finite()) {
            return fault("The growth factor must be > 1.0.".into());
        }
        if !(0.0..1.0).contains(&config.backoff_factor) {
            return fault("The backoff factor must be < 1.0.".into());
        }
        check_scale(config.init_scale)?;
        Ok(Self { config, scale: config.init_scale, growth_tracker: 0, optimizers: BTreeMap::new() })
    }

    /// `scaler.scale(loss)`
    ///
    /// # Errors
    /// If the device fails.
    pub fn scale(&self, loss: &Tensor) -> Result<Tensor> {
        loss.mul(f64::from(self.scale))
    }

    /// `scaler.unscale_(optimizer)`: divides the gradients by the scale, in place, and looks for infinities and NaN;
    /// waits for nothing. [`GradScaler::step`] does so itself where it has not been done.
    ///
    /// # Errors
    /// If it has been done since the last update, or the device fails.
    pub fn unscale_(&mut self, optimizer: &Optimizer) -> Result<()> {
        let message = match self.optimizers.get(&key(optimizer)) {
            None => {
                let found = self.divide_gradients(optimizer)?;
                self.optimizers.insert(key(optimizer), Stage::Unscaled(found));
                return Ok(());
            }
            Some(Stage::Unscaled(_)) => {
                "unscale_() has already been called on this optimizer since the last update()."
            }
            Some(Stage::Stepped { .. }) => "unscale_() is being called after step().",
        };
        Err(Error::Value { op: "GradScaler", message: message.into() })
    }

    /// Gives a scalar that is 0 if all gradients were finite, else NaN.
    fn divide_gradients(&self, optimizer: &Optimizer) -> Result<Tensor> {
        let inverse = f64::from((1.0 / f64::from(self.scale)) as f32);
        let gradients = joined_gradients(optimizer.params())?;
        let divide = || {
            let mut extremes = Vec::new();
            for gradient in &gradients {
                if gradient.numel() > 0 {
                    extremes.extend([gradient.amax(&[], false)?, gradient.amin(&[], false)?]);
                }
                gradient.mul_(inverse)?;
            }
            if gradients.is_empty() {
                let message = "No inf checks were recorded for this optimizer.".into();
                return Err(Error::Value { op: "GradScaler", message });
            }
            if extremes.is_empty() {
                return Tensor::zeros(&[], DType::F32, &crate::Device::cpu());
            }
            // 0 times a number is 0; 0 times an infinity is none.
            Tensor::stack(&extremes.iter().collect::<Vec<_>>(), 0)?.mul(0.0)?.sum()
        };
        during(Phase::Optimizer, || no_grad(divide))
    }

    /// `scaler.step(optimizer)`: steps if no gradient was infinite or NaN, and says whether it did. Waits for that one
    /// number.
    ///
    /// # Errors
    /// If it has stepped since the last update, has no gradients, or the device fails.
    pub async fn step(&mut self, optimizer: &mut Optimizer) -> Result<bool> {
        let key = key(optimizer);
        if !self.optimizers.contains_key(&key) {
            self.unscale_(optimizer)?;
        }
        let Some(Stage::Unscaled(found)) = self.optimizers.get(&key) else {
            let message = "step() has already been called since the last update().".into();
            return Err(Error::Value { op: "GradScaler", message });
        };
        let found_inf = found.item().await?.as_f64() != 0.0;
        if !found_inf {
            optimizer.step()?;
        }
        self.optimizers.insert(key, Stage::Stepped { found_inf });
        Ok(!found_inf)
    }

    /// `scaler.update()`, after the steps of all optimizers: a smaller scale if one was skipped, a larger one after
    /// enough that were not.
    ///
    /// # Errors
    /// If no optimizer has stepped since the last update.
    pub fn update(&mut self) -> Result<()> {
        let stepped = self.optimizers.values().filter_map(|stage| match stage {
            Stage::Stepped { found_inf } => Some(*found_inf),
            Stage::Unscaled(_) => None,
        });
        let Some(found_inf) = stepped.reduce(|a, b| a | b) else {
            let message = "No inf checks were recorded prior to update.".into();
            return Err(Error::Value { op: "GradScaler", message });
        };
        self.optimizers.clear();
        let times = |factor: f64| (f64::from(self.scale) * factor) as f32;
        if found_inf {
            (self.scale, self.growth_tracker) = (times(self.config.backoff_factor), 0);
            return Ok(());
        }
        self.growth_tracker += 1;
        if self.growth_tracker >= self.config.growth_interval {
            let grown = times(self.config.growth_factor);
            self.growth_tracker = 0;
            if grown.is_finite() {
                self.scale = grown;
            }
        }
        Ok(())
    }

    /// `scaler.get_scale()`
    #[must_use]
    pub fn get_scale(&self) -> f32 {
        self.scale
    }

    /// `_growth_tracker` of `scaler.state_dict()`: steps in a row without infinities.
    #[must_use]
    pub fn growth_tracker(&self) -> u32 {
        self.growth_tracker
    }

    /// `scaler.load_state_dict(…)`: goes on from a scale and a number of steps in a row.
    ///
    /// # Errors
    /// If the scale is no number above 0.
    pub fn load_state(&mut self, scale: f32, growth_tracker: u32) -> Result<()> {
        check_scale(scale)?;
        (self.scale, self.growth_tracker) = (scale, growth_tracker);
        self.optimizers.clear();
        Ok(())
    }
}

fn check_scale(scale: f32) -> Result<()> {
    if scale.is_finite() && scale > 0.0 {
        return Ok(());
    }
    Err(Error::Value { op: "GradScaler", message: format!("a scale is a number above 0, not {scale}") })
}

fn key(optimizer: &Optimizer) -> usize {
    optimizer.params().first().map_or(0, Tensor::id)
}
