//! The page's worker that runs Python.
//!
//! [`desk`] answers requests and knows no browser, so its tests run natively. `scope` is the browser's side: what
//! arrives, what is posted, and the GPU. `python-start.js` loads all of it and reports what Rust cannot.

#[cfg(any(test, target_arch = "wasm32"))]
mod desk;
#[cfg(any(test, target_arch = "wasm32"))]
mod outbox;
#[cfg(target_arch = "wasm32")]
mod scope;

/// Opens what there is, and tells the page.
#[cfg(target_arch = "wasm32")]
fn main() {
    scope::start();
}

/// Says that this program has its place in a page.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This is a worker of the page; it runs in a browser. Try `cargo xtask serve`.");
}
