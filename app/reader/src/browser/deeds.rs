//! What the reader does with pointer and fields.

use napkin_notebook::python::Request;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, Element, Event, HtmlDialogElement, HtmlInputElement, KeyboardEvent};

use super::{
    close_dialogs, download, editor, find, find_as, go, guest, history, load, palette, runs, say, store,
    walk, window, with_desk,
};
use crate::export::Form;
use crate::live::Which;
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
        "take" => take(of),
        "link" => copy_link(),
        "close" => close_dialogs(),
        "run" => with_desk(runs::run),
        "stop" => runs::stop(),
        "edit" => with_desk(|desk| {
            desk.reader.live.editing = Some(of.to_owned());
            desk.draw();
        }),
        "leave" => editor::leave(),
        "restore" => restore(of),
        "reset" => reset(),
        "download" => with_desk(|desk| {
            let id = desk.runs.number();
            runs::ask(desk, Request::Download { id, path: of.to_owned() });
        }),
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

/// Saves the cell in a form; what writes scripts is the worker.
fn take(id: &str) {
    let Some(form) = Form::of_id(id) else { return };
    with_desk(|desk| {
        let Some((path, function)) = desk.reader.cell() else { return };
        let (path, function) = (path.to_owned(), function.to_owned());
        let file = format!("{function}.{id}");
        match desk.reader.export(form) {
            Some(text) => download::save(&file, &text.into()),
            None if form == Form::Picture => spawn_local(download::picture(file)),
            None => {
                let files = desk.reader.lecture.trace.files.clone();
                let id = desk.runs.number();
                // It tells what the function was called with when it ran.
                if desk.reader.live.built.is_none() {
                    runs::run(desk);
                }
                runs::ask(desk, Request::Script { id, files, path, function });
            }
        }
    });
}

/// Takes back all that the reader has changed.
fn reset() {
    runs::stop();
    with_desk(|desk| {
        desk.reader.reset();
        store::keep_edits(&desk.reader);
        desk.draw();
        let query = desk.reader.address().write();
        desk.history.tell(query, true);
    });
    say("The lecture is as it was.");
}

/// Takes back what the reader has written in a file.
fn restore(path: &str) {
    with_desk(|desk| {
        desk.reader.live.edits.remove(path);
        store::keep_edits(&desk.reader);
        runs::run(desk);
    });
}

/// Moves a slider by tens.
pub(super) fn key_in_slider(event: &KeyboardEvent) {
    let by = match (event.key().as_str(), event.shift_key()) {
        ("ArrowRight" | "ArrowUp", true) => 10,
        ("ArrowLeft" | "ArrowDown", true) => -10,
        _ => return,
    };
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input.filter(|input| input.type_() == "range") else { return };
    let Some(which) = slider_of(&input) else { return };
    let place: isize = input.value().parse().unwrap_or_default();
    event.prevent_default();
    slide(&which, Ok(usize::try_from(place + by).unwrap_or_default()), false);
}

fn slider_of(input: &HtmlInputElement) -> Option<Which> {
    let slider = input.closest("[data-slider]").ok().flatten()?;
    Some((slider.get_attribute("data-path")?, slider.get_attribute("data-slider")?))
}

fn slide(which: &Which, to: Result<usize, &str>, is_final: bool) {
    let is_other = with_desk(|desk| {
        let is_other = desk.reader.slide(which, to);
        desk.draw();
        if is_other || is_final {
            let query = desk.reader.address().write();
            desk.history.tell(query, is_final);
        }
        is_other
    });
    if is_other {
        runs::run_soon();
    }
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
    } else if let Some(which) = slider_of(input) {
        if input.type_() == "range" {
            slide(&which, Ok(input.value().parse().unwrap_or_default()), is_final);
        } else if is_final {
            let text = input.value();
            // What is taken is not half written any more.
            input.set_default_value(&text);
            slide(&which, Err(&text), true);
        }
    } else if input.name() == "device" && is_final {
        let wants_gpu = input.value() == "gpu";
        with_desk(|desk| {
            desk.reader.choose_device(wants_gpu);
            let query = desk.reader.address().write();
            desk.history.tell(query, true);
            runs::run(desk);
        });
    } else if target.id() == "search" {
        palette::search(&input.value());
    } else if input.name() == "theme" && is_final {
        store::choose_theme(&input.value());
    } else if target.id() == "trace-file"
        && is_final
        && let Some(files) = input.files()
    {
        load::open_files(&files);
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
        && let Some(files) = data.files()
    {
        load::open_files(&files);
    }
}
