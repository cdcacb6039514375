//! The hooks for measuring from outside, there when a page is opened with `?bench`.

use js_sys::{Error, Float32Array, Function, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use leptos::wasm_bindgen::JsValue;
use leptos::wasm_bindgen::closure::Closure;
use napkin_trace::{BenchModel, Command, DeviceKind, Event};
use serde::Serialize;

use super::{Answer, ComputeWorker};

/// Offers two functions of the window. What they promise is rejected with a sentence.
///
/// `__bench_matmul(n, "cpu" | "gpu", {seedA, seedB})` promises `{ms, kernel, adapter, c}`: one warm f32 product of two n×n
/// matrices made by mulberry32. `__bench_step("linear" | "mlp" | "gpt", "cpu" | "gpu")` promises `{ms, losses, adapter}`:
/// samples of a training step, and the losses of the first steps, on the numbers that the worker's `steps.rs` says.
pub fn offer(worker: ComputeWorker) {
    hook(worker, "__bench_matmul", |n, device, seeds| {
        let seed = |key: &str| whole(&Reflect::get(seeds, &key.into()).unwrap_or_default(), key, u32::MAX);
        Ok(Command::BenchMatmul {
            device: kind(device)?,
            n: whole(n, "n", 65_536)? as usize,
            seeds: [seed("seedA")?, seed("seedB")?],
        })
    });
    hook(worker, "__bench_step", |model, device, _| {
        let name = model.as_string().unwrap_or_default();
        let known = BenchModel::ALL.into_iter().find(|(known, _)| *known == name);
        let (_, model) = known.ok_or("the model must be \"linear\", \"mlp\" or \"gpt\"")?;
        Ok(Command::BenchStep { device: kind(device)?, model })
    });
}

/// A function of the window that asks the worker for what `command` makes of its arguments.
fn hook(
    worker: ComputeWorker,
    name: &str,
    command: impl Fn(&JsValue, &JsValue, &JsValue) -> Result<Command, String> + 'static,
) {
    let hook = Closure::<dyn Fn(JsValue, JsValue, JsValue) -> Promise>::new(
        move |a: JsValue, b: JsValue, c: JsValue| {
            Promise::new(&mut |resolve: Function, reject: Function| {
                let done = move |answer: Answer| {
                    let (function, value) = match answer.and_then(read_answer) {
                        Ok(result) => (&resolve, result),
                        Err(message) => (&reject, Error::new(&message).into()),
                    };
                    // Neither throws.
                    drop(function.call1(&JsValue::UNDEFINED, &value));
                };
                match command(&a, &b, &c) {
                    Ok(command) => drop(worker.ask(command, done)),
                    Err(message) => done(Err(message)),
                }
            })
        },
    );
    // The window takes every key, and keeps the hook as long as the page lives.
    drop(Reflect::set(&window(), &name.into(), &hook.into_js_value()));
}

fn read_answer(event: Event) -> Result<JsValue, String> {
    match event {
        Event::Bench(mut result) => {
            let bytes = Uint8Array::from(&*std::mem::take(&mut result.product));
            let object = to_object(&result)?;
            // A fresh object takes every key.
            drop(Reflect::set(&object, &"c".into(), &Float32Array::new(&bytes.buffer())));
            Ok(object)
        }
        Event::BenchStep(times) => to_object(&times),
        _ => Err("the worker answered something else".to_owned()),
    }
}

fn to_object(result: &impl Serialize) -> Result<JsValue, String> {
    serde_wasm_bindgen::to_value(result).map_err(|error| error.to_string())
}

fn whole(value: &JsValue, name: &str, most: u32) -> Result<u32, String> {
    let number = value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..=f64::from(most)).contains(x));
    number.map(|x| x as u32).ok_or_else(|| format!("{name} must be a whole number from 0 to {most}"))
}

fn kind(device: &JsValue) -> Result<DeviceKind, String> {
    let device = device.as_string().as_deref().and_then(DeviceKind::from_id);
    device.ok_or_else(|| "the device must be \"cpu\" or \"gpu\"".to_owned())
}
