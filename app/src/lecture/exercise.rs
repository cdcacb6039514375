//! A small task: a card, and the function that the reader is to complete.

use leptos::either::Either;
use leptos::prelude::*;
use napkin_trace::trace::{Card, Choice, Drawing, Json, Rendering};

use super::editor::{Editor, focus_after, open_when_asked};
use super::faults::{FaultBox, in_words};
use super::model::function_key;
use super::run::use_run;
use super::state::{LectureState, use_lecture};
use crate::components::{CardView, Guesses, Prose, Verdict};

/// The card as it was drawn last, and the function, in an editor once the reader wants to solve it.
#[component]
pub fn ExerciseView(
    rendering: Memo<Option<Rendering>>,
    /// Whether that is of an earlier run.
    is_old: Signal<bool>,
    /// The file of the cell.
    path: String,
    /// The cell's function.
    cell: String,
    /// The one to complete.
    function: String,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let (is_open, opens) = (RwSignal::new(false), NodeRef::new());
    focus_after(is_open, opens);
    let key = StoredValue::new(function_key(&path, &function));
    let name = function.clone();
    let place = StoredValue::new((path.clone(), function.clone()));
    let say = move |key, text, verdict| Guesses(state.guesses).say(key, text, verdict);
    let code = Memo::new(move |_| {
        place.with_value(|(path, function)| state.code(path, function)).unwrap_or_default()
    });
    let card = Memo::new(move |_| match rendering.get()?.drawing()? {
        Drawing::Card(card) => Some(card),
        _ => None,
    });
    let tree = move |at: usize| {
        rendering.with(|it| it.as_ref().and_then(|it| it.prepared.get(at).cloned())).unwrap_or_default()
    };
    // Whether somebody wants to know; what was solved before is known.
    let is_asked = Memo::new(move |_| key.with_value(|key| state.asked.with(|all| all.contains(key))));
    let ask = move || {
        if !is_asked.get_untracked() {
            state.asked.update(|all| all.extend([key.get_value()]));
        }
    };
    let verdict = Memo::new(move |_| {
        let is_behind = place.with_value(|(path, function)| run.is_behind_of(path, function));
        if is_behind {
            return Verdicts::Changed;
        }
        if is_old.get() || !run.is_idle.get() {
            return Verdicts::Awaited;
        }
        card.get().and_then(|card| card.choices.first().cloned()).map_or(Verdicts::Awaited, Verdicts::Known)
    });
    let edited = move || key.with_value(|key| state.edits.with(|edits| edits.get(key).cloned()));
    // What was solved before the page was loaded is known still, though it has not run since.
    let is_solved = Memo::new(move |_| {
        let guess = place.with_value(|(_, function)| state.guesses.with(|all| all.get(function).cloned()));
        guess.is_some_and(|it| it.verdict == Verdict::Right && edited().as_ref() == Some(&it.text))
    });
    Effect::new(move || {
        if let (Verdicts::Known(choice), Some(code)) = (verdict.get(), edited())
            && choice.is_right == Some(true)
        {
            let function = place.with_value(|(_, function)| function.clone());
            if !is_solved.get_untracked() {
                say(function, code, Verdict::Right);
            }
            ask();
        }
    });
    open_when_asked(Signal::derive(move || key.get_value()), is_open);
    let cell = StoredValue::new(cell);
    let check = move || {
        ask();
        run.run_cell(place.get_value().0, cell.get_value());
    };
    let on_run = Callback::new(move |()| check());
    let answer = move || {
        let verdict = verdict.get();
        if !is_asked.get() && (edited().is_none() || verdict != Verdicts::Changed) {
            return None;
        }
        Some(match verdict {
            Verdicts::Changed if is_solved.get() => Either::Left(
                view! { <p class="verdict is-right"><strong>"Right"</strong>" when it was checked last."</p> },
            ),
            Verdicts::Changed => {
                Either::Left(view! { <p class="verdict">"This code has not been checked yet."</p> })
            }
            Verdicts::Awaited if !run.is_idle.get() => {
                Either::Left(view! { <p class="verdict">"Checking …"</p> })
            }
            Verdicts::Awaited => {
                let path = place.with_value(|(path, _)| path.clone());
                let fault = cell.with_value(|cell| run.fault_of(&path, cell));
                let why = fault.map(|fault| match fault.waits_for {
                    Some(_) => "its cell waits for another one.".to_owned(),
                    None => format!("its cell has ended before. {}", in_words(&fault)),
                });
                let why = why.unwrap_or_else(|| "its cell has not come to it.".to_owned());
                Either::Left(view! { <p class="verdict">"It was not checked: " {why}</p> })
            }
            Verdicts::Known(choice) => Either::Right(judged(choice, tree(1))),
        })
    };
    let editor = move || match is_open.get() {
        true => {
            let (path, function) = place.get_value();
            Either::Left(view! { <Editor path function on_run is_edited=is_open /> })
        }
        false => Either::Right(view! {
            <pre><code>{code}</code></pre>
            <p class="choices">
                <button type="button" class="is-main" on:click=move |_| is_open.set(true) node_ref=opens>"Write your code"</button>
            </p>
        }),
    };
    view! {
        <div class="exercise" data-function=name>
            {move || card.get().map(|it| {
                let whole = Card { choices: Vec::new(), ..it };
                view! {
                    <CardView card=whole prepared=rendering.get().unwrap_or_default().prepared />
                    <div class="choices">
                        <button type="button" on:click=move |_| check()>"Check"</button>
                        <NextHint card />
                    </div>
                    <Hints card tree=Callback::new(tree) />
                }
            })}
            <div role="status">{answer}</div>
            <FaultBox path function more=ViewFn::from(move || view! { <NextHint card is_of_fault=true /> }) />
            {editor}
        </div>
    }
}

/// What is known of the code that stands there.
#[derive(Clone, PartialEq)]
enum Verdicts {
    /// It is not what was checked.
    Changed,
    Awaited,
    Known(Choice),
}

fn judged(choice: Choice, tree: Json) -> impl IntoView {
    let Choice { why, is_right, case, .. } = choice;
    let (class, words) = match is_right {
        Some(true) => ("verdict is-right", "Right. "),
        _ => ("verdict is-wrong", "Not quite. "),
    };
    // What the sentence does not say by itself.
    let case = case.filter(|case| case.raised.is_none() && !why.contains(&case.call)).map(|case| {
        view! { <p class="case"><code>{case.call}</code> " returns " <code>{case.came}</code></p> }
    });
    view! { <div class=class><strong>{words}</strong><Prose text=why tree />{case}</div> }
}

/// The choice that was shown last, by its place among those of the card: the first is the check, hints follow, and then the
/// solution. How far a reader has come is kept.
fn last_shown(state: LectureState, card: &Card) -> usize {
    let asked = state.guesses.with(|all| all.get(&card.text).map(|it| it.text.clone()));
    asked.and_then(|asked| card.choices.iter().position(|it| it.text == asked)).unwrap_or(0)
}

/// A button that shows the next hint, or after all of them the solution.
#[component]
fn NextHint(
    card: Memo<Option<Card>>,
    /// Whether it stands beside an error, where nobody is led to the solution.
    #[prop(optional)]
    is_of_fault: bool,
) -> impl IntoView {
    let state = use_lecture();
    let next = Memo::new(move |_| {
        let card = card.get()?;
        let at = last_shown(state, &card) + 1;
        let is_solution = at + 1 == card.choices.len();
        (!is_of_fault || !is_solution)
            .then(|| card.choices.get(at).map(|it| (card.text.clone(), it.text.clone())))?
    });
    let ask = move |_| {
        if let Some((key, text)) = next.get_untracked() {
            Guesses(state.guesses).say(key, text, Verdict::Shown);
        }
    };
    let words = move |text: String| if is_of_fault { "Show the hint".to_owned() } else { text };
    move || {
        next.get().map(|(_, text)| {
            view! { <button type="button" class="hint" on:click=ask>{words(text)}</button> }
        })
    }
}

/// The hints that were shown.
#[component]
fn Hints(card: Memo<Option<Card>>, tree: Callback<usize, Json>) -> impl IntoView {
    let state = use_lecture();
    let told = move || {
        let card = card.get()?;
        let all = card.choices.iter().enumerate().take(last_shown(state, &card) + 1).skip(1);
        let row = |(at, Choice { text, why, .. }): (usize, &Choice)| {
            view! { <div class="verdict"><strong>{text.clone()} ". "</strong><Prose text=why.clone() tree=tree.run(at + 1) /></div> }
        };
        Some(all.map(row).collect_view())
    };
    view! { <div class="hints" role="status">{told}</div> }
}
