//! The hook for measuring from outside: `window.__bench_matmul`, there when a page is opened with `?bench`.

use js_sys::{Error, Float32Array, Function, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use leptos::wasm_bindgen::JsValue;
use leptos::wasm_bindgen::closure::Closure;
use napkin_trace::{Command, DeviceKind, Event};

use super::{Answer, ComputeWorker};

/// Offers `__bench_matmul(n, "cpu" | "gpu", {seedA, seedB})`, a promise of `{ms, kernel, adapter, c}`: one warm f32
/// product of two n×n matrices made by mulberry32. It is rejected with a sentence.
pub fn offer(worker: ComputeWorker) {
    let hook = Closure::<dyn Fn(JsValue, JsValue, JsValue) -> Promise>::new(
        move |n: JsValue, device: JsValue, seeds: JsValue| {
            Promise::new(&mut |resolve: Function, reject: Function| {
                let done = move |answer: Answer| {
                    let (function, value) = match answer.and_then(read_answer) {
                        Ok(result) => (&resolve, result),
                        Err(message) => (&reject, Error::new(&message).into()),
                    };
                    // Neither throws.
                    drop(function.call1(&JsValue::UNDEFINED, &value));
                };
                match read_command(&n, &device, &seeds) {
                    Ok(command) => drop(worker.ask(command, done)),
                    Err(message) => done(Err(message)),
                }
            })
        },
    );
    // The window takes every key, and keeps the hook as long as the page lives.
    drop(Reflect::set(&window(), &"__bench_matmul".into(), &hook.into_js_value()));
}

fn read_answer(event: Event) -> Result<JsValue, String> {
    let Event::Bench(mut result) = event else {
        return Err("the worker answered something else".to_owned());
    };
    let bytes = Uint8Array::from(&*std::mem::take(&mut result.product));
    let object = serde_wasm_bindgen::to_value(&result).map_err(|error| error.to_string())?;
    // A fresh object takes every key.
    drop(Reflect::set(&object, &"c".into(), &Float32Array::new(&bytes.buffer())));
    Ok(object)
}

fn read_command(n: &JsValue, device: &JsValue, seeds: &JsValue) -> Result<Command, String> {
    let whole = |value: &JsValue, name: &str, most: u32| {
        let number = value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..=f64::from(most)).contains(x));
        number.map(|x| x as u32).ok_or_else(|| format!("{name} must be a whole number from 0 to {most}"))
    };
    let seed = |key: &str| whole(&Reflect::get(seeds, &key.into()).unwrap_or_default(), key, u32::MAX);
    let device = device.as_string().as_deref().and_then(DeviceKind::from_id);
    Ok(Command::BenchMatmul {
        device: device.ok_or("the device must be \"cpu\" or \"gpu\"")?,
        n: whole(n, "n", 65_536)? as usize,
        seeds: [seed("seedA")?, seed("seedB")?],
    })
}
