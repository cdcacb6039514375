//! The cells in the page: draws them, hears what the reader does, and tells the page.

mod deeds;

use std::cell::RefCell;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Event, HtmlDialogElement};

use crate::{Book, Cell, Texts};

/// What happens in a cell and is listened to.
const EVENTS: [&str; 6] = ["input", "change", "click", "keydown", "dragover", "drop"];

/// What is around a chart in its cell, in CSS pixels.
const AROUND: f64 = 44.0;

#[wasm_bindgen]
extern "C" {
    /// The page.
    #[derive(Clone)]
    pub type Host;

    /// An assumption is another one now.
    #[wasm_bindgen(method)]
    fn change(this: &Host, name: &str, text: &str);

    /// Copies a text and says so.
    #[wasm_bindgen(method)]
    fn copy(this: &Host, what: &str, text: &str);

    /// Goes to a cell.
    #[wasm_bindgen(method)]
    fn go(this: &Host, cell: &str);
}

/// Everything that is in the page.
#[derive(Default)]
struct Desk {
    book: Book,
    host: Option<Host>,
    places: Vec<Place>,
    /// What was typed before this module was there.
    early: Vec<deeds::Deed>,
    dialog: Option<HtmlDialogElement>,
    /// What the dialog is about.
    derived: String,
}

/// Where a cell is.
struct Place {
    id: String,
    element: Element,
    /// What it holds, so that nothing is touched in vain.
    drawn: String,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

fn with_desk<T>(act: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with_borrow_mut(act)
}

/// Faults go to the console, and charts follow the window.
pub fn start() {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    let resized = Closure::<dyn Fn()>::new(|| {
        with_desk(|desk| {
            if let Some(place) = desk.places.first().map(|place| place.element.clone()) {
                desk.measure(&place);
                desk.draw();
            }
        });
    });
    if let Some(window) = web_sys::window() {
        // A window takes every listener.
        drop(window.add_event_listener_with_callback("resize", resized.into_js_value().unchecked_ref()));
    }
}

/// Who is to be told what happens.
#[wasm_bindgen]
pub fn meet(host: Host) {
    with_desk(|desk| desk.host = Some(host));
}

/// Takes over a cell that stands in `place` as it was built; `calculators` are ids with spaces between them.
#[wasm_bindgen]
pub fn mount(place: Element, id: &str, name: &str, calculators: &str) {
    let calculators: Vec<&str> = calculators.split(' ').collect();
    with_desk(|desk| {
        desk.early.extend(deeds::early(&place));
        desk.book.add(Cell::new(id, name, &calculators));
        listen(&place);
        desk.measure(&place);
        desk.places.push(Place { id: id.to_owned(), element: place, drawn: String::new() });
    });
}

/// Computes with these assumptions, names and texts in turns, which changed in the cell `from`. Returns what cannot
/// be read: names and sentences in turns.
#[wasm_bindgen]
pub fn show(pairs: Vec<String>, from: &str) -> Vec<String> {
    let (mut pairs, mut texts) = (pairs.into_iter(), Texts::new());
    while let (Some(name), Some(text)) = (pairs.next(), pairs.next()) {
        texts.insert(name, text);
    }
    let (refused, early) = with_desk(|desk| {
        let refused = desk.book.take(texts, from);
        desk.draw();
        for place in &desk.places {
            // For who waits until the cells answer.
            drop(place.element.set_attribute("data-live", "true"));
        }
        (refused, std::mem::take(&mut desk.early))
    });
    early.into_iter().for_each(deeds::act);
    refused.into_iter().flat_map(|(name, sentence)| [name, sentence]).collect()
}

/// Computes a calculator with what it has from elsewhere, keys and JSON in turns; an empty text is nothing.
#[wasm_bindgen]
pub fn give(calculator: &str, pairs: Vec<String>) {
    let (mut pairs, mut data) = (pairs.into_iter(), Vec::new());
    while let (Some(key), Some(json)) = (pairs.next(), pairs.next()) {
        data.push((key, json));
    }
    with_desk(|desk| {
        desk.book.take_data(calculator, data);
        desk.draw();
    });
}

/// The step that a calculator asks for, as JSON; or nothing, and why is at a field.
#[wasm_bindgen]
pub fn step(calculator: &str) -> Option<String> {
    with_desk(|desk| desk.book.step(calculator))
}

/// Lights the part of a cell that its step is about.
#[wasm_bindgen]
pub fn light(id: &str, part: &str) {
    with_desk(|desk| {
        desk.book.light(id, part);
        desk.draw();
    });
}

impl Desk {
    fn draw(&mut self) {
        for place in &mut self.places {
            let html = self.book.html(&place.id);
            if place.drawn != html {
                napkin_patch::patch(&place.element, &html);
                place.drawn = html;
            }
        }
        if let Some(dialog) = self.dialog.as_ref().filter(|dialog| dialog.open()) {
            match self.book.derivation(&self.derived) {
                Some(html) => napkin_patch::patch(dialog, &html),
                None => dialog.close(),
            }
        }
    }

    /// Charts fill the cells, less what is around them.
    fn measure(&mut self, place: &Element) {
        let width = f64::from(place.client_width());
        // A place that is not shown has no width.
        if width > 0.0 {
            self.book.set_width(width - AROUND);
        }
    }

    /// Opens the dialog on a number.
    fn derive(&mut self, key: &str) {
        let Some(html) = self.book.derivation(key) else { return };
        let Some(dialog) = self.dialog.clone().or_else(make_dialog) else { return };
        key.clone_into(&mut self.derived);
        dialog.set_inner_html(&html);
        // Refused only where it is open already.
        drop(dialog.show_modal());
        self.dialog = Some(dialog);
    }
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

fn make_dialog() -> Option<HtmlDialogElement> {
    let document = document()?;
    let dialog: HtmlDialogElement = document.create_element("dialog").ok()?.dyn_into().ok()?;
    dialog.set_class_name("derivation");
    dialog.set_attribute("aria-labelledby", "derivation-title").ok()?;
    document.body()?.append_child(&dialog).ok()?;
    listen(&dialog);
    Some(dialog)
}

fn listen(element: &Element) {
    let heard = Closure::<dyn Fn(Event)>::new(|event: Event| {
        if let Some(deed) = deeds::deed(&event) {
            deeds::act(deed);
        }
    });
    // The browser drops the closure together with the element.
    let heard: JsValue = heard.into_js_value();
    for name in EVENTS {
        // A known element takes every listener.
        drop(element.add_event_listener_with_callback(name, heard.unchecked_ref()));
    }
}
