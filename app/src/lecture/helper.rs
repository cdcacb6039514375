//! A function of the program that a statement of a cell calls.

use leptos::prelude::*;

use super::model::{Call, Statement};
use super::state::use_lecture;
use super::statement::{Listing, Shown};

/// Its code, folded away unless the reader steps in it.
#[component]
pub fn Helper(
    /// The file that it is in.
    path: String,
    /// What it is called.
    function: String,
    statement: Memo<Statement>,
    /// The call whose statement this is, by number.
    caller: Signal<usize>,
    /// What the ids of its elements begin with.
    id: String,
) -> AnyView {
    let state = use_lecture();
    let name = function.clone();
    let shown = Memo::new(move |_| {
        let until = state.is_stepping.get().then(|| state.step.get());
        let (statement, caller, lecture) = (statement.read(), caller.get(), state.lecture.get());
        let tree = &lecture.calls;
        // One function may be called by several statements.
        let is_it = |call: &Call| call.path == path && call.function == name;
        let is_here = |number: &usize| {
            let (call, made_by) = (&tree.calls[*number], tree.made_by(*number));
            let is_by_statement = made_by.is_some_and(|run| run.line == statement.lines.0);
            is_it(call) && call.caller == Some(caller) && is_by_statement
        };
        // Of a reader who steps in it: the call that they are in, or that called where they are.
        let open = tree.open(until.and_then(|step| tree.call(step)));
        if let Some(call) = open.into_iter().rfind(is_here) {
            return Some(Shown { call, until });
        }
        let call = *statement.helpers.iter().find(|call| tree.calls.get(**call).is_some_and(is_it))?;
        Some(Shown { call, until: None })
    });
    let is_open = move || shown.get().is_some_and(|shown| shown.until.is_some());
    let is_there = Memo::new(move |_| shown.read().is_some());
    let call = Signal::derive(move || shown.get().unwrap_or_default());
    let title = move || {
        let lecture = state.lecture.read();
        let qualified = |shown: Shown| lecture.qualified_name(lecture.call_place(shown.call)?);
        shown.get().and_then(qualified).unwrap_or_else(|| function.clone())
    };
    view! {
        <details class="helper" open=is_open>
            <summary>"Code of " <code>{title}</code></summary>
            {move || is_there.get().then(|| view! { <Listing shown=call id=id.clone() /> })}
        </details>
    }
    // A helper calls helpers: the type ends here.
    .into_any()
}
