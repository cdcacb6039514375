//! The page's worker: the engine with its backends, behind messages.
//!
//! [`desk`] answers requests and knows no browser, so its tests run natively. `scope` is the browser's
//! side: what arrives, what is posted, and the breath between two chunks of work in which a "pause" gets
//! through. Requests are answered one after the other, so that a timed product has the device to itself.
//! [`measuring`] is a worker of its own, `bin/measure.rs`, for which this one stands still.

pub mod chart;
pub mod clock;
pub mod desk;
pub mod devices;
pub mod measuring;
#[cfg(target_arch = "wasm32")]
mod scope;
pub mod session;
#[cfg(target_arch = "wasm32")]
pub mod source;
pub mod timing;

/// Serves the page that started this worker, until the page ends it.
#[cfg(target_arch = "wasm32")]
pub fn start() {
    scope::start();
}

/// Measures for the page that started this worker, until the page ends it.
#[cfg(target_arch = "wasm32")]
pub fn start_measuring() {
    scope::start_measuring();
}

/// Says that this program has its place in a page.
#[cfg(not(target_arch = "wasm32"))]
pub fn start_measuring() {
    start();
}

/// Says that this program has its place in a page.
#[cfg(not(target_arch = "wasm32"))]
pub fn start() {
    eprintln!("This is the page's worker; it runs in a browser. Try `cargo xtask serve`.");
}
