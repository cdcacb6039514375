//! Whether the part of the page that is being made takes over HTML that the build has written.
//!
//! Such a part has to begin as it was written, with the default of every value: hydration compares nothing. What the
//! address says comes right after it.

use leptos::prelude::*;

/// Hydration of one part of the page: of all of it at first, later of what a [`crate::page::Lazy`] holds.
#[derive(Clone, Copy)]
pub struct Hydration(RwSignal<bool>);

impl Hydration {
    /// Begins the hydration of what is made with this context.
    pub fn provide() -> Self {
        let hydration = Self(RwSignal::new(true));
        provide_context(hydration);
        hydration
    }

    /// What is made from here on is new.
    pub fn finish(self) {
        self.0.set(false);
    }
}

/// Whether HTML is being taken over; not tracked. Never natively.
pub fn is_hydrating() -> bool {
    use_context::<Hydration>().is_some_and(|hydration| hydration.0.get_untracked())
}

/// Whether what is being made may differ from its HTML by now.
pub fn use_hydrated() -> Signal<bool> {
    match use_context::<Hydration>() {
        Some(hydration) => Signal::derive(move || !hydration.0.get()),
        None => Signal::stored(true),
    }
}
