//! Joins two runs of a lecture: the steps of the newer one, and for all that it has not come to those of the older one,
//! which are marked as old.

use std::collections::{BTreeSet, HashSet};
use std::ops::RangeInclusive;

use napkin_trace::trace::{Map, StackElement, Step, Trace};

use super::lecture::Lecture;

/// A run of a cell: the part, by number, and its steps.
#[derive(Debug, Clone)]
struct Visit {
    part: usize,
    steps: RangeInclusive<usize>,
}

/// What is read while a run goes on: the steps of that run as far as the last cell that is over, and then those of the
/// run before. Nothing if no cell has ended since the first `known` steps.
pub fn with_beginning(before: &Lecture, files: &Map<String>, steps: &[Step], known: usize) -> Option<Trace> {
    let mut visits = visits(before, steps);
    visits.retain(|visit| visit.steps.end() + 1 < steps.len());
    let last = *visits.last().filter(|visit| visit.steps.end() + 1 >= known)?.steps.end();
    let old_visits = self::visits(before, &before.trace.steps);
    let same =
        |at: usize, visit: &Visit| follow(&old_visits, visit, at).map_or(at, |known| known.steps.end() + 1);
    let at = visits.iter().fold(0, same);
    let steps = &steps[..=last];
    let is_passed_over = |old: &Visit| *old.steps.end() < at && !visits.iter().any(|it| it.part == old.part);
    if old_visits.iter().any(is_passed_over) {
        // Some cells wait for one that has failed.
        let mut joined = Joined::new(before, files);
        let entered = entered(before, steps);
        joined.find_missing(&entered);
        joined.missing.retain(|(missing, _)| *missing < at);
        joined.take(steps, &visits, &|_, _| false);
        let from = joined.at;
        joined.rest(|old, _| old >= from);
        return Some(joined.trace);
    }
    let mut trace = edited(&before.trace, files, &before.trace.steps[at..]);
    trace.steps.iter_mut().for_each(|step| step.is_old = true);
    trace.steps.splice(..0, steps.iter().cloned());
    Some(trace)
}

/// What is read when a run is over, or will go no further: all of its steps, and then what the run before did of the cells
/// that it has not come to. Of a cell that `is_broken`, by file and function, the rest is that of the run before.
pub fn with_end(
    before: &Lecture,
    files: &Map<String>,
    steps: &[Step],
    is_broken: &dyn Fn(&str, &str) -> bool,
) -> Trace {
    let visits = visits(before, steps);
    let mut joined = Joined::new(before, files);
    let entered = entered(before, steps);
    // What has come to no part has failed before it began.
    if entered.is_empty() {
        joined.rest(|_, _| true);
        return joined.trace;
    }
    joined.find_missing(&entered);
    joined.take(steps, &visits, is_broken);
    let missing: HashSet<usize> = joined.missing.iter().map(|(at, _)| *at).collect();
    let seen: HashSet<&[StackElement]> = steps.iter().map(|step| step.stack.as_slice()).collect();
    let from = joined.at;
    joined.rest(|at, step| missing.contains(&at) || at >= from && !seen.contains(step.stack.as_slice()));
    joined.trace
}

/// What is read when a run was ended while a function ran before all others: if that is a cell, it and what stands behind
/// it is of the run before.
pub fn with_stopped(before: &Lecture, files: &Map<String>, path: &str, function: &str) -> Trace {
    let mut trace = edited(&before.trace, files, &before.trace.steps);
    if let Some(part) = before.parts.iter().find(|part| part.is_of(path, function)) {
        let from = before.calls.calls[part.call].first;
        trace.steps[from..].iter_mut().for_each(|step| step.is_old = true);
    }
    trace
}

/// The parts that a run has come to.
fn entered(before: &Lecture, steps: &[Step]) -> BTreeSet<usize> {
    steps.iter().flat_map(|step| parts_around(before, step).map(|(part, _)| part)).collect()
}

/// The run before with the steps of one part in place of those that it had, or if it `is_broken`, of the beginning of those.
pub fn with_part(
    before: &Lecture,
    files: &Map<String>,
    part: usize,
    mut steps: Vec<Step>,
    is_broken: bool,
) -> Option<Trace> {
    let call = &before.calls.calls[before.parts.get(part)?.call];
    let mut trace = edited(&before.trace, files, &before.trace.steps);
    let around = trace.steps.get(call.first)?.stack.split_last()?.1.to_vec();
    // The worker has called the function by itself: whoever calls it in the program is not among its callers.
    for step in &mut steps {
        let own = step.stack.iter().position(|place| place.function_name == call.function).unwrap_or(0);
        step.stack.splice(..own, around.iter().cloned());
    }
    if is_broken {
        let rest = rest_of(&trace.steps[call.first..=call.last], &steps, &call.function);
        steps.extend(rest.into_iter().map(|step| Step { is_old: true, ..step }));
    }
    trace.steps.splice(call.first..=call.last, steps);
    Some(trace)
}

/// Two runs that become one.
struct Joined<'a> {
    before: &'a Lecture,
    /// What has come of them so far.
    trace: Trace,
    /// The steps of the run before, with their lines where they are now; none in place of those that are done with.
    old: Vec<Option<Step>>,
    old_visits: Vec<Visit>,
    /// The first of the old steps that is not done with.
    at: usize,
    /// The old steps in parts that the new run has not come to, by number, and how deep in its stack each is in one.
    missing: Vec<(usize, usize)>,
}

impl<'a> Joined<'a> {
    fn new(before: &'a Lecture, files: &Map<String>) -> Self {
        let mut trace = edited(&before.trace, files, &before.trace.steps);
        let old =
            std::mem::take(&mut trace.steps).into_iter().map(|step| Some(Step { is_old: true, ..step }));
        let (old, old_visits) = (old.collect(), visits(before, &before.trace.steps));
        Self { before, trace, old, old_visits, at: 0, missing: Vec::new() }
    }

    /// Finds the old steps in parts that the new run has not come to.
    fn find_missing(&mut self, entered: &BTreeSet<usize>) {
        let before = self.before;
        let from = |step: &Step| parts_around(before, step).find(|(part, _)| !entered.contains(part));
        let all = before.trace.steps.iter().enumerate();
        self.missing = all.filter_map(|(at, step)| Some((at, from(step)?.1))).collect();
    }

    /// Takes the steps of the new run, and those old ones that it has passed over. A cell that runs several times is each
    /// time another.
    fn take(&mut self, steps: &[Step], visits: &[Visit], is_broken: &dyn Fn(&str, &str) -> bool) {
        let mut done = 0;
        for visit in visits {
            self.between(&steps[done..*visit.steps.start()]);
            done = visit.steps.end() + 1;
            let known = follow(&self.old_visits, visit, self.at).cloned();
            if let Some(known) = &known {
                self.at = known.steps.end() + 1;
            }
            self.leave(&steps[*visit.steps.start()]);
            self.trace.steps.extend_from_slice(&steps[visit.steps.clone()]);
            let part = &self.before.parts[visit.part];
            if let Some(known) = known
                && is_broken(&part.path, &part.function)
            {
                let own: Vec<Step> = self.old[known.steps].iter().flatten().cloned().collect();
                let rest = rest_of(&own, &steps[visit.steps.clone()], &part.function);
                self.trace.steps.extend(rest);
            }
        }
        self.between(&steps[done..]);
    }

    /// Takes steps of the new run that are in no cell: behind each what it would have called, had that not waited.
    fn between(&mut self, steps: &[Step]) {
        for step in steps {
            self.leave(step);
            self.trace.steps.push(step.clone());
            self.take_missing(|caller| caller == step.stack.as_slice());
        }
    }

    /// A step comes: what is missing from calls that are over by then, and was called nowhere in the new run, stands before.
    fn leave(&mut self, next: &Step) {
        let last = self.trace.steps.last().map(|step| step.stack.clone()).unwrap_or_default();
        self.take_missing(|caller| is_within(&last, caller) && !is_within(&next.stack, caller));
    }

    /// Takes the old steps of parts that the new run has not come to which are wanted by who has called them.
    fn take_missing(&mut self, is_wanted: impl Fn(&[StackElement]) -> bool) {
        let (old, taken) = (&mut self.old, &mut self.trace.steps);
        self.missing.retain(|(at, depth)| {
            let caller = old[*at].as_ref().and_then(|step| step.stack.get(..*depth));
            let is_taken = caller.is_some_and(&is_wanted);
            if is_taken {
                taken.extend(old[*at].take());
            }
            !is_taken
        });
    }

    /// Takes what is wanted of what is left of the old steps, by number.
    fn rest(&mut self, is_wanted: impl Fn(usize, &Step) -> bool) {
        let left = self.old.iter_mut().enumerate();
        let left = left.filter_map(|(at, step)| Some((at, step.take()?)));
        self.trace.steps.extend(left.filter(|(at, step)| is_wanted(*at, step)).map(|(_, step)| step));
    }
}

/// Whether a place is in a call of the same functions.
fn is_within(stack: &[StackElement], caller: &[StackElement]) -> bool {
    let is_one =
        |(a, b): (&StackElement, &StackElement)| a.function_name == b.function_name && a.path == b.path;
    stack.len() >= caller.len() && stack.iter().zip(caller).all(is_one)
}

/// The next run of the same cell from a step on.
fn follow<'a>(visits: &'a [Visit], visit: &Visit, at: usize) -> Option<&'a Visit> {
    visits.iter().find(|it| it.part == visit.part && *it.steps.start() >= at)
}

/// Of a cell that has failed, what the run before did behind the statement that failed now.
fn rest_of(old: &[Step], new: &[Step], function: &str) -> Vec<Step> {
    let line = |step: &Step| {
        let own = step.stack.iter().rfind(|place| place.function_name == function);
        own.map_or(0, |place| place.line_number)
    };
    let failed = new.last().map_or(0, line);
    let from = old.iter().rposition(|step| line(step) <= failed).map_or(0, |at| at + 1);
    old[from..].to_vec()
}

/// The cells that were run, in order, each with its steps.
fn visits(lecture: &Lecture, steps: &[Step]) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let Some(part) = part_of(lecture, step).filter(|part| lecture.parts[*part].is_cell()) else {
            continue;
        };
        match visits.last_mut() {
            Some(known) if known.part == part && known.steps.end() + 1 == number => {
                known.steps = *known.steps.start()..=number;
            }
            _ => visits.push(Visit { part, steps: number..=number }),
        }
    }
    visits
}

/// The innermost part around a step; none where it is in none.
fn part_of(lecture: &Lecture, step: &Step) -> Option<usize> {
    parts_around(lecture, step).last().map(|(part, _)| part)
}

/// The parts around a step, outermost first, each with its depth in the stack: from the whole lecture on each calls the
/// next one.
fn parts_around<'a>(lecture: &'a Lecture, step: &'a Step) -> impl Iterator<Item = (usize, usize)> + 'a {
    let root = lecture.parts.first().and_then(|root| {
        let depth = step.stack.iter().position(|place| root.is_of(&place.path, &place.function_name))?;
        Some((0, depth))
    });
    std::iter::successors(root, move |(number, depth)| {
        let place = step.stack.get(depth + 1)?;
        let is_it = |child: &&usize| lecture.parts[**child].is_of(&place.path, &place.function_name);
        Some((*lecture.parts[*number].children.iter().find(is_it)?, depth + 1))
    })
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
        is_recorded: trace.is_recorded,
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

/// Where each line of a file is since some of its functions were edited, counted from 1.
fn moved_lines(old: &str, new: &str) -> Vec<u32> {
    let (old, new) = (old.lines().collect::<Vec<_>>(), new.lines().collect::<Vec<_>>());
    let (old_parts, new_parts) = (definitions(&old), definitions(&new));
    let names =
        |parts: &[(usize, &str)]| parts.iter().map(|(_, name)| (*name).to_owned()).collect::<Vec<_>>();
    if names(&old_parts) != names(&new_parts) {
        return moved_in(&old, &new, 0);
    }
    let ends = |parts: &[(usize, &str)], all: usize| {
        parts.iter().skip(1).map(|(from, _)| *from).chain([all]).collect::<Vec<usize>>()
    };
    let (old_ends, new_ends) = (ends(&old_parts, old.len()), ends(&new_parts, new.len()));
    let parts = old_parts.iter().zip(old_ends).zip(new_parts.iter().zip(new_ends));
    let moved = parts.flat_map(|(((from, _), end), ((new_from, _), new_end))| {
        moved_in(&old[*from..end], &new[*new_from..new_end], *new_from)
    });
    moved.collect()
}

/// Where the definitions of a file begin that stand outside of all others, and their names; what is before them is one, too.
fn definitions<'a>(lines: &[&'a str]) -> Vec<(usize, &'a str)> {
    let name = |line: &'a str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let name = line.strip_prefix("def ").or_else(|| line.strip_prefix("class "))?;
        name.split(['(', ':', ' ']).next()
    };
    let all = lines.iter().enumerate().filter_map(|(at, line)| Some((at, name(line)?)));
    std::iter::once((0, "")).chain(all.filter(|(at, _)| *at > 0)).collect()
}

/// Where each of these lines is among those that have taken their place, which begin behind so many. Between the first edit
/// and the last it is where the same text is, if that has not gone far.
fn moved_in(old: &[&str], new: &[&str], behind: usize) -> Vec<u32> {
    let beginning = old.iter().zip(new).take_while(|(old, new)| old == new).count();
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
    (0..old.len()).map(|at| (behind + line(at)) as u32).collect()
}
