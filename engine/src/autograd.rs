//! Reverse-mode differentiation: a tape of nodes that own what their derivative needs.

mod checkpoint;
mod function;
mod graph;
mod mode;
mod node;
mod packed;
mod saved_tensor;

pub use checkpoint::{checkpoint, checkpoint_with};
pub use function::function;
use graph::graph;
pub use graph::recorded;
pub(crate) use mode::creates_graph;
use mode::creating_graph;
pub use mode::{
    GradMode, enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
    set_grad_enabled, set_inference_mode,
};
use node::Derivative;
pub(crate) use node::{Edge, Hook, Joint, Node, Place, hooked};
pub use packed::{Pack, Unpack, set_pack};

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::ledger::{Phase, Tag, during, within};
use crate::tensor::{Tensor, joined};

/// What `torch.autograd.backward` takes beside tensors.
#[derive(Default, Clone, Copy)]
pub struct BackwardOptions<'a> {
    /// The gradients of the tensors; `None` for all of them where they are numbers.
    pub grad_tensors: Option<&'a [Option<&'a Tensor>]>,
    /// Whether the graph can be used again; unless it is said, only if gradients are recorded.
    pub retain_graph: Option<bool>,
    /// Whether what computes gradients is recorded, so that they have derivatives themselves. A leaf and its `.grad` hold
    /// each other then, until that is dropped.
    pub create_graph: bool,
    /// Whose `.grad` changes, leaves or not; `None` for all leaves.
    pub inputs: Option<&'a [&'a Tensor]>,
}

/// `root.backward(…)`: adds `d root / d leaf` to the `.grad` of every leaf. Gradients are not recorded.
pub(crate) fn backward_of(root: &Tensor, gradient: Option<&Tensor>, retain_graph: bool) -> Result<()> {
    let gradient = seed(0, root, gradient)?.detach();
    no_grad(|| during(Phase::Backward, || accumulate(&[(root.edge(), gradient)], None, retain_graph)))
}

/// `torch.autograd.backward(tensors, …)`: adds the gradients of the sum of the tensors to the `.grad` of every leaf, or of
/// those inputs alone.
///
/// # Errors
/// With PyTorch's messages: no inputs, and those of [`Tensor::backward`].
pub fn backward(tensors: &[&Tensor], options: BackwardOptions<'_>) -> Result<()> {
    if options.inputs.is_some_and(<[_]>::is_empty) {
        return Err(Error::Autograd("`inputs` argument to `backward()` cannot be empty.".into()));
    }
    let seeds = seeds(tensors, options.grad_tensors, options.create_graph)?;
    let retain_graph = options.retain_graph.unwrap_or(options.create_graph);
    let pass = || during(Phase::Backward, || accumulate(&seeds, options.inputs, retain_graph));
    if options.create_graph { creating_graph(pass) } else { no_grad(pass) }
}

fn accumulate(roots: &[(Edge, Tensor)], inputs: Option<&[&Tensor]>, retain_graph: bool) -> Result<()> {
    // Only when all have arrived: leaves keep their gradients if the graph turns out to be faulty.
    let arrived = run(roots, inputs, retain_graph)?;
    let (mut sums, mut told) = (Vec::new(), Vec::new());
    let is_asked = |leaf: &Tensor| inputs.is_none_or(|inputs| inputs.iter().any(|input| input.is(leaf)));
    for (leaf, gradient) in arrived.leaves.into_iter().filter(|(leaf, _)| is_asked(leaf)) {
        let gradient = leaf.hooked(gradient)?;
        match leaf.grad().filter(|old| old.adds_in_place(&gradient)) {
            Some(old) => sums.push(vec![old, gradient]),
            None => leaf.accumulate_grad(gradient)?,
        }
        told.push(leaf);
    }
    // Gradients that lie side by side, and those that they are added to, are one each.
    joined(sums)?.iter().try_for_each(|row| row[0].clone().plus(&row[1], true).map(drop))?;
    for input in inputs.unwrap_or_default() {
        if let Edge::Node(node) = input.edge()
            && let Some(gradient) = arrived.nodes.get(&node.id)
        {
            input.accumulate_grad(gradient.clone())?;
        }
    }
    told.iter().try_for_each(Tensor::accumulated)
}

/// What `torch.autograd.grad` takes beside outputs and inputs.
#[derive(Default, Clone, Copy)]
pub struct GradOptions<'a> {
    /// The gradients of the outputs; `None` for all of them where they are numbers.
    pub grad_outputs: Option<&'a [Option<&'a Tensor>]>,
    /// Whether the graph can be used again; unless it is said, only if gradients are recorded.
    pub retain_graph: Option<bool>,
    /// Whether what computes gradients is recorded, so that they have derivatives themselves.
    pub create_graph: bool,
    /// Whether an input that no output depends on has the gradient `None`, instead of being an error.
    pub allow_unused: bool,
}

/// `torch.autograd.grad(outputs, inputs, …)`: the gradients of the sum of the outputs; no `.grad` changes. Only what
/// lies between outputs and inputs runs.
///
/// # Errors
/// With PyTorch's messages: an input that requires no gradient or is not used, and those of [`Tensor::backward`].
pub fn grad(
    outputs: &[&Tensor],
    inputs: &[&Tensor],
    options: GradOptions<'_>,
) -> Result<Vec<Option<Tensor>>> {
    let seeds = seeds(outputs, options.grad_outputs, options.create_graph)?;
    if inputs.iter().any(|input| !input.requires_grad()) {
        return Err(Error::Autograd("One of the differentiated Tensors does not require grad".into()));
    }
    let pass = || during(Phase::Backward, || arrive(&seeds, inputs, options));
    if options.create_graph { creating_graph(pass) } else { no_grad(pass) }
}

/// Brings gradients to the inputs.
fn arrive(
    seeds: &[(Edge, Tensor)],
    inputs: &[&Tensor],
    options: GradOptions<'_>,
) -> Result<Vec<Option<Tensor>>> {
    let arrived = run(seeds, Some(inputs), options.retain_graph.unwrap_or(options.create_graph))?;
    let one = |(i, input): (usize, &&Tensor)| {
        let gradient = match input.edge() {
            Edge::Node(node) => arrived.nodes.get(&node.id).cloned(),
            _ => arrived.leaves.iter().find(|(leaf, _)| leaf.is(input)).map(|(_, g)| g.clone()),
        };
        let gradient = match (gradient, input.is_leaf()) {
            (Some(gradient), true) => Some(input.hooked(gradient)?),
            (gradient, _) => gradient,
        };
        if gradient.is_none() && !options.allow_unused {
            return Err(Error::Autograd(format!(
                "The differentiated Tensor at index {i} appears to not have been used in the graph. Set \
                 allow_unused=True if this is the desired behavior."
            )));
        }
        Ok(gradient)
    };
    inputs.iter().enumerate().map(one).collect()
}

/// Where a backward pass begins, and with what.
fn seeds(
    outputs: &[&Tensor],
    given: Option<&[Option<&Tensor>]>,
    create_graph: bool,
) -> Result<Vec<(Edge, Tensor)>> {
    if let Some(given) = given.filter(|given| given.len() != outputs.len()) {
        let message = format!("got {} tensors and {} gradients", outputs.len(), given.len());
        return Err(Error::Autograd(message));
    }
    let seed = |(i, output): (usize, &&Tensor)| {
        let seed = seed(i, output, given.and_then(|given| given[i]))?;
        Ok((output.edge(), if create_graph { seed } else { seed.detach() }))
    };
    outputs.iter().enumerate().map(seed).collect()
}

/// The gradient that a backward pass begins with at output number `at`.
fn seed(at: usize, root: &Tensor, gradient: Option<&Tensor>) -> Result<Tensor> {
    if !root.requires_grad() {
        return Err(Error::Autograd(format!(
            "element {at} of tensors does not require grad and does not have a grad_fn"
        )));
    }
    match gradient {
        Some(g) if g.shape() != root.shape() => Err(Error::Autograd(format!(
            "Mismatch in shape: grad_output[{at}] has a shape of torch.Size([{}]) and output[{at}] has a shape of \
             torch.Size([{}]).",
            crate::layout::join(g.shape().iter()),
            crate::layout::join(root.shape().iter())
        ))),
        Some(g) => Ok(g.clone()),
        None if root.numel() == 1 => no_grad(|| root.full_like(1.0)),
        None => Err(Error::Autograd("grad can be implicitly created only for scalar outputs".into())),
    }
}

/// Complete gradients, where a backward pass was to bring them.
struct Arrived {
    leaves: Vec<(Tensor, Tensor)>,
    nodes: HashMap<u64, Tensor>,
}

/// Carries gradients from the roots back to all leaves, or only to those tensors.
fn run(roots: &[(Edge, Tensor)], only: Option<&[&Tensor]>, retain_graph: bool) -> Result<Arrived> {
    let targets = only.map(|only| Targets::new(roots, only));
    let mut flow = Flow { is_backward: targets.is_none(), ..Flow::default() };
    let mut nodes = HashMap::new();
    for (edge, gradient) in roots {
        flow.send(edge, gradient.clone())?;
    }
    while let Some((id, node)) = flow.ready.pop_last() {
        if let Derivative::Joint(joint) = &node.derivative {
            flow.separate(&node, joint)?;
            continue;
        }
        let Some(gradient) = flow.gradients.remove(&id) else { continue };
        let gradient = node.arrived(gradient)?;
        if let Some(targets) = &targets {
            if targets.nodes.contains(&id) {
                nodes.insert(id, gradient.clone());
            }
            if !targets.leading.contains(&id) {
                continue;
            }
        }
        within(node.part, || flow.through(&node, &gradient))?;
        if !retain_graph {
            node.free();
        }
    }
    Ok(Arrived { leaves: flow.arrived, nodes })
}

/// Gradients on their way from the roots to the leaves.
#[derive(Default)]
struct Flow {
    /// Whether leaves will keep what arrives as their `.grad`.
    is_backward: bool,
    /// Nodes by id, latest first: when a node comes up, all that flows into it has arrived.
    ready: BTreeMap<u64, Rc<Node>>,
    gradients: HashMap<u64, Tensor>,
    /// Leaves and what arrived there.
    arrived: Vec<(Tensor, Tensor)>,
    /// What flows into joint nodes.
    joint: HashMap<u64, Parts>,
}

/// The gradients of tensors side by side, and which of them have come.
struct Parts {
    flat: Tensor,
    come: Vec<bool>,
}

impl Flow {
    /// The derivative of one operation: its gradient becomes those of its inputs.
    fn through(&mut self, node: &Rc<Node>, arrived: &Tensor) -> Result<()> {
        let saved = node.saved_tensors()?;
        let edges = node.edges.borrow();
        match &node.derivative {
            Derivative::Together(derivative) => {
                for (edge, gradient) in edges.iter().zip(derivative(arrived, &saved)?) {
                    if let Some(gradient) = gradient {
                        self.send(edge, node.left(gradient, arrived))?;
                    }
                }
            }
            Derivative::Each(derivative) => {
                for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| !matches!(edge, Edge::None)) {
                    let place = self.place(edge)?;
                    let gradient = derivative(i, arrived, &saved, place.as_ref())?;
                    self.send(edge, node.left(gradient, arrived))?;
                }
            }
            Derivative::Joint(_) => {}
        }
        Ok(())
    }

    /// Where the first gradient of a leaf, or of one of several results side by side, may be written, if it has such a
    /// place and no gradient yet.
    fn place(&mut self, edge: &Edge) -> Result<Option<Tensor>> {
        match edge {
            _ if !self.is_backward || creates_graph() => Ok(None),
            Edge::Leaf(leaf) if leaf.grad().is_none() => {
                Ok(leaf.grad_place().filter(|_| !self.arrived.iter().any(|(other, _)| other.is(leaf))))
            }
            Edge::Node(node) if !self.gradients.contains_key(&node.id) => match &node.edges.borrow()[..] {
                [Edge::Part(joint, at)] => self.part(joint, *at).map(|place| place.filter(|(_, come)| !come)),
                _ => Ok(None),
            }
            .map(|place| place.map(|(place, _)| place)),
            _ => Ok(None),
        }
    }

    /// Where the gradient of that part of a joint node is, and whether it has come.
    fn part(&mut self, node: &Node, at: usize) -> Result<Option<(Tensor, bool)>> {
        let Derivative::Joint(joint) = &node.derivative else { return Ok(None) };
        let parts = match self.joint.entry(node.id) {
            Entry::Occupied(parts) => parts.into_mut(),
            Entry::Vacant(place) => {
                let come = vec![false; joint.parts.len()];
                place.insert(Parts { flat: joint.room(joint.to)?, come })
            }
        };
        Ok(Some((joint.part(&parts.flat, at)?, parts.come[at])))
    }

    /// Converts all gradients that have come to a joint node by one kernel, straight to where leaves keep theirs if
    /// none has one yet.
    fn separate(&mut self, node: &Node, joint: &Joint) -> Result<()> {
        let Some(Parts { flat, come }) = self.joint.remove(&node.id) else { return Ok(()) };
        let edges = node.edges.borrow();
        let mut places = Vec::new();
        for edge in edges.iter() {
            places.extend(self.place(edge)?);
        }
        let is_placed = places.len() == edges.len();
        let gradients = match places.first().filter(|_| is_placed) {
            Some(first) => first.part(0..joint.numel(), &[joint.numel()])?,
            None => joint.room(joint.from)?,
        };
        gradients.copy_(&flat)?;
        for at in (0..edges.len()).filter(|&at| come[at]) {
            let gradient = if is_placed { places[at].clone() } else { joint.part(&gradients, at)? };
            self.send(&edges[at], gradient)?;
        }
        Ok(())
    }

    fn send(&mut self, edge: &Edge, gradient: Tensor) -> Result<()> {
        match edge {
            Edge::None => {}
            Edge::Leaf(leaf) => {
                let gradient = match self.arrived.iter().position(|(other, _)| other.is(leaf)) {
                    Some(at) => {
                        let (_, sum) = self.arrived.swap_remove(at);
                        let is_place = leaf.grad_place().is_some_and(|place| place.is(&sum));
                        sum.plus(&gradient, is_place)?
                    }
                    None => gradient,
                };
                if self.is_backward && leaf.takes_over(&gradient) {
                    gradient.set_tag(Tag::Gradient);
                }
                self.arrived.push((leaf.clone(), gradient));
            }
            Edge::Part(node, at) if creates_graph() => {
                // One by one, by operations that are recorded.
                if let Derivative::Joint(joint) = &node.derivative {
                    self.send(&node.edges.borrow()[*at], gradient.to_dtype(joint.from)?)?;
                }
            }
            Edge::Part(node, at) => {
                if let Some((place, come)) = self.part(node, *at)? {
                    if come {
                        place.plus(&gradient, true)?;
                    } else {
                        place.copy_(&gradient)?;
                    }
                }
                if let Some(parts) = self.joint.get_mut(&node.id) {
                    parts.come[*at] = true;
                }
                self.ready.insert(node.id, node.clone());
            }
            Edge::Node(node) => {
                let sum = match self.gradients.remove(&node.id) {
                    Some(sum) => sum.plus(&gradient, false)?,
                    None => gradient,
                };
                self.gradients.insert(node.id, sum);
                self.ready.insert(node.id, node.clone());
            }
        }
        Ok(())
    }
}

/// Where [`grad`] is to arrive, and which operations lead there.
struct Targets {
    nodes: HashSet<u64>,
    leading: HashSet<u64>,
}

impl Targets {
    fn new(roots: &[(Edge, Tensor)], only: &[&Tensor]) -> Self {
        let of_node = |input: &&Tensor| match input.edge() {
            Edge::Node(node) => Some(node.id),
            _ => None,
        };
        let nodes: HashSet<u64> = only.iter().filter_map(of_node).collect();
        let graph = graph(roots.iter().map(|(edge, _)| edge));
        // From the oldest on: what an operation leads to is settled before it.
        let mut leading = HashSet::new();
        for (id, node) in graph {
            let leads = node.edges.borrow().iter().any(|edge| match edge {
                Edge::None => false,
                Edge::Leaf(leaf) => only.iter().any(|input| input.is(leaf)),
                Edge::Node(node) | Edge::Part(node, _) => {
                    nodes.contains(&node.id) || leading.contains(&node.id)
                }
            });
            if leads {
                leading.insert(id);
            }
        }
        Self { nodes, leading }
    }
}
