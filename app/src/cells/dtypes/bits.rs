//! A pattern as switches, and what it says.

use crate::dom::{IntoNode, Node};
use crate::signals::Memo;
use leptos::prelude::*;
use napkin_engine::format::{Format, Specials};
use napkin_view::view;

use napkin_accounting::decimal;

use super::decimal::{exact, repr};
use super::pad::{Pad, name};

/// Which format, as a row of buttons.
#[component]
pub fn Formats(pad: Pad) -> Node {
    let buttons = Format::ALL.map(|format| {
        view! {
            <button
                type="button"
                aria-pressed=move || (pad.format() == format).to_string()
                on:click=move |_| pad.set_format(format)
            >
                {name(format)}
            </button>
        }
    });
    view! { <div class="formats" role="group" aria-label="Format">{buttons.into_iter().collect::<Vec<_>>()}</div> }
}

/// The bits of the pattern, in their three fields.
#[component]
pub fn Switches(pad: Pad) -> Node {
    // The switches are made anew for another format only: a flip leaves the focus where it is.
    let format = Memo::new(move || pad.format());
    let fields = move || {
        let format = format.get();
        let (fraction, exponent) = (format.fraction_bits, format.exponent_bits);
        view! {
            <Field pad field="sign" low=fraction + exponent count=1 />
            <Field pad field="exponent" low=fraction count=exponent />
            <Field pad field="fraction" low=0 count=fraction />
        }
    };
    view! { <div class="switches">{fields}</div> }
}

#[component]
fn Field(pad: Pad, field: &'static str, low: u32, count: u32) -> Node {
    let switches = (0..count).rev().map(|place| {
        let bit = 1 << (low + place);
        let is_set = move || pad.pattern() & bit != 0;
        let label = move || format!("{field} bit {place}: {}", u8::from(is_set()));
        view! {
            <button
                type="button"
                class="bit"
                aria-label=label
                aria-pressed=move || is_set().to_string()
                on:click=move |_| pad.set_pattern(untrack(|| pad.pattern()) ^ bit)
            >
                {move || u8::from(is_set())}
            </button>
        }
    });
    view! {
        <div class=format!("field field-{field}") role="group" aria-label=field>
            <span class="field-name">{field}" · "{count}</span>
            <div class="field-bits">{switches.collect::<Vec<_>>()}</div>
        </div>
    }
}

/// The pattern spelled out as a formula, and its value.
#[component]
pub fn Formula(pad: Pad) -> Node {
    let draw = move || {
        let (format, pattern) = (pad.format(), pad.pattern());
        let (sign, exponent, fraction) = format.fields(pattern);
        let value = format.decode(pattern);
        let width = format.fraction_bits;
        let whole = 1_u32 << width;
        let words = meaning(format, pattern);
        let formula = value.is_finite().then(|| {
            let is_subnormal = exponent == 0;
            let (first, second) = if is_subnormal {
                (format!("1 − {}", format.bias()), format!("{fraction}/{whole}"))
            } else {
                (format!("{exponent} − {}", format.bias()), format!("(1 + {fraction}/{whole})"))
            };
            view! {
                <p class="formula">
                    <span class="of-sign">"(−1)"<sup>{sign}</sup></span>
                    " · "
                    <span class="of-exponent">"2"<sup>{first}</sup></span>
                    " · "
                    <span class="of-fraction">{second}</span>
                </p>
            }
        });
        let all_digits = exact(value);
        let is_long = all_digits != repr(value).trim_end_matches(".0");
        view! {
            {formula}
            <p class="says" role="status">
                <span class="says-value">{repr(value)}</span>
                <span class="note">{words}</span>
            </p>
            {is_long.then(|| view! { <p class="digits">"exactly " <code>{all_digits}</code></p> })}
        }
    };
    draw.into_node()
}

/// What kind of number a pattern is.
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

/// The numbers on either side, and the distance to them.
#[component]
pub fn Neighbours(pad: Pad) -> Node {
    let draw = move || {
        let (format, pattern) = (pad.format(), pad.pattern());
        let value = format.decode(pattern);
        let side = |is_up: bool| {
            let (class, words) = if is_up {
                ("neighbour is-above", "Next above")
            } else {
                ("neighbour is-below", "Next below")
            };
            match format.neighbour(pattern, is_up) {
                Some(next) => {
                    let there = format.decode(next);
                    view! {
                        <button type="button" class=class on:click=move |_| pad.set_pattern(next)>
                            <span class="neighbour-words">{words}</span>
                            <span class="neighbour-value">{repr(there)}</span>
                            <span class="neighbour-gap">{format!("{} away", repr((there - value).abs()))}</span>
                        </button>
                    }
                }
                None => view! { <p class=class>{format!("{words}: none that is finite")}</p> },
            }
        };
        let relative =
            format.neighbour(pattern, true).filter(|_| value != 0.0 && value.is_finite()).map(|next| {
                let gap = (format.decode(next) - value).abs();
                format!("The gap above is {} of the number itself.", percent(gap / value.abs()))
            });
        view! {
            <div class="neighbours">
                {side(false)}
                <p class="neighbour is-here"><span class="neighbour-value">{repr(value)}</span></p>
                {side(true)}
            </div>
            <p class="note">{relative}</p>
        }
    };
    draw.into_node()
}

/// A share, with two digits.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let number = if percent >= 0.01 { decimal::fixed(percent, 2) } else { decimal::scientific(percent, 1) };
    number + "%"
}
