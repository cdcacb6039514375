//! What kernels refuse on their own, by shaders/alarm.wgsl: known only when somebody waits.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::storage::GpuStorage;
use super::template::{Variables, expand};
use crate::error::{Error, Result};

/// Bytes of the buffer.
pub(crate) const ALARM_BYTES: usize = 32;

/// The buffer, made when the first kernel needs it.
#[derive(Default)]
pub(crate) struct Alarm {
    storage: RefCell<Option<Rc<GpuStorage>>>,
    /// Whether a kernel that can report has been recorded since the last look.
    is_armed: Cell<bool>,
}

impl Alarm {
    /// The buffer for a kernel that is about to be recorded; `make` makes it, zeroed.
    pub(crate) fn arm(&self, make: impl FnOnce() -> Result<GpuStorage>) -> Result<Rc<GpuStorage>> {
        let mut storage = self.storage.borrow_mut();
        let armed = match &*storage {
            Some(made) => Rc::clone(made),
            None => Rc::clone(storage.insert(Rc::new(make()?))),
        };
        self.is_armed.set(true);
        Ok(armed)
    }

    /// Whether there may be something in it.
    pub(crate) fn is_armed(&self) -> bool {
        self.is_armed.get()
    }

    /// The buffer, if there may be something in it; the caller reads and clears it.
    pub(crate) fn take(&self) -> Option<Rc<GpuStorage>> {
        self.storage.borrow().as_ref().filter(|_| self.is_armed.replace(false)).map(Rc::clone)
    }
}

/// The declarations for a kernel that reports.
pub(crate) fn declare(binding: usize) -> Result<String> {
    let variables = Variables::default().with("BINDING", binding);
    expand("alarm", shader!("alarm"), &variables)
}

/// # Errors
/// What the first kernel reported, in the words that the CPU has for it.
pub(crate) fn check(bytes: &[u8]) -> Result<()> {
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
    match words[..] {
        [0, ..] => Ok(()),
        [_, 1, low, high, dim, size, ..] => {
            let index = signed(low, high);
            let message = format!("index {index} is out of bounds for dimension {dim} with size {size}");
            Err(Error::Value { op: "index", message })
        }
        [_, 3, low, high, ..] => {
            let message = format!("Target {} is out of bounds.", signed(low, high));
            Err(Error::index("cross_entropy", message))
        }
        _ => Err(Error::Value { op: "div", message: "ZeroDivisionError".into() }),
    }
}

fn signed(low: u32, high: u32) -> i64 {
    (u64::from(high) << 32 | u64::from(low)).cast_signed()
}
