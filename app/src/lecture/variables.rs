//! What stands beside the code of a reader who steps: the call stack, variables, and what the step cost.

use leptos::either::Either;
use leptos::prelude::*;
use napkin_accounting::{Unit, format};
use napkin_trace::trace::{LedgerDelta, StackElement, Step};

use super::model::Variable;
use super::run::use_run;
use super::state::use_lecture;
use crate::components::ValueView;

/// Call stack, variables and costs at the reader's step.
#[component]
pub fn Inspector() -> impl IntoView {
    let state = use_lecture();
    let costs =
        Memo::new(move |_| state.lecture.read().step(state.step.get()).map(costs).unwrap_or_default());
    view! {
        <aside class="variables" aria-label="Variables">
            <CallStack />
            {move || state.shows_variables.get().then(|| view! { <Variables /> })}
            {move || {
                let costs = costs.get();
                (!costs.is_empty()).then(|| view! {
                    <div class="ledger">
                        <h2>"This step"</h2>
                        {costs.into_iter().map(|sentence| view! { <p>{sentence}</p> }).collect_view()}
                    </div>
                })
            }}
        </aside>
    }
}

#[component]
fn CallStack() -> impl IntoView {
    let state = use_lecture();
    // What is outside the lecture's outermost part says nothing to its reader.
    let stack = Memo::new(move |_| {
        let (lecture, step) = (state.lecture.get(), state.step.get());
        let calls = lecture.calls.open(lecture.calls.call(step));
        let places = lecture.step(step).map_or_else(Vec::new, |step| step.stack.clone());
        let is_root = |call: &usize| lecture.parts.first().is_some_and(|part| part.call == *call);
        let root = calls.iter().position(is_root).unwrap_or(0);
        calls.into_iter().zip(places).skip(root).collect::<Vec<_>>()
    });
    let row = move |(at, (call, place)): (usize, (usize, StackElement))| {
        let is_last = at + 1 == stack.with_untracked(Vec::len);
        let within = state.lecture.with(|it| it.within(&place.path, place.line_number).map(|(_, line)| line));
        let line = within.unwrap_or(place.line_number);
        let title = format!("{}, line {line}", place.path);
        let name = if place.function_name.starts_with('<') { place.path } else { place.function_name };
        let go = move |_| {
            let (lecture, step) = (state.lecture.get_untracked(), state.step.get_untracked());
            if let Some(step) = lecture.calls.calls[call].steps_until(step).last() {
                state.go_to_step(step);
            }
        };
        view! {
            <li>
                <button type="button" title=title aria-current=is_last.then_some("true") on:click=go>
                    {name}
                </button>
            </li>
        }
    };
    view! {
        <nav class="crumbs" aria-label="Call stack">
            <ol>{move || stack.get().into_iter().enumerate().map(row).collect_view()}</ol>
        </nav>
    }
}

#[component]
fn Variables() -> impl IntoView {
    let state = use_lecture();
    let inspected = Memo::new(move |_| state.lecture.read().inspected(state.step.get()));
    let others = Memo::new(move |_| {
        let mut known = state.lecture.read().known(state.step.get());
        known.retain(|it| inspected.read().iter().all(|other| other.name != it.name));
        known
    });
    let rows = move |variables: Vec<Variable>| {
        let place = StoredValue::new(state.lecture.read().place(state.step.get()).cloned()?);
        let row = |variable: Variable| {
            let (shown, name) = (variable.name.clone(), variable.name.clone());
            let is_new = move || {
                let is_of = |step: &Step| step.env.get(&name).or_else(|| step.changed.get(&name)).is_some();
                state.lecture.read().step(state.step.get()).is_some_and(is_of)
            };
            view! {
                <div class="variable" class:is-new=is_new>
                    <dt><code>{shown}</code></dt>
                    <dd><VariableValue variable place /></dd>
                </div>
            }
        };
        Some(view! { <dl>{variables.into_iter().map(row).collect_view()}</dl> })
    };
    view! {
        <h2>"Variables"</h2>
        {move || {
            inspected.with(Vec::is_empty).then(|| view! { <p class="nothing">"Nothing is shown here yet."</p> })
        }}
        {move || rows(inspected.get())}
        {move || {
            let others = others.get();
            let count = others.len();
            let words = if count == 1 { "other local" } else { "other locals" };
            (count > 0).then(|| view! {
                <details class="more">
                    <summary>{count} " " {words}</summary>
                    {rows(others)}
                </details>
            })
        }}
    }
}

/// The value of a variable in the function of a place, unless a question about it is open; marked where it is another one
/// than at first.
#[component]
pub fn VariableValue(variable: Variable, place: StoredValue<StackElement>) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let Variable { name, value, line } = variable;
    let (asked, changed) = (name.clone(), name.clone());
    let is_locked = Memo::new(move |_| place.with_value(|place| state.is_locked(place, line, &asked)));
    let has_changed = move || place.with_value(|place| run.has_changed(place, &changed));
    let shown = move || {
        if is_locked.get() {
            Either::Left(view! { <span class="locked" title="Guess first">"?"</span> })
        } else {
            Either::Right(view! { <ValueView name=name.clone() value=value.clone() /> })
        }
    };
    view! { <span class="result-value" class:is-moved=has_changed>{shown}</span> }
}

/// What a step made its devices do, a sentence for each that did something.
fn costs(step: &Step) -> Vec<String> {
    let several = step.ledger.len() > 1;
    let sentence = |(device, delta): (&String, &LedgerDelta)| match cost(delta) {
        words if words.is_empty() => None,
        words if several || device != "cpu" => Some(format!("{words} on {device}")),
        words => Some(words),
    };
    step.ledger.iter().filter_map(sentence).collect()
}

fn cost(delta: &LedgerDelta) -> String {
    let bytes = |count: u64| format::short(count as f64, Unit::BYTE);
    let held = delta.allocated.iter().filter(|(_, bytes)| **bytes != 0).map(|(what, count)| {
        let sign = if *count > 0 { "+" } else { "−" };
        format!("{sign}{} {what}", bytes(count.unsigned_abs()))
    });
    let work = [
        (delta.flops, format::short(delta.flops as f64, Unit::FLOP)),
        (delta.read_bytes, bytes(delta.read_bytes) + " read"),
        (delta.written_bytes, bytes(delta.written_bytes) + " written"),
    ];
    let work = work.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words);
    held.chain(work).collect::<Vec<_>>().join(", ")
}
