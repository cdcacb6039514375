//! What the browser keeps of a reader, if it keeps anything.

use napkin_notebook::trace::Json;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, Storage};

use super::{document, window};
use crate::json;
use crate::reader::Reader;

const THEME: &str = "theme";

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

fn key(reader: &Reader) -> Option<String> {
    reader.name.as_ref().map(|(kind, name)| format!("guesses.{kind}.{name}"))
}

/// Keeps the guesses of a lecture. A browser may refuse: they then last as long as the page.
pub(super) fn keep(reader: &Reader) {
    if let (Some(storage), Some(key)) = (storage(), key(reader)) {
        drop(storage.set_item(&key, &reader.kept()));
    }
}

/// Gives a reader the guesses that were kept.
pub(super) fn recall(reader: &mut Reader) {
    let kept = storage().zip(key(reader)).and_then(|(storage, key)| storage.get_item(&key).ok()?);
    if let Some(kept) = kept {
        reader.recall(&kept);
    }
}

fn session() -> Option<Storage> {
    window()?.session_storage().ok()?
}

fn edits_key(reader: &Reader) -> Option<String> {
    reader.name.as_ref().map(|(kind, name)| format!("edits.{kind}.{name}"))
}

/// Keeps what the reader has written, as long as the tab lives.
pub(super) fn keep_edits(reader: &Reader) {
    let (Some(storage), Some(key)) = (session(), edits_key(reader)) else { return };
    let edits = &reader.live.edits;
    let texts = edits.0.iter().map(|(path, text)| (path.as_str(), Json::from(text.as_str()))).collect();
    // A browser may refuse: it then lasts as long as the page.
    drop(match edits.is_empty() {
        true => storage.remove_item(&key),
        false => storage.set_item(&key, &json::write(&texts)),
    });
}

/// Gives a reader what was written.
pub(super) fn recall_edits(reader: &mut Reader) {
    let kept = session().zip(edits_key(reader)).and_then(|(storage, key)| storage.get_item(&key).ok()?);
    if let Some(edits) = kept.and_then(|kept| json::read(&kept).ok()) {
        reader.live.edits = edits;
    }
}

/// Light, dark, or as the system has it.
pub(super) fn choose_theme(id: &str) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        drop(root.set_attribute("data-theme", id));
    }
    if let Some(storage) = storage() {
        drop(storage.set_item(THEME, id));
    }
}

/// The switch as the page's first script has set the theme.
pub(super) fn show_theme() {
    let Some(document) = document() else { return };
    let theme = document.document_element().and_then(|root| root.get_attribute("data-theme"));
    let theme = theme.unwrap_or_else(|| "auto".to_owned());
    let Ok(all) = document.query_selector_all("input[name=theme]") else { return };
    let inputs = (0..all.length()).filter_map(|index| all.get(index)?.dyn_into::<HtmlInputElement>().ok());
    for input in inputs {
        input.set_checked(input.value() == theme);
    }
}
