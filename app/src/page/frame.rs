//! One cell: its text and steps at the side of its stage.

use crate::dom::{Node, kept};
use leptos::prelude::*;
use napkin_view::view;

use super::keys::show_step;
use crate::cells::CELLS;
use crate::state::{CellContext, Outline, State};
use crate::widgets::prose;

/// The section of the cell with that index.
pub fn frame(state: State, index: usize) -> Node {
    let cell = &CELLS[index];
    let id = cell.outline.id;
    let heading = format!("{id}-title");
    let context = CellContext::new(state, index);
    // An owner of its own, so that the context is this cell's alone; it lives as long as the page.
    let owner = Owner::new();
    let stage = owner.with(|| {
        provide_context(context);
        (cell.view)()
    });
    on_cleanup(move || drop(owner));
    let intro = kept(format!("{id}-intro"), |id| {
        let paragraphs = cell.intro.iter().map(|text| view! { <p>{prose(text)}</p> }).collect::<Vec<_>>();
        view! { <div class="intro" id=id>{paragraphs}</div> }
    });
    view! {
        <section
            class="cell"
            id=id
            aria-labelledby=heading
            class:is-current=move || state.cell() == index
            on:focusin=move |_| state.pass_cell(index)
            on:pointerdown=move |_| state.pass_cell(index)
        >
            <header class="cell-header">
                <p class="cell-number" aria-hidden="true">{index + 1}</p>
                {kept(heading.clone(), |id| view! { <h2 id=id>{cell.title}</h2> })}
            </header>
            <div class="cell-body">
                <div class="guide">
                    {intro}
                    <Steps state index />
                </div>
                <div class="stage">{stage}</div>
            </div>
        </section>
    }
}

/// The steps of a cell: all of them by title, the current one with its text.
#[component]
fn Steps(state: State, index: usize) -> Node {
    let Outline { id, steps } = CELLS[index].outline;
    let last = steps.len() - 1;
    let items = steps.iter().enumerate().map(|(number, step)| {
        let is_current = move || state.step(index) == number;
        let title = kept(format!("{id}-name-{number}"), |id| view! { <span id=id>{step.title}</span> });
        let text = kept(format!("{id}-step-{number}"), |id| {
            view! { <p class="step-text" id=id>{prose(step.text)}</p> }
        });
        view! {
            <li class="step" class:is-current=is_current>
                <button
                    type="button"
                    class="step-title"
                    aria-current=move || is_current().then_some("step")
                    on:click=move |_| show_step(state, index, number)
                >
                    <span class="step-number">{number}</span>
                    {title}
                </button>
                {text}
            </li>
        }
    });
    let go = move |by: isize| {
        if let Some(step) = state.step_untracked(index).checked_add_signed(by) {
            show_step(state, index, step);
        }
    };
    view! {
        <div class="walk">
        <ol class="steps">{items.collect::<Vec<_>>()}</ol>
        <p class="stepper">
            <button type="button" aria-keyshortcuts="h ArrowLeft" disabled=move || state.step(index) == 0 on:click=move |_| go(-1)>
                "Back"
            </button>
            <span class="stepper-count" role="status">
                {move || format!("Step {} of {last}", state.step(index))}
            </span>
            <button
                type="button"
                class="is-main"
                aria-keyshortcuts="l ArrowRight"
                disabled=move || state.step(index) == last
                on:click=move |_| go(1)
            >
                "Next step"
            </button>
        </p>
        </div>
    }
}
