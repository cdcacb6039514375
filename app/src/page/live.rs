//! What the first screen does not need: drawings, calculators, machines. In the browser it is a module of its own, which
//! is fetched when something of it is to be drawn.

use std::pin::Pin;

use leptos::prelude::*;
use leptos::task::spawn_local;
use napkin_accounting::calc::Figure;
use napkin_trace::trace::{Drawing, Rendering};

/// What is in that module. Nothing else may name what these functions call: it would be in the page's own module.
pub struct Parts {
    /// A drawing that is no prose; its ids begin with the text.
    pub drawing: fn(Drawing, String) -> AnyView,
    /// A rendering that is a calculator, with its id, file and function: its fields follow the lecture's sliders.
    pub calculator: fn(Rendering, String, String, String) -> AnyView,
    /// How a figure of a calculator comes about.
    pub derivation: fn(Figure) -> AnyView,
    /// All that the page of all tools shows.
    pub tools: fn() -> AnyView,
}

/// Fetches the module; nothing where that fails.
pub type Fetch = fn() -> Pin<Box<dyn Future<Output = Option<&'static Parts>>>>;

#[derive(Clone, Copy)]
enum State {
    Unasked,
    Asked,
    Here(&'static Parts),
    Failed,
}

/// That module in the context of the page; a copy is the same.
#[derive(Clone, Copy)]
pub struct Live {
    state: RwSignal<State>,
    fetch: Fetch,
}

impl Live {
    /// Puts it into the context, with its parts where they are here.
    pub fn provide(parts: Option<&'static Parts>, fetch: Fetch) {
        let state = RwSignal::new(parts.map_or(State::Unasked, State::Here));
        provide_context(Self { state, fetch });
    }

    /// Its parts, once they are here; tracked.
    pub fn parts(self) -> Option<&'static Parts> {
        if let State::Here(parts) = self.state.get() { Some(parts) } else { None }
    }

    /// Fetches it, if nobody has yet.
    pub fn ask(self) {
        if matches!(self.state.get_untracked(), State::Unasked | State::Failed) {
            self.state.set(State::Asked);
            spawn_local(async move {
                let parts = (self.fetch)().await;
                self.state.set(parts.map_or(State::Failed, State::Here));
            });
        }
    }

    /// Whether it is here, or cannot be had; tracked.
    pub fn is_settled(self) -> bool {
        matches!(self.state.get(), State::Here(_) | State::Failed)
    }
}

/// That module, which every page has in its context.
pub fn use_live() -> Live {
    expect_context()
}

/// What is drawn with the parts of that module, once they are here.
#[component]
pub fn WithParts(
    /// Draws it.
    draw: impl Fn(&'static Parts) -> AnyView + Send + 'static,
) -> impl IntoView {
    let live = use_live();
    move || match live.state.get() {
        State::Here(parts) => untrack(|| draw(parts)),
        State::Failed => view! {
            <p class="waiting" role="status">
                "What draws this could not be fetched. "
                <button type="button" on:click=move |_| live.ask()>"Try again"</button>
            </p>
        }
        .into_any(),
        State::Unasked | State::Asked => {
            // Not while the page is being drawn.
            Effect::new(move || live.ask());
            view! { <p class="waiting fetching">"What draws this is being fetched."</p> }.into_any()
        }
    }
}
