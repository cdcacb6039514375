//! Calculators that stand together in the page and share their fields.

use leptos::prelude::*;
use leptos::web_sys::Element;
use napkin_accounting::calc::Calculator;

use super::calculators::{Calculators, use_calculators};
use crate::state::{is_hydrating, use_hydrated};

/// A handle to them; a copy is the same.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) calculators: Calculators,
    /// The same; while the page is hydrated with changed assumptions, a copy with those that its HTML was built from.
    shown: Signal<Calculators>,
    id: StoredValue<String>,
    members: StoredValue<Vec<&'static Calculator>>,
    pub(super) chart_width: RwSignal<f64>,
}

/// A chart is this wide before the page is drawn.
const USUAL_WIDTH: f64 = 640.0;
/// The least and the most.
const WIDTHS: (f64, f64) = (240.0, 900.0);
/// What is around a chart in its place, in CSS pixels.
const AROUND: f64 = 44.0;

impl Group {
    /// These calculators at the place `id` of the page.
    pub(super) fn new(id: String, members: Vec<&'static Calculator>) -> Self {
        let calculators = use_calculators();
        calculators.shown.update(|all| drop(all.insert(id.clone(), members.clone())));
        let place = id.clone();
        // With the page itself everything goes.
        on_cleanup(move || {
            let _ = calculators.shown.try_update(|all| all.remove(&place));
        });
        let written =
            (is_hydrating() && !calculators.is_untouched()).then(|| Calculators::new(calculators.start()));
        let is_hydrated = use_hydrated();
        let shown = move || written.filter(|_| !is_hydrated.get()).unwrap_or(calculators);
        Self {
            calculators,
            shown: Signal::derive(shown),
            id: StoredValue::new(id),
            members: StoredValue::new(members),
            chart_width: RwSignal::new(USUAL_WIDTH),
        }
    }

    /// The assumptions and answers to show; tracked.
    pub(super) fn shown(self) -> Calculators {
        self.shown.get()
    }

    /// Makes charts as wide as there is room for them in their place.
    pub(super) fn measure(self, place: &Element) {
        let inside = f64::from(place.client_width()) - AROUND;
        let fitting = inside.clamp(WIDTHS.0, WIDTHS.1);
        // What is not shown has no width.
        if inside > 0.0 && self.chart_width.get_untracked() != fitting {
            self.chart_width.set(fitting);
        }
    }

    pub(super) fn id(self) -> String {
        self.id.get_value()
    }

    pub(super) fn members(self) -> Vec<&'static Calculator> {
        self.members.get_value()
    }

    /// What the last change has moved in these calculators, if it was of a field of theirs, as in "MFU 0.5 → 0.4 moves 4
    /// figures here."; tracked.
    pub(super) fn sentence(self) -> Option<String> {
        let members = self.members();
        let asks = |key: &str| members.iter().any(|one| one.fields.iter().any(|field| field.key == key));
        let change = self.shown().change.get()?;
        let values: Vec<String> = change
            .values
            .iter()
            .filter(|(key, ..)| asks(key))
            .map(|(_, label, before, after)| format!("{label} {before} → {after}"))
            .collect();
        let moves = match values.len() {
            0 => return None,
            1 => "moves",
            _ => "move",
        };
        let here: usize = members.iter().filter_map(|one| change.moved.get(one.id)).map(Vec::len).sum();
        let figures = match here {
            0 => "no figure here".to_owned(),
            1 => "1 figure here".to_owned(),
            _ => format!("{here} figures here"),
        };
        Some(format!("{} {moves} {figures}.", values.join(", ")))
    }
}
