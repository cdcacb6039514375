//! Waiting for the engine from within Python, where nothing can be awaited.

use std::future::Future;

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
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake, Waker};

    use js_sys::{Function, Promise};
    use wasm_bindgen::JsValue;
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen(inline_js = "export const settled = (promise) => promise;")]
    extern "C" {
        /// Suspends this program until the promise is kept; the browser goes on with everything else.
        #[wasm_bindgen(suspending)]
        fn settled(promise: Promise) -> JsValue;
    }

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

    /// What the future comes to. One that is not ready at once suspends the program, which takes a browser with
    /// `WebAssembly.Suspending`, and everything between here and the event loop to be WebAssembly.
    pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Resume));
        let mut context = Context::from_waker(&waker);
        loop {
            // A wake that comes while the future is polled keeps the promise before anybody waits for it.
            let promise = Promise::new(&mut |resolve, _| RESUME.set(Some(resolve)));
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            drop(settled(promise));
        }
    }
}
