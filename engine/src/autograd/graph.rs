//! The graph as others see it: what made a tensor, and of what.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::node::{Edge, Node, Whole};
use crate::tensor::Tensor;

/// A recorded operation, or where a leaf gets its gradient, as `tensor.grad_fn` and its `next_functions` show them.
#[derive(Clone)]
pub struct GradFn(Kind);

#[derive(Clone)]
enum Kind {
    Operation(Rc<Node>),
    Leaf(Tensor),
    /// An operation of that name which leads there and is part of another one: the transposition of a weight, or the
    /// logarithm of a softmax.
    Part(&'static str, Edge),
}

/// What of two arguments records one where the other is a number.
const OF_TWO: [&str; 4] = ["AddBackward0", "SubBackward0", "MulBackward0", "DivBackward0"];

impl GradFn {
    /// What made the tensor; nothing has made a leaf.
    #[must_use]
    pub fn of(tensor: &Tensor) -> Option<Self> {
        match tensor.edge() {
            Edge::Node(node) | Edge::Part(node, _) => Some(Self(Kind::Operation(node))),
            Edge::None | Edge::Leaf(_) => None,
        }
    }

    fn at(edge: &Edge) -> (Option<Self>, usize) {
        match edge {
            Edge::None => (None, 0),
            Edge::Leaf(leaf) => (Some(Self(Kind::Leaf(leaf.clone()))), 0),
            Edge::Node(node) => (Some(Self(Kind::Operation(node.clone()))), 0),
            Edge::Part(node, at) => (Some(Self(Kind::Operation(node.clone()))), *at),
        }
    }

    /// As `MulBackward0`, or `AccumulateGrad` of a leaf.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.0 {
            Kind::Operation(node) => node.name(),
            Kind::Leaf(_) => "AccumulateGrad",
            Kind::Part(name, _) => name,
        }
    }

    /// Where the gradients of the inputs go, each with the number of the output there; `None` of an input that needs none.
    #[must_use]
    pub fn next_functions(&self) -> Vec<(Option<Self>, usize)> {
        let node = match &self.0 {
            Kind::Operation(node) => node,
            Kind::Leaf(_) => return Vec::new(),
            Kind::Part(_, to) => return vec![Self::at(to)],
        };
        let edges = node.edges.borrow();
        if let (Some(Whole::Losses), [logits]) = (node.whole.get(), &edges[..]) {
            return vec![(Some(Self(Kind::Part("LogSoftmaxBackward0", logits.clone()))), 0)];
        }
        if let (Some(Whole::Linear), [x, weight, bias @ ..]) = (node.whole.get(), &edges[..]) {
            let is_asked = !matches!(weight, Edge::None);
            let transposed = is_asked.then(|| Self(Kind::Part("TBackward0", weight.clone())));
            return bias.iter().chain([x]).map(Self::at).chain([(transposed, 0)]).collect();
        }
        let mut next: Vec<_> = edges.iter().map(Self::at).collect();
        if next.len() == 1 && OF_TWO.contains(&node.name()) {
            next.push((None, 0));
        }
        next
    }

    /// The leaf.
    #[must_use]
    pub fn variable(&self) -> Option<&Tensor> {
        match &self.0 {
            Kind::Operation(_) | Kind::Part(..) => None,
            Kind::Leaf(leaf) => Some(leaf),
        }
    }

    /// Whether both are the same place in the graph.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// The same for the same place, while that is there.
    #[must_use]
    pub fn key(&self) -> (&'static str, u64) {
        let place = match &self.0 {
            Kind::Operation(node) | Kind::Part(_, Edge::Node(node) | Edge::Part(node, _)) => node.id,
            Kind::Leaf(leaf) | Kind::Part(_, Edge::Leaf(leaf)) => leaf.id() as u64,
            Kind::Part(_, Edge::None) => 0,
        };
        (self.name(), place)
    }
}

/// All operations that lead there, by number.
pub(super) fn graph<'a>(edges: impl Iterator<Item = &'a Edge>) -> BTreeMap<u64, Rc<Node>> {
    let mut graph = BTreeMap::new();
    let mut pending: Vec<Rc<Node>> = edges.filter_map(Edge::node).cloned().collect();
    while let Some(node) = pending.pop() {
        if graph.insert(node.id, node.clone()).is_none() {
            pending.extend(node.edges.borrow().iter().filter_map(Edge::node).cloned());
        }
    }
    graph
}

/// The names of all recorded operations that lead to the tensor, the first one first.
#[must_use]
pub fn recorded(tensor: &Tensor) -> Vec<&'static str> {
    graph([tensor.edge()].iter()).into_values().map(|node| node.name()).collect()
}
