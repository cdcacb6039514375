//! Copying, and saying so.

use std::time::Duration;

use crate::signals::{RwSignal, StoredValue};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// How long an announcement stays.
const SHOWN: Duration = Duration::from_secs(5);

/// Says short things to everybody, screen readers included; a copy is the same one.
#[derive(Clone, Copy)]
pub struct Announcer {
    words: RwSignal<String>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Announcer {
    /// Puts an announcer into the context of the page.
    pub fn provide() -> Self {
        let announcer = Self { words: RwSignal::new(String::new()), timer: StoredValue::new(None) };
        provide_context(announcer);
        announcer
    }

    /// What is being said; tracked.
    #[must_use]
    pub fn words(self) -> String {
        self.words.get()
    }

    /// Says it for a while.
    pub fn say(self, words: impl Into<String>) {
        self.words.set(words.into());
        let timer = set_timeout_with_handle(move || self.words.set(String::new()), SHOWN).ok();
        if let Some(last) = self.timer.update_value(|slot| std::mem::replace(slot, timer)) {
            last.clear();
        }
    }
}

/// The page's announcer.
#[must_use]
pub fn use_announcer() -> Announcer {
    expect_context()
}

/// Copies a text and says that `what` was copied, or that the browser refused.
pub fn copy(announcer: Announcer, what: impl Into<String>, text: String) {
    let what = what.into();
    spawn_local(async move {
        announcer.say(match write(&text).await {
            Ok(()) => format!("{what} copied."),
            Err(_) => format!("This browser does not let the page copy. {what}: {text}"),
        });
    });
}

async fn write(text: &str) -> Result<(), JsValue> {
    let navigator = window().navigator();
    // Only pages from a secure origin have a clipboard.
    if !js_sys::Reflect::get(&navigator, &"clipboard".into())?.is_object() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.map(drop)
}
