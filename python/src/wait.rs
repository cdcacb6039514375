//! Waiting for the engine from within Python, where nothing can be awaited.

use std::future::Future;

/// What the future comes to; the thread does nothing else meanwhile.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}
