//! The browser's side of the worker.
#![allow(deprecated, reason = "that is how wasm-bindgen says that suspension may change")]

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::futures::spawn_local;
use js_sys::{Array, JsString, Promise, Uint8Array};
use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_trace::python::Event;
use napkin_trace::{Message, Request};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, XmlHttpRequest};

use crate::runner::{Runner, Yield};

#[wasm_bindgen]
extern "C" {
    /// Whether the browser can suspend a program: `python-start.js` has looked.
    #[wasm_bindgen(thread_local_v2, js_name = hasSuspension)]
    static HAS_SUSPENSION: bool;

    /// Kept when the event loop has come round: what had arrived has been delivered by then.
    #[wasm_bindgen(js_name = nextTask)]
    fn next_task() -> Promise;
}

thread_local! {
    static RUNNER: RefCell<Option<Rc<Runner>>> = const { RefCell::new(None) };
}

/// Opens the GPU, if Python can wait for it, and tells the page.
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        // Where no memory is left the interpreter's stack may be the first to ask for some: the trap that follows says it.
        if !message.contains("unable to allocate stack") {
            announce(Event::Crashed(message));
        }
    }));
    spawn_local(async {
        let has_suspension = HAS_SUSPENSION.with(|has| *has);
        let opened = if has_suspension {
            Gpu::open(GpuOptions::default()).await.map_err(|error| format!("No GPU is used: {error}."))
        } else {
            Err("No GPU is used: this browser cannot suspend WebAssembly, so Python could not wait for one."
                .to_owned())
        };
        let name = opened.as_ref().map(|gpu| gpu.info().name.clone()).map_err(Clone::clone);
        let listen = has_suspension.then(|| -> Yield { Rc::new(listen) });
        let runner = Rc::new(Runner::new(opened, Rc::new(post), listen, Some(Rc::new(fetch))));
        RUNNER.set(Some(runner.clone()));
        announce(Event::Ready { gpu: name, has_suspension });
        // The first program finds an interpreter.
        runner.warm_up();
    });
}

/// Suspends the program that runs until messages that have come are answered.
fn listen() {
    if let Err(why) = js_sys::futures::jspi_block_on_promise(&next_task()) {
        // The worker ends with what the browser says.
        wasm_bindgen::throw_val(why);
    }
}

/// The text of a file in the site's folder of Python's library. The program that imports it waits, as nothing else runs here.
fn fetch(path: &str) -> Result<String, String> {
    let told = |why: JsValue| format!("{}.", js_sys::Error::from(why).message());
    let request = XmlHttpRequest::new().map_err(told)?;
    request.open_with_async("GET", &format!("library/{path}"), false).map_err(told)?;
    request.send().map_err(told)?;
    match request.status().map_err(told)? {
        200 => Ok(request.response_text().map_err(told)?.unwrap_or_default()),
        status => Err(format!("the site answers {status}.")),
    }
}

/// Answers a message of the page. What runs in it may be suspended, so between the event loop and here there must be
/// nothing but the call.
#[wasm_bindgen(jspi)]
pub fn answer(text: String) {
    let Some(runner) = RUNNER.with_borrow(Clone::clone) else { return };
    let request = serde_json::from_str::<Request<_>>(&text);
    // A program needs the room.
    drop(text);
    match request {
        Ok(request) => runner.answer(request),
        Err(error) => announce(Event::Failed(format!("The worker does not understand a request: {error}."))),
    }
}

fn announce(event: Event) {
    post(&Message { id: None, event }, None);
}

/// Posts a message as text, alone or as `[text, bytes]`, of which the bytes are transferred.
fn post(message: &Message<Event>, bytes: Option<&[u8]>) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    // Messages are plain data, which can always be written.
    let Ok(text) = serde_json::to_string(message) else { return };
    let text = JsString::from(text);
    let sent = match bytes {
        None => scope.post_message(&text),
        Some(bytes) => {
            let bytes = Uint8Array::from(bytes);
            let transferred = Array::of1(&bytes.buffer());
            scope.post_message_with_transfer(&Array::of2(&text, &bytes), &transferred)
        }
    };
    // Posting what is fresh fails only when the page is gone.
    drop(sent);
}
