//! Waiting for the engine from within Python, where nothing can be awaited.

/// What the future comes to; the thread does nothing else meanwhile.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

#[cfg(target_arch = "wasm32")]
pub(crate) use browser::wait;

#[cfg(target_arch = "wasm32")]
mod browser {
    use std::cell::RefCell;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake, Waker};

    use js_sys::{Function, Promise};
    use wasm_bindgen::JsValue;

    thread_local! {
        /// Ends the suspension that is under way, or about to be.
        static RESUME: RefCell<Option<Function>> = const { RefCell::new(None) };
    }

    struct Resume;

    impl Wake for Resume {
        fn wake(self: Arc<Self>) {
            if let Some(resume) = RESUME.take() {
                // It takes any argument and never throws.
                drop(resume.call0(&JsValue::UNDEFINED));
            }
        }
    }

    /// What the future comes to. One that is not ready at once suspends this program while the browser goes on. That takes
    /// a browser with `WebAssembly.Suspending`, and nothing but WebAssembly between here and the event loop.
    pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        // As everything on the CPU is.
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        let waker = Waker::from(Arc::new(Resume));
        let mut context = Context::from_waker(&waker);
        loop {
            // A wake that comes while the future is polled keeps the promise before anybody waits for it.
            let promise = Promise::new(&mut |resolve, _| RESUME.set(Some(resolve)));
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            #[expect(deprecated, reason = "that is how it says that it may change")]
            if let Err(why) = js_sys::futures::jspi_block_on_promise(&promise) {
                // The worker ends with what the browser says.
                wasm_bindgen::throw_val(why);
            }
        }
    }
}
