//! Time that only goes forward.

/// Seconds since some fixed moment; in browsers in steps of 5 to 100 µs.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn now_secs() -> f64 {
    use wasm_bindgen::JsCast;
    let scope: web_sys::DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    scope.performance().map_or_else(js_sys::Date::now, |performance| performance.now()) / 1e3
}

/// Seconds since the first call.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn now_secs() -> f64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
