//! The graph as others see it: what made a tensor, and of what.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::node::{Edge, Node};
use crate::tensor::Tensor;

/// A recorded operation, or where a leaf gets its gradient, as `tensor.grad_fn` and its `next_functions` show them.
#[derive(Clone)]
pub struct GradFn(Kind);

#[derive(Clone)]
enum Kind {
    Operation(Rc<Node>),
    Leaf(Tensor),
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
        }
    }

    /// Where the gradients of the inputs go, each with the number of the output there; `None` of an input that needs none.
    #[must_use]
    pub fn next_functions(&self) -> Vec<(Option<Self>, usize)> {
        let Kind::Operation(node) = &self.0 else { return Vec::new() };
        let edges = node.edges.borrow();
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
            Kind::Operation(_) => None,
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
    pub fn key(&self) -> (bool, u64) {
        match &self.0 {
            Kind::Operation(node) => (true, node.id),
            Kind::Leaf(leaf) => (false, leaf.id() as u64),
        }
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
