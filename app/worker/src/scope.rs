//! The browser's side of the worker.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use js_sys::{Array, Float32Array, Function, Promise, Uint8Array};
use napkin_notebook::{Command, Curve, DeviceKind, Event, News, Request, RequestId, VERSION, decode, encode};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, ImageBitmap, MessageChannel, MessageEvent, OffscreenCanvas};

use crate::desk::Desk;
use crate::devices::Hardware;
use crate::{chart, measuring};

/// A browser that takes longer to say whether it has a GPU is not waited for.
const GPU_ANSWER_MS: i32 = 10_000;

/// Serves the page that started this worker, until the page ends it.
pub fn start() {
    spawn(async |hardware, inbox| {
        let mut desk = Desk::new(hardware, Box::new(post));
        let breath = Breath::new();
        loop {
            let request = if desk.is_busy() {
                if let Some(breath) = &breath {
                    breath.take().await;
                }
                inbox.try_next()
            } else {
                Some(inbox.next().await)
            };
            match request {
                Some(Request { id, command: Command::DrawCurve(curve) }) => {
                    post_drawing(id, draw(&curve));
                }
                Some(Request { id, command: Command::Hold }) => {
                    post(&Event { id: Some(id), news: News::Held }, None);
                    inbox.first(|request| request.command == Command::Release).await;
                }
                Some(request) => desk.answer(request).await,
                None => desk.advance().await,
            }
        }
    });
}

/// Measures for the page that started this worker, until the page ends it.
pub fn start_measuring() {
    spawn(async |hardware, inbox| {
        loop {
            measuring::answer(&hardware, inbox.next().await, &post).await;
        }
    });
}

/// Opens the devices, tells the page of them, and hears what it says.
fn spawn(serve: impl AsyncFnOnce(Hardware, Inbox) + 'static) {
    std::panic::set_hook(Box::new(|info| {
        post(&Event { id: None, news: News::Crashed { message: info.to_string() } }, None);
    }));
    spawn_local(async {
        let inbox = Inbox::open();
        let hardware = if wants_gpu() {
            match within(GPU_ANSWER_MS, Hardware::find()).await {
                Some(hardware) => hardware,
                None => Hardware::without_gpu("the browser did not answer when it was asked for one"),
            }
        } else {
            Hardware::without_gpu("the address says device=cpu")
        };
        let ready = News::Ready { version: VERSION, devices: hardware.describe() };
        post(&Event { id: None, news: ready }, None);
        serve(hardware, inbox).await;
    });
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// False where the page's address says `device=cpu`: then the GPU is not even asked for.
fn wants_gpu() -> bool {
    let query = scope().location().search();
    let asks_for_cpu = format!("device={}", DeviceKind::Cpu.id());
    !query.trim_start_matches('?').split('&').any(|pair| pair == asks_for_cpu)
}

/// What comes of `future` if it comes in time.
async fn within<T>(timeout_ms: i32, future: impl Future<Output = T>) -> Option<T> {
    let mut start_timer = |resolve: Function, _reject: Function| {
        // Fails only for a function with an invalid type; then there is no time limit.
        drop(scope().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, timeout_ms));
    };
    let mut timer = pin!(JsFuture::from(Promise::new(&mut start_timer)));
    let mut future = pin!(future);
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => timer.as_mut().poll(context).map(|_| None),
    })
    .await
}

/// Posts an event as bytes; with numbers, as `[bytes, Float32Array]` whose buffer is transferred.
fn post(event: &Event, numbers: Option<&[f32]>) {
    let numbers = numbers.map(Float32Array::from);
    post_beside(event, numbers.as_ref().map(|array| (array.as_ref(), array.buffer().into())));
}

/// Posts an event as bytes, alone or as `[bytes, bulk]` of which the second thing is transferred.
fn post_beside(event: &Event, bulk: Option<(&JsValue, JsValue)>) {
    // Events are plain data, which can always be written.
    let Ok(bytes) = encode(event) else { return };
    let bytes = Uint8Array::from(bytes.as_slice());
    let sent = match bulk {
        None => scope().post_message(&bytes),
        Some((bulk, transferred)) => {
            scope().post_message_with_transfer(&Array::of2(&bytes, bulk), &Array::of1(&transferred))
        }
    };
    // Posting what is fresh fails only when the page is gone.
    drop(sent);
}

/// A drawing of the curve, for the page to show.
fn draw(curve: &Curve) -> Result<ImageBitmap, String> {
    let [width, height] = curve.size;
    let why = |error: JsValue| js_sys::Error::from(error).message().into();
    let canvas = OffscreenCanvas::new(width, height).map_err(why)?;
    // The library knows canvases of pages only. Those of workers have the same methods, and worker-start.js
    // gives their context the name that the library looks for.
    let backend = CanvasBackend::with_canvas_object(canvas.clone().unchecked_into());
    chart::draw(backend.ok_or("the browser has no 2d canvas for workers")?, curve)?;
    canvas.transfer_to_image_bitmap().map_err(why)
}

fn post_drawing(id: RequestId, drawing: Result<ImageBitmap, String>) {
    match drawing {
        Ok(bitmap) => {
            let event = Event { id: Some(id), news: News::Drawing };
            post_beside(&event, Some((bitmap.as_ref(), bitmap.clone().into())));
        }
        Err(message) => post(&Event { id: Some(id), news: News::Failed { message } }, None),
    }
}

/// Requests that have arrived and wait for their turn.
#[derive(Clone, Default)]
struct Inbox(Rc<RefCell<Waiting>>);

#[derive(Default)]
struct Waiting {
    requests: VecDeque<Request>,
    waker: Option<Waker>,
}

impl Inbox {
    /// Listens to the page.
    fn open() -> Self {
        let inbox = Self::default();
        let filled = inbox.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let bytes = event.data().dyn_into().map(|array: Uint8Array| array.to_vec()).unwrap_or_default();
            match decode(&bytes) {
                Ok(request) => filled.push(request),
                Err(error) => {
                    let message = format!("The worker does not understand a request: {error}.");
                    post(&Event { id: None, news: News::Failed { message } }, None);
                }
            }
        });
        scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        // Listens as long as the worker lives.
        on_message.forget();
        inbox
    }

    fn push(&self, request: Request) {
        let mut waiting = self.0.borrow_mut();
        waiting.requests.push_back(request);
        if let Some(waker) = waiting.waker.take() {
            waker.wake();
        }
    }

    fn try_next(&self) -> Option<Request> {
        self.0.borrow_mut().requests.pop_front()
    }

    async fn next(&self) -> Request {
        self.first(|_| true).await
    }

    /// The first such request; the others stay.
    async fn first(&self, is_wanted: impl Fn(&Request) -> bool) -> Request {
        poll_fn(|context| {
            let mut waiting = self.0.borrow_mut();
            let at = waiting.requests.iter().position(&is_wanted);
            match at.and_then(|at| waiting.requests.remove(at)) {
                Some(request) => Poll::Ready(request),
                None => {
                    waiting.waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

/// Lets the event loop deliver what has arrived. A message to oneself comes back at once, whereas timers
/// are held back to 4 ms.
struct Breath {
    channel: MessageChannel,
}

impl Breath {
    fn new() -> Option<Self> {
        Some(Self { channel: MessageChannel::new().ok()? })
    }

    async fn take(&self) {
        let mut executor = |resolve: Function, _reject: Function| {
            self.channel.port1().set_onmessage(Some(&resolve));
            // Null is always cloneable.
            drop(self.channel.port2().post_message(&JsValue::NULL));
        };
        // The promise has no way to be rejected.
        drop(JsFuture::from(Promise::new(&mut executor)).await);
    }
}
