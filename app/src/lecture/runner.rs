//! What runs, with what stops it and takes it back; what came of the last run.

use std::collections::BTreeMap;

use leptos::either::Either;
use leptos::prelude::*;
use napkin_accounting::{Unit, format};
use napkin_trace::python::{Command, Left};

use super::faults::{broken_cells, of_program};
use super::reset::use_resets;
use super::run::{Activity, use_run};
use super::scroll::to_part;
use super::state::{SLIDERS, use_lecture};
use crate::page::focus;

/// The lecture's program in the bar at the foot: how a run goes and what stops it, what differs from the lecture as
/// it was read and what takes that back, and a menu. Nothing of it moves the document when a run begins or ends.
#[component]
pub fn Runner() -> impl IntoView {
    let (state, run, resets) = (use_lecture(), use_run(), use_resets());
    let is_changed = Memo::new(move |_| state.is_changed());
    let is_idle = run.is_idle;
    let menu = NodeRef::new();
    let stop = move |_| {
        run.stop();
        focus(menu);
    };
    // A run that ends takes its button away: whoever was there goes on beside it.
    let leave = move |_| {
        if is_idle.get_untracked() {
            focus(menu);
        }
    };
    let reset = move |_| {
        resets.ask(None);
        focus(menu);
    };
    let undo = move |_| {
        resets.undo();
        focus(menu);
    };
    let broken = Memo::new(move |_| broken_cells(state, run));
    let has_failed = Memo::new(move |_| !of_program(state, run).is_empty());
    let words = move || match has_failed.get() {
        true => Some("The program has failed".to_owned()),
        false => broken.with(|all| broken_in_words(all.values())),
    };
    let go = move |_| {
        if has_failed.get_untracked() {
            let report = document().query_selector(".lecture-head .fault").ok().flatten();
            return report.into_iter().for_each(|it| it.scroll_into_view());
        }
        if let Some(part) = broken.with_untracked(|all| all.keys().next().copied()) {
            state.go_to_part(part);
            let anchor = state.lecture.with_untracked(|lecture| lecture.anchor(part));
            anchor.into_iter().for_each(|anchor| to_part(&anchor, None));
        }
    };
    view! {
        <div class="runner" role="group" aria-label="Run">
            {move || (!is_idle.get()).then(|| view! {
                <span class="progress">{move || progress_in_words(&run.activity.get())}</span>
            })}
            <button type="button" class="is-main" hidden=is_idle on:click=stop on:blur=leave>"Stop"</button>
            {move || words().map(|words| view! { <button type="button" class="broken" on:click=go>{words}</button> })}
            <p class="state" role="status">{move || is_changed.get().then(changes_in_words)}</p>
            {move || resets.can_undo().then(|| view! { <button type="button" on:click=undo>"Undo the reset"</button> })}
            {move || is_changed.get().then(|| view! { <button type="button" on:click=reset>"Reset all"</button> })}
            <button type="button" popovertarget="run-menu" node_ref=menu>"Run"</button>
            <div id="run-menu" class="menu" popover="auto">
                <button type="button" popovertarget="run-menu" on:click=move |_| run.run()>"Run all"</button>
                <Devices />
            </div>
        </div>
    }
}

/// How many cells have failed and how many were stopped, by whether each was.
fn broken_in_words<'a>(all: impl Iterator<Item = &'a bool>) -> Option<String> {
    let (mut failed, mut stopped) = (0, 0);
    all.for_each(|is_stopped| *(if *is_stopped { &mut stopped } else { &mut failed }) += 1);
    let some = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(format!("1 cell {one}")),
        _ => Some(format!("{count} cells {several}")),
    };
    let words = [some(failed, "has failed", "have failed"), some(stopped, "was stopped", "were stopped")];
    let words: Vec<String> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn progress_in_words(activity: &Activity) -> String {
    let mb = |bytes: u64| format!("{:.1}", bytes as f64 / 1e6);
    match *activity {
        Activity::Idle => String::new(),
        Activity::Loading(0, _) => "Python is loading".to_owned(),
        Activity::Loading(bytes, Some(total)) => {
            format!("Python is loading: {} of {} MB", mb(bytes), mb(total))
        }
        Activity::Loading(bytes, None) => format!("Python is loading: {} MB", mb(bytes)),
        Activity::Running(0) => "running".to_owned(),
        Activity::Running(steps) => format!("running, step {steps}"),
    }
}

/// What differs from the lecture as it was read; it changes with a run, not while one goes on.
fn changes_in_words() -> String {
    let (state, run) = (use_lecture(), use_run());
    let values = run.changed.with(|changed| changed.values().map(Vec::len).sum());
    let counts = [
        (state.edits.with(BTreeMap::len), "edit", "edits"),
        (state.values.group(SLIDERS).len(), "slider moved", "sliders moved"),
        (values, "value changed", "values changed"),
    ];
    let words = counts.iter().filter(|(count, ..)| *count > 0).map(|(count, one, several)| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    });
    let by = if values > 0 { run.cause_in_words() } else { None };
    let by = by.map_or_else(String::new, |by| format!(" by {by}"));
    words.collect::<Vec<_>>().join(", ") + &by
}

/// What programs compute on, once a worker has looked.
#[component]
fn Devices() -> impl IntoView {
    let run = use_run();
    let choice = move |is_gpu: bool, label: String| {
        view! {
            <label>
                <input
                    type="radio"
                    name="device"
                    value=if is_gpu { "gpu" } else { "cpu" }
                    prop:checked=move || run.wants_gpu() == is_gpu
                    on:change=move |_| run.choose_device(is_gpu)
                />
                <span>{label}</span>
            </label>
        }
    };
    let choices = move |gpu: Result<String, String>| match gpu {
        Ok(name) => Either::Left(view! {
            <fieldset class="device">
                <legend class="visually-hidden">"Device"</legend>
                {choice(false, "CPU".to_owned())} {choice(true, format!("GPU: {name}"))}
            </fieldset>
        }),
        Err(why) => Either::Right(view! { <p class="device-note">"CPU. " {why}</p> }),
    };
    move || run.gpu.get().map(choices)
}

/// Files that programs have left.
#[component]
pub fn FilesLeft() -> impl IntoView {
    let run = use_run();
    let row = move |Left { path, bytes }: Left| {
        let name = path.clone();
        let download = move |_| {
            let path = path.clone();
            run.ask(Command::Download(path));
        };
        view! {
            <li>
                <code>{name}</code> " " {format::short(bytes as f64, Unit::BYTE)} " "
                <button type="button" on:click=download>"Download"</button>
            </li>
        }
    };
    move || {
        let files = run.left.get();
        (!files.is_empty()).then(|| {
            view! {
                <details class="left">
                    <summary>"Files that the program has left: " {files.len()}</summary>
                    <ul>{files.into_iter().map(row).collect_view()}</ul>
                </details>
            }
        })
    }
}
