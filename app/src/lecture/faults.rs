//! What went wrong in a cell, where the mistake is and what helps; and what a cell waits for whose values are old.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::either::Either;
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use napkin_trace::Fault;
use napkin_trace::python::CellName;
use web_sys::{Element, HtmlElement};

use super::model::{Lecture, MODULE, Spot, function_key, is_typed, spots};
use super::reset::use_resets;
use super::run::{MOST_SECS, Runs, use_run};
use super::scroll::{show_line, to_part};
use super::state::{LectureState, Version, use_lecture};
use crate::components::Prose;

/// What raises in a cell that has taken too long.
pub const STOPPED: &str = "KeyboardInterrupt";

/// Whether a cell has not failed but was ended: by the reader, by the clock, or with the worker.
pub fn is_stopped(fault: &Fault) -> bool {
    matches!(fault.kind.as_str(), "" | STOPPED)
}

/// What went wrong, in a line.
pub fn in_words(fault: &Fault) -> String {
    // What stops a cell is no exception of its own.
    match fault.kind.as_str() {
        STOPPED if fault.message.is_empty() => format!("It was stopped after {MOST_SECS} seconds."),
        STOPPED => fault.message.clone(),
        _ => as_typed(fault),
    }
}

/// Python's words, which count lines as it has read them: a cell of a notebook has a line before what is typed.
fn as_typed(fault: &Fault) -> String {
    let words = fault.line();
    let is_of_cell = fault.frames.iter().any(|it| it.is_of_text && is_typed(&it.path, &it.function));
    let number = words.rsplit_once(" on line ").filter(|_| is_of_cell);
    let number = number.and_then(|(before, number)| Some((before, number.parse::<u32>().ok()?)));
    number.map_or(words.clone(), |(before, number)| format!("{before} on line {}", number.max(2) - 1))
}

/// What went wrong in a function that the reader sees, if anything did in the last run.
#[component]
pub fn FaultBox(
    path: String,
    function: String,
    /// What else helps.
    #[prop(optional, into)]
    more: ViewFn,
) -> impl IntoView {
    let run = use_run();
    let place = StoredValue::new((path, function));
    let fault = Memo::new(move |_| {
        place.with_value(|(path, function)| run.fault_of(path, function)).filter(|it| it.waits_for.is_none())
    });
    move || {
        let (path, function) = place.get_value();
        fault.get().map(|fault| view! { <FaultCard fault path function more=more.clone() /> })
    }
}

/// What went wrong in the program around all cells; tracked.
pub fn of_program(state: LectureState, run: Runs) -> Vec<Fault> {
    let (lecture, faults) = (state.lecture.get(), run.faults.get());
    let is_part = |cell: &CellName| find_part(state, &lecture, cell).is_some();
    let all = faults.iter().filter(|it| it.waits_for.is_none());
    all.filter(|it| !it.cell.as_ref().is_some_and(is_part)).cloned().collect()
}

/// The same, above the document.
#[component]
pub fn FaultReport() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let of_program = Memo::new(move |_| of_program(state, run));
    let report = move |fault: Fault| {
        let main = || state.lecture.with_untracked(|it| it.main().unwrap_or_default().to_owned());
        let path = fault.frames.last().map_or_else(main, |frame| frame.path.clone());
        view! { <FaultCard fault path function=MODULE.to_owned() /> }
    };
    move || of_program.get().into_iter().map(report).collect_view()
}

/// A fault, its place, what it means, and the way on.
#[component]
fn FaultCard(
    fault: Fault,
    /// What the reader edits.
    path: String,
    function: String,
    #[prop(optional)] more: ViewFn,
) -> impl IntoView {
    let (state, run, resets) = (use_lecture(), use_run(), use_resets());
    let key = function_key(&path, &function);
    let written = untrack(|| run.ran_edits.with(|ran| ran.get(&key).cloned())).unwrap_or_default();
    let words = in_words(&fault);
    let words = match fault.kind.as_str() {
        STOPPED => Either::Left(format!("{words} It does not run again by itself.")),
        "" => Either::Left(words),
        _ => Either::Right(view! { <code>{words}</code> }),
    };
    let places = spots(&run.files_of(&fault), &fault, &written);
    let first = places.first().cloned();
    let first_line = first.as_ref().and_then(|spot| spot.file_line);
    let is_own = |spot: &Spot| spot.path == path && (spot.function == function || function == MODULE);
    let head = first.as_ref().map(|spot| {
        let line = format!("Line {}", spot.line);
        let here = if is_own(spot) { line } else { format!("{line} of {}", name_of(state, spot)) };
        view! { <GoTo words=here spot=spot.clone() path=path.clone() function=function.clone() /> ": " }
    });
    let excerpt = first.and_then(|spot| spot.excerpt).map(|it| {
        let caret = it.caret();
        view! { <pre class="excerpt">{it.code}{(!caret.is_empty()).then(|| format!("\n{caret}"))}</pre> }
    });
    let advice = fault.advice.clone().map(|text| view! { <Prose text tree=fault.prepared.clone() /> });
    let others: Vec<_> = places.iter().skip(1).cloned().collect();
    // Where it was raised is seen at once.
    let innermost = fault.frames.last().map(|frame| frame.line).filter(|_| !fault.kind.is_empty());
    let is_elsewhere = first_line != innermost;
    let way = (!others.is_empty()).then(|| {
        let row = |spot: Spot| {
            let words = if is_own(&spot) {
                format!("line {}", spot.line)
            } else {
                format!("line {} of {}", spot.line, name_of(state, &spot))
            };
            let code = spot.excerpt.as_ref().map(|it| it.code.clone());
            view! {
                <li>
                    <GoTo words spot path=path.clone() function=function.clone() />
                    ": " <code>{code}</code>
                </li>
            }
        };
        view! {
            <details open=is_elsewhere>
                <summary>"How the program came there"</summary>
                <ol class="traceback" reversed>{others.into_iter().map(row).collect_view()}</ol>
            </details>
        }
    });
    let is_part = state.lecture.with_untracked(|it| it.parts.iter().any(|part| part.is_of(&path, &function)));
    let restores = match &*function {
        _ if is_part => "Restore this cell",
        MODULE => "Restore the program",
        _ => "Restore this exercise",
    };
    let can_run_again = is_stopped(&fault) && fault.cell.is_some();
    // What raises may stand in another cell, which the reader has changed.
    let other = places.first().filter(|spot| !is_own(spot)).cloned();
    let place = StoredValue::new((path, function));
    let has_edit = move |key: &String| state.edits.with(|edits| edits.contains_key(key));
    let is_edited = Memo::new(move |_| has_edit(&key));
    let undo_in = move |event: &MouseEvent, path: &str, function: &str| {
        let text = state.last_that_ran(path, function);
        focus_beside(event);
        run.put_back(path, function, text);
    };
    let undo_other = move || {
        let spot = other.clone().filter(|_| !is_edited.get())?;
        let name = name_of(state, &spot);
        has_edit(&function_key(&spot.path, &spot.function)).then(|| {
            let undo = move |event: MouseEvent| undo_in(&event, &spot.path, &spot.function);
            view! { <button type="button" on:click=undo>"Undo my edit of " {name}</button> }
        })
    };
    let is_behind = Memo::new(move |_| place.with_value(|(path, function)| run.is_behind_of(path, function)));
    let undo = move |event: MouseEvent| {
        let (path, function) = place.get_value();
        undo_in(&event, &path, &function);
    };
    let run_again = move |event: MouseEvent| {
        focus_beside(&event);
        let (path, function) = place.get_value();
        run.run_cell(path, function);
    };
    let restore = move |event: MouseEvent| {
        focus_beside(&event);
        place.with_value(|(path, function)| resets.restore(path, function));
    };
    view! {
        <div class="fault" role="alert">
            <p class="fault-head">{head} {words}</p>
            {excerpt}
            {advice}
            {move || is_behind.get().then(|| view! { <p class="fault-note">"You have changed this code since it ran."</p> })}
            <p class="choices">
                {move || is_edited.get().then(|| view! {
                    <button type="button" on:click=undo>"Undo my edit"</button>
                    <button type="button" on:click=restore>{restores}</button>
                })}
                {move || (can_run_again && !is_edited.get()).then(|| view! {
                    <button type="button" on:click=run_again>"Run it again"</button>
                })}
                {undo_other}
                {more.run()}
            </p>
            {way}
        </div>
    }
}

/// Gives the focus to the editor of the cell, or its first button: the error goes, and its buttons with it.
fn focus_beside(event: &MouseEvent) {
    let button = event.target().and_then(|it| it.dyn_into::<Element>().ok());
    let around = button.and_then(|it| it.closest(".exercise, .cell, .document").ok().flatten());
    let places = [".cm-content", "textarea.is-code", ".cell-tools button", ".choices button"];
    let beside =
        around.and_then(|it| places.iter().find_map(|place| it.query_selector(place).ok().flatten()));
    if let Some(beside) = beside.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        drop(beside.focus());
    }
}

/// The cells that have failed in the last run, in the order of the lecture, each with whether it was stopped; tracked.
pub fn broken_cells(state: LectureState, run: Runs) -> BTreeMap<usize, bool> {
    let (lecture, faults) = (state.lecture.get(), run.faults.get());
    let ended = faults.iter().filter(|it| it.waits_for.is_none());
    let place = |it: &Fault| Some((find_part(state, &lecture, it.cell.as_ref()?)?, is_stopped(it)));
    ended.filter_map(place).collect()
}

/// What went wrong, behind the name of the cell that it is in.
pub fn in_words_of_cell(state: LectureState, fault: &Fault) -> String {
    let lecture = state.lecture.get_untracked();
    let part = fault.cell.as_ref().and_then(|cell| find_part(state, &lecture, cell));
    let words = in_words(fault);
    part.map_or(words.clone(), |part| format!("In “{}”: {words}", lecture.parts[part].title))
}

/// A button that leads to a place of the code.
#[component]
fn GoTo(words: String, spot: Spot, path: String, function: String) -> impl IntoView {
    let state = use_lecture();
    let go = move |_| {
        let key = function_key(&spot.path, &spot.function);
        if state.editors.with_untracked(|all| all.contains(&key)) {
            return state.asked_line.set(Some((key, spot.line)));
        }
        let is_shown = spot.file_line.is_some_and(|line| show_line(state, &spot.path, line));
        if !is_shown {
            // It is in what was written: the editor shows it there.
            state.asked_line.set(Some((key, spot.line)));
            let cell = CellName { path: path.clone(), function: function.clone() };
            let lecture = state.lecture.get_untracked();
            let anchor = find_part(state, &lecture, &cell).and_then(|part| lecture.anchor(part));
            anchor.into_iter().for_each(|anchor| to_part(&anchor, None));
        }
    };
    view! { <button type="button" class="link" on:click=go>{words}</button> }
}

/// What a function is called: the title of the cell that it is, or its name.
fn name_of(state: LectureState, spot: &Spot) -> String {
    let lecture = state.lecture.get_untracked();
    match lecture.parts.iter().find(|part| part.is_of(&spot.path, &spot.function)) {
        Some(part) => format!("“{}”", part.title),
        None if spot.function == MODULE => spot.path.clone(),
        None => spot.function.clone(),
    }
}

/// The part that a cell is, or that has the exercise.
pub fn find_part(state: LectureState, lecture: &Lecture, cell: &CellName) -> Option<usize> {
    let own = lecture.parts.iter().position(|part| part.is_of(&cell.path, &cell.function));
    let exercise = || {
        let is_it =
            |it: &&super::model::Task| it.id == cell.function && it.exercise.as_ref() == Some(&cell.path);
        state.tasks.with_untracked(|tasks| tasks.iter().find(is_it).map(|task| task.part))
    };
    own.filter(|part| *part > 0 || lecture.parts[0].is_cell()).or_else(exercise)
}

/// The part that a part waits for whose values are of an earlier run; none if nothing is known of it.
fn awaited(state: LectureState, run: Runs, lecture: &Arc<Lecture>, index: usize) -> Option<usize> {
    let faults = run.faults.get();
    let mut part = Some(index);
    while let Some(number) = part {
        let it = lecture.parts.get(number)?;
        let is_of =
            |fault: &&Fault| fault.cell.as_ref().is_some_and(|cell| it.is_of(&cell.path, &cell.function));
        if let Some(fault) = faults.iter().find(is_of) {
            // A section that fails is waited for itself.
            let named = fault.waits_for.as_ref().or(fault.cell.as_ref())?;
            return find_part(state, lecture, named).filter(|found| *found != index);
        }
        part = it.parent;
    }
    None
}

/// The part that a run ended in, if it is another one.
fn ended(state: LectureState, run: Runs, lecture: &Arc<Lecture>, index: usize) -> Option<usize> {
    let faults = run.faults.get();
    let ended = faults.iter().find(|it| it.waits_for.is_none())?;
    find_part(state, lecture, ended.cell.as_ref()?).filter(|found| *found != index)
}

/// Says of a part that its values are of an earlier run, and what it waits for.
#[component]
pub fn Waiting(index: Memo<usize>, is_edited: Signal<bool>) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let behind = Memo::new(move |_| {
        let part =
            state.lecture.read().parts.get(index.get()).map(|it| (it.path.clone(), it.function.clone()))?;
        (!is_edited.get() && run.is_idle.get() && run.is_behind_of(&part.0, &part.1)).then_some(part)
    });
    let waits = Memo::new(move |_| {
        let lecture = state.lecture.get();
        if !run.is_idle.get() || !lecture.is_old(index.get()) {
            return None;
        }
        let part = &lecture.parts[index.get()];
        let own = run.fault_of(&part.path, &part.function);
        if let Some(fault) = own.filter(|fault| fault.waits_for.is_none()) {
            let words = if fault.frames.iter().any(|it| it.is_of_text) {
                "These values are of the run before: what you have written here has not run."
            } else if is_stopped(&fault) {
                "What is dimmed is of the run before: this cell was stopped."
            } else {
                "What is dimmed is of the run before: this cell ended at its error."
            };
            return Some((words, None));
        }
        let named =
            |part: usize| Some((lecture.parts[part].title.clone(), lecture.parts[part].anchor.clone()));
        if let Some(part) = awaited(state, run, &lecture, index.get()) {
            return Some(("These values are of the run before: this cell waits for ", named(part)));
        }
        Some(match ended(state, run, &lecture, index.get()) {
            Some(part) => (
                "These values are of the run before: the last one ended before it came here, in ",
                named(part),
            ),
            None => ("These values are of the run before: the last one has not come here.", None),
        })
    });
    let waiting = move || {
        waits.get().map(|(words, named)| {
            let link = named.map(|(title, anchor)| {
                let go = move |event: MouseEvent| {
                    event.prevent_default();
                    let lecture = state.lecture.get_untracked();
                    lecture.part_named(&anchor).into_iter().for_each(|part| state.go_to_part(part));
                    to_part(&anchor, None);
                };
                view! { <button type="button" class="link" on:click=go>{title}</button> "." }
            });
            view! { <p class="waits">{words} {link}</p> }
        })
    };
    let has_run_before = move |path: &str, function: &str| {
        let now = state.code(path, function);
        let is_it = |it: &Version| it.ran && Some(&it.text) == now.as_ref();
        let key = function_key(path, function);
        state.versions.with(|all| all.get(&key).is_some_and(|all| all.iter().any(is_it)))
            && run.ran_edits.with(|ran| !ran.contains_key(&key))
    };
    let unrun = move || {
        behind.get().map(|(path, function)| {
            let words = if has_run_before(&path, &function) {
                "Your code of this cell has not run since the page was loaded: its values are those of the lecture. "
            } else {
                "Your code of this cell has not run: its values are not of it. "
            };
            let go = move |_| run.run_cell(path.clone(), function.clone());
            view! {
                <p class="waits">{words}
                    <button type="button" class="link" on:click=go>"Run it"</button>
                </p>
            }
        })
    };
    view! { {waiting} {unrun} }
}
