//! What a reader can do with a cell: edit, run, reset, link and export it.

use js_sys::Array;
use leptos::prelude::*;
use napkin_trace::python::Command;

use super::editor::focus_after;
use super::model::{csv, json, markdown};
use super::reset::use_resets;
use super::run::{Runs, use_run};
use super::state::{LectureState, use_lecture};
use crate::components::{save, save_picture};
use crate::page::{copy, focus};
use crate::state::link_to;

/// The endings of files that a cell is saved as, and what they are called.
const EXPORTS: [(&str, &str); 6] = [
    ("md", "Markdown"),
    ("csv", "Values as CSV"),
    ("json", "Values as JSON"),
    ("py", "PyTorch script"),
    ("svg", "Picture (SVG)"),
    ("png", "Picture (PNG)"),
];

/// The buttons of a cell.
#[component]
pub fn CellTools(
    /// The part that the cell is, by number.
    index: Memo<usize>,
    /// Its name in addresses.
    anchor: String,
    is_edited: RwSignal<bool>,
) -> impl IntoView {
    let (state, run, resets) = (use_lecture(), use_run(), use_resets());
    let name = StoredValue::new(anchor);
    // Of the lecture as it was read, so not looked for again with every move.
    let sliders = Memo::new(move |_| state.slider_keys(index.get()));
    let functions = Memo::new(move |_| state.keys_of(index.get()));
    let has_changes = Memo::new(move |_| {
        let is_moved = sliders.read().iter().any(|key| state.values.text(key).is_some());
        is_moved || state.edits.with(|edits| functions.read().iter().any(|key| edits.contains_key(key)))
    });
    let copy_link = move |_| {
        copy(run.announcer, "Link to this cell", name.with_value(|name| link_to(state.values, name)));
    };
    let is_running = move || !run.is_idle.get();
    let run_cell = move |_| {
        if untrack(is_running) {
            return;
        }
        if let Some(part) = state.lecture.get_untracked().parts.get(index.get_untracked()) {
            run.run_cell(part.path.clone(), part.function.clone());
        }
    };
    let (edits, runs) = (NodeRef::new(), NodeRef::new());
    focus_after(is_edited, edits);
    let take_back = move |_| {
        resets.ask(Some(index.get_untracked()));
        focus(runs);
    };
    let exports = EXPORTS.map(|(ending, words)| {
        view! {
            <button type="button" data-format=ending on:click=move |_| export(state, run, index.get_untracked(), ending)>
                {words}
            </button>
        }
    });
    view! {
        <div class="cell-tools" role="group" aria-label="This cell">
            <button type="button" aria-pressed=move || is_edited.get().to_string() on:click=move |_| is_edited.update(|it| *it = !*it) node_ref=edits>
                {move || if is_edited.get() { "Close the editor" } else { "Edit" }}
            </button>
            <button type="button" aria-disabled=move || is_running().then_some("true") on:click=run_cell node_ref=runs>"Run"</button>
            <button type="button" on:click=copy_link>"Link"</button>
            <details class="export">
                <summary>"Export"</summary>
                <p class="choices">{exports.into_iter().collect_view()}</p>
            </details>
            {move || has_changes.get().then(|| view! {
                <button type="button" on:click=take_back>"Reset"</button>
            })}
        </div>
    }
}

/// Saves a cell as a file with that ending; scripts are written by the Python worker.
fn export(state: LectureState, run: Runs, index: usize, ending: &str) {
    let announcer = run.announcer;
    let lecture = state.lecture.get_untracked();
    let Some(part) = lecture.parts.get(index) else { return };
    let file = format!("{}.{ending}", part.function);
    let is_locked = &|place: &_, line, name: &_| untrack(|| state.is_locked(place, line, name));
    match ending {
        "md" => save(announcer, &file, markdown(&lecture, index, is_locked)),
        "csv" => save(announcer, &file, csv(&lecture, index, is_locked)),
        "json" => save(announcer, &file, json(&lecture, index, is_locked)),
        "py" => {
            let (path, function) = (part.path.clone(), part.function.clone());
            run.ask_export(|files, _| Command::Script { files, path, function });
        }
        _ => {
            let arguments = Array::of2(&part.anchor.as_str().into(), &file.as_str().into());
            save_picture(announcer, file, "draw", arguments);
        }
    }
}
