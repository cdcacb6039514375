//! This machine's own roofline, measured in the page.

mod bench;
mod shelf;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use napkin_notebook::DeviceKind;
use napkin_view::view;

use super::Cell;
use super::calculator::{sheet, use_sheets};
use crate::dom::Node;
use crate::signals::Signal;
use crate::state::{ChoiceRule, Outline, Step, TextRule, use_cell};
use crate::widgets::{Choose, Draft, Message, Part, copy, use_announcer, written};
use crate::worker_client::{WorkerStatus, use_meter, use_worker};

use bench::{Bench, ID};
use shelf::{Shelf, label_of};

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: ID, steps: STEPS },
    name: "This machine",
    title: written!("How fast is this machine?"),
    intro: &[
        written!(
            "Data sheets promise; a clock says. Nothing in a browser tells a page how fast the hardware below it is, so \
             the page finds out: it computes, moves and launches things that it knows the size of, and looks at the \
             clock."
        ),
        written!(
            "A survey makes some seventy measurements: chains of multiply-adds that touch no memory, passes over memory \
             that compute nothing, copies to the device and back, empty kernels, products from 128 to 4096, and the \
             operations of the lecture. It takes *ten to forty seconds*, during which training waits, and you can cancel \
             it at any time. Nothing leaves this machine; the browser keeps the result until you tell it to forget."
        ),
    ],
    view: || view! { <Machine/> },
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Measure"),
        text: written!(
            "Press a button. The GPU computes through WebGPU, the CPU in one thread of WebAssembly: what comes out is \
             what this page can reach, and a native program may reach more."
        ),
        part: "measure",
        set: &[],
    },
    Step {
        title: written!("Two ceilings and a corner"),
        text: written!(
            "The *peak* is the rate of multiply-adds whose numbers never leave their registers. The *bandwidth* is that \
             of passes over more memory than caches hold. Divide one by the other and you have the *ridge*: so many FLOPs \
             must be done with each byte, or the arithmetic waits."
        ),
        part: "machine/measured",
        set: &[],
    },
    Step {
        title: written!("Where the lecture lies"),
        text: written!(
            "relu, additions, softmax and norms do little with each byte and lie on the slope, a matrix times a vector too. \
             Large products climb to the roof. A point far below it waits for something else: for its launch, where it \
             is small, or for a better kernel."
        ),
        part: "machine/roofline",
        set: &[],
    },
    Step {
        title: written!("Beside a data sheet"),
        text: written!(
            "The unbroken line is what a data sheet promises of an A100, in its fastest format and with all of its memory's \
             bandwidth. The shape is the same, the corner is elsewhere: what is bound by memory there may be bound by \
             arithmetic here. Name other devices in the field, with commas between them."
        ),
        part: "inputs",
        set: &[("calc.under", "a100-sxm")],
    },
    Step {
        title: written!("More than everything"),
        text: written!(
            "MFU divides by a peak, and a peak is a figure like any other. Cards run above the clock that their data \
             sheet was computed with, and cool ones above warm ones; units for matrices outrun any chain of single \
             multiply-adds. So a share may exceed 1. It is shown as it is: cutting it off would hide that the \
             denominator was wrong."
        ),
        part: "machine/mfu",
        set: &[],
    },
    Step {
        title: written!("Your own"),
        text: written!(
            "Type an expression over shapes, as in `einsum(\"i k, k j -> i j\", 512x64, 64x512)` or `softmax([64, 4096])`. \
             Each shape becomes a tensor of random numbers; its FLOPs and bytes are counted while it runs, and its point \
             joins the others until you remove it."
        ),
        part: "expression",
        set: &[],
    },
];

const EXPRESSION: TextRule = TextRule { label: "Expression", check: |_| Ok(()) };
const DTYPE: ChoiceRule = ChoiceRule {
    label: "dtype",
    options: &[("float32", "float32"), ("float16", "float16"), ("bfloat16", "bfloat16")],
};
const DEVICE: ChoiceRule = ChoiceRule {
    label: "Device",
    options: &[("auto", "Whichever suits this machine"), ("cpu", "CPU"), ("gpu", "GPU")],
};

#[component]
fn Machine() -> Node {
    let bench = Bench::new(use_worker(), use_meter(), Shelf::new(use_sheets()));
    view! {
        <Survey bench/>
        <Results shelf=bench.shelf/>
        <Expression bench/>
        {sheet("This machine", "machine")}
    }
}

/// Buttons that measure, and how far it is.
#[component]
fn Survey(bench: Bench) -> Node {
    let Bench { worker, meter, .. } = bench;
    let no_gpu = move || worker.devices().and_then(|devices| devices.gpu.err());
    let is_running = move || meter.is_busy_for(ID);
    let button = move |kind: DeviceKind| {
        let is_disabled = move || meter.is_busy() || (kind == DeviceKind::Gpu && no_gpu().is_some());
        view! {
            <button
                type="button"
                class:is-main=move || worker.choice().is_some_and(|choice| choice.kind == kind)
                disabled=is_disabled
                on:click=move |_| bench.survey(kind)
            >
                {format!("Measure the {}", kind.label())}
            </button>
        }
    };
    let done = move || bench.progress().map_or(0, |progress| progress.done).to_string();
    let of = move || bench.progress().map_or(1, |progress| progress.of).to_string();
    let what = move || {
        bench.progress().map_or_else(
            || "Measuring…".to_owned(),
            |progress| format!("{} of {}: {}", progress.done + 1, progress.of, progress.what),
        )
    };
    let news = move || match (bench.said(), worker.status()) {
        (said, _) if !said.is_empty() => said,
        (_, WorkerStatus::Broken(reason)) => reason,
        _ => no_gpu().unwrap_or_default(),
    };
    view! {
        <Part name="measure" title="Measure">
            <p class="buttons">
                {button(DeviceKind::Gpu)}
                {button(DeviceKind::Cpu)}
                <button type="button" disabled=move || !is_running() on:click=move |_| bench.cancel()>"Cancel"</button>
            </p>
            <div class="progress" hidden=move || !is_running()>
                <progress aria-label="Measurements" max=of value=done></progress>
                <p>{what}</p>
            </div>
            <p class="remark" role="status">{news}</p>
        </Part>
    }
}

/// Which device is shown, and what to do with its record.
#[component]
fn Results(shelf: Shelf) -> Node {
    let announcer = use_announcer();
    let export = move || untrack(|| shelf.kept()).and_then(|kept| kept.export());
    let is_surveyed = move || shelf.kept().is_some_and(|kept| !kept.record.is_empty());
    let options = move || {
        let shown = shelf.kept().map_or_else(String::new, |kept| kept.key);
        let option = |key: String| {
            let (kind, name) = key.split_once('/').unwrap_or_default();
            let words = if kind == "gpu" { format!("GPU · {name}") } else { name.to_owned() };
            let is_shown = key == shown;
            view! { <option value=key selected=is_shown>{words}</option> }
        };
        shelf.keys().into_iter().map(option).collect::<Vec<_>>()
    };
    let save = move |_| {
        if let Some(text) = export() {
            offer("napkin-machine.json", &text);
        }
    };
    let copy = move |_| {
        if let Some(text) = export() {
            copy(announcer, "The record", text);
        }
    };
    let forget = move |_| {
        if let Some(kept) = untrack(|| shelf.kept()) {
            shelf.forget(&kept.key);
        }
    };
    view! {
        <div class="controls kept" hidden=move || shelf.kept().is_none()>
            <div class="choose">
                <label for="machine-shown">"Shown below"</label>
                <select id="machine-shown" on:change=move |event| shelf.show(event_target_value(&event))>
                    {options}
                </select>
            </div>
            <p class="buttons">
                <button type="button" disabled=move || !is_surveyed() on:click=save>"Save the record"</button>
                <button type="button" disabled=move || !is_surveyed() on:click=copy>"Copy the record"</button>
                <button type="button" on:click=forget>"Forget it"</button>
            </p>
        </div>
    }
}

/// Hands a text to the browser as a file.
fn offer(name: &str, text: &str) -> Option<()> {
    let link: web_sys::HtmlElement = document().create_element("a").ok()?.dyn_into().ok()?;
    let data = js_sys::encode_uri_component(text).as_string()?;
    link.set_attribute("href", &format!("data:application/json;charset=utf-8,{data}")).ok()?;
    link.set_attribute("download", name).ok()?;
    link.click();
    Some(())
}

/// An expression to type, and those that were measured.
#[component]
fn Expression(bench: Bench) -> Node {
    let Bench { worker, meter, shelf, .. } = bench;
    let cell = use_cell();
    let expression = cell.text("expression", "softmax(1024x1024)", EXPRESSION);
    let dtype = cell.choice("measured-dtype", 0, DTYPE);
    let device = cell.choice("measured-device", 0, DEVICE);
    let draft = Draft::of(expression);
    let measure = move || {
        let chosen = DeviceKind::from_id(&untrack(|| device.text()));
        let device = chosen.or_else(|| untrack(|| worker.choice()).map(|choice| choice.kind));
        bench.expression(
            device.unwrap_or(DeviceKind::Cpu),
            expression.get_untracked(),
            untrack(|| dtype.text()),
        );
    };
    let measured = move || {
        let lines = shelf.kept().map_or_else(Vec::new, |kept| kept.operations);
        let row = |(at, line): (usize, String)| {
            let label = label_of(&line).to_owned();
            let remove = move |_| {
                if let Some(kept) = untrack(|| shelf.kept()) {
                    shelf.change(&kept.key, |kept| drop(kept.operations.remove(at)));
                }
            };
            view! {
                <li>
                    <code>{label.clone()}</code>
                    <button type="button" aria-label=format!("Remove {label}") on:click=remove>"Remove"</button>
                </li>
            }
        };
        lines.into_iter().enumerate().map(row).collect::<Vec<_>>()
    };
    view! {
        <Part name="expression" title="An expression of your own">
            <div class="text is-code" class:is-bad=move || bench.refused().is_some()>
                <label for="machine-expression">"Expression"</label>
                <input
                    type="text"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    id="machine-expression"
                    prop:value=move || draft.text()
                    value=move || draft.text()
                    aria-invalid=move || bench.refused().is_some().to_string()
                    aria-describedby="machine-expression-message"
                    on:input=move |event| {
                        bench.forgive();
                        draft.type_text(event_target_value(&event));
                    }
                />
                <Message id="machine-expression-message".to_owned() text=Signal::derive(move || bench.refused())/>
            </div>
            <div class="controls">
                <Choose param=dtype/>
                <Choose param=device/>
            </div>
            <p class="buttons">
                <button type="button" disabled=move || meter.is_busy() on:click=move |_| measure()>"Measure it"</button>
            </p>
            <ul class="measured-expressions">{measured}</ul>
        </Part>
    }
}
