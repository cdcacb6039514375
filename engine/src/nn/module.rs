//! Trees of modules: one traversal of their parameters, and all that PyTorch's `nn.Module` does with it.

use std::collections::{HashMap, HashSet};

use crate::autograd::no_grad;
use crate::backend::Pending;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::nn::functional;
use crate::random::Source;
use crate::tensor::Tensor;

/// What a traversal does with each parameter and its name.
pub type Visitor<'a> = dyn FnMut(&str, &mut Tensor) + 'a;

/// Whether a model is being trained; a forward pass that throws dice gets them from here.
pub enum Mode<'a> {
    /// `model.eval()`: nothing is dropped.
    Eval,
    /// `model.train()`: what is dropped is drawn from this source.
    Train(&'a mut dyn Source),
}

impl Mode<'_> {
    /// [`functional::dropout`], in training only.
    ///
    /// # Errors
    /// If p is no probability.
    pub fn dropout(&mut self, x: &Tensor, p: f64) -> Result<Tensor> {
        match self {
            Self::Eval => Ok(x.clone()),
            Self::Train(source) => functional::dropout(x, p, true, *source),
        }
    }
}

/// What [`Module::load_state_dict`] found on one side only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncompatibleKeys {
    /// Names that the module has and the state has not.
    pub missing_keys: Vec<String>,
    /// Names that the state has and the module has not.
    pub unexpected_keys: Vec<String>,
}

/// A part of a model that owns parameters, itself or in its parts.
///
/// A parameter is a tensor; a part of a part is named `h.0.attn`, its weight `h.0.attn.weight`. A tied weight is
/// shown under each of its names, as the same tensor.
pub trait Module {
    /// Shows every parameter in PyTorch's order: own ones first, then those of the parts. `prefix` is the name of this
    /// module, empty for a whole model. Whoever replaces parameters must replace a tied one once:
    /// [`Module::replace_parameters`] does.
    fn visit(&mut self, prefix: &str, visit: &mut Visitor<'_>);

    /// `module.named_parameters()`: each parameter once, by its first name.
    fn named_parameters(&mut self) -> Vec<(String, Tensor)> {
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        self.visit("", &mut |name, parameter| {
            if seen.insert(parameter.id()) {
                all.push((name.to_owned(), parameter.clone()));
            }
        });
        all
    }

    /// `module.parameters()`: each once.
    fn parameters(&mut self) -> Vec<Tensor> {
        self.named_parameters().into_iter().map(|(_, parameter)| parameter).collect()
    }

    /// Number of values that are trained; a tied weight counts once.
    fn num_params(&mut self) -> usize {
        self.parameters().iter().map(Tensor::numel).sum()
    }

    /// `module.state_dict()`: every name with its tensor, without history and over the same storage.
    fn state_dict(&mut self) -> Vec<(String, Tensor)> {
        let mut all = Vec::new();
        self.visit("", &mut |name, parameter| all.push((name.to_owned(), parameter.detach())));
        all
    }

    /// `module.load_state_dict(state, strict)`: copies the tensors into the parameters of the same names; they are on
    /// the same device, and are converted to the parameters' dtype.
    ///
    /// # Errors
    /// With PyTorch's message if a shape differs or, with `strict`, a name is on one side only; no parameter has then
    /// changed.
    fn load_state_dict(&mut self, state: &[(String, Tensor)], strict: bool) -> Result<IncompatibleKeys> {
        let given: HashMap<&str, &Tensor> =
            state.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let own = self.state_dict();
        let names: HashSet<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
        let keys = IncompatibleKeys {
            missing_keys: names_without(&own, |name| given.contains_key(name)),
            unexpected_keys: names_without(state, |name| names.contains(name)),
        };
        let mut faults = Vec::new();
        if strict {
            let both = [("Missing", &keys.missing_keys), ("Unexpected", &keys.unexpected_keys)];
            for (kind, names) in both.into_iter().filter(|(_, names)| !names.is_empty()) {
                faults.push(format!("{kind} key(s) in state_dict: \"{}\". ", names.join("\", \"")));
            }
        }
        let pairs =
            own.iter().filter_map(|(name, parameter)| Some((name, parameter, *given.get(name.as_str())?)));
        let size = |tensor: &Tensor| crate::layout::join(tensor.shape().iter());
        for (name, parameter, value) in pairs.clone() {
            if parameter.shape() != value.shape() {
                faults.push(format!(
                    "size mismatch for {name}: copying a param with shape torch.Size([{}]) from checkpoint, the shape \
                     in current model is torch.Size([{}]).",
                    size(value),
                    size(parameter)
                ));
            } else if parameter.device() != value.device() {
                let (a, b) = (parameter.device().to_string(), value.device().to_string());
                return Err(Error::Device { op: "load_state_dict", a, b });
            }
        }
        if !faults.is_empty() {
            let class = class_name(std::any::type_name::<Self>());
            let message = format!("Error(s) in loading state_dict for {class}:\n\t{}", faults.join("\n\t"));
            return Err(Error::Value { op: "load_state_dict", message });
        }
        no_grad(|| pairs.clone().try_for_each(|(_, parameter, value)| parameter.copy_(value)))?;
        Ok(keys)
    }

    /// `module.zero_grad()`: drops all gradients.
    fn zero_grad(&mut self) {
        self.visit("", &mut |_, parameter| parameter.zero_grad());
    }

    /// Puts in the place of each parameter what `replacement` makes of it, once for all names of a tied one. Nothing is
    /// replaced if one cannot be made.
    ///
    /// # Errors
    /// Those of `replacement`.
    fn replace_parameters(
        &mut self,
        replacement: &mut dyn FnMut(&str, &Tensor) -> Result<Tensor>,
    ) -> Result<()> {
        let made = self
            .named_parameters()
            .iter()
            .map(|(name, old)| Ok((old.id(), replacement(name, old)?)))
            .collect::<Result<Vec<_>>>()?;
        put(self, made);
        Ok(())
    }

    /// Moves all parameters into one storage, see [`Tensor::pack`]; an optimizer that is made afterwards moves them with
    /// one kernel, or with two if the matrices are a group of their own: they come first.
    ///
    /// # Errors
    /// If dtypes or devices differ, or memory does not allow it.
    fn pack(&mut self) -> Result<()> {
        let mut own = self.parameters();
        own.sort_by_key(|parameter| parameter.shape().len() < 2);
        let ids = own.iter().map(Tensor::id);
        let packed = ids.zip(Tensor::pack(&own)?).collect();
        put(self, packed);
        Ok(())
    }

    /// `module.to(dtype)`: every parameter becomes a leaf of that dtype, without a gradient.
    ///
    /// # Errors
    /// If memory does not allow it.
    fn to_dtype(&mut self, dtype: DType) -> Result<()> {
        no_grad(|| self.replace_parameters(&mut |_, old| leaf_like(old, old.to_dtype(dtype)?)))
    }

    /// `module.to(device)`: every parameter becomes a leaf there, without a gradient.
    ///
    /// # Errors
    /// If a device fails or memory does not allow it.
    fn to_device<'a>(&'a mut self, device: &'a Device) -> Pending<'a, ()> {
        Box::pin(async move {
            let mut made = Vec::new();
            for old in self.parameters() {
                made.push((old.id(), leaf_like(&old, old.detach().to_device(device).await?)?));
            }
            put(self, made);
            Ok(())
        })
    }
}

/// Each new tensor in the place of the old one with that id.
fn put<M: Module + ?Sized>(module: &mut M, made: Vec<(usize, Tensor)>) {
    let made: HashMap<usize, Tensor> = made.into_iter().collect();
    module.visit("", &mut |_, parameter| {
        if let Some(new) = made.get(&parameter.id()) {
            *parameter = new.clone();
        }
    });
}

fn leaf_like(old: &Tensor, new: Tensor) -> Result<Tensor> {
    new.set_requires_grad(old.requires_grad())?;
    Ok(new)
}

fn names_without(named: &[(String, Tensor)], has: impl Fn(&str) -> bool) -> Vec<String> {
    named.iter().map(|(name, _)| name).filter(|name| !has(name)).cloned().collect()
}

/// `napkin_engine::nn::linear::Linear` → `Linear`
fn class_name(path: &str) -> &str {
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// The name of a part.
pub(super) fn join(prefix: &str, name: impl std::fmt::Display) -> String {
    if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") }
}

/// What [`module!`] lists: modules, parameters, and parameters that may be missing. (A tensor is no [`Module`], whose
/// methods would hide its own.)
pub(super) trait Part {
    fn show(&mut self, name: &str, visit: &mut Visitor<'_>);
}

impl<M: Module> Part for M {
    fn show(&mut self, name: &str, visit: &mut Visitor<'_>) {
        self.visit(name, visit);
    }
}

impl Part for Tensor {
    fn show(&mut self, name: &str, visit: &mut Visitor<'_>) {
        visit(name, self);
    }
}

impl Part for Option<Tensor> {
    fn show(&mut self, name: &str, visit: &mut Visitor<'_>) {
        if let Some(parameter) = self {
            visit(name, parameter);
        }
    }
}

/// A part that may be missing.
impl<M: Module> Module for Option<M> {
    fn visit(&mut self, prefix: &str, visit: &mut Visitor<'_>) {
        if let Some(module) = self {
            module.visit(prefix, visit);
        }
    }
}

/// `nn.ModuleList`
impl<M: Module> Module for Vec<M> {
    fn visit(&mut self, prefix: &str, visit: &mut Visitor<'_>) {
        for (i, module) in self.iter_mut().enumerate() {
            module.visit(&join(prefix, i), visit);
        }
    }
}

/// `module!(Linear { weight, bias })`: a module whose parts are these fields, under their names.
macro_rules! module {
    ($name:ty { $($part:ident),* }) => {
        impl $crate::nn::Module for $name {
            fn visit(&mut self, prefix: &str, visit: &mut $crate::nn::Visitor<'_>) {
                $($crate::nn::module::Part::show(
                    &mut self.$part,
                    &$crate::nn::module::join(prefix, stringify!($part)),
                    visit,
                );)*
            }
        }
    };
}
pub(super) use module;

/// A leaf that is trained.
pub(super) fn parameter(value: Tensor) -> Result<Tensor> {
    value.set_requires_grad(true)?;
    Ok(value)
}
