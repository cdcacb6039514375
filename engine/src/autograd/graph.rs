//! The recorded operations that lead to a tensor.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::node::{Edge, Node};
use crate::tensor::Tensor;

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
