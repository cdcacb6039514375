//! The browser's side of the worker: its global scope.

use std::pin::pin;
use std::rc::Rc;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use futures::future::{Either, select};
use js_sys::Promise;
use js_sys::futures::spawn_local;
use napkin_trace::{Command, Event, Message, Request};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

use crate::devices::Hardware;
use crate::server::Server;

/// A browser that takes longer to say whether it has a GPU is not waited for.
const GPU_ANSWER_MS: i32 = 10_000;

/// Opens the devices, tells the page of them, and serves the page until it ends this worker.
pub fn start() {
    std::panic::set_hook(Box::new(|info| announce(Event::Crashed(info.to_string()))));
    spawn_local(async {
        let mut requests = listen();
        let hardware = find_hardware().await;
        announce(Event::Ready(hardware.describe()));
        let mut server = Server::new(hardware, Rc::new(post));
        let channel = MessageChannel::new().ok();
        loop {
            let request = if server.is_busy() {
                if let Some(channel) = &channel {
                    pause(channel).await;
                }
                requests.try_recv().ok()
            } else {
                requests.next().await
            };
            match request {
                Some(request) => server.answer(request).await,
                None => server.advance().await,
            }
        }
    });
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// The devices; where the page's address says `device=cpu`, the GPU is not even asked for.
async fn find_hardware() -> Hardware {
    if scope().location().search() == "?device=cpu" {
        return Hardware::without_gpu("the address says device=cpu");
    }
    let mut start_timer = |resolve, _reject| {
        // Fails only for a function with an invalid type; then there is no time limit.
        drop(scope().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, GPU_ANSWER_MS));
    };
    match select(pin!(Hardware::find()), Promise::new(&mut start_timer).into_future()).await {
        Either::Left((hardware, _)) => hardware,
        Either::Right(_) => Hardware::without_gpu("the browser did not answer when it was asked for one"),
    }
}

/// The requests of the page as they arrive.
fn listen() -> UnboundedReceiver<Request<Command>> {
    let (arrived, requests) = unbounded();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        match serde_wasm_bindgen::from_value(event.data()) {
            // The worker takes requests as long as it lives.
            Ok(request) => drop(arrived.unbounded_send(request)),
            Err(error) => {
                announce(Event::Failed(format!("The worker does not understand a request: {error}.")));
            }
        }
    });
    scope().set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    requests
}

fn announce(event: Event) {
    post(&Message { id: None, event });
}

fn post(message: &Message<Event>) {
    // Messages are plain data, which can always be written; posting them fails only when the page is gone.
    if let Ok(object) = serde_wasm_bindgen::to_value(message) {
        drop(scope().post_message(&object));
    }
}

/// Lets the event loop deliver what has arrived. A message to oneself comes back at once, whereas timers are held back
/// to 4 ms.
async fn pause(channel: &MessageChannel) {
    let mut executor = |resolve: js_sys::Function, _reject| {
        channel.port1().set_onmessage(Some(&resolve));
        // Null is always cloneable.
        drop(channel.port2().post_message(&JsValue::NULL));
    };
    // The promise has no way to be rejected.
    drop(Promise::new(&mut executor).await);
}
