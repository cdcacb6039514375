//! Making views: an expression to type, and a button for each operation.

use leptos::prelude::*;
use napkin_engine::Layout;

use super::explorer::Explorer;
use crate::components::number::join;
use crate::controls::{Draft, Field};
use crate::page::use_announcer;

/// A name, and the text that its button appends to a view of some layout.
type Operation = (&'static str, fn(&Layout) -> String);

const OPERATIONS: [Operation; 11] = [
    ("view", |x| format!(".view({})", other_shape(x))),
    ("reshape", |x| format!(".reshape({})", other_shape(x))),
    ("transpose", |x| if x.rank() == 1 { ".transpose(0, 0)" } else { ".transpose(0, 1)" }.into()),
    ("permute", |x| format!(".permute({})", join(&(0..x.rank()).rev().collect::<Vec<_>>()))),
    ("slice", |x| if x.rank() < 2 { "[::2]" } else { "[::2, 1:]" }.into()),
    ("expand", |x| format!(".expand({})", wider_shape(x))),
    ("narrow", |x| format!(".narrow(0, 0, {})", x.shape().first().map_or(1, |size| size.div_ceil(2)))),
    ("select", |_| ".select(0, 0)".into()),
    ("squeeze", |_| ".squeeze()".into()),
    ("unsqueeze", |_| ".unsqueeze(0)".into()),
    ("contiguous", |_| ".contiguous()".into()),
];

fn other_shape(x: &Layout) -> &'static str {
    if matches!(x.shape(), [size] if size % 2 == 0) { "2, -1" } else { "-1" }
}

/// Where no size is 1 there is room in front.
fn wider_shape(x: &Layout) -> String {
    let sizes = x.shape().iter().map(|size| if *size == 1 { "3" } else { "-1" });
    let front = (!x.shape().contains(&1)).then_some("3");
    front.into_iter().chain(sizes).collect::<Vec<_>>().join(", ")
}

#[component]
pub fn Editor(explorer: Explorer) -> impl IntoView {
    let announcer = use_announcer();
    let tell = move |outcome: Result<(), String>| outcome.unwrap_or_else(|sentence| announcer.say(sentence));
    let label = Signal::derive(move || match explorer.source().is_empty() {
        true => format!("New view: {} =", explorer.next_name()),
        false => format!("{} =", explorer.active_name()),
    });
    let draft = Draft::new(Signal::derive(move || explorer.source()), move |text| {
        explorer.read_source(text).map(|()| None)
    });
    let buttons = OPERATIONS.map(|(name, text)| {
        let on_click = move |_| {
            if let Some(tensor) = untrack(|| explorer.active()) {
                tell(explorer.append(&text(&tensor.layout)));
            }
        };
        view! { <button type="button" class="operation" on:click=on_click>{name}</button> }
    });
    view! {
        <div class="strides-editor">
            <Field id=explorer.scope.id("source") label draft />
            <div class="buttons" role="group" aria-label="Operations">{buttons.collect_view()}</div>
            <div class="editor-row">
                <button
                    type="button"
                    aria-disabled=move || explorer.last_operation().is_none().then_some("true")
                    on:click=move |_| explorer.undo()
                >
                    "Undo last"
                </button>
                <button
                    type="button"
                    aria-disabled=move || (!explorer.has_room()).then_some("true")
                    on:click=move |_| {
                        if untrack(|| explorer.has_room()) {
                            tell(explorer.add_view());
                        }
                    }
                >
                    "Keep it, and make another view"
                </button>
            </div>
        </div>
    }
}
