//! Reverse-mode differentiation: a tape of nodes that own what their derivative needs.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::tensor::Tensor;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
    static NEXT_ID: Cell<u64> = const { Cell::new(0) };
}

/// Whether operations are recorded, as `torch.is_grad_enabled()`.
#[must_use]
pub fn is_grad_enabled() -> bool {
    ENABLED.get()
}

/// Runs `body` without recording, as `with torch.no_grad():`.
pub fn no_grad<T>(body: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            ENABLED.set(self.0);
        }
    }
    let _restore = Restore(ENABLED.replace(false));
    body()
}

/// Where the gradient of an input goes.
pub(crate) enum Edge {
    /// The input needs none.
    None,
    /// Into the `.grad` of a leaf.
    Leaf(Tensor),
    /// On through the operation that made the input.
    Node(Rc<Node>),
}

/// The derivative of one operation: from the gradient of its output and the saved tensors to the
/// gradients of its inputs.
enum Derivative {
    /// All inputs together; `None` where an input has none.
    Together(Box<dyn Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>>>),
    /// One input, by its number, asked for only if it is needed.
    Each(Box<dyn Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor>>),
}

/// Where the gradient of a leaf may be written straight away, which saves a copy: a contiguous tensor of its
/// shape and dtype. What was written there is returned; anything else that is returned is copied.
pub(crate) type Place<'a> = Option<&'a Tensor>;

/// One recorded operation.
pub(crate) struct Node {
    /// Grows with time: consumers of a node's output have larger ids than the node.
    id: u64,
    name: &'static str,
    edges: RefCell<Vec<Edge>>,
    /// `None` once a backward pass has freed it.
    saved: RefCell<Option<Vec<Saved>>>,
    derivative: Derivative,
}

/// A tensor kept for the derivative, without its own history, and the version it had.
struct Saved {
    tensor: Tensor,
    version: u64,
}

impl Saved {
    fn new(tensor: &Tensor) -> Self {
        tensor.keep();
        Self { tensor: tensor.detach(), version: tensor.version() }
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        self.tensor.let_go();
    }
}

impl Node {
    /// Records an operation with these inputs, if any of them needs a gradient and recording is on.
    /// The name is PyTorch's, as `MulBackward0`.
    pub(crate) fn record(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, || Derivative::Together(Box::new(derivative)))
    }

    /// As [`Node::record`] with a derivative that gives the gradient of one input at a time.
    pub(crate) fn record_each(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, || Derivative::Each(Box::new(derivative)))
    }

    fn with(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl FnOnce() -> Derivative,
    ) -> Option<Rc<Self>> {
        if !is_grad_enabled() || !inputs.iter().any(|t| t.requires_grad()) {
            return None;
        }
        let saved = saved.iter().map(|t| Saved::new(t)).collect();
        Some(Rc::new(Self {
            id: NEXT_ID.replace(NEXT_ID.get() + 1),
            name,
            edges: RefCell::new(inputs.iter().map(|t| t.edge()).collect()),
            saved: RefCell::new(Some(saved)),
            derivative: derivative(),
        }))
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Lets go of the saved tensors. A node that saved nothing can run again, as in PyTorch.
    fn free(&self) {
        let mut saved = self.saved.borrow_mut();
        if saved.as_ref().is_some_and(|s| !s.is_empty()) {
            *saved = None;
        }
    }

    fn saved_tensors(&self) -> Result<Vec<Tensor>> {
        let saved = self.saved.borrow();
        let Some(saved) = saved.as_ref() else {
            return Err(Error::Autograd(
                "Trying to backward through the graph a second time (or directly access saved tensors after \
                 they have already been freed). Saved intermediate values of the graph are freed when you call \
                 .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the \
                 graph a second time or if you need to access saved tensors after calling backward."
                    .into(),
            ));
        };
        for s in saved {
            if s.tensor.version() != s.version {
                return Err(Error::Autograd(format!(
                    "one of the variables needed for gradient computation has been modified by an inplace \
                     operation: [torch.FloatTensor [{}]] is at version {}; expected version {} instead. Hint: \
                     enable anomaly detection to find the operation that failed to compute its gradient, with \
                     torch.autograd.set_detect_anomaly(True).",
                    crate::layout::join(s.tensor.shape().iter()),
                    s.tensor.version(),
                    s.version
                )));
            }
        }
        Ok(saved.iter().map(|s| s.tensor.clone()).collect())
    }
}

impl Drop for Node {
    /// Unlinks the chain behind this node in a loop: dropping it link by link would recurse as deep
    /// as the graph is long.
    fn drop(&mut self) {
        let mut pending = self.edges.take();
        while let Some(edge) = pending.pop() {
            if let Edge::Node(node) = edge
                && let Some(node) = Rc::into_inner(node)
            {
                pending.append(&mut node.edges.borrow_mut());
            }
        }
    }
}

/// `root.backward(gradient, retain_graph=…)`: adds `d root / d leaf` to the `.grad` of every leaf.
pub(crate) fn backward(root: &Tensor, gradient: Option<&Tensor>, retain_graph: bool) -> Result<()> {
    if !root.requires_grad() {
        return Err(Error::Autograd(
            "element 0 of tensors does not require grad and does not have a grad_fn".into(),
        ));
    }
    let gradient = match gradient {
        Some(g) if g.shape() != root.shape() => {
            return Err(Error::Autograd(format!(
                "Mismatch in shape: grad_output[0] has a shape of torch.Size([{}]) and output[0] has a shape of \
                 torch.Size([{}]).",
                crate::layout::join(g.shape().iter()),
                crate::layout::join(root.shape().iter())
            )));
        }
        Some(g) => g.detach(),
        None if root.numel() == 1 => no_grad(|| root.full_like(1.0))?,
        None => {
            return Err(Error::Autograd("grad can be implicitly created only for scalar outputs".into()));
        }
    };
    no_grad(|| run(&root.edge(), gradient, retain_graph))
}

fn run(root: &Edge, gradient: Tensor, retain_graph: bool) -> Result<()> {
    let mut flow = Flow::default();
    flow.send(root, gradient)?;
    while let Some((id, node)) = flow.ready.pop_last() {
        let Some(gradient) = flow.gradients.remove(&id) else { continue };
        let saved = node.saved_tensors()?;
        match &node.derivative {
            Derivative::Together(derivative) => {
                for (edge, gradient) in node.edges.borrow().iter().zip(derivative(&gradient, &saved)?) {
                    if let Some(gradient) = gradient {
                        flow.send(edge, gradient)?;
                    }
                }
            }
            Derivative::Each(derivative) => {
                for (i, edge) in node.edges.borrow().iter().enumerate() {
                    if !matches!(edge, Edge::None) {
                        let place = flow.place(edge);
                        flow.send(edge, derivative(i, &gradient, &saved, place.as_ref())?)?;
                    }
                }
            }
        }
        drop(saved);
        if !retain_graph {
            node.free();
        }
    }
    // Only now: leaves keep their gradients if the graph turns out to be faulty.
    for (leaf, gradient) in flow.arrived {
        leaf.accumulate_grad(&gradient)?;
    }
    Ok(())
}

/// Gradients on their way from the root to the leaves.
#[derive(Default)]
struct Flow {
    /// Nodes by id, latest first: when a node comes up, all that flows into it has arrived.
    ready: BTreeMap<u64, Rc<Node>>,
    gradients: HashMap<u64, Tensor>,
    /// Leaves and what arrived there.
    arrived: Vec<(Tensor, Tensor)>,
}

impl Flow {
    /// Where the first gradient of a leaf may be written, if it has such a place and no gradient yet.
    fn place(&self, edge: &Edge) -> Option<Tensor> {
        match edge {
            Edge::Leaf(leaf) if leaf.grad().is_none() => {
                leaf.grad_place().filter(|_| !self.arrived.iter().any(|(other, _)| other.is(leaf)))
            }
            _ => None,
        }
    }

    fn send(&mut self, edge: &Edge, gradient: Tensor) -> Result<()> {
        match edge {
            Edge::None => {}
            Edge::Leaf(leaf) => self.arrived.push((leaf.clone(), gradient)),
            Edge::Node(node) => {
                let sum = match self.gradients.remove(&node.id) {
                    Some(sum) => sum.add(&gradient)?,
                    None => gradient,
                };
                self.gradients.insert(node.id, sum);
                self.ready.insert(node.id, node.clone());
            }
        }
        Ok(())
    }
}
