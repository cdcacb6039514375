//! What an optimizer must know to go on where it stopped, by name.

use std::collections::{BTreeMap, HashMap};

use super::{Optimizer, check_lr};
use crate::autograd::no_grad;
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// `optimizer.state_dict()`, its nested dictionaries as names with dots: parameters are counted over all groups.
#[derive(Clone, Debug, Default)]
pub struct OptimizerState {
    /// `state.0.exp_avg`, …
    pub tensors: Vec<(String, Tensor)>,
    /// `state.0.step`, …, and `param_groups.0.lr`, …
    pub numbers: BTreeMap<String, f64>,
}

impl Optimizer {
    /// The state as it is now. The tensors are those that the next step will change: whoever keeps them copies them.
    #[must_use]
    pub fn state_dict(&self) -> OptimizerState {
        let named = |(name, tensor): (String, &Tensor)| (name, tensor.clone());
        let steps = self.steps.iter().enumerate().map(|(i, &step)| (step_name(i), step.into()));
        let lrs = self.groups.iter().enumerate().map(|(i, group)| (lr_name(i), group.lr.into()));
        OptimizerState {
            tensors: self.named_state().map(named).collect(),
            numbers: steps.chain(lrs).collect(),
        }
    }

    /// Goes on from such a state; the tensors are copied, from the same device.
    ///
    /// # Errors
    /// If it is that of another optimizer: the message names what is missing, left over or of another shape. Nothing has
    /// then changed.
    pub fn load_state_dict(&mut self, state: &OptimizerState) -> Result<()> {
        let fault = |message: String| Error::Value { op: "load_state_dict", message };
        let number = |name: &str| {
            state
                .numbers
                .get(name)
                .copied()
                .ok_or_else(|| fault(format!("Missing key in state_dict: \"{name}\"")))
        };
        let mut steps = Vec::with_capacity(self.steps.len());
        for i in 0..self.params.len() {
            let step = number(&step_name(i))?;
            if !(0.0..=f64::from(u32::MAX)).contains(&step) || step.fract() != 0.0 {
                return Err(fault(format!("{} is {step}, which is no number of steps", step_name(i))));
            }
            steps.push(step as u32);
        }
        let lrs =
            (0..self.groups.len()).map(|i| Ok(number(&lr_name(i))? as f32)).collect::<Result<Vec<_>>>()?;
        lrs.iter().try_for_each(|&lr| check_lr(lr))?;
        let given: HashMap<&str, &Tensor> =
            state.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let mut pairs = Vec::new();
        for (name, own) in self.named_state() {
            let Some(&value) = given.get(name.as_str()) else {
                return Err(fault(format!("Missing key in state_dict: \"{name}\"")));
            };
            if value.shape() != own.shape() {
                return Err(fault(format!(
                    "size mismatch for {name}: {:?} in the state, {:?} here",
                    value.shape(),
                    own.shape()
                )));
            }
            if value.device() != own.device() {
                let (a, b) = (own.device().to_string(), value.device().to_string());
                return Err(Error::Device { op: "load_state_dict", a, b });
            }
            pairs.push((own, value));
        }
        if pairs.len() != given.len() || state.numbers.len() != steps.len() + lrs.len() {
            return Err(fault(
                "loaded state dict has parameters or groups that this optimizer has not".into(),
            ));
        }
        // A checkpoint has filled the optimizer's own tensors, bit by bit.
        let others = || pairs.iter().filter(|(own, value)| own.id() != value.id());
        no_grad(|| others().try_for_each(|(own, value)| own.copy_(value)))?;
        self.steps = steps;
        self.groups.iter_mut().zip(lrs).for_each(|(group, lr)| group.lr = lr);
        Ok(())
    }

    fn named_state(&self) -> impl Iterator<Item = (String, &Tensor)> {
        let rules = self.groups.iter().flat_map(|group| group.range.clone().map(|i| (i, group.rule)));
        rules.flat_map(|(i, rule)| {
            rule.state_names()
                .iter()
                .zip(&self.state[i])
                .map(move |(name, t)| (format!("state.{i}.{name}"), t))
        })
    }
}

fn step_name(param: usize) -> String {
    format!("state.{param}.step")
}

fn lr_name(group: usize) -> String {
    format!("param_groups.{group}.lr")
}
