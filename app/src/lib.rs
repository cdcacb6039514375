//! The pages: lectures, and all tools, as one Leptos app.
//!
//! The same components run twice: natively at build time, which writes the pages whole, and in the browser, where they
//! take that HTML over.

// The types of views are as deep as the views.
#![recursion_limit = "256"]
#![allow(clippy::needless_pass_by_value, reason = "the properties of a component are its own")]

pub mod components;
mod controls;
pub mod lecture;
pub mod live;
pub mod page;
pub mod state;
pub mod tools;
pub mod workers;

use std::sync::Arc;

use leptos::prelude::*;

use components::machine::Records;
use lecture::{Lecture, LecturePage};
use page::{Announcer, Live, Parts, WithParts};
use state::{Hydration, Values};
use workers::ComputeWorker;

/// The app on the page of that name: a lecture's, or `tools`.
#[component]
pub fn App(
    /// As the page's `data-page` says.
    page: String,
    /// The lecture of the page; none on the page of all tools.
    lecture: Option<Arc<Lecture>>,
    /// What the first screen does not need, where it is here already.
    parts: Option<&'static Parts>,
    /// Whether it takes over HTML that the build has written.
    is_written: bool,
) -> impl IntoView {
    if cfg!(target_arch = "wasm32") {
        let hydration = is_written.then(Hydration::provide);
        // After the first drawing, which is the HTML as it was written.
        Effect::new(move || {
            hydration.into_iter().for_each(Hydration::finish);
            if let Some(root) = document().document_element() {
                // For who waits until the page answers.
                let _ = root.set_attribute("data-live", "");
            }
        });
    }
    let values = Values::provide();
    Live::provide(parts, || Box::pin(live::fetched()));
    Announcer::provide();
    ComputeWorker::provide();
    Records::provide();
    state::connect(values);
    match lecture {
        Some(lecture) => view! { <LecturePage name=page lecture /> }.into_any(),
        None => view! { <WithParts draw=|parts| (parts.tools)() /> }.into_any(),
    }
}
