//! What formats of numbers reach, and how far their numbers are apart.

use leptos::ev::PointerEvent;
use leptos::prelude::*;
use napkin_engine::format::FloatInfo;
use napkin_trace::trace::Json;

use super::decimal::six_digits;
use super::format_named;
use crate::components::grid::Grid;
use crate::components::number::{repr, tick};
use crate::components::table::TableFigure;

const LENGTH: f64 = 300.0;

#[derive(Debug, Clone, PartialEq)]
struct Reach {
    name: String,
    /// The smallest number, the smallest normal one and the largest.
    limits: [f64; 3],
    /// From 1 to the next number.
    eps: f64,
    /// Bits of the exponent and of the fraction.
    bits: (u32, u32),
}

impl Reach {
    fn of(name: &str) -> Option<Self> {
        let (limits, eps, bits) = match format_named(name) {
            Some(format) => {
                let FloatInfo { smallest_subnormal, tiny, max, eps, .. } = format.info();
                ([smallest_subnormal, tiny, max], eps, (format.exponent_bits, format.fraction_bits))
            }
            // The engine need not take float64 apart.
            None if name == "fp64" => {
                ([f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX], f64::EPSILON, (11, 52))
            }
            None => return None,
        };
        Some(Self { name: name.to_owned(), limits, eps, bits })
    }

    /// How far the numbers around a size are apart, in words.
    fn spacing(&self, size: f64) -> String {
        let [smallest, normal, largest] = self.limits;
        if size > largest {
            return "beyond the largest".to_owned();
        }
        if size < smallest {
            return "below the smallest".to_owned();
        }
        // A double without its fraction is the power of two below it; below the smallest normal number nothing changes.
        let power = f64::from_bits(size.max(normal).to_bits() & f64::INFINITY.to_bits());
        format!("{} apart", tick(power * self.eps))
    }
}

/// Each format as a line from its smallest to its largest number, with a pointer for all of them, and its limits as
/// `torch.finfo` prints them.
#[component]
pub fn NumberLine(
    /// Names in lectures: `fp32`.
    formats: Vec<String>,
    /// Where the pointer goes whenever it changes.
    #[prop(optional)]
    size: Option<Signal<f64>>,
) -> impl IntoView {
    let reaches: Vec<Reach> = formats.iter().filter_map(|name| Reach::of(name)).collect();
    // Powers of ten.
    let from = reaches.iter().map(|reach| reach.limits[0].log10()).fold(0.0, f64::min);
    let to = reaches.iter().map(|reach| reach.limits[2].log10()).fold(1.0, f64::max);
    let given = size;
    let size = RwSignal::new(1.0_f64);
    Effect::new(move || {
        // 0 and what is not finite have no place on a line of powers of ten.
        if let Some(value) = given.map(|given| given.get().abs()).filter(|value| value.log10().is_finite()) {
            size.set(value.clamp(10_f64.powf(from), 10_f64.powf(to)));
        }
    });
    let point = move |event: PointerEvent| {
        let line = event_target::<web_sys::Element>(&event);
        let line = line.closest("svg").ok().flatten().unwrap_or(line).get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - line.left()) / line.width().max(1.0);
        size.set(10_f64.powf(from + share.clamp(0.0, 1.0) * (to - from)));
    };
    let at = move |power: f64| format!("{:.1}", (power - from) / (to - from) * LENGTH);
    let line = |reach: Reach| {
        let [least, normal, most] = reach.limits.map(f64::log10);
        let label = format!("{}: 1e{least:.0} to 1e{most:.0}", reach.name);
        let name = reach.name.clone();
        view! {
            <div class="reach-row">
                <span>{name}</span>
                <svg viewBox="0 0 300 16" role="img" aria-label=label on:pointermove=point on:pointerdown=point>
                    <path class="axis" d="M0 8H300"></path>
                    <path class="subnormal" d=format!("M{} 8H{}", at(least), at(normal))></path>
                    <path class="normal" d=format!("M{} 8H{}", at(normal), at(most))></path>
                    <path class="one" d=move || format!("M{} 2V14", at(size.get().log10()))></path>
                </svg>
                <span class="spacing">{move || reach.spacing(size.get())}</span>
            </div>
        }
    };
    let columns =
        ["format", "s · e · f bits", "max = −min", "tiny, smallest normal", "smallest subnormal", "eps"];
    let row =
        |Reach { name, limits: [smallest, normal, largest], eps, bits: (exponent, fraction) }: &Reach| {
            let bits = format!("1 · {exponent} · {fraction}");
            let limits = [largest, normal, smallest, eps].map(|limit| six_digits(*limit));
            [name.clone(), bits].into_iter().chain(limits).map(Json::from).collect()
        };
    let grid = Grid::new("Limits of formats", &columns, reaches.iter().map(row).collect());
    let slide = move |event| {
        if let Ok(power) = event_target_value(&event).parse::<f64>() {
            size.set(10_f64.powf(power));
        }
    };
    view! {
        <figure class="drawing reach">
            <figcaption>
                {format!("From the smallest to the largest positive number: {}", formats.join(", "))}
            </figcaption>
            {reaches.into_iter().map(line).collect_view()}
            <label class="reach-pointer">
                <span>{move || format!("Around {}, numbers are", tick(size.get()))}</span>
                <input
                    type="range"
                    min=format!("{from:.2}")
                    max=format!("{to:.2}")
                    step="0.01"
                    value="0"
                    prop:value=move || format!("{:.2}", size.get().log10())
                    aria-valuetext=move || repr(size.get())
                    on:input=slide
                />
            </label>
            <p class="note">
                "Thin lines are subnormal numbers, which have fewer digits. The scale is logarithmic: equal distances are \
                 equal ratios. The tick is the number that you point at, and 1 at first."
            </p>
            <details open=given.is_some()>
                <summary>"As a table"</summary>
                <TableFigure grid />
                <p class="note">
                    "As " <code>"torch.finfo"</code> " prints them, with six digits. tf32 is how tensor cores read fp32 and \
                     is no dtype; fp4 has one scale for a block of numbers beside it in practice."
                </p>
            </details>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_far_apart_as_their_format_says() {
        let spacing = |name: &str, size| Reach::of(name).map(|reach| reach.spacing(size));
        let cases = [
            (("fp16", 1.0), "0.0009766 apart"),
            (("fp16", 70000.0), "beyond the largest"),
            (("fp8_e4m3", 448.0), "32 apart"),
            (("bf16", 1e-45), "below the smallest"),
            (("fp16", 1e-7), "5.96e-8 apart"),
            (("fp64", 1.0), "2.22e-16 apart"),
        ];
        for ((name, size), expected) in cases {
            assert_eq!(spacing(name, size).as_deref(), Some(expected), "{name} at {size}");
        }
        assert_eq!(Reach::of("fp12"), None);
    }
}
