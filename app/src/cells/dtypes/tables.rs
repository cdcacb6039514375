//! All formats side by side: what they keep, what they reach, their limits.

use std::borrow::Cow;

use crate::dom::{Node, kept};
use leptos::prelude::*;
use napkin_accounting::decimal;
use napkin_engine::format::{FloatInfo, Format, Rounding};
use napkin_view::view;

use super::bits::percent;
use super::decimal::{exact, repr, six_digits};
use super::pad::{Pad, name};

/// Powers of ten at the ends of the number line.
const LINE: (f64, f64) = (-46.0, 40.0);

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

/// What each format makes of the number.
#[component]
pub fn Kept(pad: Pad) -> Node {
    let rows = Format::ALL.map(|format| {
        let kept = move || format.decode(format.store(pad.value()).0);
        let of = move || verdict(format, pad.value());
        view! {
            <tr class:is-chosen=move || pad.format() == format>
                <th scope="row">
                    <button type="button" on:click=move |_| pad.set_format(format)>{name(format)}</button>
                </th>
                <td class="kept-value" title=move || exact(kept())>{move || repr(kept())}</td>
                <td class=move || format!("verdict {}", of().0)>
                    <span class="verdict-sign" aria-hidden="true">{move || of().1}</span>
                    {move || of().2}
                </td>
            </tr>
        }
    });
    view! {
        <div class="scroll">
            <table class="kept">
                <thead>
                    <tr><th scope="col">"format"</th><th scope="col">"keeps"</th><th scope="col">"which is"</th></tr>
                </thead>
                <tbody>{rows.into_iter().collect::<Vec<_>>()}</tbody>
            </table>
        </div>
    }
}

/// Where a magnitude lies on the line, in percent; nothing for 0 and what is not finite.
fn place(magnitude: f64) -> Option<f64> {
    let share = (magnitude.log10() - LINE.0) / (LINE.1 - LINE.0);
    share.is_finite().then(|| share.clamp(0.0, 1.0) * 100.0)
}

/// A length in a style.
fn length(share: f64) -> String {
    decimal::fixed(share, 2) + "%"
}

fn span(class: &'static str, from: f64, to: f64) -> Node {
    let (left, right) = (place(from).unwrap_or(0.0), place(to).unwrap_or(100.0));
    view! { <span class=class style:left=length(left) style:width=length(right - left)></span> }
}

/// What one format reaches.
fn line(format: Format, id: Cow<'static, str>) -> Node {
    let FloatInfo { max, tiny, smallest_subnormal, .. } = format.info();
    let words = format!(
        "{}: subnormal from {}, normal from {} to {}",
        name(format),
        six_digits(smallest_subnormal),
        six_digits(tiny),
        six_digits(max)
    );
    view! {
        <span class="range-line" id=id role="img" aria-label=words>
            {span("range-subnormal", smallest_subnormal, tiny)}
            {span("range-normal", tiny, max)}
        </span>
    }
}

fn ticks(id: Cow<'static, str>) -> Node {
    let ticks = (-4..4).map(|tens| {
        let left = place(10f64.powi(tens * 10)).unwrap_or(0.0);
        view! { <span class="tick" style:left=length(left)>"10"<sup>{tens * 10}</sup></span> }
    });
    view! { <div id=id>{ticks.collect::<Vec<_>>()}</div> }
}

/// Ranges on a line of powers of ten, with the number marked.
#[component]
pub fn Ranges(pad: Pad) -> Node {
    let rows = Format::ALL.map(|format| {
        let line = kept(format!("dtypes-range-{}", name(format)), |id| line(format, id));
        view! {
            <li class="range" class:is-chosen=move || pad.format() == format>
                <span class="range-name" aria-hidden="true">{name(format)}</span>
                {line}
            </li>
        }
    });
    let marker = move || {
        let left = place(pad.value().abs())?;
        Some(view! { <span class="marker" style:left=length(left)></span> })
    };
    let words = move || {
        let value = pad.value();
        match place(value.abs()) {
            Some(_) if value < 0.0 => format!("The line marks the magnitude of {}.", repr(value)),
            Some(_) => format!("The line marks {}.", repr(value)),
            None if value == 0.0 => {
                "0 has no place on a line of powers of ten: it lies left of everything.".to_owned()
            }
            None => format!("{} has no place on the line.", repr(value)),
        }
    };
    view! {
        <div class="ranges">
            <ul>{rows.into_iter().collect::<Vec<_>>()}</ul>
            <div class="range-axis" aria-hidden="true">{kept("dtypes-ticks", ticks)}{marker}</div>
        </div>
        <p class="note">
            {words} " Full bars are normal numbers; hatched ones are subnormal, with fewer and fewer digits."
        </p>
    }
}

/// Limits as `torch.finfo` prints them.
#[component]
pub fn Limits() -> Node {
    view! {
        {kept("dtypes-limits", limits)}
        {kept("dtypes-limits-note", |id| view! {
            <p class="note" id=id>
                "As " <code>"torch.finfo"</code> " prints them, with six digits; every digit on hover. tf32 is how \
                 tensor cores read fp32 and is no dtype. fp4 has one scale for a block of numbers beside it in \
                 practice."
            </p>
        })}
    }
}

fn limits(id: Cow<'static, str>) -> Node {
    let rows = Format::ALL.map(|format| {
        let info = format.info();
        let cell = |value: f64| view! { <td title=exact(value)>{six_digits(value)}</td> };
        view! {
            <tr>
                <th scope="row">{name(format)}</th>
                <td>{format!("1 · {} · {}", format.exponent_bits, format.fraction_bits)}</td>
                {cell(info.max)}
                {cell(info.tiny)}
                {cell(info.smallest_subnormal)}
                {cell(info.eps)}
            </tr>
        }
    });
    view! {
        <div class="scroll" id=id tabindex="0" role="group" aria-label="Limits of all formats">
            <table class="limits">
                <thead>
                    <tr>
                        <th scope="col">"format"</th>
                        <th scope="col">"s · e · f bits"</th>
                        <th scope="col">"max = −min"</th>
                        <th scope="col">"tiny, smallest normal"</th>
                        <th scope="col">"smallest subnormal"</th>
                        <th scope="col">"eps"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().collect::<Vec<_>>()}</tbody>
            </table>
        </div>
    }
}
