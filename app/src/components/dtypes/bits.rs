//! A pattern as switches, and what it says.

use leptos::prelude::*;
use napkin_engine::format::{Format, Specials};

use super::decimal::exact;
use super::number::{Number, name};
use crate::components::number::repr;

#[component]
pub fn Formats(number: Number) -> impl IntoView {
    let buttons = Format::ALL.map(|format| {
        view! {
            <button
                type="button"
                aria-pressed=move || (number.format() == format).to_string()
                on:click=move |_| number.set_format(format)
            >
                {name(format)}
            </button>
        }
    });
    view! { <div class="formats" role="group" aria-label="Format">{buttons.collect_view()}</div> }
}

#[component]
pub fn Switches(number: Number) -> impl IntoView {
    // The switches are made anew for another format only: a flip leaves the focus where it is.
    let format = Memo::new(move |_| number.format());
    let fields = move || {
        let Format { exponent_bits, fraction_bits, .. } = format.get();
        let fields = [
            ("sign", fraction_bits + exponent_bits, 1),
            ("exponent", fraction_bits, exponent_bits),
            ("fraction", 0, fraction_bits),
        ];
        fields.map(|(field, low, count)| view! { <Field number field low count /> }).collect_view()
    };
    view! { <div class="switches">{fields}</div> }
}

#[component]
fn Field(number: Number, field: &'static str, low: u32, count: u32) -> impl IntoView {
    let switches = (0..count).rev().map(|place| {
        let bit = 1 << (low + place);
        let digit = move || u8::from(number.pattern() & bit != 0);
        view! {
            <button
                type="button"
                class="bit"
                aria-label=move || format!("{field} bit {place}: {}", digit())
                aria-pressed=move || (digit() == 1).to_string()
                on:click=move |_| number.set_pattern(untrack(|| number.pattern()) ^ bit)
            >
                {digit}
            </button>
        }
    });
    view! {
        <div class=format!("field field-{field}") role="group" aria-label=field>
            <span class="field-name">{field}" · "{count}</span>
            <div class="field-bits">{switches.collect_view()}</div>
        </div>
    }
}

#[component]
pub fn Formula(number: Number) -> impl IntoView {
    move || {
        let (format, pattern) = (number.format(), number.pattern());
        let (sign, exponent, fraction) = format.fields(pattern);
        let value = format.decode(pattern);
        let (bias, whole) = (format.bias(), 1_u32 << format.fraction_bits);
        let (power, digits) = match exponent {
            0 => (format!("1 − {bias}"), format!("{fraction}/{whole}")),
            _ => (format!("{exponent} − {bias}"), format!("(1 + {fraction}/{whole})")),
        };
        let formula = value.is_finite().then(|| {
            view! {
                <p class="formula">
                    <span class="of-sign">"(−1)"<sup>{sign}</sup></span>
                    " · "
                    <span class="of-exponent">"2"<sup>{power}</sup></span>
                    " · "
                    <span class="of-fraction">{digits}</span>
                </p>
            }
        });
        let all_digits = exact(value);
        let is_long = all_digits != repr(value).trim_end_matches(".0");
        view! {
            {formula}
            <p class="says" role="status">
                <span class="says-value">{repr(value)}</span>
                <span class="note">{meaning(format, pattern)}</span>
            </p>
            {is_long.then(|| view! { <p class="digits">"exactly " <code>{all_digits}</code></p> })}
        }
    }
}

fn meaning(format: Format, pattern: u32) -> &'static str {
    let (_, exponent, fraction) = format.fields(pattern);
    let value = format.decode(pattern);
    if value.is_nan() && format.specials == Specials::FiniteNan {
        "not a number: all exponent and fraction bits are 1, the only such pattern of this format"
    } else if value.is_nan() {
        "not a number: all exponent bits are 1, and some fraction bit is"
    } else if value.is_infinite() {
        "infinity: all exponent bits are 1, no fraction bit is"
    } else if value == 0.0 {
        "zero: no exponent bit and no fraction bit is 1"
    } else if exponent == 0 {
        "subnormal: the exponent field is 0, so there is no leading 1 and precision fades out"
    } else if fraction == 0 {
        "normal: a power of two"
    } else {
        "normal: the leading 1 is not stored"
    }
}

#[component]
pub fn Neighbours(number: Number) -> impl IntoView {
    move || {
        let (format, pattern) = (number.format(), number.pattern());
        let value = format.decode(pattern);
        let gap_to = |next: u32| (format.decode(next) - value).abs();
        let side = |is_up: bool, class: &'static str, words: &'static str| {
            let Some(next) = format.neighbour(pattern, is_up) else {
                return view! { <p class=class>{words} ": none that is finite"</p> }.into_any();
            };
            view! {
                <button type="button" class=class on:click=move |_| number.set_pattern(next)>
                    <span class="neighbour-words">{words}</span>
                    <span class="neighbour-value">{repr(format.decode(next))}</span>
                    <span class="neighbour-gap">{repr(gap_to(next))} " away"</span>
                </button>
            }
            .into_any()
        };
        let above = format.neighbour(pattern, true).filter(|_| value != 0.0 && value.is_finite());
        let relative = above.map(|next| {
            format!("The gap above is {} of the number itself.", percent(gap_to(next) / value.abs()))
        });
        view! {
            <div class="neighbours">
                {side(false, "neighbour is-below", "Next below")}
                <p class="neighbour is-here"><span class="neighbour-value">{repr(value)}</span></p>
                {side(true, "neighbour is-above", "Next above")}
            </div>
            <p class="note">{relative}</p>
        }
    }
}

pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 0.01 { format!("{percent:.2}%") } else { format!("{percent:.1e}%") }
}
