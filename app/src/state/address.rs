//! The values in the browser's address and history.

use std::time::Duration;

use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::HtmlInputElement;

use super::Values;

/// Browsers refuse more than about a hundred changes of the address in half a minute.
const PAUSE: Duration = Duration::from_millis(300);

/// The address as the browser was told it last; a copy is the same.
#[derive(Clone, Copy)]
struct Address {
    values: Values,
    query: StoredValue<String>,
    /// The same as it stands there, perhaps in other words.
    search: StoredValue<String>,
    /// A query that waits for the reader's hand to rest.
    waiting: StoredValue<Option<String>>,
}

/// Takes the values from the address, now and when the reader goes through the history, and from then on keeps the
/// address true. Does nothing while the page is rendered at build time.
pub fn connect(values: Values) {
    let address = Address {
        values,
        query: StoredValue::default(),
        search: StoredValue::default(),
        waiting: StoredValue::default(),
    };
    Effect::new(move || {
        address.restore();
        // The page listens as long as it lives.
        let _ = window_event_listener(leptos::ev::popstate, move |_| {
            // Within the page, to a fragment, the values stay what they are.
            if address.search.get_value() != search() {
                address.restore();
            }
        });
        // Who has changed a field may leave right after. Keys that stay down change a slider without end: it waits.
        let _ = window_event_listener(leptos::ev::change, move |event| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if input.is_none_or(|input| input.type_() != "range") {
                address.tell_waiting();
            }
        });
        let mut tell_later = debounce(PAUSE, move |()| address.tell_waiting());
        Effect::new(move |before: Option<u32>| {
            let (query, entries) = (values.query(), values.entries.get());
            if before.is_some_and(|before| before != entries) {
                // The values that the reader leaves behind belong to the entry before.
                address.tell_waiting();
                if address.query.get_value() != query {
                    address.tell(query, true);
                }
            } else {
                address.waiting.set_value(Some(query));
                tell_later(());
            }
            entries
        });
    });
}

impl Address {
    fn restore(self) {
        self.waiting.set_value(None);
        self.search.set_value(search());
        self.search.with_value(|search| self.values.take(search));
        self.query.set_value(untrack(|| self.values.query()));
    }

    fn tell_waiting(self) {
        let waiting = self.waiting.try_update_value(Option::take).flatten();
        if let Some(query) = waiting.filter(|query| *query != self.query.get_value()) {
            self.tell(query, false);
        }
    }

    /// A browser that refuses keeps its old address; nothing else depends on it.
    fn tell(self, query: String, is_new_entry: bool) {
        let location = window().location();
        let (path, hash) = (location.pathname().unwrap_or_default(), location.hash().unwrap_or_default());
        let address = Some(format!("{path}{query}{hash}"));
        let _ = window().history().and_then(|history| match is_new_entry {
            true => history.push_state_with_url(&JsValue::NULL, "", address.as_deref()),
            false => history.replace_state_with_url(&JsValue::NULL, "", address.as_deref()),
        });
        self.search.set_value(search());
        self.query.set_value(query);
    }
}

fn search() -> String {
    window().location().search().unwrap_or_default()
}

/// The part of the page that the address names, or nothing.
pub fn anchor() -> String {
    window().location().hash().unwrap_or_default().trim_start_matches('#').to_owned()
}

/// Names another part of the page in the address.
pub fn set_anchor(name: &str) {
    if anchor() != name {
        let history = window().history();
        let _ =
            history.and_then(|it| it.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{name}"))));
    }
}

/// The whole address of what the reader sees now, at a part of the page by its name.
pub fn link_to(values: Values, anchor: &str) -> String {
    let location = window().location();
    let (origin, path) = (location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    format!("{origin}{path}{}{anchor}", untrack(|| values.query()))
}
