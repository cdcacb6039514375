//! Two runs of a program beside each other: the same position, and what has another value.

use napkin_trace::trace::{Json, Map, StackElement, Step, Value};

use super::lecture::Lecture;
use super::source::function_key;

/// The step of `after` that is where `step` is in `before`: the same line of the same function, called the same way, and
/// as often; if that line did not run, another one of the function; none if the function did not run.
pub fn same_position(before: &Lecture, step: usize, after: &Lecture) -> Option<usize> {
    let wanted = &before.step(step)?.stack;
    let wanted_line = wanted.last()?.line_number;
    let is_one =
        |(a, b): (&StackElement, &StackElement)| a.function_name == b.function_name && a.path == b.path;
    // How many lines away from it a step is, if it is in the same function, called the same way.
    let distance = |Step { stack, .. }: &Step| {
        let is_same = stack.len() == wanted.len() && stack.iter().zip(wanted).rev().all(is_one);
        stack.last().filter(|_| is_same).map(|place| place.line_number.abs_diff(wanted_line))
    };
    let turn = before.trace.steps[..step].iter().filter(|step| distance(step) == Some(0)).count();
    let steps = after.trace.steps.iter().enumerate();
    let near: Vec<(u32, usize)> = steps.filter_map(|(at, step)| Some((distance(step)?, at))).collect();
    let here: Vec<usize> = near.iter().filter(|(distance, _)| *distance == 0).map(|(_, at)| *at).collect();
    here.get(turn).or(here.last()).copied().or_else(|| near.iter().min().map(|(_, at)| *at))
}

/// The variables that both show in the end, with other values, by the [`function_key`] of their function.
pub fn changed_values(before: &Lecture, after: &Lecture) -> Map<Vec<String>> {
    let old = shown(before);
    let mut changed: Map<Vec<String>> = Map::default();
    for (function, variables) in shown(after) {
        for (name, value) in variables {
            let known = old.get(&function).and_then(|old| old.get(&name));
            if known.is_some_and(|it| it.shape != value.shape || !is_same(&it.contents, &value.contents)) {
                changed.entry(function.clone()).or_default().push(name);
            }
        }
    }
    changed
}

/// Whether a reader would call them the same: but for rounding, and for the places of objects in memory.
fn is_same(old: &Json, new: &Json) -> bool {
    // A part of the largest number beside it: another machine sums in another order.
    is_near(old, new, 1e-5 * largest(old).max(largest(new)))
}

fn largest(of: &Json) -> f64 {
    match of {
        Json::Number(number) if number.is_f64() => number.as_f64().map_or(0.0, f64::abs),
        Json::Array(items) => items.iter().map(largest).fold(0.0, f64::max),
        Json::Object(entries) => entries.values().map(largest).fold(0.0, f64::max),
        _ => 0.0,
    }
}

fn is_near(old: &Json, new: &Json, most: f64) -> bool {
    match (old, new) {
        (Json::Number(a), Json::Number(b)) if a.is_f64() && b.is_f64() => {
            a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= most)
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b, most))
        }
        (Json::String(a), Json::String(b)) => a == b || without_addresses(a) == without_addresses(b),
        (Json::Object(a), Json::Object(b)) => {
            // Of a tensor within other data: its storage has another name in another run.
            let is_near = |((name, a), (other, b)): ((&String, &Json), (&String, &Json))| {
                name == other && (name == "storage" || is_near(a, b, most))
            };
            a.len() == b.len() && a.iter().zip(b).all(is_near)
        }
        _ => old == new,
    }
}

/// A text as `<object at 0x7f12>` without its number.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split(" at 0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + " at " + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

/// What each function has shown last, by the [`function_key`] and the name.
fn shown(lecture: &Lecture) -> Map<Map<&Value>> {
    let mut shown: Map<Map<&Value>> = Map::default();
    for step in &lecture.trace.steps {
        let Some(place) = step.stack.last() else { continue };
        for (name, value) in step.env.iter().chain(&step.changed) {
            if let Some(value) = value {
                let key = function_key(&place.path, &place.function_name);
                shown.entry(key).or_default().insert(name.clone(), value);
            }
        }
    }
    shown
}
