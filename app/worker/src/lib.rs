//! The compute worker: the engine with its backends, behind messages.
//!
//! `server` answers requests and knows no browser, so its tests run natively. `scope` is the browser's side: what
//! arrives, what is posted, and the pause between two pieces of work in which a "cancel" gets through. Requests are
//! answered one after the other, so that what is timed has the device to itself.

pub mod devices;
#[cfg(target_arch = "wasm32")]
mod scope;
pub mod server;
mod steps;
mod survey;
mod timing;
mod training;

/// Serves the page that started this worker, until the page ends it; natively, says that its place is in a page.
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    scope::start();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This is the page's worker; it runs in a browser. Try `cargo xtask serve`.");
}
