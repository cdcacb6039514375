//! A lecture: one document that is read as a notebook or stepped through line by line.

mod calculator;
mod cell_tools;
mod code;
mod contents;
mod editor;
mod exercise;
mod faults;
mod hand_in;
mod helper;
mod keys;
mod live_rendering;
mod model;
mod open;
mod palette;
mod part;
mod prepare;
mod present;
mod progress;
mod question;
mod reset;
mod run;
mod run_here;
mod runner;
mod save_notebook;
mod scroll;
mod slider;
mod speaker_notes;
mod state;
mod statement;
mod stepper;
mod variables;
mod versions;

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::html::Dialog;
use leptos::prelude::*;

pub use calculator::calculator;
pub use model::Lecture;
pub use open::text_of;

use contents::Contents;
use faults::FaultReport;
use model::Part;
use open::{OpenDialog, Opener, StrangerNotice};
use palette::Palette;
use part::{PartView, shown_part};
use reset::{ResetDialog, Resets};
use run::Runs;
use run_here::RunHere;
use runner::FilesLeft;
use state::{LectureState, Origin, use_lecture};
use statement::Listing;
use stepper::Stepper;
use variables::Inspector;

use crate::page::{Page, is_embedded, show_dialog};

/// The page of a lecture.
#[component]
pub fn LecturePage(
    /// Its name on this site.
    name: String,
    /// Its trace, read.
    lecture: Arc<Lecture>,
) -> impl IntoView {
    let state = LectureState::provide(lecture, Origin::Site(name.clone()));
    Runs::provide(state);
    Resets::provide();
    let opener = Opener::new();
    provide_context(opener);
    let palette = NodeRef::new();
    Effect::new(move || begin(opener, palette));
    let buttons = move || {
        view! {
            <button type="button" class="copy-link" aria-keyshortcuts="/" on:click=move |_| show_dialog(palette)>
                "Search"
            </button>
            <button type="button" class="copy-link" aria-keyshortcuts="g" on:click=move |_| opener.show()>
                "Open"
            </button>
        }
    };
    view! {
        <Page name keys=keys::KEYS buttons>
            <Document />
        </Page>
        <OpenDialog opener />
        <ResetDialog />
        <Palette dialog=palette />
    }
}

/// In the browser: keys, what the address says, what the browser has kept, and where the reader scrolls.
fn begin(opener: Opener, palette: NodeRef<Dialog>) {
    let Opener { state, run, .. } = opener;
    // The page listens as long as it lives.
    let hear = move |event: &KeyboardEvent| keys::handle_key(event, opener, palette);
    let _ = window_event_listener(leptos::ev::keydown, move |event| {
        if hear(&event) {
            event.prevent_default();
        }
    });
    progress::recall(state);
    progress::keep(state);
    present::follow(state);
    speaker_notes::fill(state, hear);
    scroll::follow(state);
    // Both names say the same.
    if let Some(url) = untrack(|| state.values.text("file")) {
        state.values.set("file", None);
        state.values.set("trace", Some(url));
    }
    match untrack(|| state.values.text("trace")) {
        Some(url) => opener.follow(url),
        None => opener.say_what_was_open(),
    }
    if let Some(anchor) = state.embedded_cell() {
        match state.lecture.get_untracked().part_named(&anchor) {
            Some(part) => state.part.set(part),
            None => {
                state.values.notice(format!("The lecture has no cell “{anchor}”: this is all of it."));
                if let Some(root) = document().document_element() {
                    drop(root.remove_attribute("data-embed"));
                }
            }
        }
    }
    // Now, and whenever the reader goes through the history; what else the address says moves nobody.
    let step = Memo::new(move |_| (!state.awaits_trace()).then(|| state.values.text("step")));
    Effect::new(move || step.get().into_iter().for_each(|step| state.take_step(step)));
    // What an address brings runs by itself, now and from the history; what a hand moves does so already.
    Effect::new(move |is_later: Option<()>| {
        state.values.arrivals.track();
        let is_unrun = is_later.is_none() && state.lecture.with_untracked(|lecture| lecture.is_unrun);
        if is_unrun || untrack(|| run.is_behind()) {
            run.run();
        }
    });
    let refused = Memo::new(move |_| if state.awaits_trace() { Vec::new() } else { state.settings().1 });
    Effect::new(move || refused.get().into_iter().for_each(|refused| state.put_right(refused)));
    Effect::new(move || document().set_title(&format!("{} · Napkin", state.lecture.with(|it| it.title()))));
    // The line that a reader steps to stays in sight.
    Effect::new(move || {
        state.step.track();
        if state.is_stepping.get() && !is_embedded() {
            request_animation_frame(|| {
                if let Ok(Some(row)) = document().query_selector(".cell.is-current .is-current") {
                    scroll::nearest(&row);
                }
            });
        }
    });
    // Back in the notebook, the reader is at the same cell.
    Effect::new(move |was_one: Option<bool>| {
        let is_one = state.is_stepping.get() || state.is_presenting.get();
        if was_one == Some(true) && !is_one {
            let anchor = state.lecture.get_untracked().anchor(state.part.get_untracked());
            request_animation_frame(move || scroll::to_part(&anchor.unwrap_or_default(), None));
        }
        is_one
    });
}

/// Everything between header and footer.
#[component]
fn Document() -> impl IntoView {
    let state = use_lecture();
    let title = Memo::new(move |_| state.lecture.with(|lecture| lecture.title()));
    let name = move || title.with(|title| title.split(": ").next().map(str::to_owned));
    let lede = move || title.with(|title| title.split_once(": ").map(|(_, lede)| lede.to_owned()));
    // Another lecture is another document.
    let opened = Memo::new(move |_| (state.origin.get(), state.lecture.with(|lecture| lecture.anchor(0))));
    // Its parts, or the one cell that it is.
    let is_cell = move || state.lecture.with_untracked(|it| it.parts.first().is_some_and(Part::is_cell));
    let whole = move |id: String| match is_cell() {
        true => view! { <PartView anchor=id /> }.into_any(),
        false => view! { <Listing shown=shown_part(Memo::new(|_| 0)) id /> }.into_any(),
    };
    view! {
        <StrangerNotice />
        <header class="lecture-head">
            <h1>{name}</h1>
            {move || lede().map(|lede| view! { <p class="lede">{lede}</p> })}
            <p class="score">{move || score_in_words(state)}</p>
            {move || {
                let lecture = state.lecture.get();
                let warnings = lecture.trace.warnings.iter().cloned();
                warnings.map(|warning| view! { <p class="message">{warning}</p> }).collect_view()
            }}
            <RunHere />
            <FaultReport />
            <FilesLeft />
        </header>
        <div
            class="lecture"
            class:is-stepping=state.is_stepping
            class:is-presenting=state.is_presenting
        >
            <Contents />
            <article class="document">
                {move || opened.get().1.map(whole)}
                <Ending />
            </article>
            {move || state.is_stepping.get().then(|| view! { <Inspector /> })}
        </div>
        <Stepper />
    }
}

/// What stands after the last step.
#[component]
fn Ending() -> impl IntoView {
    let state = use_lecture();
    move || {
        let (failure, is_truncated) = state.lecture.with(|it| (it.trace.failure.clone(), it.trace.truncated));
        let is_cut = failure.is_none() && is_truncated;
        let words = "The program went on after this step, but no more of it was recorded.";
        view! {
            {failure.map(|failure| view! { <pre class="traceback">{failure.trim_end().to_owned()}</pre> })}
            {is_cut.then(|| view! { <p class="message">{words}</p> })}
        }
    }
}

/// What was read, answered and solved, and what there is; tracked.
fn score_in_words(state: LectureState) -> String {
    let (right, answered, asked) = state.score(|task| task.exercise.is_none());
    let (_, solved, exercises) = state.score(|task| task.exercise.is_some());
    if asked + exercises == 0 {
        return String::new();
    }
    if !state.has_progress() {
        return format!("{asked} questions to answer, {exercises} exercises to solve.");
    }
    let (read, cells) = (state.read.with(BTreeSet::len), state.original.with(|it| it.cells().count()));
    format!(
        "Read {read} of {cells} cells. Answered {answered} of {asked} questions, {right} of them right. Solved {solved} of {exercises} exercises."
    )
}
