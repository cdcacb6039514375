//! What a statement drew, bound to the lecture around it.

use leptos::prelude::*;
use napkin_trace::trace::{Drawing, Rendering};

use super::run::use_run;
use super::scroll::show_line;
use super::state::use_lecture;
use crate::components::{RenderingView, ShowLine};
use crate::page::{Parts, WithParts};

#[component]
pub fn LiveRendering(
    rendering: Rendering,
    /// What the ids of its elements begin with.
    id: String,
    /// File and function of the statement.
    path: String,
    function: String,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let own_path = path.clone();
    provide_context(ShowLine(Callback::new(move |(path, line): (String, u32)| {
        if !show_line(state, if path.is_empty() { &own_path } else { &path }, line) {
            run.announcer.say("Nothing of that place has run.");
        }
    })));
    if matches!(rendering.drawing(), Some(Drawing::Calculator(_))) {
        let draw = move |parts: &Parts| {
            (parts.calculator)(rendering.clone(), id.clone(), path.clone(), function.clone())
        };
        return view! { <WithParts draw /> }.into_any();
    }
    view! { <RenderingView rendering id /> }.into_any()
}
