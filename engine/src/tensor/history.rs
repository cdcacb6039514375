//! A tensor's place in the graph: leaves, outputs of operations, views of either, and what is written to them.
//!
//! A view knows its base. Who writes to a view changes the base's history (`CopySlices`), and other views notice by
//! the version of the storage that their own history is out of date: it becomes a view of the base as it is now
//! (`AsStridedBackward0`). So it is in PyTorch.

use std::cell::Cell;
use std::rc::Rc;

use super::views::{laid, spread};
use super::{Inner, Tensor};
use crate::autograd::{self, Edge, Hook, Node, creates_graph, enable_grad, hooked, is_grad_enabled};
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::ledger::Tag;

/// What somebody wants to do when a leaf has its gradient.
pub(super) type GradHook = Rc<dyn Fn() -> Result<()>>;

/// What a view remembers of its origin.
pub(super) struct View {
    base: Tensor,
    /// The version of the storage that the view's history goes back to.
    version: Cell<u64>,
    origin: Origin,
}

/// How a view came to be, where that restricts writing to it.
#[derive(Clone, Copy)]
enum Origin {
    Recorded,
    /// Under `no_grad`.
    Unrecorded,
    /// One of several views that a function returned, of which this is the number.
    OneOfMany(&'static str, usize),
}

/// A tensor that somebody watches without keeping it.
#[derive(Clone)]
pub(crate) struct WeakTensor(std::rc::Weak<Inner>);

impl WeakTensor {
    pub(crate) fn upgrade(&self) -> Option<Tensor> {
        self.0.upgrade().map(Tensor)
    }
}

/// Leaves and histories.
impl Tensor {
    pub(crate) fn downgrade(&self) -> WeakTensor {
        WeakTensor(Rc::downgrade(&self.0))
    }

    /// Whether operations on it are recorded.
    #[must_use]
    pub fn requires_grad(&self) -> bool {
        self.0.requires_grad.get()
            || self.0.view.borrow().as_ref().is_some_and(|view| view.base.requires_grad())
    }

    /// `tensor.requires_grad_(value)` of a leaf.
    ///
    /// # Errors
    /// If the tensor is the output of a recorded operation and `value` is false, or true and the dtype is none of
    /// real numbers.
    pub fn set_requires_grad(&self, value: bool) -> Result<()> {
        let fault = |message: &str| Err(Error::Autograd(message.into()));
        if !self.is_leaf() && !value {
            return fault(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable \
                 in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
            );
        }
        if value && !self.dtype().is_floating_point() {
            return fault("only Tensors of floating point dtype can require gradients");
        }
        if value && self.0.is_inference && !autograd::is_inference_mode_enabled() {
            return fault(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
            );
        }
        if self.is_leaf() {
            self.0.requires_grad.set(value);
            self.set_tag(if value { Tag::Parameter } else { Tag::Temporary });
        }
        Ok(())
    }

    /// `tensor.data`: as [`Tensor::detach`], but derivatives do not notice what is written through it.
    #[must_use]
    pub fn data(&self) -> Self {
        self.shared(Rc::default(), self.layout().clone(), self.dtype())
    }

    /// What `tensor.data = data` makes of this tensor: the elements of `data` without history, with this one's version.
    #[must_use]
    pub fn with_data(&self, data: &Self) -> Self {
        data.shared(self.0.version.clone(), data.layout().clone(), data.dtype())
    }

    /// The same elements without history, for a graph of their own.
    pub(crate) fn as_leaf(&self, requires_grad: bool) -> Self {
        let leaf = self.detach();
        leaf.0.requires_grad.set(requires_grad);
        leaf
    }

    /// Whether it was made by the user and not by a recorded operation.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.grad_fn().is_none()
    }

    /// Whether it was made under `inference_mode`, as `tensor.is_inference()`.
    #[must_use]
    pub fn is_inference(&self) -> bool {
        self.0.is_inference
    }

    /// Name of the recorded operation that made it, as `MulBackward0`.
    #[must_use]
    pub fn grad_fn_name(&self) -> Option<&'static str> {
        self.grad_fn().map(|n| n.name())
    }

    /// `self.retain_grad()`: backward passes set `.grad` though the tensor is no leaf.
    ///
    /// # Errors
    /// If it requires no gradient.
    pub fn retain_grad(&self) -> Result<()> {
        if !self.requires_grad() {
            let message = "can't retain_grad on Tensor that has requires_grad=False";
            return Err(Error::Autograd(message.into()));
        }
        if let Some(node) = self.grad_fn()
            && !self.0.retains_grad.replace(true)
        {
            node.retain(self);
        }
        Ok(())
    }

    /// Whether [`Tensor::retain_grad`] was asked for of a tensor that is no leaf, as `tensor.retains_grad`.
    #[must_use]
    pub fn retains_grad(&self) -> bool {
        self.0.retains_grad.get()
    }

    /// `self.register_hook(hook)`: backward passes call it with this tensor's gradient, before anybody else gets
    /// that, and go on with what it returns if it returns one.
    ///
    /// # Errors
    /// If the tensor requires no gradient.
    pub fn register_hook(&self, hook: impl Fn(&Self) -> Result<Option<Self>> + 'static) -> Result<()> {
        if !self.requires_grad() {
            let message = "cannot register a hook on a tensor that doesn't require gradient";
            return Err(Error::Autograd(message.into()));
        }
        let hook: Hook = Rc::new(hook);
        match self.grad_fn() {
            Some(node) => node.hook(hook),
            None => self.0.hooks.borrow_mut().push(hook),
        }
        Ok(())
    }

    /// `self.register_post_accumulate_grad_hook(hook)`: backward passes call it when they have added to `.grad`.
    ///
    /// # Errors
    /// If the tensor requires no gradient, or is no leaf.
    pub fn register_post_accumulate_grad_hook(&self, hook: impl Fn() -> Result<()> + 'static) -> Result<()> {
        let fault = |message: &str| Err(Error::Autograd(message.into()));
        if !self.requires_grad() {
            return fault("cannot register a hook on a tensor that doesn't require gradient");
        }
        if !self.is_leaf() {
            return fault("post accumulate grad hooks cannot be registered on non-leaf tensors");
        }
        self.0.grad_hooks.borrow_mut().push(Rc::new(hook));
        Ok(())
    }

    /// A leaf's gradient is there: hooks that wait for it run.
    pub(crate) fn accumulated(&self) -> Result<()> {
        let hooks = self.0.grad_hooks.borrow().clone();
        hooks.iter().try_for_each(|hook| hook())
    }

    /// A leaf's gradient as its hooks leave it.
    pub(crate) fn hooked(&self, gradient: Self) -> Result<Self> {
        hooked(&self.0.hooks.borrow(), gradient)
    }

    /// `self.detach_()`: forgets its history.
    ///
    /// # Errors
    /// If it is a view.
    pub fn detach_(&self) -> Result<()> {
        if self.0.view.borrow().is_some() {
            return Err(Error::Autograd("Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for \
                 training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence \
                 detach_() cannot be called on these gradients. To fix this error, please refer to the \
                 Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
                    .into(),
            ));
        }
        self.set_history(None);
        Ok(())
    }

    /// The operation that made it; a view whose base has been written to since gets a new one.
    pub(super) fn grad_fn(&self) -> Option<Rc<Node>> {
        let view = self.0.view.borrow();
        let node = self.0.grad_fn.borrow().clone();
        let Some(view) = view.as_ref().filter(|view| view.version.get() != self.version()) else {
            return node;
        };
        if node.is_none() && !view.base.requires_grad() {
            return None;
        }
        view.version.set(self.version());
        let (shown, whole) = (self.layout().clone(), view.base.layout().clone());
        let node = enable_grad(|| {
            Node::record("AsStridedBackward0", &[&view.base], &[], move |g, _| {
                Ok(vec![Some(spread(g, &shown, &whole)?)])
            })
        });
        self.set_history(node.clone());
        node
    }

    pub(crate) fn edge(&self) -> Edge {
        match self.grad_fn() {
            Some(node) => Edge::Node(node),
            None if self.requires_grad() => Edge::Leaf(self.clone()),
            None => Edge::None,
        }
    }

    /// Marks this tensor as the output of `node`.
    pub(crate) fn made_by(self, node: Option<Rc<Node>>) -> Self {
        node.iter().for_each(|node| node.made(&self));
        self.set_history(node);
        self
    }

    /// The same elements with the history that leads there.
    pub(crate) fn leading_to(&self, edge: &Edge) -> Self {
        match edge {
            Edge::None => self.clone(),
            Edge::Leaf(leaf) => leaf.clone(),
            Edge::Node(node) | Edge::Part(node, _) => {
                let same = self.detach();
                same.set_history(Some(node.clone()));
                same
            }
        }
    }

    fn set_history(&self, node: Option<Rc<Node>>) {
        self.0.requires_grad.set(node.is_some());
        if self.0.retains_grad.get() {
            self.0.grad_fn.borrow().iter().for_each(|old| old.release(self));
            node.iter().for_each(|node| node.retain(self));
        }
        *self.0.grad_fn.borrow_mut() = node;
    }
}

/// Views.
impl Tensor {
    /// The tensor whose elements it shows, if it is a view that gradients go through.
    #[must_use]
    pub fn base(&self) -> Option<Self> {
        self.0.view.borrow().as_ref().map(|view| view.base.clone())
    }

    /// The same storage under another layout, as a view that `node` differentiates.
    pub(super) fn viewing(&self, layout: Layout, node: Option<Rc<Node>>) -> Self {
        let view = self.with_layout(layout).made_by(node);
        // The history of a base that is a view itself must be up to date before another builds on it.
        let of = self.0.view.borrow();
        let base = of.as_ref().map_or_else(|| self.clone(), |view| view.base.clone());
        let origin = match of.as_ref().map(|view| view.origin) {
            _ if !is_grad_enabled() => Origin::Unrecorded,
            None => Origin::Recorded,
            Some(origin) => origin,
        };
        let version = Cell::new(self.version());
        *view.0.view.borrow_mut() = Some(View { base, version, origin });
        view
    }

    /// This tensor as the output of one operation of that name, which was computed by others.
    pub(crate) fn called(self, name: &'static str) -> Self {
        match Node::record(name, &[&self], &[], |g, _| Ok(vec![Some(g.clone())])) {
            None => self,
            node => self.detach().made_by(node),
        }
    }

    /// Marks a view as one of several that a function returned.
    pub(super) fn one_of_many(self, function: &'static str, number: usize) -> Self {
        if let Some(view) = self.0.view.borrow_mut().as_mut()
            && matches!(view.origin, Origin::Recorded)
        {
            view.origin = Origin::OneOfMany(function, number);
        }
        self
    }

    /// Refuses what autograd could not follow: a write to a leaf, to a view of one, or to some kinds of views.
    pub(super) fn check_in_place(&self, sources: &[&Self]) -> Result<()> {
        let fault = |message: String| Err(Error::Autograd(message));
        if self.0.is_inference && !autograd::is_inference_mode_enabled() {
            return fault(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get \
                 a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more \
                 details."
                    .into(),
            );
        }
        if !is_grad_enabled() || !(self.requires_grad() || sources.iter().any(|t| t.requires_grad())) {
            return Ok(());
        }
        if let Some(view) = self.0.view.borrow().as_ref() {
            match view.origin {
                Origin::Recorded => {}
                Origin::Unrecorded => {
                    return fault(
                        "A view was created in no_grad mode and is being modified inplace with grad mode enabled. \
                         Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your \
                         code by moving both the view and the inplace either both inside the no_grad block (if you \
                         don't want the inplace to be tracked) or both outside (if you want the inplace to be \
                         tracked)."
                            .into(),
                    );
                }
                Origin::OneOfMany(function, number) => {
                    return fault(format!(
                        "Output {number} of {function} is a view and is being modified inplace. This view is the \
                         output of a function that returns multiple views. Such functions do not allow the output \
                         views to be modified inplace. You should replace the inplace operation by an out-of-place \
                         one."
                    ));
                }
            }
            if self.requires_grad() && view.base.is_leaf() {
                return fault(
                    "a view of a leaf Variable that requires grad is being used in an in-place operation."
                        .into(),
                );
            }
        }
        if self.requires_grad() && self.is_leaf() {
            return fault(
                "a leaf Variable that requires grad is being used in an in-place operation.".into(),
            );
        }
        Ok(())
    }

    /// Before `argument` is overwritten: where the derivative of this result needs it, a copy of it is kept.
    pub(super) fn spare(&self, argument: &Self) -> Result<()> {
        self.grad_fn().map_or(Ok(()), |node| node.spare(argument))
    }

    /// The elements are those of `result` from now on, by whatever made that.
    pub(super) fn rebase(&self, result: &Self) {
        let Some(maker) = result.grad_fn() else { return };
        if result.dtype() == self.dtype() {
            maker.moved(result, self);
        }
        let view = self.0.view.borrow();
        let Some(view) = view.as_ref() else {
            self.set_history(Some(maker));
            return;
        };
        // What lies under the view comes from the result, the rest from the base as it was.
        let (shown, whole) = (self.layout().clone(), view.base.layout().clone());
        let node = Node::record("CopySlices", &[&view.base, result], &[], move |g, _| {
            if creates_graph() {
                let ones = Self::ones(shown.shape(), g.dtype(), g.device())?;
                let is_written = laid(&ones, &shown, &whole)?.ne(0)?;
                return Ok(vec![Some(is_written.where_(0.0, g)?), Some(laid(g, &whole, &shown)?)]);
            }
            let ([window, rest], _) = Self::zeros_under([&shown, &whole], g)?;
            rest.run(&crate::program::Program::copy(g.dtype()), &[g])?;
            let of_result = window.duplicate()?;
            window.run(&crate::program::Program::fill(0.into(), g.dtype()), &[])?;
            Ok(vec![Some(rest), Some(of_result)])
        });
        view.base.set_history(node);
    }
}
