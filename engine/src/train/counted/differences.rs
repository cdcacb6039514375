//! Gradients beside finite differences.

use super::{Gradient, Task, Training, all_data};
use crate::autograd::no_grad;
use crate::cpu::Cpu;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::nn::Module;
use crate::tensor::Tensor;

/// Half the distance of the two losses of a difference, relative to the parameter where that is above 1.
const H: f64 = 1e-5;

/// A model as it is before a step, in float64 on a CPU of its own, whose ledger is nobody's.
pub(super) struct Reference<M> {
    model: M,
    device: Device,
}

impl<M: Module + Clone> Reference<M> {
    pub(super) async fn new(model: &M) -> Result<Self> {
        let device = Device::new(Cpu::new());
        let mut model = model.clone();
        model.to_device(&device).await?;
        model.to_dtype(DType::F64)?;
        Ok(Self { model, device })
    }

    /// The gradients that `trained` has, beside central differences here: of parameters all over the model, in each the
    /// largest one, because others may be nothing but rounding.
    pub(super) async fn check<T: Task<Model = M>>(
        mut self,
        task: &T,
        how: Training,
        trained: &mut M,
    ) -> Result<Vec<Gradient>> {
        let data = all_data(task, how, DType::F64, &self.device)?;
        let pairs: Vec<_> = trained.named_parameters().into_iter().zip(self.model.parameters()).collect();
        let picked = how.checks.min(pairs.len());
        let mut all = Vec::new();
        for i in 0..picked {
            // From the first to the last.
            let ((name, trained), wide) = &pairs[i * (pairs.len() - 1) / (picked.max(2) - 1)];
            let Some(gradient) = trained.grad() else { continue };
            let gradient = gradient.to_vec().await?;
            let largest =
                (0..gradient.len()).max_by(|&a, &b| gradient[a].abs().total_cmp(&gradient[b].abs()));
            let Some(element) = largest else { continue };
            let wide = wide.view(&[-1])?.narrow(0, element.cast_signed(), 1)?.detach();
            let value = wide.item().await?.as_f64();
            let h = H * value.abs().max(1.0);
            let mut losses = [0.0; 2];
            for (loss, moved) in losses.iter_mut().zip([value + h, value - h]) {
                no_grad(|| wide.fill_(moved))?;
                for data in &data {
                    let micro: Tensor = no_grad(|| task.loss(&self.model, data))?;
                    *loss += micro.item().await?.as_f64() / how.accumulate as f64;
                }
            }
            no_grad(|| wide.fill_(value))?;
            let difference = (losses[0] - losses[1]) / (2.0 * h);
            // What float64 cannot tell from nothing is nothing.
            let noise = 4.0 * f64::EPSILON * losses[0].abs() / h;
            let difference = if difference.abs() < noise { 0.0 } else { difference };
            let gradient = f64::from(gradient[element]);
            all.push(Gradient { parameter: name.clone(), element: element as u64, gradient, difference });
        }
        Ok(all)
    }
}
