//! The browser's side of the worker.
#![allow(deprecated, reason = "that is how wasm-bindgen says that suspension may change")]

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, JsString, Uint8Array};
use napkin_engine::Device;
use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_notebook::VERSION;
use napkin_notebook::python::{Event, Request};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;
use web_sys::DedicatedWorkerGlobalScope;

use crate::desk::Desk;

#[wasm_bindgen]
extern "C" {
    /// Whether the browser can suspend a program: `python-start.js` has looked.
    #[wasm_bindgen(thread_local_v2, js_name = hasSuspension)]
    static HAS_SUSPENSION: bool;
}

thread_local! {
    static DESK: RefCell<Option<Rc<Desk>>> = const { RefCell::new(None) };
}

/// Opens the GPU, if Python can wait for it, and tells the page.
pub fn start() {
    std::panic::set_hook(Box::new(|info| post(&Event::Crashed { message: info.to_string() }, None)));
    spawn_local(async {
        let has_suspension = HAS_SUSPENSION.with(|has| *has);
        let opened = if has_suspension {
            Gpu::open(GpuOptions::default()).await.map_err(|error| format!("No GPU is used: {error}."))
        } else {
            Err("No GPU is used: this browser cannot suspend WebAssembly, so Python could not wait for one."
                .to_owned())
        };
        let name = opened.as_ref().map(|gpu| gpu.info().name.clone()).map_err(Clone::clone);
        let gpu = opened.map(Device::new);
        DESK.set(Some(Rc::new(Desk::new(gpu, Rc::new(post)))));
        post(&Event::Ready { version: VERSION, gpu: name, has_suspension }, None);
    });
}

/// Answers a message of the page. What runs in it may be suspended, so between the event loop and here there must be
/// nothing but the call.
#[wasm_bindgen(jspi)]
pub fn answer(text: String) {
    let Some(desk) = DESK.with_borrow(Clone::clone) else { return };
    let request = serde_json::from_str::<Request>(&text);
    // A program needs the room.
    drop(text);
    match request {
        Ok(request) => desk.answer(request),
        Err(error) => {
            let message = format!("The worker does not understand a request: {error}.");
            post(&Event::Failed { id: None, message }, None);
        }
    }
}

/// Posts an event as text, alone or as `[text, bytes]`, of which the bytes are transferred.
fn post(event: &Event, bytes: Option<&[u8]>) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    // Events are plain data, which can always be written.
    let Ok(text) = serde_json::to_string(event) else { return };
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
