//! The hook for measuring: `window.__bench_matmul`, there when the page is opened with `?bench`.

use js_sys::{Function, Object, Promise, Reflect};
use leptos::prelude::window;
use leptos::wasm_bindgen::JsValue;
use leptos::wasm_bindgen::closure::Closure;
use napkin_accounting::decimal;
use napkin_notebook::{BenchSpec, Command, DeviceKind, News};

use super::WorkerClient;

/// Offers `__bench_matmul(n, "cpu" | "gpu", {seedA, seedB})`, a promise of `{ms, kernel, adapter, c}`: one
/// warm f32 product of two n×n matrices made by [`napkin_notebook::fill`]. It is rejected with a sentence.
pub fn offer_hook(worker: WorkerClient) {
    let hook = Closure::<dyn Fn(JsValue, JsValue, JsValue) -> Promise>::new(
        move |n: JsValue, device: JsValue, seeds: JsValue| {
            let mut executor = |resolve: Function, reject: Function| match read_spec(&n, &device, &seeds) {
                Ok(spec) => ask(worker, spec, resolve, reject),
                Err(message) => call(&reject, &js_sys::Error::new(&message)),
            };
            Promise::new(&mut executor)
        },
    );
    set(window().as_ref(), "__bench_matmul", hook.as_ref());
    // The page keeps the hook as long as it lives.
    hook.forget();
}

fn ask(worker: WorkerClient, spec: BenchSpec, resolve: Function, reject: Function) {
    worker.ask(Command::BenchMatmul(spec), move |answer| match answer {
        Ok((News::Bench(result), product)) => {
            let value = Object::new();
            set(&value, "ms", &result.ms.into());
            set(&value, "kernel", &result.kernel.into());
            set(&value, "adapter", &result.adapter.into());
            set(&value, "c", &product);
            call(&resolve, &value);
        }
        Ok(_) => call(&reject, &js_sys::Error::new("the worker answered something else")),
        Err(message) => call(&reject, &js_sys::Error::new(&message)),
    });
}

fn read_spec(n: &JsValue, device: &JsValue, seeds: &JsValue) -> Result<BenchSpec, String> {
    let whole = |value: &JsValue, name: &str, most: f64| {
        let number = value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..=most).contains(x));
        number.ok_or_else(|| format!("{name} must be a whole number from 0 to {}", decimal::shortest(most)))
    };
    let seed = |key: &str| {
        let value = Reflect::get(seeds, &key.into()).unwrap_or_default();
        whole(&value, key, u32::MAX.into()).map(|seed| seed as u32)
    };
    let device = device.as_string().as_deref().and_then(DeviceKind::from_id);
    Ok(BenchSpec {
        device: device.ok_or("the device must be \"cpu\" or \"gpu\"")?,
        n: whole(n, "n", 65_536.0)? as usize,
        seed_a: seed("seedA")?,
        seed_b: seed("seedB")?,
    })
}

fn set(object: &Object, key: &str, value: &JsValue) {
    // A fresh object and the window take every key.
    drop(Reflect::set(object, &key.into(), value));
}

fn call(function: &Function, value: &JsValue) {
    // Resolve and reject do not throw.
    drop(function.call1(&JsValue::UNDEFINED, value));
}
