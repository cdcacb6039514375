//! Making views: an expression to type, and a button for each operation.

use crate::dom::Node;
use crate::signals::{Memo, Signal};
use leptos::html::Input;
use leptos::prelude::*;
use napkin_engine::Layout;
use napkin_view::view;

use super::desk::Desk;
use super::program::{MAX_VIEWS, join};
use crate::state::Read;
use crate::widgets::{Draft, Field, use_announcer};

/// A name, and the text that its button appends to a view of some layout.
type Operation = (&'static str, fn(&Layout) -> String);

const OPERATIONS: [Operation; 11] = [
    ("view", |x| format!(".view({})", other_shape(x))),
    ("reshape", |x| format!(".reshape({})", other_shape(x))),
    ("transpose", |x| if x.rank() == 1 { ".transpose(0, 0)".into() } else { ".transpose(0, 1)".into() }),
    ("permute", |x| format!(".permute({})", join(&(0..x.rank()).rev().collect::<Vec<_>>()))),
    ("slice", |x| if x.rank() < 2 { "[::2]".into() } else { "[::2, 1:]".into() }),
    ("expand", |x| format!(".expand({})", wider_shape(x))),
    ("narrow", |x| format!(".narrow(0, 0, {})", x.shape().first().map_or(1, |size| size.div_ceil(2)))),
    ("select", |_| ".select(0, 0)".into()),
    ("squeeze", |_| ".squeeze()".into()),
    ("unsqueeze", |_| ".unsqueeze(0)".into()),
    ("contiguous", |_| ".contiguous()".into()),
];

fn other_shape(x: &Layout) -> String {
    match x.shape() {
        [size] if size % 2 == 0 => "2, -1".to_owned(),
        _ => "-1".to_owned(),
    }
}

fn wider_shape(x: &Layout) -> String {
    let has_one = x.shape().contains(&1);
    let sizes = x.shape().iter().map(|size| if *size == 1 { "3" } else { "-1" });
    let sizes: Vec<&str> = (!has_one).then_some("3").into_iter().chain(sizes).collect();
    sizes.join(", ")
}

/// What stands between the brackets of an operation, with what stands around it.
fn split_arguments(operation: &str) -> Option<(&str, &str, &str)> {
    let open = operation.find(['(', '['])? + 1;
    let close = operation.len() - 1;
    Some((operation.get(..open)?, operation.get(open..close)?, operation.get(close..)?))
}

/// The editor of the active view.
#[component]
pub fn Editor(desk: Desk) -> Node {
    let announcer = use_announcer();
    let tell = move |outcome: Read<()>| {
        if let Read::Bad(sentence) | Read::Clamped((), sentence) = outcome {
            announcer.say(sentence);
        }
    };
    let arguments_node = NodeRef::<Input>::new();
    let label = Signal::derive(move || {
        let is_new = desk.source().is_empty();
        if is_new { format!("New view: {} =", desk.next_name()) } else { format!("{} =", desk.active_name()) }
    });
    let draft = Draft::new(Signal::derive(move || desk.source()), move |text| desk.read_source(text));
    let arguments = Signal::derive(move || {
        let last = desk.last_operation()?;
        split_arguments(&last).map(|(before, inner, _)| (before.to_owned(), inner.to_owned()))
    });
    let arguments_draft = Draft::new(
        Signal::derive(move || arguments.get().map_or_else(String::new, |(_, inner)| inner)),
        move |text| {
            let (last, source) = untrack(|| (desk.last_operation(), desk.source()));
            let parts = last.as_deref().and_then(split_arguments);
            let (Some(last), Some((before, _, after))) = (&last, parts) else { return Read::Good(()) };
            let start = source.strip_suffix(last.as_str()).unwrap_or_default();
            desk.read_source(&format!("{start}{before}{text}{after}"))
        },
    );
    let has_arguments = Memo::new(move || arguments.with(Option::is_some));
    let buttons = OPERATIONS.map(|(name, text)| {
        let on_click = move |_| {
            if let Some(tensor) = untrack(|| desk.active()) {
                tell(desk.append(&text(&tensor.layout)));
            }
        };
        view! { <button type="button" class="operation" on:click=on_click>{name}</button> }
    });
    let is_view = Memo::new(move || !desk.source().is_empty());
    view! {
        <div class="editor">
            <Field label draft is_code=true />
            <div class="buttons" role="group" aria-label="Operations">{buttons.into_iter().collect::<Vec<_>>()}</div>
            <div class="editor-row">
                {move || has_arguments.get().then(|| view! {
                    <Field
                        label=Signal::derive(move || {
                            let before = arguments.get().map_or_else(String::new, |(before, _)| before);
                            match before.trim_matches(['.', '(', '[']) {
                                "" => "Index of the last operation".to_owned(),
                                name => format!("Arguments of {name}"),
                            }
                        })
                        draft=arguments_draft
                        is_code=true
                        node=arguments_node
                    />
                })}
                <button
                    type="button"
                    disabled=move || desk.last_operation().is_none()
                    on:click=move |_| desk.undo()
                >
                    "Undo last"
                </button>
                <button
                    type="button"
                    disabled=move || {
                        !is_view.get()
                            || desk.model.with(|m| m.as_ref().is_some_and(|m| m.tensors.len() > MAX_VIEWS))
                    }
                    on:click=move |_| tell(desk.add_view())
                >
                    "Keep, and view it again"
                </button>
            </div>
        </div>
    }
}
