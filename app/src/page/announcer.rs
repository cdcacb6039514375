//! Short things that are said to everybody, and copying, which says so.

use std::time::Duration;

use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How long an announcement stays.
const SHOWN: Duration = Duration::from_secs(5);

/// Says short things to everybody, screen readers included; a copy is the same one.
#[derive(Clone, Copy)]
pub struct Announcer(RwSignal<String>);

impl Announcer {
    /// Puts an announcer into the context of the page.
    pub fn provide() {
        provide_context(Self(RwSignal::default()));
    }

    /// Says it for a while.
    pub fn say(self, words: impl Into<String>) {
        self.0.set(words.into());
    }
}

/// The page's announcer.
pub fn use_announcer() -> Announcer {
    expect_context()
}

/// Where it is said.
#[component]
pub fn Announcements() -> impl IntoView {
    let Announcer(words) = use_announcer();
    let mut end = debounce(SHOWN, move |()| words.set(String::new()));
    Effect::new(move || {
        if !words.read().is_empty() {
            end(());
        }
    });
    // Nothing at all rather than an empty text: its style asks whether it is empty.
    let words = move || Some(words.get()).filter(|words| !words.is_empty());
    view! { <p class="announcer" role="status">{words}</p> }
}

/// Copies a text and says that `what` was copied, or that the browser refused.
pub fn copy(announcer: Announcer, what: impl Into<String>, text: String) {
    let what = what.into();
    spawn_local(async move {
        // Only pages from a secure origin have a clipboard.
        let is_copied =
            window().is_secure_context() && window().navigator().clipboard().write_text(&text).await.is_ok();
        announcer.say(match is_copied {
            true => format!("{what} copied."),
            false => format!("This browser does not let the page copy. {what}: {text}"),
        });
    });
}
