//! Lectures and traces on their way into the page.

use napkin_notebook::trace::Map;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, FileList, HtmlDialogElement, Response};

use super::{document, find, find_as, look_at_step, notice, runs, say, store, window, with_desk};
use crate::address::{Address, check_source};
use crate::lecture::Lecture;
use crate::reader::Reader;

/// A trace that is larger is none that a page could show.
const MOST_BYTES: f64 = 256.0 * 1024.0 * 1024.0;
/// Nobody needs words for what takes less.
const PATIENCE_MS: i32 = 1500;

/// What is read, and by which name an address finds it again.
type Name = Option<(String, String)>;

/// Shows what the address names.
pub(super) fn arrive() {
    let Some(window) = window() else { return };
    let address = Address::read(&window.location().search().unwrap_or_default());
    let (name, refused) = named(&address, &window.location().origin().unwrap_or_default());
    let is_here = with_desk(|desk| {
        desk.history.forget();
        desk.reader.name == name && !desk.drawn.is_empty()
    });
    if is_here {
        with_desk(|desk| {
            desk.reader.arrive(&address);
            if desk.reader.set_all(&address.sliders) {
                runs::run(desk);
            }
            desk.draw();
        });
        look_at_step();
    } else if let Some((kind, id)) = &name {
        let url = if kind == "lecture" { format!("lectures/{id}.json") } else { id.clone() };
        fetch(url, name, address, refused);
    }
}

/// What an address names, and a sentence if it is refused: then it is the first lecture.
fn named(address: &Address, origin: &str) -> (Name, Option<String>) {
    let first = || with_desk(|desk| desk.lectures.first().map(|first| ("lecture".to_owned(), first.clone())));
    if let Some(url) = &address.trace {
        return match check_source(url, origin) {
            Ok(()) => (Some(("trace".to_owned(), url.clone())), None),
            Err(why) => (first(), Some(why)),
        };
    }
    match &address.lecture {
        None => (first(), None),
        Some(name) if with_desk(|desk| desk.lectures.contains(name)) => {
            (Some(("lecture".to_owned(), name.clone())), None)
        }
        Some(name) => (first(), Some(format!("There is no lecture “{name}” here: this is the first one."))),
    }
}

/// A number for what is loaded now: what was wished before is not wanted any more.
fn wish() -> u32 {
    with_desk(|desk| {
        desk.wish += 1;
        desk.wish
    })
}

fn fetch(url: String, name: Name, address: Address, refused: Option<String>) {
    let wish = wish();
    super::later(PATIENCE_MS, move || {
        if with_desk(|desk| desk.wish == wish && desk.drawn.is_empty()) {
            say("The lecture is on its way.");
        }
    });
    spawn_local(async move {
        let text = text_of(&url).await;
        if with_desk(|desk| desk.wish != wish) {
            return;
        }
        let is_trace = name.as_ref().is_some_and(|(kind, _)| kind == "trace");
        match text.and_then(|text| Lecture::read(&text)) {
            Ok(lecture) => show(lecture, name, &address, refused),
            Err(why) => {
                let sentence = format!("{url}: {why}.");
                // Of a trace that cannot be had the page shows its first lecture.
                let first =
                    with_desk(|desk| desk.drawn.is_empty().then(|| desk.lectures.first().cloned()).flatten());
                match first.filter(|_| is_trace) {
                    Some(first) => {
                        let url = format!("lectures/{first}.json");
                        fetch(url, Some(("lecture".to_owned(), first)), Address::default(), Some(sentence));
                    }
                    None => fail(&sentence),
                }
            }
        }
    });
}

/// Says what went wrong where the reader looks: in the dialog, if it is open.
fn fail(sentence: &str) {
    let is_open = find_as::<HtmlDialogElement>("open").is_some_and(|dialog| dialog.open());
    match find("open-message").filter(|_| is_open) {
        Some(place) => place.set_text_content(Some(sentence)),
        None => notice(sentence.to_owned()),
    }
}

async fn text_of(url: &str) -> Result<String, String> {
    let window = window().ok_or("there is no window")?;
    let failed = |_: JsValue| "it could not be fetched".to_owned();
    let response = JsFuture::from(window.fetch_with_str(url)).await.map_err(failed)?;
    let response: Response = response.dyn_into().map_err(failed)?;
    if !response.ok() {
        return Err(format!("it could not be fetched ({} {})", response.status(), response.status_text()));
    }
    let text = JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
    text.as_string().ok_or_else(|| "it is no text".to_owned())
}

/// Opens an address that the reader has typed.
pub(super) fn open_address(url: &str) {
    let origin = window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
    match check_source(url, &origin) {
        Ok(()) => {
            fetch(url.to_owned(), Some(("trace".to_owned(), url.to_owned())), Address::default(), None);
        }
        Err(why) => fail(&why),
    }
}

/// Opens a lecture of this page.
pub(super) fn open_lecture(name: &str) {
    let named = Some(("lecture".to_owned(), name.to_owned()));
    fetch(format!("lectures/{name}.json"), named, Address::default(), None);
}

/// Opens files of the reader's: a program with the modules beside it, or a trace.
pub(super) fn open_files(files: &FileList) {
    let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
    if let Some(large) = files.iter().find(|file| file.size() > MOST_BYTES) {
        return fail(&format!("{} is too large: it has more than 256 MiB.", large.name()));
    }
    let Some(first) = files.first().map(File::name) else { return };
    let is_program = files.iter().all(|file| file.name().ends_with(".py"));
    if files.len() > 1 && !is_program {
        return fail("One trace at a time, or files that all end in .py.");
    }
    let wish = wish();
    spawn_local(async move {
        let mut texts: Map<String> = Map::default();
        for file in files {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            let Some(text) = text else { return fail(&format!("{} cannot be read.", file.name())) };
            texts.set(file.name(), text);
        }
        if with_desk(|desk| desk.wish != wish) {
            return;
        }
        let lecture = match texts.get(&first) {
            Some(text) if !is_program => Lecture::read(text),
            _ => Ok(Lecture::unrun(texts)),
        };
        match lecture {
            Ok(lecture) => show(lecture, None, &Address::default(), None),
            Err(why) => fail(&format!("{first}: {why}.")),
        }
    });
}

fn show(lecture: Lecture, name: Name, address: &Address, refused: Option<String>) {
    let mut reader = Reader::new(lecture);
    reader.name = name;
    reader.notices.extend(refused);
    store::recall(&mut reader);
    store::recall_edits(&mut reader);
    reader.arrive(address);
    let is_other = reader.set_all(&address.sliders) || reader.live.wants_gpu || reader.lecture.is_unrun;
    if !reader.live.edits.is_empty() && !is_other {
        let words = "You have edited this lecture before: your text is kept. Run it, or reset it.";
        reader.notices.push(words.to_owned());
    }
    with_desk(|desk| {
        runs::abandon(desk);
        let is_first = desk.drawn.is_empty();
        reader.look = desk.reader.look;
        reader.live.gpu = desk.reader.live.gpu.take();
        desk.reader = reader;
        if is_other {
            runs::run(desk);
        }
        desk.draw();
        if !is_first {
            let query = desk.reader.address().write();
            desk.history.tell(query, true);
        }
    });
    super::close_dialogs();
    if let Some(root) = document().and_then(|document| document.document_element()) {
        // For who waits until the page answers.
        drop(root.set_attribute("data-live", "true"));
    }
    if address.step.is_some() {
        look_at_step();
    }
}
