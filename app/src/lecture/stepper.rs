//! The bar at the foot of a lecture: reading or stepping, where the reader is, what moves on, and how a run goes.

use leptos::html::Button;
use leptos::prelude::*;

use super::model::Move;
use super::present::PresenterBar;
use super::runner::Runner;
use super::state::use_lecture;

#[component]
pub fn Stepper() -> impl IntoView {
    let state = use_lecture();
    let reads = NodeRef::new();
    let mode = move |steps: bool, words: &'static str, button: NodeRef<Button>| {
        view! {
            <button
                type="button"
                node_ref=button
                aria-pressed=move || (state.is_stepping.get() == steps).to_string()
                on:click=move |_| state.set_stepping(steps)
            >
                {words}
            </button>
        }
    };
    view! {
        <div class="lecture-stepper" role="group" aria-label="Reading and stepping">
            <span class="modes" role="group" aria-label="Mode">
                {mode(false, "Read", reads)} {mode(true, "Step", NodeRef::new())}
            </span>
            {move || state.is_stepping.get().then(|| view! { <Steps /> })}
            {move || state.is_presenting.get().then(|| view! { <PresenterBar next=reads /> })}
            <span class="where" role="status">{move || place_in_words(state)}</span>
            <Runner />
        </div>
    }
}

/// "cell 2 of 33, line 4 of 12".
fn place_in_words(state: super::LectureState) -> String {
    let (part, lecture) = (state.current_part(), state.lecture.get());
    // Of a program that is yet to run there is nothing to count.
    if lecture.is_unrun {
        return "Not run yet".to_owned();
    }
    let cells = lecture.cells().count();
    let cell = lecture.cells().position(|number| number == part);
    let cell = cell.map(|at| format!("Cell {} of {cells}", at + 1));
    if !state.is_stepping.get() {
        return cell
            .unwrap_or_else(|| if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") });
    }
    let step = state.step.get();
    let at = lecture.progress(step);
    let is_inside = lecture.calls.call(step) != lecture.parts.get(part).map(|part| part.call);
    let function = lecture.place(step).filter(|_| is_inside);
    let inside = function.map_or_else(String::new, |place| format!(" of {}", place.function_name));
    let cell = cell.map_or_else(String::new, |cell| cell + ", ");
    format!("{cell}line {} of {}{inside}", at.line, at.lines)
}

#[component]
fn Steps() -> impl IntoView {
    let state = use_lecture();
    let button = move |to: Move, keys: &'static str, words: &'static str, class: &'static str| {
        let is_there = Memo::new(move |_| state.lecture.read().target(state.step.get(), to).is_some());
        view! {
            <button
                type="button"
                class=class
                aria-keyshortcuts=keys
                aria-disabled=move || (!is_there.get()).then_some("true")
                on:click=move |_| {
                    state.go(to);
                }
            >
                {words}
            </button>
        }
    };
    let progress = Memo::new(move |_| state.lecture.read().progress(state.step.get()));
    let last = move || progress.get().stops.saturating_sub(1);
    let stop = move || progress.get().stop.saturating_sub(1);
    let scrub = move |event| {
        if let Ok(number) = event_target_value(&event).parse() {
            state.move_to_step(state.lecture.get_untracked().stop(number));
        }
    };
    view! {
        {button(Move::Back, "h ArrowLeft", "Back", "")}
        {button(Move::Next, "l ArrowRight", "Next line", "is-main")}
        {button(Move::Into, "ArrowDown", "Step in", "less")}
        {button(Move::Out, "u ArrowUp", "Step out", "less")}
        <Rounds />
        <label class="scrub">
            <span class="visually-hidden">"Place in the lecture"</span>
            <input
                type="range"
                min="0"
                max=last
                prop:value=move || stop().to_string()
                aria-valuetext=move || place_in_words(state)
                on:input=scrub
                on:change=move |_| state.values.push()
            />
        </label>
    }
}

/// The rounds of the loop that the reader is in.
#[component]
fn Rounds() -> impl IntoView {
    let state = use_lecture();
    let round = Memo::new(move |_| state.lecture.read().round(state.step.get()));
    let at = move || round.read().as_ref().map_or(1, |(at, _)| *at);
    let rounds = move || round.read().as_ref().map_or(1, |(_, steps)| steps.len());
    let go = move |event| {
        let number: usize = event_target_value(&event).parse().unwrap_or(1);
        if let Some((_, steps)) = round.get_untracked()
            && let Some(step) = steps.get(number.saturating_sub(1))
        {
            state.move_to_step(*step);
        }
    };
    let is_round = Memo::new(move |_| round.read().is_some());
    let range = move || {
        view! {
            <label class="rounds">
                <span>{move || format!("Round {} of {}", at(), rounds())}</span>
                <input
                    type="range"
                    min="1"
                    max=rounds
                    prop:value=move || at().to_string()
                    aria-valuetext=move || format!("round {} of {}", at(), rounds())
                    on:input=go
                />
            </label>
        }
    };
    move || is_round.get().then(range)
}
