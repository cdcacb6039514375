//! The address and the browser's history.

use std::collections::VecDeque;

use wasm_bindgen::JsValue;

use super::{later, window, with_desk};

/// Browsers refuse more than about a hundred entries in half a minute.
const MOST: usize = 50;
const WHILE_MS: f64 = 30_000.0;
/// How long the reader's hand rests before the address follows what moves.
const QUIET_MS: i32 = 300;

/// What the address says, and what it will.
#[derive(Default)]
pub(super) struct History {
    entries: VecDeque<f64>,
    pending: Option<(i32, String)>,
}

impl History {
    /// Makes the address true: at once as a new entry, or later in place of this one.
    pub(super) fn tell(&mut self, query: String, is_new_entry: bool) {
        self.forget();
        let now = js_sys::Date::now();
        while self.entries.front().is_some_and(|time| now - time > WHILE_MS) {
            self.entries.pop_front();
        }
        if is_new_entry && self.entries.len() < MOST {
            self.entries.push_back(now);
            write(&query, true);
        } else {
            let timer = later(QUIET_MS, || {
                if let Some((_, query)) = with_desk(|desk| desk.history.pending.take()) {
                    write(&query, false);
                }
            });
            self.pending = timer.map(|timer| (timer, query));
        }
    }

    /// The address is told what it is: nothing is pending any more.
    pub(super) fn forget(&mut self) {
        if let (Some((timer, _)), Some(window)) = (self.pending.take(), window()) {
            window.clear_timeout_with_handle(timer);
        }
    }
}

/// A browser that refuses keeps its old address; nothing else depends on it.
fn write(query: &str, is_new_entry: bool) {
    let Some(window) = window() else { return };
    let (Ok(path), Ok(history)) = (window.location().pathname(), window.history()) else { return };
    let address = format!("{path}{query}");
    drop(if is_new_entry {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    });
}

/// The whole address of a query.
pub(super) fn link(query: &str) -> Option<String> {
    let location = window()?.location();
    Some(format!("{}{}{query}", location.origin().ok()?, location.pathname().ok()?))
}
