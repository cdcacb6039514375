//! What the reader does in a cell.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    Blob, BlobPropertyBag, DragEvent, Element, Event, File, HtmlAnchorElement, HtmlInputElement,
    HtmlSelectElement, HtmlTextAreaElement, KeyboardEvent, Url,
};

use super::{document, with_desk};
use crate::{Export, Form, derivation};

/// Steps that Shift with an arrow takes at once.
const STRIDE: u32 = 10;

/// Something that the reader has done.
pub(super) enum Deed {
    /// Typed a text into a field, or switched it.
    Typed(String, String),
    /// Chose from a list of records.
    Chose(String, String),
    /// Moved a slider to a step.
    Slid(String, u32),
    /// Gave a file to a field.
    Opened(String, File),
    /// Clicked what does something: what, on what, in which form, in which cell.
    Clicked { what: String, of: String, form: String, cell: String },
}

/// What an event means, if anything.
pub(super) fn deed(event: &Event) -> Option<Deed> {
    let target: Element = event.target()?.dyn_into().ok()?;
    match event.type_().as_str() {
        "input" => typed(&target).or_else(|| slid(&target)),
        "change" => {
            let is_typed = target.dyn_ref::<HtmlSelectElement>().is_some() || is_switch(&target);
            let file = target.get_attribute("data-file").and_then(|name| {
                let files = target.dyn_ref::<HtmlInputElement>()?.files()?;
                files.get(0).map(|file| Deed::Opened(name, file))
            });
            file.or_else(|| typed(&target).filter(|_| is_typed))
        }
        "click" => clicked(event, &target),
        "keydown" => key(event.dyn_ref()?, &target),
        name => {
            let field = target.dyn_ref::<HtmlTextAreaElement>()?.get_attribute("data-field")?;
            let files = event.dyn_ref::<DragEvent>()?.data_transfer()?.files();
            // Otherwise the browser leaves the page for the file.
            event.prevent_default();
            let file = files.and_then(|files| files.get(0)).filter(|_| name == "drop")?;
            Some(Deed::Opened(field, file))
        }
    }
}

/// What was typed before anybody listened.
pub(super) fn early(place: &Element) -> Vec<Deed> {
    let Ok(found) = place.query_selector_all("[data-field], [data-pick], [data-slider]") else {
        return Vec::new();
    };
    let elements = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into::<Element>().ok());
    elements.filter(is_touched).filter_map(|element| typed(&element).or_else(|| slid(&element))).collect()
}

fn is_touched(element: &Element) -> bool {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        // A switch has no text of its own.
        return match is_switch(element) {
            true => input.checked() != input.default_checked(),
            false => input.value() != input.default_value(),
        };
    }
    let written = element.query_selector("option[selected]").ok().flatten();
    let written = written.and_then(|option| option.get_attribute("value"));
    element
        .dyn_ref::<HtmlSelectElement>()
        .is_some_and(|select| written.is_some_and(|value| value != select.value()))
}

fn is_switch(target: &Element) -> bool {
    target.dyn_ref::<HtmlInputElement>().is_some_and(|input| input.type_() == "checkbox")
}

fn typed(target: &Element) -> Option<Deed> {
    let select = target.dyn_ref::<HtmlSelectElement>();
    if let (Some(select), Some(name)) = (select, target.get_attribute("data-pick")) {
        return Some(Deed::Chose(name, select.value()));
    }
    let name = target.get_attribute("data-field")?;
    let text = match (select, target.dyn_ref::<HtmlTextAreaElement>(), target.dyn_ref::<HtmlInputElement>()) {
        (Some(select), ..) => select.value(),
        (_, Some(area), _) => area.value(),
        (.., Some(input)) if is_switch(target) => if input.checked() { "on" } else { "" }.to_owned(),
        (.., Some(input)) => input.value(),
        _ => return None,
    };
    Some(Deed::Typed(name, text))
}

fn slid(target: &Element) -> Option<Deed> {
    let name = target.get_attribute("data-slider")?;
    Some(Deed::Slid(name, target.dyn_ref::<HtmlInputElement>()?.value().parse().ok()?))
}

fn key(event: &KeyboardEvent, target: &Element) -> Option<Deed> {
    let name = target.get_attribute("data-slider")?;
    let slider: &HtmlInputElement = target.dyn_ref()?;
    let tick: u32 = slider.value().parse().ok()?;
    let last: u32 = slider.max().parse().ok()?;
    let to = match event.key().as_str() {
        "ArrowRight" | "ArrowUp" if event.shift_key() => tick.saturating_add(STRIDE),
        "ArrowLeft" | "ArrowDown" if event.shift_key() => tick.saturating_sub(STRIDE),
        "PageUp" => tick.saturating_add(STRIDE),
        "PageDown" => tick.saturating_sub(STRIDE),
        _ => return None,
    };
    event.prevent_default();
    Some(Deed::Slid(name, to.min(last)))
}

fn clicked(event: &Event, target: &Element) -> Option<Deed> {
    let of_element = |element: &Element, name: &str| element.get_attribute(name).unwrap_or_default();
    let Some(button) = target.closest("[data-do]").ok().flatten() else {
        // The dialog itself is hit only beside what it holds.
        let is_outside = target.tag_name() == "DIALOG";
        return is_outside.then(|| Deed::Clicked {
            what: "close".to_owned(),
            of: String::new(),
            form: String::new(),
            cell: String::new(),
        });
    };
    event.prevent_default();
    let cell = button.closest("[data-cell]").ok().flatten();
    Some(Deed::Clicked {
        what: of_element(&button, "data-do"),
        of: of_element(&button, "data-of"),
        form: of_element(&button, "data-form"),
        cell: cell.map(|cell| of_element(&cell, "data-cell")).unwrap_or_default(),
    })
}

/// Does what follows from a deed.
pub(super) fn act(deed: Deed) {
    let (name, text) = match deed {
        Deed::Typed(name, text) => {
            let text = with_desk(|desk| desk.book.type_text(&name, &text));
            (name, text)
        }
        Deed::Chose(name, id) => {
            let text = with_desk(|desk| desk.book.choose(&name, &id));
            (name, text)
        }
        Deed::Slid(name, tick) => {
            let text = with_desk(|desk| {
                let text = desk.book.slid(&name, tick)?;
                desk.book.type_text(&name, &text)
            });
            (name, text)
        }
        Deed::Opened(name, file) => return open(name, file),
        Deed::Clicked { what, of, form, cell } => return click(&what, &of, &form, &cell),
    };
    tell(&name, text);
}

/// Draws, and tells the page of another assumption; it will answer with all of them.
fn tell(name: &str, text: Option<String>) {
    let host = with_desk(|desk| {
        desk.draw();
        desk.host.clone()
    });
    if let (Some(host), Some(text)) = (host, text) {
        host.change(name, &text);
    }
}

/// A file that cannot be read leaves the field as it was.
fn open(name: String, file: File) {
    spawn_local(async move {
        let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        if let Some(text) = text {
            act(Deed::Typed(name, text));
        }
    });
}

fn click(what: &str, of: &str, form: &str, cell: &str) {
    let host = with_desk(|desk| desk.host.clone());
    match (what, host) {
        ("derive", _) => with_desk(|desk| desk.derive(of)),
        ("close", _) => with_desk(|desk| desk.dialog.iter().for_each(web_sys::HtmlDialogElement::close)),
        ("reset", Some(host)) => {
            let names = with_desk(|desk| {
                let names = desk.book.changed(cell);
                desk.book.forget_drafts(cell);
                desk.draw();
                names
            });
            names.into_iter().for_each(|name| host.change(name, ""));
        }
        ("copy", Some(host)) => {
            let found = derivation::FORMS.iter().find(|(id, ..)| *id == form);
            let text = with_desk(|desk| {
                found.and_then(|(_, label, write)| Some((*label, write(desk.book.figure(of)?))))
            });
            if let Some((label, text)) = text {
                host.copy(&crate::words::headed(label), &text);
            }
        }
        ("copy-command", Some(host)) => {
            if let Some(line) = with_desk(|desk| desk.book.command(of)) {
                host.copy("The command", &line);
            }
        }
        ("go", Some(host)) => host.go(of),
        ("export", _) => {
            let form = Form::ALL.into_iter().find(|one| one.id() == form);
            let files = form.map(|form| with_desk(|desk| desk.book.exports(of, form)));
            for file in files.into_iter().flatten() {
                // A browser that refuses says so itself.
                let _ = save(&file);
            }
        }
        _ => {}
    }
}

/// Hands a file to the browser, which asks or keeps it as the reader has told it to.
fn save(export: &Export) -> Option<()> {
    let kind = BlobPropertyBag::new();
    kind.set_type(export.mime);
    let blob =
        Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&export.text.as_str().into()), &kind)
            .ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let link: HtmlAnchorElement = document()?.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&address);
    link.set_download(&export.name);
    link.click();
    Url::revoke_object_url(&address).ok()
}
