//! Two runs of a program beside each other: the same place, and what has another value.

use napkin_notebook::trace::{Map, Value};

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
            let is_same = |known: &&Value| known.contents == value.contents && known.shape == value.shape;
            if !old.get(name).is_none_or(is_same) {
                moved.or_default(function).push(name.clone());
            }
        }
    }
    moved
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
