//! The state in the browser's address and history.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::signals::effect;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsValue;

use super::State;

/// Browsers refuse more than about a hundred changes of the address in half a minute.
const QUIET: Duration = Duration::from_millis(300);

/// The address as it is, and the change of it that waits for the reader's hand to rest.
#[derive(Default)]
struct Address {
    /// Pairs of the query that are not the state's.
    others: Vec<(String, String)>,
    /// The query that tells what the address tells, perhaps in more words.
    query: String,
    pending: Option<(TimeoutHandle, String)>,
}

/// Takes the state from the address and tells `on_arrival` which cell it names, and from then on keeps the address true: replaced while values
/// change, pushed when the reader goes to another step or cell. Does nothing while the page is rendered at
/// build time.
pub fn connect(state: State, on_arrival: fn(usize)) {
    effect(move |_| {
        let address = Rc::new(RefCell::new(Address::default()));
        restore(state, &address);
        on_arrival(untrack(|| state.cell()));
        let popped = Rc::clone(&address);
        // The page listens as long as it lives.
        let _ = window_event_listener(leptos::ev::popstate, move |_| {
            restore(state, &popped);
            on_arrival(untrack(|| state.cell()));
        });
        effect(move |_| follow(state, &address));
    });
}

fn restore(state: State, address: &RefCell<Address>) {
    let mut address = address.borrow_mut();
    if let Some((timer, _)) = address.pending.take() {
        timer.clear();
    }
    address.others = state.apply(&window().location().search().unwrap_or_default());
    address.query = untrack(|| state.query(&address.others));
}

fn follow(state: State, shared: &Rc<RefCell<Address>>) {
    let mut address = shared.borrow_mut();
    let query = state.query(&address.others);
    let is_step = state.take_step_taken();
    let waiting = address.pending.take().map(|(timer, query)| {
        timer.clear();
        query
    });
    if is_step {
        // The values that the reader leaves behind belong to the entry before.
        if let Some(waiting) = waiting {
            tell(&waiting, false);
        }
        if query != address.query {
            tell(&query, true);
            address.query = query;
        }
    } else if query != address.query {
        let later = Rc::clone(shared);
        let tell_later = move || {
            let mut address = later.borrow_mut();
            if let Some((_, query)) = address.pending.take() {
                tell(&query, false);
                address.query = query;
            }
        };
        address.pending = set_timeout_with_handle(tell_later, QUIET).ok().map(|timer| (timer, query));
    }
}

/// A browser that refuses keeps its old address; nothing else depends on it.
fn tell(query: &str, is_new_entry: bool) {
    let Ok(path) = window().location().pathname() else { return };
    let hash = window().location().hash().unwrap_or_default();
    let address = format!("{path}{query}{hash}");
    let Ok(history) = window().history() else { return };
    let _ = if is_new_entry {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    };
}

/// The whole address of the state as it is now.
#[must_use]
pub fn link(state: State) -> String {
    let location = window().location();
    let others = state.others_of(&location.search().unwrap_or_default());
    let query = untrack(|| state.query(&others));
    format!("{}{}{query}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default())
}
