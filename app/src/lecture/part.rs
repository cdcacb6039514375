//! A part of the lecture: a section with its cells, or a cell.

use std::sync::Arc;

use leptos::prelude::*;

use super::cell_tools::CellTools;
use super::editor::{Editor, open_when_asked};
use super::faults::{FaultBox, Waiting};
use super::model::{Part, function_key, is_typed};
use super::run::use_run;
use super::state::use_lecture;
use super::statement::{Listing, Shown};
use crate::page::Lazy;

/// A part, by its name in addresses. It comes alive when it comes into sight.
#[component]
pub fn PartView(anchor: String) -> AnyView {
    let (state, run) = (use_lecture(), use_run());
    let name = StoredValue::new(anchor.clone());
    let index =
        Memo::new(move |_| name.with_value(|name| state.lecture.read().part_named(name)).unwrap_or(0));
    let Some(part) = state.lecture.get_untracked().parts.get(index.get_untracked()).cloned() else {
        return ().into_any();
    };
    let is_current = move || state.current_part() == index.get();
    let parent = move || state.lecture.read().parts.get(state.current_part())?.parent;
    let is_around = move || parent() == Some(index.get());
    // Asleep, a cell is what the build has written: all of it, with no question answered.
    let is_changed = Signal::derive(move || {
        !Arc::ptr_eq(&state.lecture.get(), &state.original.get())
            || (state.is_raw.get() || state.shows_notes.get() || !state.shows_variables.get())
            || (state.is_changed() || run.faults.with(|faults| !faults.is_empty()))
            || (state.is_stepping.get() || state.guesses.with(|it| !it.is_empty()))
    });
    let is_wanted = Signal::derive(move || is_changed.get() && is_current());
    let (class, heading) =
        (if part.is_cell() { "cell" } else { "lecture-section" }, format!("{anchor}-title"));
    let (id, label) = (anchor.clone(), heading.clone());
    let inside = if part.is_cell() {
        // Above a cell of a notebook stands its heading.
        let name = part.title.split_once(": ").filter(|_| is_typed(&part.path, &part.function));
        let title = name.map_or(part.title.clone(), |(name, _)| name.to_owned());
        view! {
            <h3 id=heading>{title}</h3>
            <Lazy index=index.get_untracked() is_changed is_wanted>
                <CellBody index anchor />
            </Lazy>
        }
        .into_any()
    } else {
        view! { <h2 id=heading>{part.title}</h2><Listing shown=shown_part(index) id=anchor /> }.into_any()
    };
    // All of it is of an earlier run; where only some of it is, its lines say so.
    let is_old = Memo::new(move |_| {
        let lecture = state.lecture.read();
        lecture.parts.get(index.get()).is_some_and(Part::is_cell) && lecture.is_all_old(index.get())
    });
    view! {
        <section
            class=class
            id=id
            aria-labelledby=label
            aria-busy=move || (is_old.get() && !run.is_idle.get()).then_some("true")
            class:is-current=is_current
            class:is-around=is_around
            class:is-old=is_old
        >
            {inside}
        </section>
    }
    .into_any()
}

/// What is shown of a part: all of it, or up to where the reader steps in it.
pub fn shown_part(index: Memo<usize>) -> Memo<Shown> {
    let state = use_lecture();
    Memo::new(move |_| {
        let (lecture, index) = (state.lecture.get(), index.get());
        let step = state.is_stepping.get().then(|| state.step.get());
        let call = lecture.parts.get(index).map_or(0, |part| part.call);
        Shown { call, until: step.filter(|step| lecture.part_at(*step) == index) }
    })
}

/// What a cell holds below its title.
#[component]
fn CellBody(index: Memo<usize>, anchor: String) -> impl IntoView {
    let (state, run, is_edited) = (use_lecture(), use_run(), RwSignal::new(false));
    let editor = move || {
        if !is_edited.get() {
            return None;
        }
        let Part { path, function, .. } =
            state.lecture.read_untracked().parts.get(index.get_untracked())?.clone();
        let cell = (path.clone(), function.clone());
        let on_run = Callback::new(move |()| run.run_cell(cell.0.clone(), cell.1.clone()));
        Some(view! { <Editor path function on_run is_edited /> })
    };
    let place = Memo::new(move |_| {
        let lecture = state.lecture.read();
        lecture.parts.get(index.get()).map(|part| (part.path.clone(), part.function.clone()))
    });
    let key = move || place.with(|it| it.as_ref().map(|(path, function)| function_key(path, function)));
    open_when_asked(Signal::derive(move || key().unwrap_or_default()), is_edited);
    let fault = move || place.get().map(|(path, function)| view! { <FaultBox path function /> });
    view! {
        <CellTools index anchor=anchor.clone() is_edited />
        {editor}
        {fault}
        <Waiting index is_edited=is_edited.into() />
        <Listing shown=shown_part(index) id=anchor is_edited />
    }
}
