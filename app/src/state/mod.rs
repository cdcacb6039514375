//! What a reader can change, and how the address tells it.

mod address;
mod hydration;
mod moved;
mod param;
pub mod query;
mod value;
mod values;

pub use address::{anchor, connect, link_to, set_anchor};
pub use hydration::{Hydration, is_hydrating, use_hydrated};
pub(crate) use param::{Param, Scope, use_scope};
pub(crate) use value::{Choice, ChoiceRule, NumberRule, Scale, TextRule, Value};
pub use values::{Values, use_values};

/// What the browser keeps for this site from one visit to the next, if it keeps anything.
pub fn storage() -> Option<web_sys::Storage> {
    leptos::prelude::window().local_storage().ok().flatten()
}

/// What the browser has stored under a key.
pub fn stored(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Stores a text under a key. Whether the browser has taken it: it may refuse to store anything.
pub fn store(key: &str, text: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, text).is_ok())
}
