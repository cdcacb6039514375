//! Terms of the field, and what they mean.

use leptos::prelude::*;
use napkin_trace::glossary::{Term, terms};

#[component]
pub fn Terms() -> impl IntoView {
    let row = |Term { name, means, .. }: &'static Term| {
        view! { <dt>{name.as_str()}</dt><dd>{means.as_str()}</dd> }
    };
    view! { <dl class="terms">{terms().iter().map(row).collect_view()}</dl> }
}
