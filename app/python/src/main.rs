//! The page's worker that runs Python.
//!
//! [`runner`] carries out requests and knows no browser, so its tests run natively. `worker_scope` is the browser's side:
//! what arrives, what is posted, the GPU, and how to hear something while a program runs. `python-start.js` loads all of
//! it and reports what Rust cannot.

#[cfg(any(test, target_arch = "wasm32"))]
mod event_batch;
#[cfg(any(test, target_arch = "wasm32"))]
mod runner;
#[cfg(target_arch = "wasm32")]
mod worker_scope;

/// Opens what there is, and tells the page; natively, says that this program has its place in one.
fn main() {
    #[cfg(target_arch = "wasm32")]
    worker_scope::start();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This is a worker of the page; it runs in a browser. Try `cargo xtask serve`.");
}
