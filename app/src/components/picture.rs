//! Pictures of a lecture: files beside it, or files that were dropped with it. No other host is asked for one, and for a
//! lecture that was dropped none at all.

use std::collections::BTreeMap;

use leptos::prelude::*;
use web_sys::Url;

use super::reference::link;
use super::style::Style;

/// Where the pictures of a lecture are, for whoever shows one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pictures {
    /// The address of the lecture, relative to the page's; none of one that came as a file, which has nothing beside it.
    pub base: Option<String>,
    /// Addresses of what was dropped beside it, by its path.
    pub dropped: BTreeMap<String, String>,
}

/// Those of a lecture of this site.
impl Default for Pictures {
    fn default() -> Self {
        Self { base: Some(String::new()), dropped: BTreeMap::new() }
    }
}

impl Pictures {
    /// The address of a picture that may be shown; none of one that lies on another host than the lecture.
    fn address(&self, name: &str) -> Option<String> {
        if let Some(address) = self.dropped(name) {
            return Some(address);
        }
        // In an image no script runs.
        if name.starts_with("data:image/") {
            return Some(name.to_owned());
        }
        let page = document().base_uri().ok().flatten()?;
        let base = Url::new_with_base(self.base.as_deref()?, &page).ok()?;
        let address = Url::new_with_base(name, &base.href()).ok()?;
        (address.origin() == base.origin() && address.protocol().starts_with("http")).then(|| address.href())
    }

    /// What was dropped under that path, or as the only one under the end of it.
    fn dropped(&self, name: &str) -> Option<String> {
        let path = name.trim_start_matches("./");
        if let Some(address) = self.dropped.get(path) {
            return Some(address.clone());
        }
        let ends = |one: &str, other: &str| one.strip_suffix(other).is_some_and(|rest| rest.ends_with('/'));
        let mut found = self.dropped.iter().filter(|(known, _)| ends(known, path) || ends(path, known));
        let (_, address) = found.next()?;
        found.next().is_none().then(|| address.clone())
    }
}

/// A picture; where there is none, its place with its name.
#[component]
pub fn PictureView(address: String, style: Style) -> impl IntoView {
    let pictures = use_context::<Signal<Pictures>>();
    let address = StoredValue::new(address);
    // Nothing is looked for before the page lives; what is missing may be dropped later.
    let is_missing = RwSignal::new(true);
    Effect::new(move || {
        pictures.iter().for_each(Signal::track);
        is_missing.set(false);
    });
    let source = move || {
        let pictures = pictures.filter(|_| !is_missing.get())?;
        address.with_value(|address| pictures.with(|it| it.address(address)))
    };
    let name = address.get_value();
    let alt = name.rsplit('/').next().filter(|_| !name.starts_with("data:")).unwrap_or_default().to_owned();
    move || match source() {
        Some(source) => view! {
            <img
                class="picture"
                src=source
                alt=alt.clone()
                style=style.css.clone()
                loading="lazy"
                on:error=move |_| is_missing.set(true)
            />
        }
        .into_any(),
        None => view! { <p class="image">"Image: " {link(name.clone(), name.clone())}</p> }.into_any(),
    }
}
