//! Two runs of a program beside each other: the same place, and what has another value.

use napkin_notebook::trace::{Json, Map, Value};

use crate::lecture::Lecture;

/// What stands for a function among those of all files.
#[must_use]
pub fn key(path: &str, function_name: &str) -> String {
    format!("{path}:{function_name}")
}

/// The step of `after` that is where `step` is in `before`: the same line of the same function, called the same way, and
/// as often; if that line did not run, another one of the function; none if the function did not run.
#[must_use]
pub fn same_place(before: &Lecture, step: usize, after: &Lecture) -> Option<usize> {
    let callers = |lecture: &Lecture, at: usize| -> Vec<(String, String)> {
        let stack = lecture.step(at).map_or(&[][..], |step| &step.stack);
        stack.iter().map(|place| (place.path.clone(), place.function_name.clone())).collect()
    };
    let place = before.place(step)?;
    let wanted = callers(before, step);
    let is_same = |lecture: &Lecture, at: &usize| callers(lecture, *at) == wanted;
    let line = |lecture: &Lecture, at: usize| lecture.place(at).map_or(0, |place| place.line_number);
    let is_here =
        |lecture: &Lecture, at: &usize| line(lecture, *at) == place.line_number && is_same(lecture, at);
    let turn = (0..step).filter(|at| is_here(before, at)).count();
    let here: Vec<usize> = (0..=after.last()).filter(|at| is_here(after, at)).collect();
    if let Some(found) = here.get(turn).or(here.last()) {
        return Some(*found);
    }
    let near = (0..=after.last()).filter(|at| is_same(after, at));
    near.min_by_key(|at| line(after, *at).abs_diff(place.line_number))
}

/// The variables that both show in the end, with other values, by the [`key`] of their function.
#[must_use]
pub fn moved(before: &Lecture, after: &Lecture) -> Map<Vec<String>> {
    let (old, new) = (shown(before), shown(after));
    let mut moved: Map<Vec<String>> = Map::default();
    for (function, variables) in &new.0 {
        let Some(old) = old.get(function) else { continue };
        for (name, value) in &variables.0 {
            let has_moved =
                |known: &&Value| known.shape != value.shape || !is_same(&known.contents, &value.contents);
            if old.get(name).is_some_and(has_moved) {
                moved.or_default(function).push(name.clone());
            }
        }
    }
    moved
}

/// Of a tensor within other data, which storage it has: in another run that is one of another name.
const STORAGE: &str = "storage";

/// A part of the largest number beside it: another machine sums in another order.
const ROUNDING: f64 = 1e-5;

/// Whether a reader would call them the same: but for rounding, and for the places of objects in memory.
fn is_same(old: &Json, new: &Json) -> bool {
    let most = largest(old).max(largest(new));
    is_near(old, new, ROUNDING * most)
}

fn largest(of: &Json) -> f64 {
    match of {
        Json::Float(number) if number.is_finite() => number.abs(),
        Json::List(items) => items.iter().map(largest).fold(0.0, f64::max),
        _ => of.entries().iter().map(|(_, value)| largest(value)).fold(0.0, f64::max),
    }
}

fn is_near(old: &Json, new: &Json, most: f64) -> bool {
    match (old, new) {
        (Json::Float(a), Json::Float(b)) => a == b || (a - b).abs() <= most,
        (Json::List(a), Json::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b, most))
        }
        (Json::Text(a), Json::Text(b)) => a == b || without_places(a) == without_places(b),
        (Json::Object(a), Json::Object(b)) => {
            let both = a.0.iter().zip(&b.0);
            let is_near = |(a, b): (&(String, Json), &(String, Json))| {
                a.0 == b.0 && (a.0 == STORAGE || is_near(&a.1, &b.1, most))
            };
            a.0.len() == b.0.len() && both.into_iter().all(is_near)
        }
        _ => old == new,
    }
}

/// A text as `<object at 0x7f12>` without its number.
fn without_places(text: &str) -> String {
    let mut parts = text.split(" at 0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + " at " + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

fn shown(lecture: &Lecture) -> Map<Map<&Value>> {
    let mut shown: Map<Map<&Value>> = Map::default();
    for step in &lecture.trace.steps {
        let Some(place) = step.stack.last() else { continue };
        for (name, value) in step.env.0.iter().chain(&step.changed.0) {
            if let Some(value) = value {
                shown.or_default(&key(&place.path, &place.function_name)).set(name.as_str(), value);
            }
        }
    }
    shown
}
