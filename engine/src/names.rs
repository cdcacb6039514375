//! Names that live as long as the program.

use std::cell::RefCell;
use std::collections::HashSet;

thread_local! {
    /// Each is there once.
    static NAMES: RefCell<HashSet<&'static str>> = RefCell::default();
}

/// The name, for as long as the program runs: of an operation or a part of a model, of which there are few.
#[must_use]
pub fn interned(name: &str) -> &'static str {
    NAMES.with_borrow_mut(|names| match names.get(name) {
        Some(known) => *known,
        None => {
            let name: &'static str = Box::leak(name.into());
            names.insert(name);
            name
        }
    })
}
