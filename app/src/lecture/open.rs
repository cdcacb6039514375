//! Opening another lecture: one of this site, a trace from an address, or files of the reader's.

use std::sync::Arc;

use leptos::ev::SubmitEvent;
use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_trace::trace::Map;
use web_sys::{File, FileList, Response, Url};

use super::model::Lecture;
use super::progress;
use super::run::{Runs, use_run};
use super::state::{LectureState, Origin, use_lecture};
use crate::page::{DialogHead, show_dialog};

/// A trace that is larger is none that a page could show.
const MOST_BYTES: f64 = 256.0 * 1024.0 * 1024.0;

/// Takes lectures in place of the one that is read; a copy is the same.
#[derive(Clone, Copy)]
pub struct Opener {
    pub state: LectureState,
    pub run: Runs,
    dialog: NodeRef<Dialog>,
    message: RwSignal<Option<String>>,
    /// What the reader was told of what could not be opened.
    failures: StoredValue<Vec<String>>,
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
            wish: StoredValue::new(0),
        }
    }

    pub fn show(self) {
        self.message.set(None);
        show_dialog(self.dialog);
    }

    /// Opens a trace from an address that the reader typed or followed.
    pub fn fetch(self, url: String) {
        self.open(async move {
            if !is_allowed(&url) {
                return Err(format!(
                    "A trace is fetched from this page's own host or by https, not from “{url}”."
                ));
            }
            let lecture = text_of(&url).await.and_then(|text| Lecture::read(&text));
            Ok((lecture.map_err(|why| format!("{url}: {why}."))?, Origin::Trace(url)))
        });
    }

    /// Opens files: a program with the modules beside it, or a trace.
    fn open_files(self, files: &FileList) {
        let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
        if !files.is_empty() {
            self.open(async move { Ok((read_files(files).await?, Origin::File)) });
        }
    }

    /// Reads another lecture from here on, or says what went wrong where the reader looks: in the dialog, if it is open.
    fn open(self, lecture: impl Future<Output = Result<(Lecture, Origin), String>> + 'static) {
        self.wish.update_value(|wish| *wish += 1);
        let wish = self.wish.get_value();
        spawn_local(async move {
            let opened = lecture.await;
            if self.wish.try_get_value() != Some(wish) {
                return;
            }
            let dialog = self.dialog.get_untracked().filter(web_sys::HtmlDialogElement::open);
            let (lecture, origin) = match opened {
                Ok(opened) => opened,
                Err(why) if dialog.is_some() => return self.message.set(Some(why)),
                Err(why) => {
                    self.failures.update_value(|all| all.push(why.clone()));
                    return self.state.values.notice(why);
                }
            };
            let failures = self.failures.try_update_value(std::mem::take).unwrap_or_default();
            progress::withdraw(self.state, |told| failures.contains(told));
            let url = if let Origin::Trace(url) = &origin { Some(url.clone()) } else { None };
            self.state.values.set("trace", url);
            self.run.abandon();
            // The step in the address was one of what was read before.
            if matches!(origin, Origin::File) {
                self.state.values.set("step", None);
            }
            let is_unrun = lecture.is_unrun;
            self.state.open(Arc::new(lecture), origin);
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

/// A program of several files, or the trace that the only one is.
async fn read_files(files: Vec<File>) -> Result<Lecture, String> {
    if let Some(large) = files.iter().find(|file| file.size() > MOST_BYTES) {
        return Err(format!("{} is too large: it has more than 256 MiB.", large.name()));
    }
    let is_program = files.iter().all(|file| file.name().ends_with(".py"));
    if files.len() > 1 && !is_program {
        return Err("One trace at a time, or files that all end in .py.".to_owned());
    }
    let mut texts: Map<String> = Map::default();
    for file in files {
        let text = file.text().await.ok().and_then(|text| text.as_string());
        texts.insert(file.name(), text.ok_or_else(|| format!("{} cannot be read.", file.name()))?);
    }
    match texts.first() {
        Some((name, text)) if !is_program => Lecture::read(text).map_err(|why| format!("{name}: {why}.")),
        _ => Ok(Lecture::unrun(texts)),
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
            let files = event.data_transfer().and_then(|data| data.files());
            if let Some(files) = files.filter(|files| files.length() > 0 && !event.default_prevented()) {
                event.prevent_default();
                opener.open_files(&files);
            }
        });
    });
    let on_files = move |event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        if let Some(files) = input.files() {
            opener.open_files(&files);
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
            <DialogHead id="open-title" title="Open a program or a trace" />
            <p>
                "A program in Python with the modules beside it, or a trace that "
                <code>"napkin run FILE.py --trace OUT.json"</code>
                " wrote. Files may also be dropped on the page. Nothing leaves your machine."
            </p>
            <p>
                <label class="file">
                    "Files "
                    <input
                        id="trace-file"
                        type="file"
                        autofocus
                        multiple=true
                        accept=".py,.json,text/x-python,application/json"
                        on:change=on_files
                    />
                </label>
            </p>
            <form class="choices" on:submit=on_submit>
                <label>
                    <span class="visually-hidden">"Address of a trace"</span>
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

/// Whether a trace may be fetched from there: this host itself, or any by https.
fn is_allowed(url: &str) -> bool {
    let here = document().base_uri().ok().flatten().and_then(|base| Url::new(&base).ok());
    let resolved = here.as_ref().and_then(|here| Url::new_with_base(url, &here.href()).ok());
    let is_safe = |url: Url| url.protocol() == "https:" || here.is_some_and(|it| it.origin() == url.origin());
    !url.is_empty() && resolved.is_some_and(is_safe)
}
