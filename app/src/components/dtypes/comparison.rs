//! All formats side by side: what each keeps of the number.

use leptos::prelude::*;
use napkin_engine::format::{Format, Rounding};

use super::bits::percent;
use super::decimal::exact;
use super::number::{Number, name};
use crate::components::number::repr;

/// What became of a number, in words and with a sign that is not a colour.
fn verdict(format: Format, value: f64) -> (&'static str, &'static str, String) {
    let (bits, rounding) = format.store(value);
    let kept = format.decode(bits);
    match rounding {
        Rounding::Exact => ("is-exact", "✓", "exact".to_owned()),
        Rounding::Inexact => {
            ("is-rounded", "≈", format!("rounded, {} off", percent(((kept - value) / value).abs())))
        }
        Rounding::Underflow => ("is-lost", "↓", "underflows to 0".to_owned()),
        Rounding::Overflow if kept.is_infinite() => ("is-lost", "↑", "overflows to infinity".to_owned()),
        Rounding::Overflow if kept.is_nan() => ("is-lost", "↑", "overflows to NaN".to_owned()),
        Rounding::Overflow => ("is-lost", "↑", "overflows: the largest number is stored".to_owned()),
    }
}

#[component]
pub fn Comparison(number: Number) -> impl IntoView {
    let rows = Format::ALL.map(|format| {
        let kept = move || format.decode(format.store(number.value()).0);
        let verdict = move || {
            let (class, sign, words) = verdict(format, number.value());
            view! {
                <td class=format!("verdict {class}")>
                    <span class="verdict-sign" aria-hidden="true">{sign}</span>
                    {words}
                </td>
            }
        };
        view! {
            <tr class:is-chosen=move || number.format() == format>
                <th scope="row">
                    <button type="button" on:click=move |_| number.set_format(format)>{name(format)}</button>
                </th>
                <td class="kept-value" title=move || exact(kept())>{move || repr(kept())}</td>
                {verdict}
            </tr>
        }
    });
    view! {
        <div class="scroll">
            <table class="kept">
                <thead>
                    <tr><th scope="col">"format"</th><th scope="col">"keeps"</th><th scope="col">"which is"</th></tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}
