//! The lecture in the page: hears what its reader does, and draws.

mod deeds;
mod download;
mod editor;
mod guest;
mod history;
mod keys;
mod load;
mod palette;
mod runs;
mod store;

use std::cell::RefCell;

use js_sys::{Function, Promise};
use napkin_patch::patch;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Document, Element, Event, EventTarget, HtmlElement, HtmlInputElement, ScrollIntoViewOptions,
    ScrollLogicalPosition, Window,
};

use crate::frame;
use crate::reader::{Move, Reader};

/// How long a word about what was done stays.
const WORDS_MS: i32 = 4000;

/// Everything that is in the page.
#[derive(Default)]
struct Desk {
    reader: Reader,
    /// Lectures of this page.
    lectures: Vec<String>,
    drawn: String,
    /// What was loaded last: an answer to an earlier wish comes too late.
    wish: u32,
    history: history::History,
    palette: palette::Palette,
    runs: runs::Runs,
    editor: Option<editor::Editor>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

fn with_desk<T>(act: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with_borrow_mut(act)
}

/// Listens as long as the page lives, and shows what the address names.
pub fn start() {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    let (Some(window), Some(document)) = (web_sys::window(), document()) else { return };
    let names = find("reader").and_then(|place| place.get_attribute("data-lectures")).unwrap_or_default();
    with_desk(|desk| desk.lectures = names.split_whitespace().map(str::to_owned).collect());
    for name in ["click", "input", "change", "submit", "dragover", "drop"] {
        listen(&document, name, deeds::hear);
    }
    listen(&document, "keydown", keys::hear);
    listen(&window, "popstate", |_| load::arrive());
    listen(&window, "message", guest::hear);
    listen(&window, "beforeprint", |_| print());
    store::show_theme();
    load::arrive();
}

impl Desk {
    /// Makes the page like the reader.
    fn draw(&mut self) {
        let html = self.reader.html();
        if html != self.drawn
            && let Some(place) = find("reader")
        {
            let typing = typing();
            patch(&place, &html);
            if let Some((field, text)) = typing.filter(|(field, text)| field.value() != *text) {
                field.set_value(&text);
            }
            self.drawn = html;
        }
        if let Some(place) = find("notices") {
            let sentences = &self.reader.notices;
            place.set_class_name(if sentences.is_empty() { "notices is-empty" } else { "notices" });
            patch(&place, &frame::notices(sentences));
        }
        if let Some(document) = document() {
            document.set_title(&format!("{} · Napkin", self.reader.lecture.title()));
        }
        editor::show(self);
    }
}

/// The field that a reader is writing in, with what is not yet taken from it.
fn typing() -> Option<(HtmlInputElement, String)> {
    let field: HtmlInputElement = document()?.active_element()?.dyn_into().ok()?;
    let text = field.value();
    (field.type_() == "text" && text != field.default_value()).then_some((field, text))
}

/// Goes to a step; a new entry of the history, unless a slider is still moving.
fn go(step: usize, is_moving: bool) {
    with_desk(|desk| {
        if desk.reader.go(step) {
            desk.draw();
            if let Some(place) = find("step") {
                place.set_text_content(Some(&desk.reader.news()));
            }
            let query = desk.reader.address().write();
            desk.history.tell(query, !is_moving);
        }
    });
    look_at_step();
}

fn walk(to: Move) {
    if let Some(step) = with_desk(|desk| desk.reader.target(to)) {
        go(step, false);
    }
}

/// Brings the current line and its cell's name into sight, with no more scrolling than that takes.
fn look_at_step() {
    // A cell inside another page is where that page has put it: scrolling would move it away.
    let is_embedded =
        document().and_then(|page| page.document_element()).is_some_and(|it| it.has_attribute("data-embed"));
    if is_embedded {
        return;
    }
    let first = |selector: &str| document()?.query_selector(selector).ok()?;
    let list = first(".lecture-contents");
    let name = first(".lecture-contents [aria-current]").and_then(|name| name.dyn_into::<HtmlElement>().ok());
    if let (Some(list), Some(name)) = (list, name) {
        list.set_scroll_top(name.offset_top() - list.client_height() / 3);
    }
    let Some(current) = first("#reader .is-current") else { return };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    current.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Everything that the reader has come by, for paper.
fn print() {
    let Some(place) = find("whole") else { return };
    let html = with_desk(|desk| {
        let query = desk.reader.address().write();
        desk.reader.whole(&history::link(&query).unwrap_or(query))
    });
    patch(&place, &html);
}

/// Says what was done.
fn say(words: &str) {
    let Some(place) = find("news") else { return };
    place.set_text_content(Some(words));
    let words = words.to_owned();
    later(WORDS_MS, move || {
        if place.text_content().as_deref() == Some(&words) {
            place.set_text_content(None);
        }
    });
}

fn notice(sentence: String) {
    with_desk(|desk| {
        desk.reader.notices.push(sentence);
        desk.draw();
    });
}

/// Calls after some time; the number by which that is taken back.
fn later(ms: i32, act: impl FnOnce() + 'static) -> Option<i32> {
    let act: JsValue = Closure::once_into_js(act);
    window()?.set_timeout_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), ms).ok()
}

fn listen(target: &EventTarget, name: &str, heard: impl Fn(&Event) + 'static) {
    let heard = Closure::<dyn Fn(Event)>::new(move |event: Event| heard(&event));
    // Documents and windows take every listener.
    drop(target.add_event_listener_with_callback(name, heard.into_js_value().unchecked_ref()));
}

/// A function of a module beside the page, which is fetched now; none if it cannot be had.
async fn module(file: &str, name: &str) -> Option<Function> {
    let url = web_sys::Url::new_with_base(file, &document()?.base_uri().ok()??).ok()?.href();
    let import = Function::new_with_args("url", "return import(url)");
    let promise = import.call1(&JsValue::NULL, &JsValue::from_str(&url)).ok()?;
    let module = JsFuture::from(promise.dyn_into::<Promise>().ok()?).await.ok()?;
    js_sys::Reflect::get(&module, &JsValue::from_str(name)).ok()?.dyn_into().ok()
}

fn window() -> Option<Window> {
    web_sys::window()
}

fn document() -> Option<Document> {
    window()?.document()
}

fn find(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

fn find_as<T: JsCast>(id: &str) -> Option<T> {
    find(id)?.dyn_into().ok()
}

fn close_dialogs() {
    for id in ["help", "open", "palette"] {
        if let Some(dialog) =
            find_as::<web_sys::HtmlDialogElement>(id).filter(web_sys::HtmlDialogElement::open)
        {
            dialog.close();
        }
    }
}
