//! Joins two runs of a lecture: the steps of the newer one so far, and those of the older one for all that it has not come
//! to.

use napkin_trace::trace::{Map, Step, Trace};

use super::lecture::Lecture;

/// What is read while a run goes on: the steps of that run as far as the last part that is over, and then those of the
/// run before. Nothing if no part has ended since the first `known` steps.
pub fn with_beginning(before: &Lecture, files: &Map<String>, steps: &[Step], known: usize) -> Option<Trace> {
    let mut visits = visits(before, steps);
    visits.retain(|(_, last)| last + 1 < steps.len());
    let (_, last) = *visits.last().filter(|(_, last)| last + 1 >= known)?;
    Some(joined(before, files, &steps[..=last], &visits))
}

/// A run that has failed: all of its steps, and then what the run before did of the parts that it has not come to.
pub fn with_failed(before: &Lecture, failed: Trace) -> Trace {
    let visits = visits(before, &failed.steps);
    if visits.is_empty() {
        return failed;
    }
    let mut trace = joined(before, &failed.files, &failed.steps, &visits);
    trace.hidden_line_numbers.extend(failed.hidden_line_numbers);
    trace.sliders.extend(failed.sliders);
    trace.predictions.extend(failed.predictions);
    Trace { warnings: failed.warnings, failure: failed.failure, truncated: failed.truncated, ..trace }
}

/// The run before with the steps of one part, a call of `function`, in place of those that it had.
pub fn with_part(before: &Lecture, files: &Map<String>, part: usize, mut steps: Vec<Step>) -> Option<Trace> {
    let call = &before.calls.calls[before.parts.get(part)?.call];
    let mut trace = edited(&before.trace, files, &before.trace.steps);
    let around = trace.steps.get(call.first)?.stack.split_last()?.1.to_vec();
    // The worker has called the function by itself: whoever calls it in the program is not among its callers.
    for step in &mut steps {
        let own = step.stack.iter().position(|place| place.function_name == call.function).unwrap_or(0);
        step.stack.splice(..own, around.iter().cloned());
    }
    trace.steps.splice(call.first..=call.last, steps);
    Some(trace)
}

/// The cells that were run, in order, each with the last step in it.
fn visits(lecture: &Lecture, steps: &[Step]) -> Vec<(usize, usize)> {
    let mut visits: Vec<(usize, usize)> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let Some(part) = cell_of(lecture, step) else { continue };
        match visits.last_mut() {
            Some((known, last)) if *known == part && *last + 1 == number => *last = number,
            _ => visits.push((part, number)),
        }
    }
    visits
}

/// The cell around a step: from the whole lecture on each part calls the next one.
fn cell_of(lecture: &Lecture, step: &Step) -> Option<usize> {
    let mut places = step.stack.iter();
    let mut part = lecture.parts.first()?;
    places.find(|place| part.is_of(&place.path, &place.function_name))?;
    let mut number = 0;
    while !part.is_cell() {
        let place = places.next()?;
        let is_it = |child: &&usize| lecture.parts[**child].is_of(&place.path, &place.function_name);
        number = *part.children.iter().find(is_it)?;
        part = &lecture.parts[number];
    }
    Some(number)
}

/// `steps`, in which the cells of `visited` were run, and what came after the last of them in the run before. A cell that
/// runs several times is each time another.
fn joined(before: &Lecture, files: &Map<String>, steps: &[Step], visited: &[(usize, usize)]) -> Trace {
    let all = &before.trace.steps;
    let is_last = |(part, _): &&(usize, usize)| visited.last().is_some_and(|(last, _)| last == part);
    let turns = visited.iter().filter(is_last).count();
    let same = visits(before, all).iter().filter(is_last).take(turns).last().map(|(_, last)| *last);
    let mut trace = edited(&before.trace, files, same.map_or(&[], |last| &all[last + 1..]));
    trace.steps.splice(..0, steps.iter().cloned());
    trace
}

/// A trace with some of its steps, and every line where it is in the files as they are now.
fn edited(trace: &Trace, files: &Map<String>, steps: &[Step]) -> Trace {
    let mut edited = Trace {
        files: trace.files.clone(),
        hidden_line_numbers: trace.hidden_line_numbers.clone(),
        steps: steps.to_vec(),
        sliders: trace.sliders.clone(),
        predictions: trace.predictions.clone(),
        warnings: trace.warnings.clone(),
        failure: None,
        truncated: trace.truncated,
    };
    for (path, text) in files {
        let Some(old) = edited.files.insert(path.clone(), text.clone()).filter(|old| old != text) else {
            continue;
        };
        let lines = moved_lines(&old, text);
        let renumber = |number: &mut u32| {
            let known = (*number as usize).checked_sub(1).and_then(|at| lines.get(at));
            *number = known.copied().unwrap_or(*number);
        };
        let places = edited.steps.iter_mut().flat_map(|step| &mut step.stack);
        for place in places.filter(|place| place.path == *path) {
            renumber(&mut place.line_number);
            place.end_line_number.iter_mut().for_each(renumber);
        }
        edited.hidden_line_numbers.get_mut(path).into_iter().flatten().for_each(renumber);
        edited.sliders.get_mut(path).into_iter().flatten().for_each(|it| renumber(&mut it.line_number));
        edited.predictions.get_mut(path).into_iter().flatten().for_each(|it| renumber(&mut it.line_number));
    }
    edited
}

/// Where each line of a file is since it was edited, counted from 1. Between the first edit and the last it is where the
/// same text is, if that has not gone far.
fn moved_lines(old: &str, new: &str) -> Vec<u32> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let beginning = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let others = old[beginning..].iter().rev().zip(new[beginning..].iter().rev());
    let end = others.take_while(|(old, new)| old == new).count();
    let line = |at: usize| {
        if at < beginning {
            return at + 1;
        }
        let is_edited = at + end < old.len();
        let is_here = is_edited && new.get(at) == old.get(at);
        let at = if is_here { at } else { (at + new.len()).saturating_sub(old.len()) };
        let most = new.len().saturating_sub(if is_edited { end } else { 0 }).max(1) - 1;
        at.clamp(beginning.min(most), most) + 1
    };
    (0..old.len()).map(|at| line(at) as u32).collect()
}
