//! Opening another lecture: one of this site, a trace from an address, or files of the reader's.

mod dropped;
mod files;

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::ev::SubmitEvent;
use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::{Response, Url};

use dropped::{Brought, chosen, dropped};
use files::{Bundle, read_files, read_text};

use super::model::Lecture;
use super::progress;
use super::run::{Runs, use_run};
use super::state::{LectureState, Origin, use_lecture};
use crate::components::Pictures;
use crate::page::{DialogHead, show_dialog};

/// Takes lectures in place of the one that is read; a copy is the same.
#[derive(Clone, Copy)]
pub struct Opener {
    pub state: LectureState,
    pub run: Runs,
    dialog: NodeRef<Dialog>,
    message: RwSignal<Option<String>>,
    /// What the reader was told of what could not be opened, or was not read.
    failures: StoredValue<Vec<String>>,
    /// The address of a lecture on another host that a link leads to: its reader is asked first.
    stranger: RwSignal<Option<String>>,
    /// What was asked for last: an answer to an earlier wish comes too late.
    wish: StoredValue<u32>,
}

impl Opener {
    /// With its dialog closed.
    pub fn new() -> Self {
        Self {
            state: use_lecture(),
            run: use_run(),
            dialog: NodeRef::new(),
            message: RwSignal::default(),
            failures: StoredValue::default(),
            stranger: RwSignal::default(),
            wish: StoredValue::new(0),
        }
    }

    pub fn show(self) {
        self.message.set(None);
        show_dialog(self.dialog);
    }

    /// Opens a lecture from an address that a link has named: from another host than the page's only if the reader says so.
    pub fn follow(self, url: String) {
        match place_of(&url) {
            Some(place) if !place.is_here && place.is_allowed => self.stranger.set(Some(url)),
            _ => self.fetch(url),
        }
    }

    /// Opens a lecture from an address that the reader typed, or has agreed to.
    pub fn fetch(self, url: String) {
        self.stranger.set(None);
        self.open(async move {
            if !place_of(&url).is_some_and(|it| it.is_allowed) {
                return Err(format!(
                    "A lecture is fetched from this page's own host or by https, not from “{url}”."
                ));
            }
            let text = text_of(&url).await.map_err(|why| format!("{url}: {why}."))?;
            let lecture = read_text(&url, text).await?;
            let pictures = Pictures { base: Some(url.clone()), dropped: BTreeMap::new() };
            Ok(Some(Opened { lecture, origin: Origin::Trace(url), pictures, left: None }))
        });
    }

    /// Opens files: a program with the modules beside it, or a trace, with their pictures.
    fn open_files(self, files: impl Future<Output = Result<Vec<Brought>, String>> + 'static) {
        self.open(async move {
            let files = files.await?;
            if files.is_empty() {
                return Ok(None);
            }
            let Bundle { lecture, pictures, left } = read_files(files).await?;
            let Some(lecture) = lecture else {
                // Those that the lecture on the page has missed.
                self.state.pictures.update(|known| known.dropped.extend(pictures));
                return left.map_or(Ok(None), Err);
            };
            let pictures = Pictures { base: None, dropped: pictures };
            let origin = Origin::File(progress::mark_of(&lecture));
            Ok(Some(Opened { lecture, origin, pictures, left }))
        });
    }

    /// Says which file was open before the page was loaded again.
    pub fn say_what_was_open(self) {
        let storage = window().session_storage().ok().flatten();
        if let Some(name) = storage.and_then(|it| it.get_item(FILE).ok().flatten()) {
            note_file(None);
            self.tell(format!(
                "{name} was open here. A page that is loaded again cannot read a file by itself: drop it once more. What \
                 you have written in it is kept."
            ));
        }
    }

    /// A notice until something else opens.
    fn tell(self, what: String) {
        self.failures.update_value(|all| all.push(what.clone()));
        self.state.values.notice(what);
    }

    /// Reads another lecture from here on, or says what went wrong where the reader looks: in the dialog, if it is open.
    fn open(self, lecture: impl Future<Output = Result<Option<Opened>, String>> + 'static) {
        self.wish.update_value(|wish| *wish += 1);
        let wish = self.wish.get_value();
        spawn_local(async move {
            let opened = lecture.await;
            if self.wish.try_get_value() != Some(wish) {
                return;
            }
            let dialog = self.dialog.get_untracked().filter(web_sys::HtmlDialogElement::open);
            let Opened { lecture, origin, pictures, left } = match opened {
                Ok(Some(opened)) => opened,
                Ok(None) => return dialog.iter().for_each(web_sys::HtmlDialogElement::close),
                Err(why) if dialog.is_some() => return self.message.set(Some(why)),
                Err(why) => return self.tell(why),
            };
            let failures = self.failures.try_update_value(std::mem::take).unwrap_or_default();
            progress::withdraw(self.state, |told| failures.contains(told));
            left.into_iter().for_each(|left| self.tell(left));
            let url = if let Origin::Trace(url) = &origin { Some(url.clone()) } else { None };
            self.state.values.set("trace", url);
            self.run.abandon();
            // The step in the address was one of what was read before.
            if matches!(origin, Origin::File(_)) {
                self.state.values.set("step", None);
            }
            let is_unrun = lecture.is_unrun;
            note_file(matches!(origin, Origin::File(_)).then(|| lecture.main().unwrap_or_default()));
            self.state.open(Arc::new(lecture), origin);
            let before = self.state.pictures.try_update(|known| std::mem::replace(known, pictures));
            for address in before.unwrap_or_default().dropped.values() {
                drop(Url::revoke_object_url(address));
            }
            progress::recall(self.state);
            self.state.take_step(untrack(|| self.state.values.text("step")));
            if let Some(dialog) = dialog {
                dialog.close();
            }
            if is_unrun {
                self.run.run();
            }
        });
    }
}

/// Where a tab keeps the name of the file that the reader has opened in it.
const FILE: &str = "file";

fn note_file(name: Option<&str>) {
    let Ok(Some(storage)) = window().session_storage() else { return };
    // A browser that keeps nothing is told so elsewhere.
    let _ = match name {
        Some(name) => storage.set_item(FILE, name),
        None => storage.remove_item(FILE),
    };
}

/// What a reader is to read from here on.
struct Opened {
    lecture: Lecture,
    /// How an address finds it again.
    origin: Origin,
    pictures: Pictures,
    /// What came with it and was not read.
    left: Option<String>,
}

/// Asks whether a lecture of another host shall be opened.
#[component]
pub fn StrangerNotice() -> impl IntoView {
    let opener: Opener = expect_context();
    move || {
        let url = opener.stranger.get()?;
        let origin = place_of(&url)?.origin;
        let stay = move |_| {
            opener.stranger.set(None);
            opener.state.values.set("trace", None);
        };
        Some(view! {
            <div class="message stranger" role="status">
                <p>
                    "This link opens a lecture of " <strong>{origin}</strong>
                    ". Nothing has been fetched from there, and nothing will be before you say so."
                </p>
                <p class="choices">
                    <button type="button" class="is-main" on:click=move |_| opener.fetch(url.clone())>"Open it"</button>
                    <button type="button" on:click=stay>"Stay with this one"</button>
                </p>
            </div>
        })
    }
}

#[component]
pub fn OpenDialog(opener: Opener) -> impl IntoView {
    let address = NodeRef::<Input>::new();
    // Otherwise the browser leaves the page for a file that is dropped on it.
    Effect::new(move || {
        let _ = window_event_listener(leptos::ev::dragover, |event| event.prevent_default());
        let _ = window_event_listener(leptos::ev::drop, move |event| {
            // A field that takes files has taken them already; texts are dropped as everywhere.
            let has_files =
                |data: &web_sys::DataTransfer| data.files().is_some_and(|files| files.length() > 0);
            if let Some(data) = event.data_transfer().filter(has_files).filter(|_| !event.default_prevented())
            {
                event.prevent_default();
                opener.open_files(dropped(&data));
            }
        });
    });
    let on_files = move |event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        if let Some(files) = input.files() {
            let files = chosen(&files);
            opener.open_files(async { Ok(files) });
        }
        // The same file may be chosen again.
        input.set_value("");
    };
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(address) = address.get_untracked() {
            opener.fetch(address.value().trim().to_owned());
        }
    };
    view! {
        <dialog class="open" aria-labelledby="open-title" node_ref=opener.dialog>
            <DialogHead id="open-title" title="Open a program, a notebook or a trace" />
            <p>
                "A program in Python with the modules beside it, a notebook (.ipynb), or a trace that "
                <code>"napkin run FILE.py --trace OUT.json"</code>
                " or "<code>"edtrace"</code>" wrote, with its pictures beside it. Files and folders may also be dropped on the page. Nothing leaves your machine."
            </p>
            <p>
                <label class="file">
                    "Files "
                    <input
                        id="trace-file"
                        type="file"
                        autofocus
                        multiple=true
                        accept=".py,.ipynb,.json,text/x-python,application/json,image/*"
                        on:change=on_files
                    />
                </label>
            </p>
            <form class="choices" on:submit=on_submit>
                <label>
                    <span class="visually-hidden">"Address of a program, a notebook or a trace"</span>
                    <input
                        id="trace-url"
                        type="text"
                        inputmode="url"
                        autocomplete="off"
                        placeholder="https://…"
                        node_ref=address
                    />
                </label>
                <button type="submit">"Fetch"</button>
            </form>
            <p id="open-message" class="message" role="status">{opener.message}</p>
        </dialog>
    }
}

/// The text at an address.
///
/// # Errors
/// With the end of a sentence that begins with the address.
pub async fn text_of(url: &str) -> Result<String, String> {
    let failed = |_: JsValue| "it could not be fetched".to_owned();
    let response: Response = window().fetch_with_str(url).await.and_then(JsCast::dyn_into).map_err(failed)?;
    if !response.ok() {
        return Err(format!("it could not be fetched ({} {})", response.status(), response.status_text()));
    }
    let text = response.text().map_err(failed)?.await.map_err(failed)?;
    text.as_string().ok_or_else(|| "it is no text".to_owned())
}

/// Where an address leads.
struct Place {
    /// Scheme, host and port.
    origin: String,
    /// Whether that is the page's own host.
    is_here: bool,
    /// Whether a lecture is fetched from there: from the page's own host, by https, or from this machine by a page of it.
    is_allowed: bool,
}

/// Where an address leads; nothing if it is none.
fn place_of(url: &str) -> Option<Place> {
    let here = document().base_uri().ok().flatten().and_then(|base| Url::new(&base).ok())?;
    let there = Url::new_with_base(url, &here.href()).ok().filter(|_| !url.is_empty())?;
    let is_near = |url: &Url| matches!(url.hostname().as_str(), "localhost" | "127.0.0.1" | "[::1]");
    let is_here = here.origin() == there.origin();
    let is_local = there.protocol() == "http:" && is_near(&here) && is_near(&there);
    Some(Place {
        origin: there.origin(),
        is_here,
        is_allowed: is_here || is_local || there.protocol() == "https:",
    })
}
