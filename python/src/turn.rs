//! One thread at a time has interpreters.
//!
//! All interpreters of a process share a cache of what types have (`TYPE_CACHE` of rustpython-vm 0.6). Without that crate's
//! feature `threading`, for which every value would have to be shared between threads, counts of references are no atomic
//! operations, and a value that is found in the cache while another thread puts it there is counted twice or freed.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Guard = MutexGuard<'static, ()>;

static ALL: Mutex<()> = Mutex::new(());

thread_local! {
    /// That of this thread, as long as it has interpreters.
    static OWN: RefCell<Weak<Guard>> = const { RefCell::new(Weak::new()) };
}

/// As long as it lives, other threads wait for theirs.
pub(crate) struct Turn(#[expect(dead_code, reason = "held, not read")] Rc<Guard>);

impl Turn {
    /// Waits until no other thread has an interpreter.
    pub(crate) fn wait() -> Self {
        OWN.with_borrow_mut(|own| {
            let guard = own.upgrade().unwrap_or_else(|| {
                let guard = Rc::new(ALL.lock().unwrap_or_else(PoisonError::into_inner));
                *own = Rc::downgrade(&guard);
                guard
            });
            Self(guard)
        })
    }
}
