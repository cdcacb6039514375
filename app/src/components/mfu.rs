//! The MFU of a run, of the promised peak and of the one that was measured here, and a card of it to copy or to post.

use js_sys::Array;
use leptos::prelude::*;
use napkin_accounting::calc::machine::MACHINE_DATA;
use napkin_accounting::calc::mfu::{Card, MFU};

use super::calculator::{Calculator, use_calculators};
use super::machine::{Survey, today, use_records};
use super::save_picture;
use crate::page::{copy, use_announcer};
use crate::state::use_scope;
use crate::workers::{Job, use_compute_worker};

/// The calculator, what measures the peak where nothing has yet, and the card; its assumptions are those of the
/// [`Calculators`](crate::components::calculator::Calculators) in the context.
#[component]
pub fn Mfu() -> impl IntoView {
    let (worker, records, calculators) = (use_compute_worker(), use_records(), use_calculators());
    let job = Job::new(worker);
    let is_blocked = Signal::derive(move || job.is_running() || worker.devices().is_none());
    let record = Memo::new(move |_| records.shown().map(|shown| shown.record).unwrap_or_default());
    Effect::new(move || calculators.give(MFU.id, MACHINE_DATA, record.get()));
    view! {
        <Calculator id=MFU.id />
        <div class="sheets" hidden=move || !record.read().is_empty()>
            <Survey job is_blocked progress=RwSignal::new(None) />
        </div>
        <CardSection />
    }
}

#[component]
fn CardSection() -> impl IntoView {
    let (calculators, announcer) = (use_calculators(), use_announcer());
    // The build knows no day.
    let day = RwSignal::new(None);
    Effect::new(move || day.set(Some(today())));
    let id = StoredValue::new(use_scope().id("card"));
    let card = Memo::new(move |_| {
        let (day, sheet) = day.get().zip(calculators.sheet(MFU.id))?;
        Card::new(&calculators.inputs(), &sheet, &day)
    });
    let copy_card = move |_| {
        if let Some(card) = card.get_untracked() {
            copy(announcer, "The card", card.to_markdown());
        }
    };
    let save_card = move |_| {
        let name = "napkin-mfu.png";
        let arguments = Array::of2(&id.get_value().into(), &name.into());
        save_picture(announcer, name.to_owned(), "draw", arguments);
    };
    let shown = move |Card { title, formulas, numbers, conventions }: Card| {
        let formulas = formulas.into_iter().map(|formula| view! { <p><code>{formula}</code></p> });
        let numbers = numbers.into_iter().map(|number| view! { <li>{number}</li> });
        view! {
            <p class="mfu-title">{title}</p>
            {formulas.collect_view()}
            <ul>{numbers.collect_view()}</ul>
            <p class="note">{conventions}</p>
        }
    };
    view! {
        <section class="part part-card">
            <h3>"A card to copy or to post"</h3>
            <div class="mfu-card" id=id.get_value()>{move || card.get().map(shown)}</div>
            <p class="buttons">
                <button type="button" on:click=copy_card>"Copy as Markdown"</button>
                <button type="button" on:click=save_card>"Save as PNG"</button>
            </p>
        </section>
    }
}
