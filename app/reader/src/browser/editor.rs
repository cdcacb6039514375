//! The editor: CodeMirror when somebody edits, or a plain field where it cannot be loaded.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, HtmlTextAreaElement, KeyboardEvent};

use super::{Desk, document, find, listen, module, runs, store, with_desk};

#[wasm_bindgen]
extern "C" {
    /// What the module's `mount` returns.
    pub(super) type Code;
    #[wasm_bindgen(method)]
    fn text(this: &Code) -> String;
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

/// What is in the page for a file.
pub(super) struct Editor {
    path: String,
    face: Option<Face>,
}

enum Face {
    Code(Code),
    Plain(HtmlTextAreaElement),
}

impl Face {
    fn text(&self) -> String {
        match self {
            Self::Code(code) => code.text(),
            Self::Plain(field) => field.value(),
        }
    }

    fn set_text(&self, text: &str) {
        match self {
            Self::Code(code) => code.set_text(text),
            Self::Plain(field) => field.set_value(text),
        }
    }

    fn focus(&self) {
        match self {
            Self::Code(code) => code.focus(),
            // Refused only by what is not in the page.
            Self::Plain(field) => drop(field.focus()),
        }
    }

    fn destroy(&self) {
        match self {
            Self::Code(code) => code.destroy(),
            Self::Plain(field) => field.remove(),
        }
    }

    /// Underlines the line of a fault; a plain field has the words beside it alone.
    fn mark(&self, fault: Option<(u32, &str)>) {
        if let Self::Code(code) = self {
            match fault {
                Some((line, message)) => code.mark(line, message),
                None => code.clear(),
            }
        }
    }
}

/// Makes the editor like the reader: there or not, the file, the text, the fault.
pub(super) fn show(desk: &mut Desk) {
    let Some(path) = desk.reader.live.editing.clone() else {
        if let Some(Editor { face: Some(face), .. }) = desk.editor.take() {
            face.destroy();
        }
        return;
    };
    let is_it = desk.editor.as_ref().is_some_and(|editor| editor.path == path);
    if !is_it {
        if let Some(Editor { face: Some(face), .. }) = desk.editor.take() {
            face.destroy();
        }
        desk.editor = Some(Editor { path: path.clone(), face: None });
        spawn_local(open(path));
        return;
    }
    let reader = &desk.reader;
    let Some(face) = desk.editor.as_ref().and_then(|editor| editor.face.as_ref()) else { return };
    if let Some(text) = reader.text(&path).filter(|text| **text != face.text()) {
        face.set_text(text);
    }
    let fault = reader.live.fault.as_ref();
    let place = fault.and_then(|fault| Some((fault.place.as_ref()?, fault.message.as_str())));
    face.mark(place.filter(|((known, _), _)| *known == path).map(|((_, line), message)| (*line, message)));
}

async fn open(path: String) {
    let mount = module("editor.js", "mount").await;
    with_desk(|desk| {
        let is_wanted = desk.editor.as_ref().is_some_and(|it| it.path == path && it.face.is_none());
        let Some(place) = find("editor").filter(|_| is_wanted) else { return };
        let text = desk.reader.text(&path).unwrap_or_default().to_owned();
        let lecture = &desk.reader.lecture;
        let read = lecture.place(desk.reader.step).filter(|read| read.path == path);
        let line = read.map_or(1, |read| read.line_number);
        let face = mount.and_then(|mount| code(&place, &mount, &path, &text, line));
        let face = face.map(Face::Code).or_else(|| plain(&place, &path, &text).map(Face::Plain));
        if let (Some(editor), Some(face)) = (&mut desk.editor, face) {
            face.focus();
            editor.face = Some(face);
        }
        show(desk);
    });
}

/// A place of its own: what draws the page leaves it alone.
fn guest(place: &Element, tag: &str) -> Option<Element> {
    let guest = document()?.create_element(tag).ok()?;
    guest.set_attribute("data-guest", "").ok()?;
    place.append_child(&guest).ok()?;
    Some(guest)
}

fn code(place: &Element, mount: &js_sys::Function, path: &str, text: &str, line: u32) -> Option<Code> {
    let options = js_sys::Object::new();
    let set = |name: &str, value: &JsValue| js_sys::Reflect::set(&options, &JsValue::from_str(name), value);
    let of = path.to_owned();
    let change = Closure::<dyn Fn(String)>::new(move |text: String| typed(&of, &text));
    let run = Closure::<dyn Fn()>::new(|| with_desk(runs::run));
    let leave = Closure::<dyn Fn()>::new(leave);
    set("label", &JsValue::from_str(&label(path))).ok()?;
    set("line", &line.into()).ok()?;
    set("onChange", &change.into_js_value()).ok()?;
    set("onRun", &run.into_js_value()).ok()?;
    set("onLeave", &leave.into_js_value()).ok()?;
    let guest = guest(place, "div")?;
    let mounted = mount.call3(&JsValue::NULL, &guest, &JsValue::from_str(text), &options);
    mounted.ok().map(JsCast::unchecked_into)
}

fn plain(place: &Element, path: &str, text: &str) -> Option<HtmlTextAreaElement> {
    let field = guest(place, "textarea")?.dyn_into::<HtmlTextAreaElement>().ok()?;
    for (name, value) in [("aria-label", label(path).as_str()), ("spellcheck", "false")] {
        field.set_attribute(name, value).ok()?;
    }
    field.set_value(text);
    let (of, own) = (path.to_owned(), field.clone());
    listen(&field, "input", move |_| typed(&of, &own.value()));
    listen(&field, "keydown", |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        match event.key().as_str() {
            "Enter" if event.shift_key() => {
                event.prevent_default();
                with_desk(runs::run);
            }
            "Escape" => leave(),
            _ => {}
        }
    });
    Some(field)
}

fn label(path: &str) -> String {
    format!("Text of {path}")
}

/// Keeps what the reader writes, and says that it differs.
fn typed(path: &str, text: &str) {
    with_desk(|desk| {
        desk.reader.write(path, text);
        store::keep_edits(&desk.reader);
        desk.reader.live.fault = None;
        desk.draw();
    });
}

/// Back to the code, with what is written.
pub(super) fn leave() {
    with_desk(|desk| {
        desk.reader.live.editing = None;
        desk.draw();
    });
    let button = document().and_then(|page| page.query_selector(".switches [data-do=edit]").ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        drop(button.focus());
    }
}
