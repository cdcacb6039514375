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
