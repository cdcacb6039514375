//! What the reader does with pointer and fields.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, Element, Event, HtmlDialogElement, HtmlInputElement};

use super::{
    close_dialogs, find, find_as, go, guest, history, load, palette, say, store, walk, window, with_desk,
};
use crate::reader::Move;

/// Does what an event asks for.
pub(super) fn hear(event: &Event) {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
    match event.type_().as_str() {
        "click" => click(event, &target),
        "input" | "change" => changed(event, &target),
        "submit" => submitted(event, &target),
        _ => dropped(event),
    }
}

fn click(event: &Event, target: &Element) {
    // The dialog itself is hit only beside what it holds.
    if let Some(dialog) = target.dyn_ref::<HtmlDialogElement>() {
        return dialog.close();
    }
    let with = |name: &str| {
        let found = target.closest(&format!("[{name}]")).ok().flatten()?;
        let value = found.get_attribute(name)?;
        Some((found, value))
    };
    let mouse: Option<&web_sys::MouseEvent> = event.dyn_ref();
    // A link that is to open elsewhere is the browser's.
    if mouse.is_some_and(|mouse| mouse.ctrl_key() || mouse.meta_key() || mouse.shift_key()) {
        return;
    }
    if let Some((_, step)) = with("data-step") {
        event.prevent_default();
        close_dialogs();
        if let Ok(step) = step.parse() {
            go(step, false);
        }
    } else if let Some((button, line)) = with("data-line") {
        let path = button.get_attribute("data-path").unwrap_or_default();
        let step = with_desk(|desk| {
            let here = desk.reader.lecture.place(desk.reader.step).map(|place| place.path.clone());
            let path = here.filter(|_| path.is_empty()).unwrap_or(path);
            desk.reader.lecture.step_at(&path, line.parse().ok()?)
        });
        match step {
            Some(step) => go(step, false),
            None => say("Nothing of that place has run."),
        }
    } else if let Some((_, name)) = with("data-lecture") {
        event.prevent_default();
        load::open_lecture(&name);
    } else if let Some((button, cell)) = with("data-embed") {
        guest::toggle(&button, &cell);
    } else if let Some((button, what)) = with("data-do") {
        let of = button.get_attribute("data-of").unwrap_or_default();
        act(&what, &of, button.get_attribute("data-guess").as_deref());
    }
}

fn act(what: &str, of: &str, choice: Option<&str>) {
    match what {
        "move" => {
            if let Some(to) = Move::of_id(of) {
                walk(to);
            }
        }
        "look" => look(of),
        "guess" => guess(of, choice),
        "show" => guess(of, None),
        "help" => open("help"),
        "search" => palette::open(),
        "link" => copy_link(),
        "close" => close_dialogs(),
        "dismiss" => with_desk(|desk| {
            desk.reader.notices.clear();
            desk.draw();
        }),
        _ => {}
    }
}

/// Switches how the code is shown.
pub(super) fn look(of: &str) {
    with_desk(|desk| {
        let has_notes = desk.reader.has_notes();
        let look = &mut desk.reader.look;
        let (switch, words) = match of {
            "raw" => (&mut look.is_raw, ["Drawings in place of their code", "Raw code"]),
            "coming" => (&mut look.shows_coming, ["Coming lines are hidden", "Coming lines are shown"]),
            "variables" => (&mut look.hides_variables, ["Variables are shown", "Variables are hidden"]),
            _ if !has_notes => return say("There are no notes in this lecture."),
            _ => (&mut look.shows_notes, ["Notes are hidden", "Notes are shown"]),
        };
        *switch = !*switch;
        say(words[usize::from(*switch)]);
        desk.draw();
    });
}

fn guess(id: &str, text: Option<&str>) {
    with_desk(|desk| {
        desk.reader.guess(id, text);
        store::keep(&desk.reader);
        desk.draw();
    });
}

/// Shows a dialog, and no other.
pub(super) fn open(id: &str) {
    close_dialogs();
    if let Some(dialog) = find_as::<HtmlDialogElement>(id) {
        // Refused only where it is open already.
        drop(dialog.show_modal());
    }
    if let Some(place) = find("open-message") {
        place.set_text_content(None);
    }
}

fn copy_link() {
    let query = with_desk(|desk| desk.reader.address().write());
    let Some(link) = history::link(&query) else { return };
    let clipboard = window().map(|window| window.navigator().clipboard());
    // Where the page came without encryption there is no clipboard.
    let Some(clipboard) = clipboard.filter(|clipboard| !clipboard.is_undefined()) else {
        return say("This browser keeps its clipboard from pages: copy the address above.");
    };
    spawn_local(async move {
        match JsFuture::from(clipboard.write_text(&link)).await {
            Ok(_) => say("Link copied."),
            Err(_) => say("This browser keeps its clipboard from pages: copy the address above."),
        }
    });
}

fn changed(event: &Event, target: &Element) {
    let Some(input) = target.dyn_ref::<HtmlInputElement>() else { return };
    let is_final = event.type_() == "change";
    if target.has_attribute("data-scrub") {
        if let Ok(step) = input.value().parse() {
            if is_final {
                let query = with_desk(|desk| desk.reader.address().write());
                with_desk(|desk| desk.history.tell(query, true));
            } else {
                go(step, true);
            }
        }
    } else if target.id() == "search" {
        palette::search(&input.value());
    } else if input.name() == "theme" && is_final {
        store::choose_theme(&input.value());
    } else if target.id() == "trace-file"
        && is_final
        && let Some(file) = input.files().and_then(|files| files.get(0))
    {
        load::open_file(file);
        // The same file may be chosen again.
        input.set_value("");
    }
}

fn submitted(event: &Event, form: &Element) {
    event.prevent_default();
    if let Some(id) = form.get_attribute("data-question") {
        let field = form.query_selector("input[name=guess]").ok().flatten();
        let text =
            field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()).map(|field| field.value());
        guess(&id, Some(&text.unwrap_or_default()));
    } else if form.id() == "trace-form"
        && let Some(field) = find_as::<HtmlInputElement>("trace-url")
    {
        load::open_address(field.value().trim());
    }
}

fn dropped(event: &Event) {
    let Some(data) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer) else { return };
    // Otherwise the browser leaves the page for the file. While it is above the page, files have no names yet.
    event.prevent_default();
    if event.type_() == "drop"
        && let Some(file) = data.files().and_then(|files| files.get(0))
    {
        load::open_file(file);
    }
}
