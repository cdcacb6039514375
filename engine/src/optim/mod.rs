//! Optimizers: each step is one fused kernel over all parameters that lie side by side, in place.

mod muon;
mod rule;
mod schedule;
mod state;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::DType;
use crate::autograd::no_grad;
use crate::error::{Error, Result};
use crate::ledger::{Phase, Tag, during};
use crate::nn::utils::Clipping;
use crate::order::order;
use crate::tensor::{Row, Tensor, joined};

pub use rule::{AdjustLr, Rule};
pub use schedule::Schedule;
pub use state::OptimizerState;

/// Parameters that one rule moves at one learning rate.
#[derive(Clone)]
pub struct ParamGroup {
    /// Contiguous float32 leaves; Muon's are matrices.
    pub params: Vec<Tensor>,
    /// What moves them.
    pub rule: Rule,
    /// Learning rate; a [`Schedule`] starts from it.
    pub lr: f32,
}

/// What the parameters of a range have in common.
struct Group {
    range: Range<usize>,
    rule: Rule,
    lr: f32,
    initial_lr: f32,
}

/// Parameters, the rules that move them, and their state.
pub struct Optimizer {
    params: Vec<Tensor>,
    /// Per parameter, the tensors of its state.
    state: Vec<Vec<Tensor>>,
    /// Steps that each parameter has taken.
    steps: Vec<u32>,
    groups: Vec<Group>,
}

impl Optimizer {
    /// An optimizer of one group, with zeroed state.
    ///
    /// # Errors
    /// As [`Optimizer::with_groups`].
    pub fn new(params: Vec<Tensor>, rule: Rule, lr: f32) -> Result<Self> {
        Self::with_groups(vec![ParamGroup { params, rule, lr }])
    }

    /// An optimizer of groups with rules and learning rates of their own, with zeroed state.
    ///
    /// # Errors
    /// If a learning rate is negative or not finite, a parameter is not a contiguous float32 leaf, is given twice or is
    /// no matrix where the rule moves matrices, or memory does not allow the state.
    pub fn with_groups(groups: Vec<ParamGroup>) -> Result<Self> {
        let mut all = Self { params: Vec::new(), state: Vec::new(), steps: Vec::new(), groups: Vec::new() };
        groups.into_iter().try_for_each(|group| all.add_param_group(group))?;
        Ok(all)
    }

    /// `optimizer.add_param_group(group)`, as for layers that begin to learn later.
    ///
    /// # Errors
    /// As [`Optimizer::with_groups`]; the optimizer then stays as it was.
    pub fn add_param_group(&mut self, ParamGroup { params, rule, lr }: ParamGroup) -> Result<()> {
        check_lr(lr)?;
        for (i, p) in params.iter().enumerate() {
            rule.check(p)?;
            if self.params.iter().chain(&params[..i]).any(|other| other.is(p)) {
                let message = "some parameters appear in more than one parameter group".into();
                return Err(Error::Value { op: "Optimizer", message });
            }
        }
        self.state.extend(zeros_beside(&params, rule.state_per_param())?);
        let start = self.params.len();
        self.params.extend(params);
        self.steps.resize(self.params.len(), 0);
        self.groups.push(Group { range: start..self.params.len(), rule, lr, initial_lr: lr });
        Ok(())
    }

    /// Moves every parameter that has a gradient.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<()> {
        during(Phase::Optimizer, || self.step_groups(None))
    }

    /// [`clip_grad_norm_`](crate::nn::utils::clip_grad_norm_) and [`Optimizer::step`] in one: the gradients stay as they
    /// are and are scaled when they are read. Where their norm is not finite no parameter and no state tensor changes, on
    /// any device; but nobody waits to see that, so the step counts. Returns the norm, a tensor of one element; `None` if
    /// nothing has a gradient.
    ///
    /// # Errors
    /// If `max_norm` is negative or not a number, a rule is Muon, or the device fails.
    pub fn step_clipped(&mut self, max_norm: f64) -> Result<Option<Tensor>> {
        if self.groups.iter().any(|group| matches!(group.rule, Rule::Muon { .. })) {
            let message = "Muon has no clipped step: clip first".into();
            return Err(Error::Value { op: "step_clipped", message });
        }
        during(Phase::Optimizer, || {
            let Some(clipping) = no_grad(|| Clipping::new(&self.params, max_norm, true))? else {
                return Ok(None);
            };
            self.step_groups(Some(&clipping.factor))?;
            Ok(Some(clipping.norm))
        })
    }

    fn step_groups(&mut self, factor: Option<&Tensor>) -> Result<()> {
        for Group { range, rule, lr, .. } in &self.groups {
            let mut rows = Vec::new();
            for i in range.clone() {
                if let Some(grad) = self.params[i].grad() {
                    self.steps[i] += 1;
                    let row = [self.params[i].clone(), grad].into_iter().chain(self.state[i].iter().cloned());
                    rows.push((self.steps[i], row.collect()));
                }
            }
            rule.move_rows(*lr, rows, factor)?;
        }
        Ok(())
    }

    /// Gives every group the learning rate that a schedule has for it after `steps` steps.
    ///
    /// # Errors
    /// If one is negative or not finite; all then stay as they were.
    pub fn schedule(&mut self, schedule: &Schedule, steps: u64) -> Result<()> {
        let lr = |group: &Group| schedule.lr(group.initial_lr.into(), steps) as f32;
        self.groups.iter().try_for_each(|group| check_lr(lr(group)))?;
        self.groups.iter_mut().for_each(|group| group.lr = lr(group));
        Ok(())
    }

    /// Drops all gradients.
    pub fn zero_grad(&self) {
        self.params.iter().for_each(Tensor::zero_grad);
    }

    /// All parameters, group by group.
    #[must_use]
    pub fn params(&self) -> &[Tensor] {
        &self.params
    }

    /// The state tensors of each parameter, in order.
    #[must_use]
    pub fn state(&self) -> &[Vec<Tensor>] {
        &self.state
    }

    /// The steps that each parameter has taken, in order.
    #[must_use]
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }
}

impl Rule {
    /// Whether it can move this parameter.
    fn check(self, param: &Tensor) -> Result<()> {
        let fault = |message| Err(Error::Value { op: "Optimizer", message });
        if param.dtype() != DType::F32 || !param.layout().is_contiguous() || !param.is_leaf() {
            return fault(format!("a parameter must be a contiguous float32 leaf, but one is {param:?}"));
        }
        if matches!(self, Self::Muon { .. }) && param.shape().len() != 2 {
            return fault(format!(
                "Muon only supports 2D parameters whereas we found a parameter with size: torch.Size([{}])",
                crate::layout::join(param.shape().iter())
            ));
        }
        Ok(())
    }

    /// Whether [`Rule::step`] moves such a row: a parameter, its gradient and its state.
    #[must_use]
    pub fn takes(self, row: &[Tensor]) -> bool {
        let is_alike = |(a, b): (&Tensor, &Tensor)| a.shape() == b.shape() && a.device() == b.device();
        let fits =
            |it: &Tensor| it.dtype() == DType::F32 && it.layout().is_contiguous() && !it.device().is_meta();
        !matches!(self, Self::Muon { .. })
            && row.len() == 2 + self.state_per_param()
            && row.iter().all(fits)
            && row.iter().zip(&row[1..]).all(is_alike)
    }

    /// One step of rows that it [takes](Rule::takes), in place: what an [`Optimizer`] does, for whoever keeps the state.
    /// Beside each row is the number of its step, counted from 1.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(self, lr: f32, rows: Vec<(u32, Vec<Tensor>)>) -> Result<()> {
        during(Phase::Optimizer, || self.move_rows(lr, rows, None))
    }

    fn move_rows(self, lr: f32, rows: Vec<(u32, Row)>, factor: Option<&Tensor>) -> Result<()> {
        // Rows of one step can move together.
        let mut by_step: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
        for (step, row) in rows {
            by_step.entry(step).or_default().push(row);
        }
        by_step.into_iter().try_for_each(|(step, rows)| no_grad(|| self.apply(lr, step, rows, factor)))
    }

    /// One step of rows that have taken as many before; gradients are multiplied by `factor`.
    fn apply(self, lr: f32, step: u32, rows: Vec<Row>, factor: Option<&Tensor>) -> Result<()> {
        let Some(update) = self.update(lr, step) else {
            return rows.iter().try_for_each(|row| muon::step(self, lr, row));
        };
        for row in joined(rows)? {
            let [param, grad, state @ ..] = row.as_slice() else { continue };
            let operands: Vec<_> = state.iter().map(Tensor::operand).collect();
            let device = param.device();
            let factor = factor.map(Tensor::operand);
            device.backend().update(update, param.operand(), grad.operand(), &operands, factor)?;
            let (bytes, states) = (param.bytes(), state.len() as u64);
            device.ledger().ran(self.name(), 0, bytes * (2 + states), bytes * (1 + states));
            param.mark_written();
            state.iter().for_each(Tensor::mark_written);
        }
        Ok(())
    }
}

/// `count` zeroed tensors for each parameter. Those of one kind lie side by side on each device, in the order in which
/// the parameters lie in memory, so that [`joined`] finds them.
fn zeros_beside(params: &[Tensor], count: usize) -> Result<Vec<Vec<Tensor>>> {
    let order = order(params.len(), &mut |a, b| params[a].place().cmp(&params[b].place()));
    let mut state = vec![Vec::new(); params.len()];
    for order in order.chunk_by(|&a, &b| params[a].device() == params[b].device()) {
        let total = order.iter().map(|&i| params[i].numel()).sum();
        for _ in 0..count {
            let flat = Tensor::zeros(&[total], DType::F32, params[order[0]].device())?;
            flat.set_tag(Tag::OptimizerState);
            let mut start = 0;
            for &i in order {
                let end = start + params[i].numel();
                state[i].push(flat.part(start..end, params[i].shape())?);
                start = end;
            }
        }
    }
    Ok(state)
}

fn check_lr(lr: f32) -> Result<()> {
    if lr.is_finite() && lr >= 0.0 {
        return Ok(());
    }
    Err(Error::Value { op: "Optimizer", message: format!("Invalid learning rate: {lr}") })
}
