//! Who looks at each gradient as soon as an operation has made it, as `torch.autograd.set_detect_anomaly` does.

use std::cell::RefCell;
use std::rc::Rc;

use crate::error::Result;
use crate::tensor::Tensor;

/// Hears the name of the operation, the number of its input, and the gradient of that; an error ends the backward pass.
pub type Watch = Rc<dyn Fn(&'static str, usize, &Tensor) -> Result<()>>;

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// From now on `watch` is called in backward passes of this thread; the answer is who was called before.
pub fn set_watch(watch: Option<Watch>) -> Option<Watch> {
    WATCH.replace(watch)
}

pub(super) fn watch(name: &'static str, at: usize, gradient: &Tensor) -> Result<()> {
    match WATCH.with_borrow(Clone::clone) {
        Some(watch) => watch(name, at, gradient),
        None => Ok(()),
    }
}
