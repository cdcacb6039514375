//! What the browser can do and what the address says.

use js_sys::{Uint8Array, WebAssembly};
use leptos::prelude::{document, window};
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_notebook::DeviceKind;

/// A module of one function, `f32x4.relaxed_madd` of three zero vectors: it validates only where the
/// browser has relaxed SIMD.
const RELAXED_MADD: [u8; 40] = [
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // \0asm, version 1
    0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, // type section: () -> v128
    0x03, 0x02, 0x01, 0x00, // function section: one of type 0
    0x0a, 0x13, 0x01, 0x11, 0x00, // code section: one body without locals
    0x41, 0x00, 0xfd, 0x0f, // i32.const 0, i8x16.splat
    0x41, 0x00, 0xfd, 0x0f, // the same
    0x41, 0x00, 0xfd, 0x0f, // the same
    0xfd, 0x85, 0x02, 0x0b, // f32x4.relaxed_madd, end
];

/// The address of the worker's first script, with what it has to know: which build to load, and what the
/// page's address says about devices.
pub fn worker_address(program: &str) -> String {
    let relaxed = if has_relaxed_simd() { "-relaxed" } else { "" };
    let device = wanted_device().map(|kind| format!("&device={}", kind.id())).unwrap_or_default();
    let base = document().base_uri().ok().flatten().unwrap_or_default();
    let address = format!("worker-start.js?build={program}{relaxed}{device}");
    web_sys::Url::new_with_base(&address, &base).map_or(address, |url| url.href())
}

/// The device that the address asks for.
pub fn wanted_device() -> Option<DeviceKind> {
    query_value("device").as_deref().and_then(DeviceKind::from_id)
}

fn has_relaxed_simd() -> bool {
    WebAssembly::validate(&Uint8Array::from(&RELAXED_MADD[..]).into()).unwrap_or(false)
}

/// The value of a key of the address's query; empty where the key has none.
pub fn query_value(key: &str) -> Option<String> {
    let query = window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&query).ok()?.get(key)
}

/// The text of a thrown value.
pub fn text_of(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => thrown.as_string().unwrap_or_else(|| "no reason given".to_owned()),
    }
}
