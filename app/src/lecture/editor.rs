//! The editor of a cell: CodeMirror when somebody edits, or a plain field where it cannot be loaded.

use js_sys::{Array, Object};
use leptos::html::{Button, Div, Textarea};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::prelude::wasm_bindgen;
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::faults::in_words;
use super::model::{CellText, MODULE, folds, function_key, spots};
use super::reset::use_resets;
use super::run::use_run;
use super::state::use_lecture;
use super::versions::Versions;
use crate::components::import;
use crate::page::focus;

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Module, place: &Element, text: &str, options: &Object) -> Result<Code, JsValue>;

    /// What `mount` returns.
    pub type Code;
    #[wasm_bindgen(method, js_name = setText)]
    fn set_text(this: &Code, text: &str, folds: &Array);
    #[wasm_bindgen(method)]
    fn mark(this: &Code, line: u32, message: &str);
    #[wasm_bindgen(method)]
    fn clear(this: &Code);
    /// Shows what is folded away, or folds it again.
    #[wasm_bindgen(method, js_name = showAll)]
    fn show_all(this: &Code, is_shown: bool);
    /// Shows how the text differs from another one; none ends that.
    #[wasm_bindgen(method)]
    fn compare(this: &Code, other: Option<&str>);
    /// Puts the cursor into a line, counted from 1.
    #[wasm_bindgen(method, js_name = goTo)]
    fn go_to(this: &Code, line: u32);
    #[wasm_bindgen(method)]
    fn focus(this: &Code);
    #[wasm_bindgen(method)]
    fn destroy(this: &Code);
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

/// Opens the editor of the function with that key when one of its lines is to be shown.
pub fn open_when_asked(key: Signal<String>, is_edited: RwSignal<bool>) {
    let state = use_lecture();
    Effect::new(move || {
        if state.asked_line.with(|asked| asked.as_ref().is_some_and(|(asked, _)| *asked == key.get())) {
            is_edited.set(true);
        }
    });
}

/// What of a text is folded away, as CodeMirror counts: `[from, to, label]` each.
fn folded(text: &str) -> Array {
    let at = |bytes: usize| JsValue::from(text[..bytes].encode_utf16().count() as u32);
    let fold = |it: super::model::Fold| Array::of3(&at(it.place.start), &at(it.place.end), &it.label.into());
    folds(text).into_iter().map(fold).collect()
}

/// The editor of a function; nothing where there is no such function.
#[component]
pub fn Editor(
    path: String,
    /// The function, or by the name of what is outside of all functions the whole file.
    function: String,
    on_run: Callback<()>,
    is_edited: RwSignal<bool>,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let start = untrack(|| state.code(&path, &function))?;
    let label =
        if function == MODULE { format!("Editor of {path}") } else { format!("Editor of {function}") };
    let of = StoredValue::new((path.clone(), function.clone()));
    let original = untrack(|| state.original_code(&path, &function)).unwrap_or_default();
    let cell = state.original.with_untracked(|it| CellText::new(it, &path, &function, original));
    let cell = StoredValue::new(cell);
    let shown = move |text: &str| cell.with_value(|cell| cell.shown(text));
    let now =
        Memo::new(move |_| of.with_value(|(path, function)| state.code(path, function)).unwrap_or_default());
    let now_shown = Memo::new(move |_| shown(&now.read()));
    let resets = use_resets();
    let take_back = move |_| of.with_value(|(path, function)| resets.restore(path, function));
    let place = NodeRef::<Div>::new();
    let code = StoredValue::new_local(None::<Code>);
    // What the editor itself has last said or heard.
    let written = StoredValue::new(start);
    let take = move |text: String| {
        let text = cell.with_value(|cell| cell.taken(&text));
        written.set_value(text.clone());
        of.with_value(|(path, function)| state.edit(path, function, text));
    };
    let is_mounted = RwSignal::new(false);
    // A field that does without the editor's module.
    let is_plain = RwSignal::new(false);
    let field = NodeRef::<Textarea>::new();
    field.on_load(|field| drop(field.focus()));
    let (name, plain_label) = (label.clone(), StoredValue::new(label.clone()));
    place.on_load(move |place| {
        run.prepare();
        spawn_local(async move {
            match mount(&place, name, shown(&written.get_value()), take, on_run, is_edited).await {
                Some(mounted) => {
                    mounted.focus();
                    // Of a reader who has closed it before it was there.
                    if let Some(Some(late)) = code.try_set_value(Some(mounted)) {
                        late.destroy();
                    }
                    is_mounted.try_set(true);
                }
                None => is_plain.set(true),
            }
        });
    });
    let with_code = move |then: &dyn Fn(&Code)| code.with_value(|code| code.iter().for_each(then));
    // Where the last run failed, its line is marked.
    let fault = Memo::new(move |_| {
        let fault = of.with_value(|(path, function)| run.fault_of(path, function))?;
        let (path, function) = of.get_value();
        let written = run.ran_edits.with(|ran| ran.get(&function_key(&path, &function)).cloned());
        let places = spots(&run.files_of(&fault), &fault, &written.unwrap_or_default());
        let is_own =
            |it: &&super::model::Spot| it.path == path && (it.function == function || function == MODULE);
        let line = places.iter().find(is_own).map(|it| it.line)?;
        Some((line, in_words(&fault)))
    });
    Effect::new(move || {
        is_mounted.track();
        match fault.get() {
            Some((line, message)) => with_code(&|code| code.mark(line, &message)),
            None => with_code(&Code::clear),
        }
    });
    let key = function_key(&path, &function);
    state.editors.update(|all| all.extend([key.clone()]));
    Effect::new({
        let key = key.clone();
        move || {
            let asked = state.asked_line.get().filter(|(editor, _)| *editor == key);
            if let Some((_, line)) = asked.filter(|_| is_mounted.get()) {
                with_code(&|code| code.go_to(line));
                state.asked_line.set(None);
            }
        }
    });
    on_cleanup(move || {
        let _ = state.editors.try_update(|all| all.remove(&key));
    });
    // What is taken back elsewhere, or has another number by a slider, is so here.
    Effect::new(move || {
        let text = now.get();
        if written.with_value(|written| *written != text) {
            let shown = shown(&text);
            with_code(&|code| code.set_text(&shown, &folded(&shown)));
            written.set_value(text);
        }
    });
    on_cleanup(move || {
        if let Some(code) = code.try_update_value(Option::take).flatten() {
            code.destroy();
        }
    });
    let (is_whole, compared) = (RwSignal::new(false), RwSignal::new(None::<String>));
    let has_folds = Memo::new(move |_| !folds(&now_shown.read()).is_empty());
    Effect::new(move || {
        let is_whole = is_whole.get();
        with_code(&|code| code.show_all(is_whole));
    });
    Effect::new(move || {
        let other = compared.get().map(|other| shown(&other));
        with_code(&|code| code.compare(other.as_deref()));
    });
    Some(view! {
        <section class="editing" aria-label=label>
            <p class="choices">
                <button type="button" class="is-main" aria-keyshortcuts="Shift+Enter Control+Enter" on:click=move |_| on_run.run(())>
                    "Run what is written"
                </button>
                <button type="button" on:click=take_back>"Restore the original"</button>
                <button type="button" aria-keyshortcuts="Escape" on:click=move |_| is_edited.set(false)>
                    "Close the editor"
                </button>
                <button type="button" hidden=move || !has_folds.get() || is_plain.get() aria-pressed=move || is_whole.get().to_string() on:click=move |_| is_whole.update(|it| *it = !*it)>
                    "Whole source"
                </button>
                <Versions path function compared can_compare=Signal::derive(move || !is_plain.get()) />
            </p>
            <div class="editor" node_ref=place>
                {move || is_plain.get().then(|| view! { <PlainField text=now_shown label=plain_label.get_value() take field /> })}
            </div>
        </section>
    })
}

/// The code in a plain field, without what is folded away: each fold is one line there, which stands for it.
#[component]
fn PlainField(
    text: Memo<String>,
    label: String,
    take: impl Fn(String) + Copy + Send + Sync + 'static,
    field: NodeRef<Textarea>,
) -> impl IntoView {
    // The folds are those of the text as it is shown; what stands for one may be moved or deleted.
    let folded = Memo::new(move |_| {
        let text = text.get();
        let all = folds(&text);
        let words = |at: usize| format!("# [{}] {}", at + 1, all[at].label);
        let short = all.iter().enumerate().rev().fold(text.clone(), |mut short, (at, fold)| {
            short.replace_range(fold.place.clone(), &words(at));
            short
        });
        let told: Vec<(String, String)> =
            all.iter().enumerate().map(|(at, it)| (words(at), text[it.place.clone()].to_owned())).collect();
        (short, told)
    });
    let whole = move |short: String| {
        let told = folded.with_untracked(|(_, told)| told.clone());
        told.into_iter().rev().fold(short, |text, (words, told)| text.replacen(&words, &told, 1))
    };
    let rows = folded.with_untracked(|(short, _)| short.lines().count() + 1);
    view! {
        <textarea
            class="is-code"
            spellcheck="false"
            rows=rows
            aria-label=label
            prop:value=move || folded.get().0
            on:input=move |event| take(whole(event_target_value(&event)))
            node_ref=field
        />
    }
}

/// CodeMirror in `place`; nothing if it cannot be loaded.
async fn mount(
    place: &Element,
    label: String,
    code: String,
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
    give("label", label.into());
    give("folds", folded(&code).into());
    give("onChange", Closure::<dyn Fn(String)>::new(take).into_js_value());
    give("onRun", Closure::<dyn Fn(String)>::new(take_and_run).into_js_value());
    give("onLeave", Closure::<dyn Fn()>::new(move || is_edited.set(false)).into_js_value());
    module.mount(place, &code, &options).ok()
}
