//! Ending what takes long, from another thread.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Operations that the CPU runs now end with [`Error::Interrupted`] where they come to their next part; those that begin
/// later do not.
pub fn interrupt() {
    ASKED.fetch_add(1, Ordering::Relaxed);
}

/// What an operation looks at between its parts.
#[derive(Clone, Copy)]
pub(crate) struct Watch(usize);

impl Watch {
    /// An operation begins.
    pub(crate) fn begin() -> Self {
        Self(ASKED.load(Ordering::Relaxed))
    }

    /// # Errors
    /// If it is to end.
    pub(crate) fn check(self) -> Result<()> {
        if self.0 == ASKED.load(Ordering::Relaxed) { Ok(()) } else { Err(Error::Interrupted) }
    }
}
