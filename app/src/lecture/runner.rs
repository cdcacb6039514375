//! What runs, with what stops it and takes it back; what came of the last run.

use std::sync::Arc;

use leptos::either::Either;
use leptos::prelude::*;
use napkin_accounting::{Unit, format};
use napkin_trace::python::{Command, Left};

use super::model::Fault;
use super::run::{Activity, use_run};
use super::scroll::show_line;
use super::state::{SLIDERS, use_lecture};

/// The lecture's program: what runs all of it, and while it differs from what was read, how.
#[component]
pub fn Runner() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let is_changed = Memo::new(move |_| state.is_changed());
    view! {
        <div class="runner" role="group" aria-label="Run">
            <Show
                when=move || run.activity.get() != Activity::Idle
                fallback=move || view! { <button type="button" on:click=move |_| run.run()>"Run all"</button> }
            >
                <button type="button" class="is-main" on:click=move |_| run.stop()>"Stop"</button>
                <span class="progress">{move || progress_in_words(&run.activity.get())}</span>
            </Show>
            <Show when=move || is_changed.get()>
                <button type="button" on:click=move |_| run.reset()>"Reset all"</button>
            </Show>
            <Devices />
            <p class="state" role="status">{move || is_changed.get().then(changes_in_words)}</p>
        </div>
        <FaultReport />
        <FilesLeft />
    }
}

/// How far the worker is.
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
    let files = state.edits.with(|edits| edits.keys().cloned().collect::<Vec<_>>());
    let files = match files.as_slice() {
        [] => String::new(),
        [one] => format!("{one} is edited. "),
        several => format!("{} files are edited. ", several.len()),
    };
    let variables = run.changed.with(|changed| changed.values().map(Vec::len).sum());
    let counts = [
        (state.values.group(SLIDERS).len(), "slider is moved", "sliders are moved"),
        (variables, "variable has another value than before", "variables have other values than before"),
    ];
    let sentence = |(count, one, many)| match count {
        0 => String::new(),
        1 => format!("1 {one}. "),
        count => format!("{count} {many}. "),
    };
    files + &counts.map(sentence).concat()
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

/// Why the last run ended before its time.
#[component]
fn FaultReport() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let report = move |fault: Arc<Fault>| {
        let place = fault.place.clone().map(|(path, line)| {
            let words = format!("{path}, line {line}");
            view! { " " <button type="button" on:click=move |_| { show_line(state, &path, line); }>{words}</button> }
        });
        let traceback = (!fault.traceback.is_empty()).then(|| {
            view! { <details><summary>"Traceback"</summary><pre class="traceback">{fault.traceback.clone()}</pre></details> }
        });
        view! { <div class="fault" role="alert"><p>{fault.message.clone()} {place}</p>{traceback}</div> }
    };
    move || run.fault.get().map(report)
}

/// Files that programs have left.
#[component]
fn FilesLeft() -> impl IntoView {
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
