//! What becomes of tensors while derivatives keep them, as `torch.autograd.graph.saved_tensors_hooks` has it.

use std::cell::RefCell;
use std::rc::Rc;

use super::mode::no_grad;
use crate::error::Result;
use crate::tensor::Tensor;

/// Gives back, when the derivative runs, a tensor that was packed.
pub type Unpack = Rc<dyn Fn() -> Result<Tensor>>;

/// Takes a tensor that a derivative is about to keep. It runs without recording, and what it keeps itself is not packed.
pub type Pack = Rc<dyn Fn(&Tensor) -> Unpack>;

thread_local! {
    static PACK: RefCell<Option<Pack>> = const { RefCell::new(None) };
}

/// From now on derivatives of this thread keep what `pack` makes of tensors; the answer is who packed before.
pub fn set_pack(pack: Option<Pack>) -> Option<Pack> {
    PACK.replace(pack)
}

/// The tensor packed, if somebody packs.
pub(super) fn packed(tensor: &Tensor) -> Option<Unpack> {
    let pack = PACK.take()?;
    let unpack = no_grad(|| pack(&tensor.detach()));
    PACK.set(Some(pack));
    Some(unpack)
}
