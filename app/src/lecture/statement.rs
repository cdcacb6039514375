//! The code of a call with what each statement has shown beside it and below it.

use leptos::prelude::*;
use napkin_trace::Fault;
use napkin_trace::trace::{Rendering, StackElement};

use super::code::{html_of, html_of_function};
use super::exercise::ExerciseView;
use super::faults::{in_words, is_stopped};
use super::helper::Helper;
use super::live_rendering::LiveRendering;
use super::model::{Definition, Lecture, State, Statement, Variable, function_key, is_short, listing};
use super::part::PartView;
use super::question::QuestionForm;
use super::run::use_run;
use super::slider::SliderRow;
use super::state::use_lecture;
use super::variables::VariableValue;

/// What a listing shows: a call, up to a step or whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// The call, by number.
    pub call: usize,
    /// The step that the reader is at; none for all of it.
    pub until: Option<usize>,
}

/// The code of a call.
#[component]
pub fn Listing(
    /// Which call, how far.
    #[prop(into)]
    shown: Signal<Shown>,
    /// What the ids of its elements begin with.
    id: String,
    /// What stands in place of its code while the reader edits it; prose stays.
    #[prop(optional, into)]
    is_edited: Signal<bool>,
) -> impl IntoView {
    let state = use_lecture();
    let place = Memo::new(move |_| state.lecture.read().call_place(shown.get().call).cloned());
    // With the function that they are of.
    let statements = Memo::new(move |_| {
        let Shown { call, until } = shown.get();
        let function = place.read().as_ref().map(|it| function_key(&it.path, &it.function_name));
        let all = state.lecture.with(|lecture| listing(lecture, call, until, state.is_raw.get()));
        (function, all)
    });
    let label = move || place.get().map(|place| format!("{}, {}", place.path, place.function_name));
    // A row stays when an edit of another function moves its lines: an editor may be open in it.
    let keys = move || {
        statements
            .with(|(function, all)| all.iter().map(|it| (function.clone(), it.place())).collect::<Vec<_>>())
    };
    let row = move |(function, own): (Option<String>, (u32, u32))| {
        let key = StoredValue::new(function);
        let find = move |(function, all): &(Option<String>, Vec<Statement>)| {
            let is_its = key.with_value(|key| key == function);
            all.iter().find(|it| is_its && it.place() == own).cloned()
        };
        // While another listing is drawn, a statement of this one may be gone already.
        let first = statements.with_untracked(find)?;
        let statement = Memo::new(move |_| statements.with(find).unwrap_or_else(|| first.clone()));
        let place = StoredValue::new(place.get_untracked()?);
        let call = Signal::derive(move || shown.get().call);
        Some(view! { <StatementRow statement call place id=format!("{id}-{}", own.0) is_edited /> })
    };
    let missing = move || {
        let place = place.get()?;
        let has_text = state.lecture.read().source(&place.path).is_some();
        (!has_text).then(|| {
            view! {
                <p class="message">"The trace does not hold the text of " {place.path} "."</p>
                <pre>{place.code}</pre>
            }
        })
    };
    view! {
        <ol class="code" aria-label=label>
            <For each=keys key=Clone::clone children=row />
        </ol>
        {missing}
    }
}

/// One statement.
#[component]
fn StatementRow(
    statement: Memo<Statement>,
    /// The call that it is of, by number.
    call: Signal<usize>,
    /// Its file and function.
    place: StoredValue<StackElement>,
    /// What the ids of its elements begin with.
    id: String,
    is_edited: Signal<bool>,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let lines = Memo::new(move |_| statement.read().lines);
    let progress = Memo::new(move |_| statement.read().state);
    let class = move || match progress.get() {
        State::Passed => "statement is-passed",
        State::Current => "statement is-current",
        State::Skipped => "statement is-skipped",
        State::Coming => "statement is-coming",
    };
    let awaits = Memo::new(move |_| {
        let statement = statement.read();
        let waits = place.with_value(|place| state.awaits_guess(place, statement.lines.0));
        waits && !(statement.is_prose() && statement.stdout.is_empty())
    });
    // Parts of the lecture, and what says all that there is to it, stand in place of the code.
    let shows_code = Memo::new(move |_| {
        let statement = statement.read();
        let has_stand_in = !statement.parts.is_empty() || statement.is_call && !statement.drawings.is_empty();
        state.is_raw.get() || !is_edited.get() && !has_stand_in
    });
    let values = Memo::new(move |_| {
        let statement = statement.read();
        if state.shows_variables.get() { statement.values.clone() } else { Vec::new() }
    });
    let slider = Memo::new(move |_| statement.read().slider.clone());
    let slider_row = move || {
        let path = place.with_value(|it| it.path.clone());
        slider.get().map(|slider| view! { <SliderRow path slider /> })
    };
    // What went wrong here in the last run.
    let fault = move || {
        let (faults, (first, last)) = (run.faults.get(), lines.get());
        let is_here = |fault: &&Fault| {
            let frame = fault.frames.last().filter(|frame| !frame.is_of_text);
            frame.is_some_and(|it| {
                place.with_value(|place| place.path == it.path) && (first..=last).contains(&it.line)
            })
        };
        let fault = faults.iter().find(is_here)?;
        // The cell itself says the rest.
        let is_own = |place: &StackElement| {
            let cell = fault.cell.as_ref();
            cell.is_some_and(|it| it.path == place.path && it.function == place.function_name)
        };
        let words = match place.with_value(is_own) && !is_stopped(fault) {
            true => fault.kind.clone(),
            false => in_words(fault),
        };
        Some(view! { <p class="message fault-line">{words}</p> })
    };
    let parts = move || {
        let (statement, lecture) = (statement.read(), state.lecture.read());
        statement.parts.iter().filter_map(|part| lecture.anchor(*part)).collect::<Vec<_>>()
    };
    let output = move |text: String, label: &'static str, class: &'static str| {
        let text = text.trim_end_matches('\n').to_owned();
        // What is cut off is reached by keys, too.
        let tab = (text.lines().count() > 24).then_some("0");
        (!text.is_empty()).then(|| view! { <pre class=class aria-label=label tabindex=tab>{text}</pre> })
    };
    let stdout =
        Memo::new(move |_| if awaits.get() { String::new() } else { statement.read().stdout.clone() });
    let stderr = Memo::new(move |_| statement.read().stderr.clone());
    let question = Memo::new(move |_| {
        let is_reached = matches!(progress.get(), State::Passed | State::Current);
        statement.read().question.clone().filter(|_| is_reached)
    });
    let helpers = move || {
        // Who edits has the code before them.
        let calls = if is_edited.get() { Vec::new() } else { statement.read().helpers.clone() };
        let place = |call: usize| {
            let lecture = state.lecture.read();
            let call = lecture.calls.calls.get(call)?;
            Some((call.path.clone(), call.function.clone()))
        };
        calls.into_iter().filter_map(place).collect::<Vec<_>>()
    };
    let drawing_id = id.clone();
    let helper = move |(path, function): (String, String)| {
        let id = format!("{id}-{function}");
        view! { <Helper path function statement caller=call id /> }
    };
    view! {
        <li class=class class:is-old=move || statement.read().is_old data-line=move || lines.get().0 aria-current=move || (progress.get() == State::Current).then_some("step")>
            {move || shows_code.get().then(|| view! { <Code statement values place /> })}
            {slider_row}
            {fault}
            <For each=parts key=String::clone children=|anchor| view! { <PartView anchor /> } />
            <Drawings statement place id=drawing_id awaits />
            {move || (!shows_code.get()).then(|| view! { <ValuesWithoutCode statement values place /> })}
            {move || output(stdout.get(), "Standard output", "output")}
            {move || output(stderr.get(), "Standard error", "output is-error")}
            {move || question.get().map(|question| view! { <QuestionForm question /> })}
            <For each=helpers key=Clone::clone children=helper />
            <For each=move || statement.read().stepped_over.clone() key=Clone::clone children=stepped_over />
        </li>
    }
}

/// The code of what a statement calls and the lecture steps over, folded away.
fn stepped_over(definition: Definition) -> impl IntoView {
    let state = use_lecture();
    let Definition { path, name, lines } = definition;
    let function = name.clone();
    let rows = move || {
        let lines = state.lecture.with(|lecture| html_of_function(lecture, &path, &function, lines.0));
        lines.into_iter().map(code_line).map(|it| view! { <div class="line">{it}</div> }).collect_view()
    };
    view! {
        <details class="helper">
            <summary>"Code of " <code>{name}</code></summary>
            <div class="code">{rows}</div>
        </details>
    }
}

/// A line of code with its number.
fn code_line((number, html): (u32, String)) -> impl IntoView {
    view! {
        <span class="line-number" aria-hidden="true">{number}</span>
        <code inner_html=html></code>
    }
}

/// The lines of a statement, with what it showed: short values beside the last line, larger ones below.
#[component]
fn Code(
    statement: Memo<Statement>,
    values: Memo<Vec<Variable>>,
    place: StoredValue<StackElement>,
) -> impl IntoView {
    let state = use_lecture();
    let lines = Memo::new(move |_| {
        let (lines, is_raw) = (statement.read().lines, state.is_raw.get());
        state.lecture.with(|lecture| place.with_value(|place| html_of(lecture, place, lines, is_raw)))
    });
    let of_length =
        move |short: bool| values.get().into_iter().filter(move |it| is_short(&it.value) == short);
    let beside = move || {
        let row = |variable| view! { <span class="result"><VariableValue variable place /></span> };
        of_length(true).map(row).collect_view()
    };
    view! {
        {move || {
            let mut lines = lines.get();
            let last = lines.pop();
            view! {
                {lines.into_iter().map(|it| view! { <div class="line">{code_line(it)}</div> }).collect_view()}
                <div class="line">{last.map(code_line)}{beside}</div>
            }
        }}
        {move || of_length(false).map(|it| named(it, place)).collect_view()}
    }
}

/// What a statement asked to show whose code is not there. Beside a drawing it is folded away, since that says most of it.
#[component]
fn ValuesWithoutCode(
    statement: Memo<Statement>,
    values: Memo<Vec<Variable>>,
    place: StoredValue<StackElement>,
) -> impl IntoView {
    move || {
        let values = values.get();
        let names = values.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
        let all = values.into_iter().map(|it| named(it, place)).collect_view();
        if names.is_empty() || statement.read().drawings.is_empty() {
            return all.into_any();
        }
        view! { <details class="helper"><summary>"Value of " <code>{names}</code></summary>{all}</details> }
            .into_any()
    }
}

/// A value with its name, below the line.
fn named(variable: Variable, place: StoredValue<StackElement>) -> impl IntoView {
    let name = variable.name.clone();
    view! { <div class="shown-value"><code>{name}</code><VariableValue variable place /></div> }
}

/// What a statement drew.
#[component]
fn Drawings(
    statement: Memo<Statement>,
    place: StoredValue<StackElement>,
    id: String,
    awaits: Memo<bool>,
) -> impl IntoView {
    let state = use_lecture();
    let drawings = Memo::new(move |_| {
        let shows_notes = state.shows_notes.get();
        let is_shown = |it: &&Rendering| !state.is_raw.get() && (it.kind != "note" || shows_notes);
        statement.read().drawings.iter().filter(is_shown).cloned().collect::<Vec<_>>()
    });
    // What is drawn anew leaves the rest as it is.
    let drawing = move |at: usize, id: &str| {
        let (path, cell) = place.with_value(|it| (it.path.clone(), it.function_name.clone()));
        let (id, rendering) =
            (format!("{id}-{at}"), Memo::new(move |_| drawings.with(|all| all.get(at).cloned())));
        let task = Memo::new(move |_| {
            let function = rendering.with(|it| it.as_ref()?.data.get("function").cloned());
            function.and_then(|it| it.as_str().map(str::to_owned))
        });
        move || match task.get() {
            Some(function) => {
                let (path, cell) = (path.clone(), cell.clone());
                let part = {
                    let (path, cell) = (path.clone(), cell.clone());
                    move |lecture: &Lecture| lecture.parts.iter().position(|part| part.is_of(&path, &cell))
                };
                let is_old = Signal::derive(move || {
                    let lecture = state.lecture.read();
                    statement.read().is_old || part(&lecture).is_some_and(|part| lecture.is_all_old(part))
                });
                Some(view! { <ExerciseView rendering is_old path function cell /> }.into_any())
            }
            None => rendering.get().map(|rendering| {
                let (id, path, function) = (id.clone(), path.clone(), cell.clone());
                view! { <LiveRendering rendering id path function /> }.into_any()
            }),
        }
    };
    // One of another kind takes the place of what was there: nothing is made of that.
    let kinds = Memo::new(move |_| {
        let kinds =
            |all: &Vec<Rendering>| all.iter().map(|it| it.kind.clone()).enumerate().collect::<Vec<_>>();
        drawings.with(kinds)
    });
    let is_empty = Memo::new(move |_| kinds.with(Vec::is_empty));
    move || {
        if is_empty.get() {
            return ().into_any();
        }
        if awaits.get() {
            return view! { <p class="waiting">"Guess first, and the answer appears here."</p> }.into_any();
        }
        let id = id.clone();
        let is_line = move || kinds.with(|all| is_line(all));
        let is_live = move || kinds.with(|all| !all.iter().all(|(_, kind)| is_prose(kind))).then_some("");
        view! {
            <div class="drawings" class:is-line=is_line data-live=is_live>
                <For each=move || kinds.get() key=Clone::clone children=move |(at, _)| drawing(at, &id) />
            </div>
        }
        .into_any()
    }
}

/// Whether the page draws it itself.
fn is_prose(kind: &str) -> bool {
    matches!(kind, "markdown" | "note" | "card" | "html" | "link" | "image" | "video")
}

/// Whether what a statement drew is one line of prose: several pieces, of which none needs a place of its own.
fn is_line(kinds: &[(usize, String)]) -> bool {
    kinds.len() > 1
        && kinds.iter().all(|(_, kind)| matches!(kind.as_str(), "markdown" | "note" | "link" | "image"))
}
