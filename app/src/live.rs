//! What the first screen does not need, as a module of its own ([`page::live`](crate::page::Live)): for a host, what only
//! these parts use is cut out of the page's module after it is compiled.

use leptos::prelude::*;

use crate::components::{derivation, drawing};
use crate::lecture::calculator;
use crate::page::Parts;
use crate::tools::Tools;

static PARTS: Parts = Parts { drawing, calculator, derivation, tools: || view! { <Tools /> }.into_any() };

/// The parts. Where the page is in two modules, this is where they are parted, and it fetches the other.
///
/// # Errors
/// When that cannot be fetched.
#[cfg_attr(
    feature = "split",
    leptos::wasm_split::wasm_split(live, wasm_split_path = leptos::wasm_split, fallible)
)]
fn parts() -> Result<&'static Parts, leptos::wasm_split::SplitLoaderError> {
    Ok(&PARTS)
}

/// Fetches them; nothing where that fails.
pub async fn fetched() -> Option<&'static Parts> {
    #[cfg(feature = "split")]
    let parts = parts().await;
    #[cfg(not(feature = "split"))]
    let parts = parts();
    parts.ok()
}

/// The parts where all is compiled into one, as it is natively.
#[cfg(not(target_arch = "wasm32"))]
pub fn here() -> Option<&'static Parts> {
    parts().ok()
}
