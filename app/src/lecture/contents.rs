//! The contents at the side: sections and cells, which follow the reader.

use std::collections::BTreeMap;

use leptos::ev::MouseEvent;
use leptos::html::Nav;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use napkin_trace::python::{Command, Form};

use super::faults::broken_cells;
use super::model::{Part, function_key};
use super::progress::Progress;
use super::run::use_run;
use super::state::{LectureState, use_lecture};

/// What a lecture is saved as, and what that is called.
const FORMS: [(Form, &str); 3] =
    [(Form::Notebook, "Notebook (.ipynb)"), (Form::Markdown, "Markdown"), (Form::Anki, "Anki deck")];

/// Sections and their cells.
#[component]
pub fn Contents() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let broken = Memo::new(move |_| broken_cells(state, run));
    let parts = Memo::new(move |_| state.lecture.with(|lecture| lecture.parts.clone()));
    let list = NodeRef::<Nav>::new();
    // The entry of the reader's part stays in sight.
    let current = Memo::new(move |_| state.current_part());
    Effect::new(move || {
        let part = current.get();
        let entry = document().get_element_by_id(&format!("contents-{part}"));
        let entry = entry.and_then(|entry| entry.dyn_into::<web_sys::HtmlElement>().ok());
        if let (Some(list), Some(entry)) = (list.get(), entry) {
            list.set_scroll_top(entry.offset_top() - list.client_height() / 3);
        }
    });
    view! {
        <nav class="lecture-contents" aria-label="Contents" node_ref=list>
            {move || {
                let parts = parts.get();
                let root = parts.first().map(|root| root.children.clone()).unwrap_or_default();
                (!root.is_empty()).then(|| view! {
                    <h2>"Contents"</h2>
                    <ol>{root.into_iter().map(|part| entry(state, &parts, part, broken)).collect_view()}</ol>
                })
            }}
            <Progress />
            <ForLecturers />
        </nav>
    }
}

/// The whole lecture on a beamer, or as a file; files are written by the Python worker.
#[component]
fn ForLecturers() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let forms = FORMS.map(|(form, words)| {
        let export = move |_| run.ask_export(|files, main| Command::Lecture { files, main, form });
        view! { <button type="button" on:click=export>{words}</button> }
    });
    view! {
        <details class="export">
            <summary>"For lecturers"</summary>
            <p class="choices">
                <button type="button" aria-keyshortcuts="p" on:click=move |_| state.present(true)>"Present"</button>
                {forms.collect_view()}
            </p>
        </details>
    }
}

/// The entry of a part with those of its own parts; `broken` are the cells that have failed, each with whether it was stopped.
fn entry(state: LectureState, parts: &[Part], number: usize, broken: Memo<BTreeMap<usize, bool>>) -> AnyView {
    let run = use_run();
    let Some(part) = parts.get(number) else { return ().into_any() };
    let (anchor, title, children) = (part.anchor.clone(), part.title.clone(), part.children.clone());
    let key = function_key(&part.path, &part.function);
    let has_changed = move || run.changed.with(|changed| changed.contains_key(&key));
    let is_current = move || state.current_part() == number;
    let name = anchor.clone();
    let progress = move || match state.score(|task| task.part == number) {
        _ if let Some(is_stopped) = broken.with(|all| all.get(&number).copied()) => {
            if is_stopped { "stopped" } else { "failed" }.to_owned()
        }
        (_, 0, _) => if state.read.read().contains(&name) { "read" } else { "" }.to_owned(),
        (_, done, all) if done == all => "✓ all done".to_owned(),
        (_, done, all) => format!("{done} of {all}"),
    };
    let go = move |event: MouseEvent| {
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        // Who reads is taken there by the link itself.
        if state.is_stepping.get_untracked() {
            event.prevent_default();
        }
        state.go_to_part(number);
    };
    let cells = (!children.is_empty()).then(|| {
        view! { <ol>{children.iter().map(|child| entry(state, parts, *child, broken)).collect_view()}</ol> }
    });
    let is_open = move || is_current() || children.contains(&state.current_part());
    view! {
        <li class:is-open=is_open>
            <a id=format!("contents-{number}") href=format!("#{anchor}")
                aria-current=move || is_current().then_some("true") on:click=go
            >
                {title}
                {move || has_changed().then(|| view! { <span class="has-moved">" changed"</span> })}
                <span class="done">{progress}</span>
            </a>
            {cells}
        </li>
    }
    .into_any()
}
