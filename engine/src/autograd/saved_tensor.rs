//! A tensor that a derivative keeps.

use std::rc::Rc;

use super::node::{Edge, Node};
use super::packed::{Unpack, packed};
use crate::error::{Error, Result};
use crate::tensor::{Tensor, WeakTensor};

/// A tensor kept for the derivative, without its own history.
pub(super) struct SavedTensor {
    held: Held,
    origin: Origin,
}

/// As what it is kept.
enum Held {
    /// Itself, and the version that it had.
    Tensor(Tensor, u64),
    /// What somebody else has made of it.
    Packed(Unpack),
}

/// Where a kept tensor comes from, and so where its history is found.
#[derive(Clone)]
enum Origin {
    /// It is the output of this operation.
    Output(&'static str),
    /// It is the input of that number: this one, which may have got another history since.
    Input(usize, WeakTensor),
    /// It is neither, but this one, with the history that it has.
    Other(WeakTensor, Edge),
}

impl SavedTensor {
    /// An input of an operation, of that number.
    pub(super) fn input(tensor: &Tensor, at: usize) -> Self {
        Self::new(tensor, Origin::Input(at, tensor.downgrade()))
    }

    /// A tensor that is none, and leads there.
    pub(super) fn other(tensor: &Tensor, edge: Edge) -> Self {
        Self::new(tensor, Origin::Other(tensor.downgrade(), edge))
    }

    fn new(tensor: &Tensor, origin: Origin) -> Self {
        let held = packed(tensor).map_or_else(
            || {
                tensor.keep();
                Held::Tensor(tensor.detach(), tensor.version())
            },
            Held::Packed,
        );
        Self { held, origin }
    }

    /// The tensor, if nobody has written to it, with the history that it had.
    pub(super) fn with_history(&self, node: &Rc<Node>) -> Result<Tensor> {
        let edges = node.edges.borrow();
        let tensor = self.get(&edges)?;
        Ok(match &self.origin {
            Origin::Output(_) => tensor.leading_to(&Edge::Node(node.clone())),
            Origin::Input(at, _) => tensor.leading_to(&edges[*at]),
            Origin::Other(_, edge) => tensor.leading_to(edge),
        })
    }

    /// The tensor, if nobody has written to it; the edges are those of the operation.
    pub(super) fn get(&self, edges: &[Edge]) -> Result<Tensor> {
        let (tensor, kept_version) = match &self.held {
            Held::Tensor(tensor, version) => (tensor, *version),
            Held::Packed(unpack) => return unpack(),
        };
        let version = tensor.version();
        if tensor.is_inference() {
            return Err(Error::Autograd(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode \
                 in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor \
                 and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
                    .into(),
            ));
        }
        if version == kept_version {
            return Ok(tensor.clone());
        }
        let maker = match &self.origin {
            Origin::Output(name) => Some(*name),
            Origin::Input(at, tensor) => match tensor.upgrade() {
                Some(tensor) => tensor.grad_fn_name(),
                None => edges.get(*at).and_then(Edge::node).map(|node| node.name()),
            },
            Origin::Other(tensor, _) => tensor.upgrade().and_then(|tensor| tensor.grad_fn_name()),
        };
        let maker =
            maker.map_or_else(String::new, |name| format!(", which is output 0 of {},", shortened(name)));
        Err(Error::Autograd(format!(
            "one of the variables needed for gradient computation has been modified by an inplace operation: \
             [{} [{}]]{maker} is at version {version}; expected version {kept_version} instead. Hint: enable anomaly detection \
             to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, \
             check_nan=False).",
            tensor.type_name(),
            crate::layout::join(tensor.shape().iter()),
        )))
    }

    /// Takes note that it is the output of that operation, if it is: a history is something that an output gets only when
    /// it has been kept.
    pub(super) fn note_output(&mut self, name: &'static str, output: &Tensor) {
        let Origin::Other(kept, _) = &self.origin else { return };
        let is_output = match &self.held {
            Held::Tensor(tensor, _) => tensor.operand().is(&output.operand()),
            Held::Packed(_) => kept.upgrade().is_some_and(|kept| kept.operand().is(&output.operand())),
        };
        if is_output {
            self.origin = Origin::Output(name);
        }
    }

    /// Whether it lies in the storage of that tensor.
    pub(super) fn lies_in(&self, tensor: &Tensor) -> bool {
        matches!(&self.held, Held::Tensor(kept, _) if kept.shares_storage_with(tensor))
    }

    /// The same, and it is no later argument that shares the first one's storage.
    pub(super) fn is_first(&self, argument: &Tensor) -> bool {
        self.lies_in(argument) && !matches!(self.origin, Origin::Input(1.., _))
    }

    /// Another tensor in its place, of the same origin.
    pub(super) fn moved(&self, to: &Tensor) -> Self {
        Self::new(to, self.origin.clone())
    }

    /// A copy in its place.
    pub(super) fn spare(&mut self) -> Result<()> {
        if let Held::Tensor(tensor, _) = &self.held {
            let copy = tensor.duplicate()?;
            *self = self.moved(&copy);
        }
        Ok(())
    }

    /// Takes out what leads on from here.
    pub(super) fn unlink(&mut self) -> Option<Edge> {
        match &mut self.origin {
            Origin::Other(_, edge) => Some(std::mem::replace(edge, Edge::None)),
            Origin::Output(_) | Origin::Input(..) => None,
        }
    }
}

impl Drop for SavedTensor {
    fn drop(&mut self) {
        if let Held::Tensor(tensor, _) = &self.held {
            tensor.let_go();
        }
    }
}

/// The name as PyTorch shortens it: of several derivatives of one operation all but the first have a number.
pub(super) fn shortened(name: &str) -> String {
    let short = name.replace("Backward", "");
    short.strip_suffix('0').unwrap_or(&short).into()
}
