//! Two runs of a program beside each other: the same position, and what has another value.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use napkin_trace::trace::{Json, Map, StackElement, Step, Value};

use super::folds::is_told;
use super::lecture::Lecture;
use super::outline::Part;
use super::source::{Function, Source, function_key};
use super::tokens::{Kind, Token};

/// What stands for what a cell has not given that has failed.
const MISSING: &str = "_cells.Missing";

/// What one machine makes nothing of, another may leave so much of.
const ROUNDING: f64 = 1e-9;

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

/// The variables that both show in the end, with other values, by the [`function_key`] of their function. Cells that no
/// change comes to are passed over, unless the device `is_other`: times that were measured differ there all the same, and
/// what was in memory before.
pub fn changed_values(before: &Lecture, after: &Lecture, is_other: bool) -> Map<Vec<String>> {
    let (same_before, same_after) = if is_other { Default::default() } else { same_cells(before, after) };
    let old = shown(before, &same_before);
    let mut changed: Map<Vec<String>> = Map::default();
    for (function, variables) in shown(after, &same_after) {
        for (name, value) in variables {
            let known = old.get(&function).and_then(|old| old.get(&name));
            if value.kind != MISSING
                && known.is_some_and(|it| it.shape != value.shape || !is_same(&it.contents, &value.contents))
            {
                changed.entry(function.clone()).or_default().push(name);
            }
        }
    }
    changed
}

/// Steps from the first to the last of something.
type Steps = RangeInclusive<usize>;

/// The steps, in both runs, of those cells that no change comes to: what such a cell is called with is the same, and so is
/// every definition that its names lead to.
fn same_cells(before: &Lecture, after: &Lecture) -> (Vec<Steps>, Vec<Steps>) {
    let Some(changed) = changed_definitions(before, after) else { return Default::default() };
    let same = after.cells().filter_map(|cell| {
        let new = &after.parts[cell];
        let old = before.parts.get(before.part_named(&new.anchor)?)?;
        let is_one = !changed.contains(&(new.path.as_str(), new.function.as_str()))
            && are_same(arguments(before, old)?, arguments(after, new)?);
        is_one.then(|| (steps(before, old), steps(after, new)))
    });
    same.unzip()
}

fn steps(lecture: &Lecture, part: &Part) -> Steps {
    let call = &lecture.calls.calls[part.call];
    call.first..=call.last
}

/// What a part is called with.
fn arguments<'a>(lecture: &'a Lecture, part: &Part) -> Option<&'a Map<Option<Value>>> {
    lecture.step(*steps(lecture, part).start()).map(|step| &step.changed)
}

fn are_same(old: &Map<Option<Value>>, new: &Map<Option<Value>>) -> bool {
    let is_one = |(name, value): (&String, &Option<Value>)| match (value, new.get(name)) {
        (Some(old), Some(Some(new))) => old.shape == new.shape && is_same(&old.contents, &new.contents),
        (None, Some(None)) => true,
        _ => false,
    };
    old.len() == new.len() && old.iter().all(is_one)
}

/// The definitions outside of all others that read otherwise in `after`, and those whose names lead to such a one; nothing
/// if there is more than definitions that reads otherwise.
fn changed_definitions<'a>(before: &Lecture, after: &'a Lecture) -> Option<BTreeSet<(&'a str, &'a str)>> {
    let mut changed = BTreeSet::new();
    let mut all = Vec::new();
    for path in after.trace.files.keys() {
        let (Some(new), Some(old)) = (after.source(path), before.source(path)) else { return None };
        let known: Map<&Function> = definitions(old).map(|it| (it.name.clone(), it)).collect();
        let is_one_text = std::ptr::eq(new, old);
        for it in definitions(new) {
            let old = known.get(&it.name).map(|known| old.text(known.first, known.last));
            if !is_one_text && old != Some(new.text(it.first, it.last)) {
                changed.insert((path.as_str(), it.name.as_str()));
            }
            all.push((path.as_str(), new, it));
        }
        if !is_one_text && outside(new) != outside(old) {
            return None;
        }
    }
    // Whoever names one that has changed may do something else.
    let imported: Map<BTreeSet<&str>> = after
        .trace
        .files
        .keys()
        .filter_map(|path| Some((path.clone(), words_outside(after.source(path)?))))
        .collect();
    loop {
        let known = changed.clone();
        let count = changed.len();
        for (path, source, it) in &all {
            // A name of another file leads there only where it is imported.
            let leads = |name: &str| {
                known.contains(&(*path, name))
                    || imported[*path].contains(name) && known.iter().any(|(_, other)| *other == name)
            };
            if !changed.contains(&(*path, it.name.as_str())) && names_any(source, it, &leads) {
                changed.insert((path, &it.name));
            }
        }
        if changed.len() == count {
            return Some(changed);
        }
    }
}

/// The functions and classes of a file that are in no other one.
fn definitions(source: &Source) -> impl Iterator<Item = &Function> {
    source.functions.iter().filter(|it| !source.line(it.def).starts_with(' '))
}

/// The names that stand outside of the definitions of a file, as those that it imports.
fn words_outside(source: &Source) -> BTreeSet<&str> {
    let words = |line| source.tokens(line).iter().map(move |(_, place)| &source.line(line)[place.clone()]);
    lines_outside(source).flat_map(words).collect()
}

/// Whether the code of a definition has a name that leads to one that has changed. What is only told to the reader counts for nothing.
fn names_any(source: &Source, it: &Function, leads: &dyn Fn(&str) -> bool) -> bool {
    let mut line = it.def;
    while line <= it.last {
        let (first, last) = source.statement(line);
        if !is_told(source, first) {
            let mut tokens = (first..=last).flat_map(|at| source.tokens(at).iter().map(move |it| (at, it)));
            let is_one = |(at, (kind, place)): (u32, &Token)| {
                matches!(kind, Kind::Plain | Kind::Call) && leads(&source.line(at)[place.clone()])
            };
            if tokens.any(is_one) {
                return true;
            }
        }
        line = last.max(line) + 1;
    }
    false
}

/// What a file has beside its definitions.
fn outside(source: &Source) -> Vec<&str> {
    let lines = lines_outside(source).map(|line| source.line(line));
    lines.filter(|line| !line.trim().is_empty()).collect()
}

/// The lines of a file that are in no definition, by number.
fn lines_outside(source: &Source) -> impl Iterator<Item = u32> {
    let places: Vec<_> = definitions(source).map(|it| it.first..=it.last).collect();
    (1..=source.len()).filter(move |line| !places.iter().any(|place| place.contains(line)))
}

/// Whether a reader would call them the same: but for rounding, and for the places of objects in memory.
pub(super) fn is_same(old: &Json, new: &Json) -> bool {
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
            let is_close = |(a, b): (f64, f64)| {
                (a - b).abs() <= if a == 0.0 || b == 0.0 { most.max(ROUNDING) } else { most }
            };
            a == b || a.as_f64().zip(b.as_f64()).is_some_and(is_close)
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

/// What each function has shown last, by the [`function_key`] and the name; but for some steps.
fn shown<'a>(lecture: &'a Lecture, without: &[Steps]) -> Map<Map<&'a Value>> {
    let mut shown: Map<Map<&Value>> = Map::default();
    for (number, step) in lecture.trace.steps.iter().enumerate() {
        if without.iter().any(|steps| steps.contains(&number)) {
            continue;
        }
        let Some(place) = step.stack.last() else { continue };
        for (name, value) in &step.env {
            if let Some(value) = value {
                let key = function_key(&place.path, &place.function_name);
                shown.entry(key).or_default().insert(name.clone(), value);
            }
        }
    }
    shown
}
