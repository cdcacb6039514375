//! One recorded operation, and what it keeps for its derivative.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use super::checkpoint::{self, Frame, Pass};
use super::mode::{creates_graph, is_grad_enabled};
use super::saved_tensor::{SavedTensor, shortened};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger;
use crate::tensor::{Tensor, WeakTensor};

thread_local! {
    static NEXT_ID: Cell<u64> = const { Cell::new(0) };
}

/// Where the gradient of an input goes.
#[derive(Clone)]
pub(crate) enum Edge {
    /// The input needs none.
    None,
    /// Into the `.grad` of a leaf.
    Leaf(Tensor),
    /// On through the operation that made the input.
    Node(Rc<Node>),
    /// On through an operation on several tensors side by side, of whose results the input is that one.
    Part(Rc<Node>, usize),
}

impl Edge {
    /// The operation that it leads to.
    pub(super) fn node(&self) -> Option<&Rc<Node>> {
        match self {
            Self::Node(node) | Self::Part(node, _) => Some(node),
            Self::None | Self::Leaf(_) => None,
        }
    }
}

/// The conversion of tensors that lie side by side: its results do so too, and so will their gradients.
pub(crate) struct Joint {
    /// Where each tensor is among all elements, and its shape.
    pub(crate) parts: Vec<(Range<usize>, Vec<usize>)>,
    pub(crate) from: DType,
    pub(crate) to: DType,
    pub(crate) device: Device,
}

impl Joint {
    /// Room for the elements of all tensors.
    pub(super) fn room(&self, dtype: DType) -> Result<Tensor> {
        Tensor::empty(&[self.numel()], dtype, &self.device)
    }

    pub(super) fn numel(&self) -> usize {
        self.parts.last().map_or(0, |(range, _)| range.end)
    }

    /// One of the tensors that `flat` holds.
    pub(super) fn part(&self, flat: &Tensor, at: usize) -> Result<Tensor> {
        let (range, shape) = &self.parts[at];
        flat.part(range.clone(), shape)
    }
}

type OfAll = dyn Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>>;
type OfOne = dyn Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor>;

/// The derivative of one operation: from the gradient of its output and the saved tensors to the
/// gradients of its inputs.
pub(super) enum Derivative {
    /// All inputs together; `None` where an input has none.
    Together(Box<OfAll>),
    /// One input, by its number, asked for only if it is needed.
    Each(Box<OfOne>),
    /// All inputs by one kernel.
    Joint(Joint),
}

/// What becomes of a derivative where gradients are recorded themselves ([`creates_graph`]).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Twice {
    /// It is made of recorded operations.
    Recorded,
    /// So it is, but where it is 0 whatever comes, it needs no history.
    Flat,
    /// It is somebody else's, who sees the histories in any case; what he makes without one is meant so.
    Own,
    /// It is made by kernels alone.
    Refused,
}

/// Where the gradient of a leaf may be written straight away, which saves a copy: a contiguous tensor of its
/// shape and dtype. What was written there is returned; anything else that is returned is copied.
pub(crate) type Place<'a> = Option<&'a Tensor>;

/// What somebody wants to see or change of a gradient on its way.
pub(crate) type Hook = Rc<dyn Fn(&Tensor) -> Result<Option<Tensor>>>;

/// One recorded operation.
pub(crate) struct Node {
    /// Grows with time: consumers of a node's output have larger ids than the node.
    pub(super) id: u64,
    name: &'static str,
    /// Of the model, in whose name the ledger counts the derivative.
    pub(super) part: &'static str,
    pub(super) edges: RefCell<Vec<Edge>>,
    saved: RefCell<Saved>,
    pub(super) derivative: Derivative,
    twice: Twice,
    /// Outputs that keep their gradient though they are no leaves.
    retaining: RefCell<Vec<WeakTensor>>,
    hooks: RefCell<Vec<Hook>>,
}

/// The tensors of a derivative.
enum Saved {
    Here(Vec<SavedTensor>),
    /// A backward pass has let go of them.
    Freed,
    /// They are computed anew: those of this node in a second run of the frame.
    Again(Rc<Frame>, usize),
}

impl Node {
    /// Records an operation with these inputs, if any of them needs a gradient and recording is on.
    /// The name is PyTorch's, as `MulBackward0`.
    ///
    /// Where gradients are recorded themselves ([`creates_graph`]), inputs and the output that the derivative saved have
    /// their histories: what it does with them must be recorded operations. A gradient that has lost its history refuses
    /// to be differentiated.
    pub(crate) fn record(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, Twice::Recorded, || Derivative::Together(Box::new(derivative)))
    }

    /// As [`Node::record`], of what is constant in an input: its gradient is 0, and has no history.
    pub(crate) fn record_flat(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, Twice::Flat, || Derivative::Together(Box::new(derivative)))
    }

    /// As [`Node::record`] with a derivative that gives the gradient of one input at a time.
    pub(crate) fn record_each(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, Twice::Recorded, || Derivative::Each(Box::new(derivative)))
    }

    /// As [`Node::record`] of an operation that is not the engine's.
    pub(super) fn record_own(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, Twice::Own, || Derivative::Together(Box::new(derivative)))
    }

    /// As [`Node::record_each`] with a derivative that cannot be differentiated.
    pub(crate) fn record_each_once(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, Twice::Refused, || Derivative::Each(Box::new(derivative)))
    }

    /// Records the conversion of tensors side by side.
    pub(crate) fn record_joint(inputs: &[&Tensor], joint: Joint) -> Option<Rc<Self>> {
        Self::with("ToCopyBackward0", inputs, &[], Twice::Recorded, || Derivative::Joint(joint))
    }

    /// One of the results of a joint operation, as a view of them.
    pub(crate) fn part_of(joint: &Rc<Self>, at: usize) -> Rc<Self> {
        let derivative = |g: &Tensor, _: &[Tensor]| Ok(vec![Some(g.clone())]);
        let (edges, saved) = (vec![Edge::Part(joint.clone(), at)], Saved::Here(Vec::new()));
        Self::new("ViewBackward0", edges, saved, Twice::Recorded, Derivative::Together(Box::new(derivative)))
    }

    fn new(
        name: &'static str,
        edges: Vec<Edge>,
        saved: Saved,
        twice: Twice,
        derivative: Derivative,
    ) -> Rc<Self> {
        Rc::new(Self {
            id: NEXT_ID.replace(NEXT_ID.get() + 1),
            name,
            part: ledger::part(),
            edges: RefCell::new(edges),
            saved: RefCell::new(saved),
            derivative,
            twice,
            retaining: RefCell::default(),
            hooks: RefCell::default(),
        })
    }

    fn with(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        twice: Twice,
        derivative: impl FnOnce() -> Derivative,
    ) -> Option<Rc<Self>> {
        if !is_grad_enabled() || !inputs.iter().any(|t| t.requires_grad()) {
            return None;
        }
        let edges = inputs.iter().map(|t| t.edge()).collect();
        let pass = checkpoint::pass();
        let saved = match &pass {
            Pass::First(frame) => Saved::Again(frame.clone(), frame.count()),
            Pass::Second(_) | Pass::None => {
                let keep = |t: &&Tensor| match inputs.iter().position(|input| input.is(t)) {
                    Some(at) => SavedTensor::input(t, at),
                    None => SavedTensor::other(t, t.edge()),
                };
                Saved::Here(saved.iter().map(keep).collect())
            }
        };
        let node = Self::new(name, edges, saved, twice, derivative());
        if let Pass::Second(frame) = pass {
            frame.push(node.clone());
        }
        Some(node)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Lets go of the saved tensors. A node that saved nothing can run again, as in PyTorch.
    pub(super) fn free(&self) {
        let mut saved = self.saved.borrow_mut();
        if !matches!(&*saved, Saved::Here(kept) if kept.is_empty()) {
            *saved = Saved::Freed;
        }
    }

    /// What the derivative needs; where gradients are recorded, with the histories of this operation's inputs and output.
    pub(super) fn saved_tensors(self: &Rc<Self>) -> Result<Vec<Tensor>> {
        self.saved_for(self)
    }

    /// The same, if this is the node itself or its twin of another run.
    fn saved_for(&self, node: &Rc<Self>) -> Result<Vec<Tensor>> {
        match &*self.saved.borrow() {
            Saved::Here(kept) if creates_graph() || self.twice == Twice::Own => {
                kept.iter().map(|kept| kept.with_history(node)).collect()
            }
            Saved::Here(kept) => {
                let edges = self.edges.borrow();
                kept.iter().map(|kept| kept.get(&edges)).collect()
            }
            Saved::Again(frame, number) => frame.node(*number)?.saved_for(node),
            Saved::Freed => Err(Error::Autograd(
                "Trying to backward through the graph a second time (or directly access saved tensors after \
                 they have already been freed). Saved intermediate values of the graph are freed when you call \
                 .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the \
                 graph a second time or if you need to access saved tensors after calling backward."
                    .into(),
            )),
        }
    }

    /// That tensor is the operation's output: it has the history that it gets only now.
    pub(crate) fn made(&self, output: &Tensor) {
        if let Saved::Here(kept) = &mut *self.saved.borrow_mut() {
            kept.iter_mut().for_each(|kept| kept.note_output(self.name, output));
        }
    }

    /// A gradient that the derivative made of the one that arrived. If it has lost its history it refuses to be
    /// differentiated: nothing is left out in silence.
    pub(super) fn left(&self, gradient: Tensor, arrived: &Tensor) -> Tensor {
        let is_lost = match self.twice {
            Twice::Recorded => arrived.requires_grad(),
            Twice::Flat | Twice::Own => false,
            Twice::Refused => true,
        };
        if !creates_graph() || gradient.requires_grad() || !is_lost {
            return gradient;
        }
        let message = format!("the derivative of {} is not implemented twice", shortened(self.name));
        let derivative = move |_: &Tensor, _: &[Tensor]| Err(Error::Autograd(message.clone()));
        let (mut edges, saved) = (self.edges.borrow().clone(), Saved::Here(Vec::new()));
        edges.push(arrived.edge());
        let derivative = Derivative::Together(Box::new(derivative));
        gradient.detach().made_by(Some(Self::new("NotImplemented", edges, saved, Twice::Refused, derivative)))
    }

    /// The first argument is about to be overwritten: where the derivative needs it, a copy is kept instead.
    pub(crate) fn spare(&self, argument: &Tensor) -> Result<()> {
        if let Saved::Here(kept) = &mut *self.saved.borrow_mut()
            && let Some(first) = kept.iter_mut().find(|kept| kept.is_first(argument))
        {
            first.spare()?;
        }
        Ok(())
    }

    /// The result has moved into another tensor: what the derivative needs of it is found there.
    pub(crate) fn moved(&self, result: &Tensor, to: &Tensor) {
        if let Saved::Here(kept) = &mut *self.saved.borrow_mut() {
            for kept in kept.iter_mut().filter(|kept| kept.lies_in(result)) {
                *kept = kept.moved(to);
            }
        }
    }

    /// The tensor's `.grad` is set when the gradient comes by.
    pub(crate) fn retain(&self, output: &Tensor) {
        self.retaining.borrow_mut().push(output.downgrade());
    }

    /// The tensor has another history now.
    pub(crate) fn release(&self, output: &Tensor) {
        self.retaining.borrow_mut().retain(|kept| kept.upgrade().is_some_and(|kept| !kept.is(output)));
    }

    /// Takes out what leads on from here.
    fn links(&self) -> Vec<Edge> {
        let mut links = self.edges.take();
        if let Saved::Here(kept) = &mut *self.saved.borrow_mut() {
            links.extend(kept.iter_mut().filter_map(SavedTensor::unlink));
        }
        links
    }

    pub(crate) fn hook(&self, hook: Hook) {
        self.hooks.borrow_mut().push(hook);
    }

    /// The gradient of the output is complete: hooks see it, and outputs that want it keep it.
    pub(super) fn arrived(&self, gradient: Tensor) -> Result<Tensor> {
        let gradient = hooked(&self.hooks.borrow(), gradient)?;
        for output in self.retaining.borrow().iter().filter_map(WeakTensor::upgrade) {
            output.accumulate_grad(gradient.clone())?;
        }
        Ok(gradient)
    }
}

/// What hooks make of a gradient, in the order in which they were registered.
pub(crate) fn hooked(hooks: &[Hook], gradient: Tensor) -> Result<Tensor> {
    hooks.iter().try_fold(gradient, |gradient, hook| Ok(hook(&gradient)?.unwrap_or(gradient)))
}

impl Drop for Node {
    /// Unlinks the chain behind this node in a loop: dropping it link by link would recurse as deep
    /// as the graph is long.
    fn drop(&mut self) {
        let mut pending = self.links();
        while let Some(edge) = pending.pop() {
            if let Edge::Node(node) | Edge::Part(node, _) = edge
                && let Some(node) = Rc::into_inner(node)
            {
                pending.append(&mut node.links());
            }
        }
    }
}
