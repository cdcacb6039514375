//! The fields of calculators: numbers with sliders, switches and lines of text.

use std::collections::BTreeSet;

use leptos::prelude::*;
use leptos::web_sys::HtmlSelectElement;
use napkin_accounting::calc::{self, Calculator, Kind, listed};
use napkin_accounting::format;

use super::control::{Control, FieldState};
use super::derivation::symbol;
use super::group::Group;
use super::list_field::ListField;
use super::wording;
use crate::controls::{Line, Message, Slider};

#[component]
pub(super) fn Fields(group: Group) -> impl IntoView {
    let mut keys = BTreeSet::new();
    let mut fields_of = |calculator: &'static Calculator| {
        let fields = calculator.fields.iter().copied().filter(|field| keys.insert(field.key));
        (calculator.title, fields.collect::<Vec<_>>())
    };
    let mut sections: Vec<_> = group.members().into_iter().map(&mut fields_of).collect();
    sections.retain(|(_, fields)| !fields.is_empty());
    let is_one = sections.len() == 1;
    let sections = sections.into_iter().map(|(title, fields)| {
        let controls =
            fields.into_iter().map(|field| view! { <FieldControl control=Control::new(field, group)/> });
        view! {
            <fieldset class="group" aria-label=is_one.then_some("Assumptions")>
                {(!is_one).then(|| view! { <legend>{title}</legend> })}
                <div class="controls">{controls.collect_view()}</div>
            </fieldset>
        }
    });
    sections.collect_view()
}

/// A field with its label and what is wrong with it.
#[component]
fn FieldControl(control: Control) -> AnyView {
    let Control { field, state, .. } = control;
    let message = Signal::derive(move || state.with(|state| state.problem.clone()));
    let message = view! { <Message id=control.id() text=message/> };
    let (class, input) = match field.kind {
        Kind::Switch => {
            let is_on = Memo::new(move |_| state.with(|state| wording::is_on(&state.assumed)));
            return view! {
                <div class="switch-field">
                    <label class="switch" title=field.help>
                        <input
                            type="checkbox"
                            role="switch"
                            data-field=field.key
                            autocomplete="off"
                            checked=is_on
                            prop:checked=is_on
                            aria-describedby=control.message_id()
                            on:change=move |event| {
                                control.type_text(if event_target_checked(&event) { "on" } else { "" });
                            }
                        />
                        <span>{field.label}</span>
                    </label>
                    {message}
                </div>
            }
            .into_any();
        }
        Kind::Choice(_) | Kind::Device | Kind::Model => ("choose", view! { <ListField control/> }.into_any()),
        Kind::Number(range) => ("number", view! { <NumberField control slider=range.slider/> }.into_any()),
        Kind::Link | Kind::Devices => ("text", listed_line(control).into_any()),
        _ => ("text", text_input(control).into_any()),
    };
    let symbol = (!field.symbol.is_empty()).then(|| {
        view! {
            " "
            <span aria-hidden="true">{symbol(field.symbol)}</span>
        }
    });
    view! {
        <div class=class class:is-bad=move || control.is_bad()>
            <label for=control.id() title=field.help>
                {field.label}
                {symbol}
            </label>
            {input}
            {message}
        </div>
    }
    .into_any()
}

fn text_input(control: Control) -> impl IntoView {
    let Control { field, state, .. } = control;
    view! {
        <Line
            id=control.id()
            text=Signal::derive(move || state.with(|state| state.text.clone()))
            is_bad=Signal::derive(move || control.is_bad())
            inputmode=if matches!(field.kind, Kind::Number(_)) { "decimal" } else { "text" }
            on_type=move |text| control.type_text(&text)
            attr:data-field=field.key
            attr:placeholder=move || state.with(FieldState::given_text)
        />
    }
}

#[component]
fn NumberField(control: Control, slider: Option<calc::Slider>) -> impl IntoView {
    let Control { field, state, .. } = control;
    let slider = slider.map(|range| {
        let words = move || state.with(|state| state.given_text().unwrap_or_else(|| state.assumed.clone()));
        view! {
            <Slider
                label=field.label
                range
                value=Signal::derive(move || state.with(|state| state.number(field)))
                words=Signal::derive(words)
                move_to=move |value| control.type_text(&format::typed(value))
                attr:data-slider=field.key
            />
        }
    });
    let hint = move || {
        let given = state.with(FieldState::given_text);
        given.map(|given| view! { <p class="hint">{format!("{given} unless you type another")}</p> })
    };
    view! {
        <span class="number-field">{text_input(control)}</span>
        {slider}
        {hint}
    }
}

/// A line of text, and below it what the catalogue has for it.
fn listed_line(control: Control) -> impl IntoView {
    let assumed = Memo::new(move |_| control.state.with(|state| state.assumed.clone()));
    let options = move || {
        let assumed = assumed.read();
        // For a list each choice is the list as it is, and one more.
        let is_list = matches!(control.field.kind, Kind::Devices);
        let listed: Vec<&str> = if is_list { listed(&assumed).collect() } else { Vec::new() };
        let others = wording::offered(control.field).into_iter().filter(|(id, _)| !listed.contains(id));
        let text = |id| [&listed[..], &[id]].concat().join(", ");
        others.map(|(id, name)| view! { <option value=text(id)>{name}</option> }).collect_view()
    };
    view! {
        {text_input(control)}
        <select
            data-pick=control.field.key
            aria-label=format!("{}, from the catalogue", control.field.label)
            autocomplete="off"
            on:change=move |event| {
                control.type_text(&event_target_value(&event));
                // It only fills the line.
                event_target::<HtmlSelectElement>(&event).set_value("");
            }
        >
            <option value="">"From the catalogue …"</option>
            {options}
        </select>
    }
}
