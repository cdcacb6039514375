//! Gradient checkpointing: a part of the graph whose derivatives save nothing and run the part again instead
//! (Chen et al. 2016, "Training deep nets with sublinear memory cost").

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::mode::{enable_grad, is_grad_enabled};
use super::node::{Edge, Node};
use super::saved_tensor::SavedTensor;
use crate::error::{Error, Result};
use crate::ledger::{Phase, during};
use crate::random::Generator;
use crate::tensor::Tensor;

thread_local! {
    static PASS: RefCell<Pass> = const { RefCell::new(Pass::None) };
}

/// Which run of a frame is under way.
#[derive(Clone)]
pub(super) enum Pass {
    /// None: derivatives save what they need.
    None,
    /// The first: they remember which they are.
    First(Rc<Frame>),
    /// The second: they save, and the frame holds them for their twins of the first.
    Second(Rc<Frame>),
}

pub(super) fn pass() -> Pass {
    PASS.with_borrow(Clone::clone)
}

/// Runs `body` in a pass.
fn within<T>(pass: Pass, body: impl FnOnce() -> T) -> T {
    struct Restore(Pass);
    impl Drop for Restore {
        fn drop(&mut self) {
            PASS.set(std::mem::replace(&mut self.0, Pass::None));
        }
    }
    let _restore = Restore(PASS.replace(pass));
    body()
}

/// A part of the graph that can be run again.
pub(super) struct Frame {
    again: Box<dyn Fn() -> Result<()>>,
    /// Nodes that the first run recorded.
    recorded: Cell<usize>,
    /// Those of the last other run; each is taken by its twin.
    nodes: RefCell<Vec<Option<Rc<Node>>>>,
}

impl Frame {
    /// The number of the next node of the first run.
    pub(super) fn count(&self) -> usize {
        self.recorded.replace(self.recorded.get() + 1)
    }

    /// Takes in the next node of another run.
    pub(super) fn push(&self, node: Rc<Node>) {
        self.nodes.borrow_mut().push(Some(node));
    }

    /// The node of that number; if it has been taken, everything runs again.
    pub(super) fn node(self: &Rc<Self>, number: usize) -> Result<Rc<Node>> {
        let take = || self.nodes.borrow_mut().get_mut(number).and_then(Option::take);
        if let Some(node) = take() {
            return Ok(node);
        }
        self.nodes.borrow_mut().clear();
        let again = || during(Phase::Recompute, || enable_grad(|| (self.again)()));
        within(Pass::Second(self.clone()), again)?;
        let (first, second) = (self.recorded.get(), self.nodes.borrow().len());
        if first != second {
            return Err(Error::Autograd(format!(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and \
                 recomputation.\nNumber of tensors saved during forward: {first}\nNumber of tensors saved during \
                 recomputation: {second}"
            )));
        }
        take()
            .ok_or_else(|| Error::Autograd("torch.utils.checkpoint: the recomputation saved nothing".into()))
    }
}

/// `torch.utils.checkpoint.checkpoint(f, *inputs, use_reentrant=False)`: `f(inputs)`, whose intermediate results are
/// not kept for the backward pass but computed again in it. Gradients also reach what `f` refers to besides its
/// inputs. A checkpoint within another one adds nothing to it.
///
/// # Errors
/// Those of `f`; in the backward pass also if an input has been overwritten since, or `f` does something else the
/// second time.
pub fn checkpoint<R>(f: impl Fn(&[Tensor]) -> Result<R> + 'static, inputs: &[Tensor]) -> Result<R> {
    run(f, inputs)
}

/// [`checkpoint`] of a function that draws random numbers: the second run draws the same ones, from a copy of the
/// generator as it was before the first. The generator itself goes on from after the first.
///
/// # Errors
/// As [`checkpoint`].
pub fn checkpoint_with<R>(
    generator: &mut Generator,
    f: impl Fn(&[Tensor], &mut Generator) -> Result<R> + 'static,
    inputs: &[Tensor],
) -> Result<R> {
    let before = generator.clone();
    let drawing = Rc::new(RefCell::new(before.clone()));
    let after = drawing.clone();
    let result = run(
        move |inputs| {
            let mut generator = before.clone();
            let result = f(inputs, &mut generator);
            *drawing.borrow_mut() = generator;
            result
        },
        inputs,
    );
    generator.clone_from(&after.borrow());
    result
}

fn run<R>(f: impl Fn(&[Tensor]) -> Result<R> + 'static, inputs: &[Tensor]) -> Result<R> {
    if !is_grad_enabled() || !matches!(pass(), Pass::None) {
        return f(inputs);
    }
    let kept: Vec<(SavedTensor, bool)> =
        inputs.iter().map(|t| (SavedTensor::other(t, Edge::None), t.requires_grad())).collect();
    let f = Rc::new(f);
    let twin = f.clone();
    let again = move || {
        let input = |(kept, requires_grad): &(SavedTensor, bool)| Ok(kept.get(&[])?.as_leaf(*requires_grad));
        let inputs = kept.iter().map(input).collect::<Result<Vec<_>>>()?;
        twin(&inputs).map(drop)
    };
    let frame = Rc::new(Frame { again: Box::new(again), recorded: Cell::new(0), nodes: RefCell::default() });
    within(Pass::First(frame), || f(inputs))
}
