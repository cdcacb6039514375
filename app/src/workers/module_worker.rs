//! A worker whose script is a module, of either kind.

use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// A worker that runs until this is dropped.
pub struct ModuleWorker(Worker);

impl ModuleWorker {
    /// Starts one, unless the browser has a reason not to. `hear` gets its messages, or the browser's reason why its
    /// script does not load or run.
    pub fn start(
        address: &str,
        hear: impl Fn(Result<JsValue, String>) + Clone + 'static,
    ) -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(address, &options).map_err(|thrown| {
            let error = thrown.dyn_into::<js_sys::Error>();
            error.map_or_else(|_| "no reason given".to_owned(), |error| error.message().into())
        })?;
        let said = hear.clone();
        let on_message =
            Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| said(Ok(event.data())));
        worker.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
        let on_error = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            event.prevent_default();
            // A file that does not load gives a plain event, which has no message.
            let why = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).filter(|why| !why.is_empty());
            hear(Err(why.unwrap_or_else(|| "its files could not be fetched".to_owned())));
        });
        worker.set_onerror(Some(on_error.into_js_value().unchecked_ref()));
        Ok(Self(worker))
    }

    /// Sends what is plain data, which a worker always takes.
    pub fn post(&self, message: &JsValue) {
        drop(self.0.post_message(message));
    }
}

impl Drop for ModuleWorker {
    fn drop(&mut self) {
        self.0.set_onmessage(None);
        self.0.set_onerror(None);
        self.0.terminate();
    }
}
