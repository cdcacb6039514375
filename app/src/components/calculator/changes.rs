//! "MFU 0.5 → 0.4 moves 4 figures here and 3 in Reality."

use std::collections::BTreeMap;

use leptos::prelude::*;
use napkin_accounting::calc::{Calculator, Sheet};

use super::calculators::Shown;
use super::group::Group;

#[derive(Debug, Clone)]
pub(super) struct Change {
    /// The place in the page at which it was made; empty if it was made elsewhere.
    pub(super) from: String,
    pub(super) values: Vec<(&'static str, String, String)>,
    pub(super) moved: BTreeMap<&'static str, Moved>,
}

/// Figures by their index in the answer, and what they were.
pub(super) type Moved = Vec<(usize, String)>;

/// The figures that have another value; of several with one name each is compared with its own.
pub(super) fn moved(before: &Sheet, after: &Sheet) -> Moved {
    let mut old = before.figures();
    let pairs = after.figures().into_iter().enumerate().filter_map(|(index, figure)| {
        let at = old.iter().position(|before| before.name == figure.name)?;
        let before = old.remove(at);
        (before.value != figure.value).then(|| (index, before.short()))
    });
    pairs.collect()
}

/// What the last change has moved, here and in the other calculators over the same assumptions.
#[component]
pub(super) fn ChangeSentence(group: Group) -> AnyView {
    let change = move || group.shown().change.get();
    // Only the place at which it was made says it aloud.
    let is_silent = Memo::new(move |_| change().is_some_and(|change| change.from != group.id()));
    view! {
        <p class="moves" role=move || (!is_silent.get()).then_some("status")>
            {move || sentence(group, &change()?)}
        </p>
    }
    .into_any()
}

fn sentence(group: Group, change: &Change) -> Option<impl IntoView + use<>> {
    let count = |calculators: &[&Calculator]| {
        calculators.iter().filter_map(|one| change.moved.get(one.id)).map(Vec::len).sum::<usize>()
    };
    let (id, here) = (group.id(), count(&group.members()));
    if change.from != id && here == 0 {
        return None;
    }
    let values = change.values.iter().enumerate().map(|(index, (label, before, after))| {
        let comma = (index > 0).then_some(", ");
        view! { {comma}<strong>{format!("{label} {before} → {after}")}</strong> }
    });
    let others: Vec<Shown> = group.shown().shown.get().into_iter().filter(|other| other.id != id).collect();
    let from = others.iter().find(|other| other.id == change.from);
    let from = from.map(|from| view! { ", changed in " {link(from)} "," });
    let elsewhere: Vec<(usize, &Shown)> = others
        .iter()
        .filter(|_| change.from == id)
        .map(|other| (count(&other.calculators), other))
        .filter(|(count, _)| *count > 0)
        .collect();
    let last = elsewhere.len();
    let elsewhere = elsewhere.into_iter().enumerate().map(|(index, (count, other))| {
        let joint = if index + 1 < last { ", " } else { " and " };
        view! { {format!("{joint}{count} in ")} {link(other)} }
    });
    let figures = match here {
        0 => "no figure here".to_owned(),
        1 => "1 figure here".to_owned(),
        _ => format!("{here} figures here"),
    };
    Some(view! {
        {values.collect_view()}
        {from}
        {if change.values.len() > 1 { " move " } else { " moves " }}
        {figures}
        {elsewhere.collect_view()}
        "."
    })
}

fn link(to: &Shown) -> impl IntoView + use<> {
    view! { <a href=format!("#{}", to.id) data-of=to.id.clone()>{to.name.clone()}</a> }
}
