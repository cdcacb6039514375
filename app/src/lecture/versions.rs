//! What stood in place of a cell before: to be compared, and taken again.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsValue;

use super::model::function_key;
use super::run::use_run;
use super::state::{Version, use_lecture};

/// The versions of a function, folded away; nothing before there is one.
#[component]
pub fn Versions(
    path: String,
    function: String,
    /// What the editor shows the difference from.
    compared: RwSignal<Option<String>>,
    /// Whether there is an editor that can show it.
    can_compare: Signal<bool>,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let key = StoredValue::new(function_key(&path, &function));
    let place = StoredValue::new((path, function));
    let versions = Memo::new(move |_| {
        let (path, function) = place.get_value();
        let original = state.original_code(&path, &function).unwrap_or_default();
        let kept = state.versions.with(|all| all.get(&function_key(&path, &function)).cloned());
        let mut rows = vec![("The original".to_owned(), original)];
        // Each text once, as it stood there last.
        for version in kept.unwrap_or_default() {
            if version.text != rows[0].1 {
                rows.retain(|(_, text)| *text != version.text);
                rows.push((name_of(&version), version.text));
            }
        }
        rows.reverse();
        rows
    });
    let is_edited = Memo::new(move |_| {
        let key = place.with_value(|(path, function)| function_key(path, function));
        state.edits.with(|edits| edits.contains_key(&key))
    });
    let row = move |(name, text): (String, String)| {
        let own = versions.with_untracked(|all| own_line(&text, all.last().map_or("", |(_, text)| text)));
        let text = StoredValue::new(text);
        let is_shown = move || text.with_value(|text| compared.with(|it| it.as_ref() == Some(text)));
        let compare = move |_| compared.set((!untrack(is_shown)).then(|| text.get_value()));
        let take = move |_| {
            place.with_value(|(path, function)| run.put_back(path, function, Some(text.get_value())));
            compared.set(None);
            // The button goes, since that version stands there now.
            state.asked_line.set(Some((key.get_value(), 1)));
        };
        let is_now = Memo::new(move |_| {
            let now = place.with_value(|(path, function)| state.code(path, function));
            text.with_value(|text| now.as_ref() == Some(text))
        });
        view! {
            <li>
                <span>{name} {own.map(|line| view! { ": " <code>{line}</code> })}</span>
                <em hidden=move || !is_now.get()>"stands there now"</em>
                <button type="button" hidden=move || is_now.get() || !can_compare.get() aria-pressed=move || is_shown().to_string() on:click=compare>
                    "Difference"
                </button>
                <button type="button" hidden=is_now on:click=take>"Take this one"</button>
            </li>
        }
    };
    move || {
        (is_edited.get() || versions.with(|all| all.len() > 1)).then(|| {
            view! {
                <details class="versions">
                    <summary>"Versions: " {move || versions.with(Vec::len)}</summary>
                    <ol>{move || versions.get().into_iter().map(row).collect_view()}</ol>
                </details>
            }
        })
    }
}

/// The first line of a text that the original does not have: by that a reader knows it.
fn own_line(text: &str, original: &str) -> Option<String> {
    const MOST_CHARS: usize = 40;
    let is_own = |line: &&str| !line.is_empty() && original.lines().all(|it| it.trim() != *line);
    // Where only the indentation differs, it is the line that has another one.
    let is_moved = |line: &&str| !line.trim().is_empty() && original.lines().all(|it| it != *line);
    let moved = || text.lines().find(is_moved).map(str::trim_end);
    let line = text.lines().map(str::trim).find(is_own).or_else(moved)?;
    let end = line.char_indices().nth(MOST_CHARS).map_or(line.len(), |(end, _)| end);
    Some(if end < line.len() { format!("{}…", &line[..end]) } else { line.to_owned() })
}

fn name_of(version: &Version) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(version.at_ms));
    let when = String::from(date.to_locale_string("en-GB", &JsValue::UNDEFINED));
    format!("{when}, {}", if version.ran { "ran" } else { "not run to its end" })
}
