//! The module that the calculators live in: loads it, tells it the assumptions, and hears of changed ones.

use std::time::Duration;

use crate::signals::{RwSignal, StoredValue, effect};
use js_sys::{Array, Object, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use super::place_id;
use crate::state::State;
use crate::widgets::{copy, use_announcer};

/// What else the page loads comes first.
const SOON: Duration = Duration::from_millis(400);
/// After this long the reader is told that something is on its way.
const LATE: Duration = Duration::from_millis(1500);
/// Where the module is, beside the page.
const FILE: &str = "sheets.js";

#[wasm_bindgen]
extern "C" {
    // The page's script has it: trunk knows only modules that are there from the start.
    #[wasm_bindgen(catch, js_name = importModule)]
    fn load(address: &str) -> Result<Promise, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// What `napkin_sheets::browser` exports.
    #[derive(Clone)]
    type Module;

    #[wasm_bindgen(method)]
    fn meet(this: &Module, host: &JsValue);

    #[wasm_bindgen(method)]
    fn mount(this: &Module, place: &web_sys::Element, id: &str, name: &str, calculators: &str);

    #[wasm_bindgen(method)]
    fn show(this: &Module, pairs: &Array, from: &str) -> Array;

    #[wasm_bindgen(method)]
    fn light(this: &Module, id: &str, part: &str);

    #[wasm_bindgen(method)]
    fn give(this: &Module, calculator: &str, pairs: &Array);

    #[wasm_bindgen(method)]
    fn step(this: &Module, calculator: &str) -> Option<String>;
}

/// A cell that the module fills.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Its id in addresses.
    pub id: &'static str,
    /// Its name in a sentence.
    pub name: &'static str,
    /// What it shows, ids with spaces between them.
    pub calculators: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Away,
    Loading,
    Late,
    Ready,
    Broken,
}

/// The handle that cells use; a copy is the same module.
#[derive(Clone, Copy)]
pub struct Sheets {
    state: State,
    status: RwSignal<Status>,
    module: StoredValue<Option<Module>>,
    host: StoredValue<JsValue>,
    places: StoredValue<Vec<Place>>,
    /// What calculators have from elsewhere: calculator, key, JSON.
    data: RwSignal<Vec<[String; 3]>>,
    tries: StoredValue<u32>,
}

impl Sheets {
    /// Puts it into the context of the page. The module is loaded once the page is drawn, and never while the page
    /// is rendered at build time; `go` shows a cell.
    pub fn provide(state: State, go: fn(State, usize)) -> Self {
        let sheets = Self {
            state,
            status: RwSignal::new(Status::Away),
            module: StoredValue::new(None),
            host: StoredValue::new(JsValue::UNDEFINED),
            places: StoredValue::new(Vec::new()),
            data: RwSignal::new(Vec::new()),
            tries: StoredValue::new(0),
        };
        provide_context(sheets);
        let announcer = use_announcer();
        effect(move |_| {
            let host = Object::new();
            let change = move |name: String, text: String| state.assume(&name, text);
            give(&host, "change", &Closure::<dyn Fn(String, String)>::new(change).into_js_value());
            let copy = move |what: String, text: String| copy(announcer, what, text);
            give(&host, "copy", &Closure::<dyn Fn(String, String)>::new(copy).into_js_value());
            let go = move |id: String| {
                if let Some(cell) = state.outlines().iter().position(|outline| outline.id == id) {
                    go(state, cell);
                }
            };
            give(&host, "go", &Closure::<dyn Fn(String)>::new(go).into_js_value());
            sheets.host.set_value(host.into());
            set_timeout(move || sheets.load(), SOON);
        });
        effect(move |_| sheets.show());
        effect(move |_| {
            let data = sheets.data.get();
            if sheets.status.get() == Status::Ready
                && let Some(module) = sheets.module.get_value()
            {
                for [calculator, key, json] in data {
                    module.give(&calculator, &Array::of2(&key.into(), &json.into()));
                }
            }
        });
        sheets
    }

    /// Adds a cell.
    pub fn add(self, place: Place) {
        self.places.update_value(|places| places.push(place));
    }

    /// What a calculator has from elsewhere under a key, as JSON; an empty text is nothing.
    pub fn give(self, calculator: &str, key: &str, json: String) {
        self.data.update(|data| {
            let given = [calculator.to_owned(), key.to_owned(), json];
            match data.iter_mut().find(|of| of[..2] == given[..2]) {
                Some(known) => *known = given,
                None => data.push(given),
            }
        });
    }

    /// The step that a calculator asks for, as JSON; none before the module is there or where a field cannot be read.
    #[must_use]
    pub fn step(self, calculator: &str) -> Option<String> {
        self.module.get_value()?.step(calculator)
    }

    /// Loads the module, unless it is there or on its way.
    pub fn load(self) {
        if !matches!(self.status.get_untracked(), Status::Away | Status::Broken) {
            return;
        }
        self.status.set(Status::Loading);
        set_timeout(
            move || {
                if self.status.get_untracked() == Status::Loading {
                    self.status.set(Status::Late);
                }
            },
            LATE,
        );
        spawn_local(async move {
            let status = match self.fetch().await {
                Ok(module) => {
                    self.take_over(module);
                    Status::Ready
                }
                Err(_) => Status::Broken,
            };
            self.status.set(status);
        });
    }

    async fn fetch(self) -> Result<Module, JsValue> {
        let base = document().base_uri()?.unwrap_or_default();
        let address = web_sys::Url::new_with_base(FILE, &base)?;
        // Browsers remember what failed: a further try has an address of its own.
        let tries = self.tries.update_value(|tries| std::mem::replace(tries, *tries + 1));
        if tries > 0 {
            address.set_search(&tries.to_string());
        }
        Ok(JsFuture::from(load(&address.href())?).await?.unchecked_into())
    }

    fn take_over(self, module: Module) {
        module.meet(&self.host.get_value());
        for place in self.places.get_value() {
            if let Some(element) = document().get_element_by_id(&place_id(place.id)) {
                module.mount(&element, place.id, place.name, place.calculators);
            }
        }
        self.module.set_value(Some(module));
    }

    /// Tells the module all assumptions, now and whenever one changes. What it cannot read came by an address.
    fn show(self) {
        let pairs = Array::new();
        for (name, text) in self.state.assumptions() {
            pairs.push(&name.into());
            pairs.push(&text.into());
        }
        if self.status.get() != Status::Ready {
            return;
        }
        let Some(module) = self.module.get_value() else { return };
        let state = self.state;
        let from = untrack(|| state.outlines().get(state.cell()).map_or("", |outline| outline.id));
        let refused = module.show(&pairs, from);
        let mut refused = refused.iter().filter_map(|text| text.as_string());
        while let (Some(name), Some(sentence)) = (refused.next(), refused.next()) {
            state.notify(format!("{sentence}."));
            state.refuse(&name);
        }
    }

    /// Lights a part of a cell; tracked.
    pub fn light(self, id: &str, part: &str) {
        if self.status.get() == Status::Ready
            && let Some(module) = self.module.get_value()
        {
            module.light(id, part);
        }
    }

    /// Whether the module failed to load; tracked.
    #[must_use]
    pub fn is_broken(self) -> bool {
        self.status.get() == Status::Broken
    }

    /// Whether the cells still show what they were built with while the reader has other assumptions; tracked.
    #[must_use]
    pub fn is_behind(self) -> bool {
        self.status.get() != Status::Ready && !self.state.assumptions().is_empty()
    }

    /// What there is to say about the module; tracked.
    #[must_use]
    pub fn news(self) -> &'static str {
        match self.status.get() {
            Status::Late => {
                "The calculators are still on their way; what you change is computed as soon as they are here."
            }
            Status::Broken => "The calculators could not be loaded; the figures are those of the defaults.",
            _ => "",
        }
    }
}

/// The page's module of calculators.
#[must_use]
pub fn use_sheets() -> Sheets {
    expect_context()
}

fn give(host: &Object, name: &str, function: &JsValue) {
    // A fresh object takes every key.
    drop(Reflect::set(host, &name.into(), function));
}
