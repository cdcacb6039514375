//! The editor of a cell: CodeMirror when somebody edits, or a plain field where it cannot be loaded.

use std::ops::Range;

use js_sys::Object;
use leptos::html::{Button, Div, Textarea};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::prelude::wasm_bindgen;
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::model::Source;
use super::run::use_run;
use super::state::{LectureState, use_lecture};
use crate::components::import;
use crate::page::focus;

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, place: &Element, text: &str, options: &Object) -> Result<Code, JsValue>;

    /// What `mount` returns.
    type Code;
    #[wasm_bindgen(method, js_name = setText)]
    fn set_text(this: &Code, text: &str);
    #[wasm_bindgen(method)]
    fn mark(this: &Code, line: u32, message: &str);
    #[wasm_bindgen(method)]
    fn clear(this: &Code);
    #[wasm_bindgen(method)]
    fn focus(this: &Code);
    #[wasm_bindgen(method)]
    fn destroy(this: &Code);
}

/// What an editor holds of a file.
#[derive(Clone)]
pub struct Edited {
    path: String,
    /// What it has written last.
    pub code: String,
    /// Where that is, in bytes.
    at: usize,
}

impl Edited {
    /// A function, or the whole file where that is gone; tracked.
    pub fn of(state: LectureState, path: &str, function: &str) -> Option<Self> {
        let text = state.text(path)?;
        let place = place_of(&text, function).unwrap_or(0..text.len());
        Some(Self { path: path.to_owned(), at: place.start, code: text[place].to_owned() })
    }

    /// Where its code is by now: another editor of the same file may have moved it.
    fn place(&self, text: &str) -> Option<usize> {
        let is_here = text.get(self.at..).is_some_and(|rest| rest.starts_with(&self.code));
        if is_here { Some(self.at) } else { text.find(&self.code) }
    }

    fn take(&mut self, state: LectureState, code: String) {
        let Some(text) = untrack(|| state.text(&self.path)) else { return };
        let Some(at) = self.place(&text) else { return };
        let edited = [&text[..at], &code, &text[at + self.code.len()..]].concat();
        (self.at, self.code) = (at, code);
        state.edit(&self.path, edited);
    }
}

/// Where a text defines a function, in bytes.
fn place_of(text: &str, function: &str) -> Option<Range<usize>> {
    let source = Source::new(text);
    let function = source.functions.iter().find(|it| it.name == function)?;
    let until = |line: u32| text.split_inclusive('\n').take(line as usize).map(str::len).sum();
    let first: usize = until(function.first - 1);
    Some(first..first + text[first..until(function.last)].trim_end().len())
}

/// Puts a function as it was first in place of what the reader has made of it.
pub fn restore(state: LectureState, path: &str, function: &str) {
    let original = state.original.get_untracked();
    let Some(text) = original.trace.files.get(path) else { return };
    let edited = untrack(|| state.text(path)).unwrap_or_default();
    let restored = match (place_of(&edited, function), place_of(text, function)) {
        (Some(now), Some(first))
            if (now.end == edited.trim_end().len()) == (first.end == text.trim_end().len()) =>
        {
            [&edited[..now.start], &text[first], &edited[now.end..]].concat()
        }
        // It is gone, or takes all that is below it, as what is not closed does.
        _ => text.clone(),
    };
    state.edit(path, restored);
    state.restored.update(|times| *times += 1);
}

/// Gives the focus, after an editor, to the button that opens it.
pub fn focus_after(is_edited: RwSignal<bool>, button: NodeRef<Button>) {
    Effect::new(move |was_edited: Option<bool>| {
        let is_edited = is_edited.get();
        if was_edited == Some(true) && !is_edited {
            focus(button);
        }
        is_edited
    });
}

/// The editor of a function; nothing where there is no such file.
#[component]
pub fn Editor(
    path: String,
    function: String,
    on_run: Callback<()>,
    is_edited: RwSignal<bool>,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let edited = untrack(|| Edited::of(state, &path, &function))?;
    let of = StoredValue::new((path, function));
    let now = move || of.with_value(|(path, function)| untrack(|| Edited::of(state, path, function)));
    let take_back = move |_| of.with_value(|(path, function)| restore(state, path, function));
    let place = NodeRef::<Div>::new();
    let code = StoredValue::new_local(None::<Code>);
    let label = format!("Editor of {}", edited.path);
    let edited = StoredValue::new(edited);
    let text = move || edited.with_value(|edited| state.text(&edited.path)).unwrap_or_default();
    let take = move |text: String| edited.update_value(|edited| edited.take(state, text));
    // A field that does without the editor's module.
    let is_plain = RwSignal::new(false);
    let field = NodeRef::<Textarea>::new();
    field.on_load(|field| drop(field.focus()));
    place.on_load(move |place| {
        run.prepare();
        spawn_local(async move {
            match mount(&place, edited.get_value(), take, on_run, is_edited).await {
                Some(mounted) => {
                    mounted.focus();
                    // Of a reader who has closed it before it was there.
                    if let Some(Some(late)) = code.try_set_value(Some(mounted)) {
                        late.destroy();
                    }
                }
                None => is_plain.set(true),
            }
        });
    });
    let with_code = move |then: &dyn Fn(&Code)| code.with_value(|code| code.iter().for_each(then));
    // Where the last run failed in this file, its line is marked.
    Effect::new(move || {
        let fault = run.fault.get();
        let line = fault.as_ref().and_then(|fault| {
            let (path, line) = fault.place.as_ref()?;
            let text = untrack(text);
            let at = edited.with_value(|it| if it.path == *path { it.place(&text) } else { None })?;
            line.checked_sub(text[..at].lines().count() as u32).filter(|line| *line > 0)
        });
        with_code(&|code| match (line, &fault) {
            (Some(line), Some(fault)) => code.mark(line, &fault.message),
            _ => code.clear(),
        });
    });
    // What is taken back elsewhere, or has another number by a slider, is so here.
    Effect::new(move |before: Option<u32>| {
        let (text, restored) = (text(), state.restored.get());
        let is_gone = edited.with_value(|edited| edited.place(&text).is_none());
        if (is_gone || before.is_some_and(|before| before != restored))
            && let Some(now) = now()
        {
            with_code(&|code| code.set_text(&now.code));
            edited.set_value(now);
        }
        restored
    });
    on_cleanup(move || {
        if let Some(code) = code.try_update_value(Option::take).flatten() {
            code.destroy();
        }
    });
    Some(view! {
        <section class="editing" aria-label=label>
            <p class="choices">
                <button type="button" class="is-main" aria-keyshortcuts="Shift+Enter" on:click=move |_| on_run.run(())>
                    "Run what is written"
                </button>
                <button type="button" on:click=take_back>
                    "Restore the original"
                </button>
                <button type="button" aria-keyshortcuts="Escape" on:click=move |_| is_edited.set(false)>
                    "Close the editor"
                </button>
            </p>
            <div class="editor" node_ref=place>
                {move || is_plain.get().then(|| {
                    let Edited { path, code, .. } = edited.get_value();
                    view! {
                        <textarea
                            class="is-code"
                            spellcheck="false"
                            rows=code.lines().count() + 1
                            aria-label=format!("Python of {path}")
                            prop:value=code
                            on:input=move |event| take(event_target_value(&event))
                            node_ref=field
                        />
                    }
                })}
            </div>
        </section>
    })
}

/// CodeMirror in `place`; nothing if it cannot be loaded.
async fn mount(
    place: &Element,
    Edited { path, code, .. }: Edited,
    take: impl Fn(String) + Copy + 'static,
    run: Callback<()>,
    is_edited: RwSignal<bool>,
) -> Option<Code> {
    let module: Module = import("editor.js").await.ok()?.unchecked_into();
    let options = Object::new();
    let give = |name: &str, value: JsValue| drop(js_sys::Reflect::set(&options, &name.into(), &value));
    let take_and_run = move |text: String| {
        take(text);
        run.run(());
    };
    give("label", format!("Python of {path}").into());
    give("onChange", Closure::<dyn Fn(String)>::new(take).into_js_value());
    give("onRun", Closure::<dyn Fn(String)>::new(take_and_run).into_js_value());
    give("onLeave", Closure::<dyn Fn()>::new(move || is_edited.set(false)).into_js_value());
    module.mount(place, &code, &options).ok()
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::{PATH, TWO};
    use super::super::state::tests::read;
    use super::*;

    #[test]
    fn editors_of_one_file_leave_each_other_what_they_write() {
        read(|state| {
            let [mut one, mut two] =
                ["one", "two"].map(|function| Edited::of(state, PATH, function).unwrap());
            let text = || state.text(PATH).unwrap();
            // All is deleted, and what comes next may stand elsewhere, too; a bracket is left open.
            for code in ["", "d", "def one():\n    x = ("] {
                one.take(state, code.to_owned());
            }
            two.take(state, format!("{}\n    b = 2", two.code));
            one.take(state, format!("{}\n    a = 1", one.code));
            assert!(text().contains("x = (\n    a = 1\n\n\ndef two()"));
            restore(state, PATH, "one");
            assert_eq!(text(), TWO.replace("d = c", "d = c\n    b = 2"));
            restore(state, PATH, "two");
            assert!(state.edits.get().is_empty(), "what is as it was is no edit");
        });
    }
}
