//! Stepping through a lecture as a reader sees it: from line to line of a cell, past what a line calls unless the reader
//! steps in, and once through a loop whatever its rounds.

use std::collections::HashSet;

use napkin_trace::trace::Rendering;

use super::call_tree::Run;
use super::lecture::{Lecture, is_prose};
use super::source::MODULE;

/// How a reader gets on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    Next,
    Back,
    /// To the first line of the function that this line calls.
    Into,
    /// To the line that called this function.
    Out,
}

/// Where a reader is, counted as a reader sees it, from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The line among those of its function.
    pub line: usize,
    pub lines: usize,
    /// Stops on the way so far.
    pub stop: usize,
    pub stops: usize,
}

/// The stops of all parts, in order.
pub(super) fn walk(lecture: &Lecture) -> Vec<usize> {
    let of_part = |part: &super::Part| &lecture.call_stops[part.call];
    let mut stops: Vec<usize> = lecture.parts.iter().flat_map(of_part).map(|(_, step)| *step).collect();
    stops.sort_unstable();
    stops
}

/// The lines of a call at which a reader stops, in the order in which they ran first, and the step after that.
pub(super) fn stops(lecture: &Lecture, call: usize) -> Vec<(u32, usize)> {
    let mut seen = HashSet::new();
    let runs = &lecture.calls.calls[call].runs;
    let first = runs.iter().enumerate();
    let first = first.filter(|(_, run)| seen.insert(run.line) && is_stop(lecture, call, run));
    // Cards are read together with the line before them, and drawings that follow one another together.
    let is_read_on = |run: &Run, next: &Run| {
        is_card(lecture, next) || draws_alone(lecture, call, run) && draws_alone(lecture, call, next)
    };
    let first = first.filter(|(at, run)| !runs.get(at + 1).is_some_and(|next| is_read_on(run, next)));
    let mut stops: Vec<(u32, usize)> = first.map(|(_, run)| (run.line, run.last)).collect();
    // A cell of prose alone is not passed by.
    if stops.is_empty() && lecture.part_of(call).is_some_and(|part| lecture.parts[part].is_cell()) {
        stops.extend(runs.last().map(|run| (run.line, run.last)));
    }
    stops
}

/// What is drawn at a line.
fn drawn<'a>(lecture: &'a Lecture, run: &Run) -> impl Iterator<Item = &'a Rendering> {
    run.steps().filter_map(|step| lecture.step(step)).flat_map(|step| &step.renderings)
}

/// Whether a line draws cards, and nothing else.
fn is_card(lecture: &Lecture, run: &Run) -> bool {
    let mut drawings = drawn(lecture, run).peekable();
    drawings.peek().is_some() && drawings.all(|it| it.kind == "card")
}

/// Whether drawing is all that a line does.
fn draws_alone(lecture: &Lecture, call: usize, run: &Run) -> bool {
    let source = lecture.source(&lecture.calls.calls[call].path);
    source.is_some_and(|source| source.is_call(run.line)) && drawn(lecture, run).next().is_some()
}

/// Until which step a call is read where a reader is at `step`: what follows its last stop is read with that.
pub(super) fn read_until(lecture: &Lecture, call: usize, step: usize) -> usize {
    let (lines, all) = (&lecture.call_stops[call], &lecture.calls.calls[call]);
    let mut coming = all.runs.iter().filter(|run| run.first > step);
    if coming.any(|run| position(lines, run.line).is_some()) { step } else { all.last }
}

/// Prose is read together with the line after it, as the head of a loop or a branch is; parts are stepped through
/// themselves; and what only defines, or ends a part, says nothing.
fn is_stop(lecture: &Lecture, call: usize, run: &Run) -> bool {
    let Some(place) = lecture.place(run.first) else { return false };
    let Some(source) = lecture.source(&place.path) else { return true };
    let hidden = lecture.trace.hidden_line_numbers.get(&place.path);
    if lecture.is_entry(place) || hidden.is_some_and(|hidden| hidden.contains(&run.line)) {
        return false;
    }
    let says = is_prose(drawn(lecture, run)) && source.is_call(run.line);
    let mut called = lecture.calls.made(call, run.first, run.end).iter();
    let calls_part = called.any(|call| lecture.part_of(*call).is_some());
    let word = source.first_word(run.line);
    let defines = word.starts_with('@') || matches!(word, "def" | "class" | "import" | "from");
    let is_head = matches!(word, "for" | "while" | "with" | "if" | "try" | "async");
    let ends = word == "return" && lecture.part_of(call).is_some();
    !says && !calls_part && !is_head && !ends && !(defines && place.function_name == MODULE)
}

impl Lecture {
    /// Where a reader begins to step: the first stop, or that of a part.
    pub fn first_stop(&self, part: Option<usize>) -> usize {
        let part = part.and_then(|part| self.parts.get(part));
        let from = part.map_or(0, |part| self.calls.calls[part.call].first);
        self.stop(self.stops.partition_point(|stop| *stop < from))
    }

    /// The stop at or before a step.
    pub fn stop_before(&self, step: usize) -> usize {
        let after = self.stops.partition_point(|stop| *stop <= step);
        self.stops.get(after.saturating_sub(1)).copied().unwrap_or(step)
    }

    /// The stop with that number, counted from 0; the last one if there are fewer.
    pub fn stop(&self, number: usize) -> usize {
        self.stops.get(number).or(self.stops.last()).copied().unwrap_or(0)
    }

    /// Where a move leads; nowhere at the ends.
    pub fn target(&self, step: usize, to: Move) -> Option<usize> {
        // The next stop that is not in that call itself.
        let other = |call: Option<usize>| {
            let mut stops = self.stops.iter().copied();
            let is_other = |stop: usize| call.is_none() || self.calls.call(stop) != call;
            match to {
                Move::Back => stops.rfind(|stop| *stop < step && is_other(*stop)),
                _ => stops.find(|stop| *stop > step && is_other(*stop)),
            }
        };
        let Some((call, runs, at)) = self.run_at(step) else {
            // A damaged trace does not say where its first steps are.
            return if to == Move::Next { other(None) } else { None };
        };
        let (is_part, lines) = (self.part_of(call).is_some(), &self.call_stops[call]);
        let own = match to {
            Move::Into => return self.called_in(call, &runs[at]),
            Move::Out if is_part => return None,
            Move::Out => return self.out(call),
            Move::Next => line_after(runs, lines, at),
            Move::Back => line_before(runs, lines, at),
        };
        if !is_part {
            return own.or_else(|| self.out(call)).or_else(|| other(None));
        }
        // Between the lines of a part there are its own parts.
        let both = own.into_iter().chain(other(Some(call)));
        if to == Move::Next { both.min() } else { both.max() }
    }

    /// The call of a step with what ran in it, and which of that the step is in.
    fn run_at(&self, step: usize) -> Option<(usize, &[Run], usize)> {
        let call = self.calls.call(step)?;
        let runs = &self.calls.calls[call].runs;
        Some((call, runs, runs.partition_point(|run| run.first <= step).checked_sub(1)?))
    }

    /// The first stop in what a statement calls.
    fn called_in(&self, call: usize, run: &Run) -> Option<usize> {
        let called = self.calls.made(call, run.first, run.end).iter();
        let mut known = called.filter(|call| self.source(&self.calls.calls[**call].path).is_some());
        known.find_map(|call| self.call_stops[*call].first().map(|(_, step)| *step))
    }

    /// The statement that made a call, done with it.
    fn out(&self, call: usize) -> Option<usize> {
        let made_by = self.calls.made_by(call).map(|run| run.last);
        made_by.or_else(|| self.out(self.calls.calls[call].caller?))
    }

    /// Where a step is, as a reader counts: outside of the lecture there are no lines.
    pub fn progress(&self, step: usize) -> Progress {
        let mut progress = Progress {
            stop: self.stops.partition_point(|stop| *stop <= step),
            stops: self.stops.len(),
            ..Progress::default()
        };
        if let Some((call, runs, at)) = self.run_at(step).filter(|_| self.is_inside(step)) {
            let lines = &self.call_stops[call];
            // What is no line of its own counts as the one after it.
            let here = position(lines, runs[at].line);
            let here = here.unwrap_or_else(|| lines.partition_point(|(_, stop)| *stop < step));
            progress.lines = lines.len();
            progress.line = (here + 1).min(lines.len());
        }
        progress
    }

    /// If the line of a step ran more than once in a loop: which round it is, from 1, and the step of each round.
    pub fn round(&self, step: usize) -> Option<(usize, Vec<usize>)> {
        let (_, runs, at) = self.run_at(step)?;
        let line = runs[at].line;
        // The head of a loop runs once more than the loop.
        let source = self.source(&self.place(step)?.path)?;
        if matches!(source.first_word(line), "for" | "while" | "async") {
            return None;
        }
        let is_same = |run: &&Run| run.line == line;
        let steps: Vec<usize> = runs.iter().filter(is_same).map(|run| run.last).collect();
        (steps.len() > 1).then(|| (runs[..=at].iter().filter(is_same).count(), steps))
    }
}

/// Which of the stops of a call a line is.
fn position(lines: &[(u32, usize)], line: u32) -> Option<usize> {
    lines.iter().position(|(known, _)| *known == line)
}

/// The next line of a call; who looks at a round of a loop stays in that.
fn line_after(runs: &[Run], lines: &[(u32, usize)], at: usize) -> Option<usize> {
    let mut coming = runs[at + 1..].iter().filter_map(|run| Some((position(lines, run.line)?, run.last)));
    let next = match position(lines, runs[at].line) {
        Some(here) => coming.filter(|(order, _)| *order > here).min_by_key(|(order, _)| *order),
        None => coming.next(),
    };
    next.map(|(_, step)| step)
}

/// The line before, as it ran first, which is the way that [`Move::Next`] takes; who looks at another round of a loop
/// stays in that.
fn line_before(runs: &[Run], lines: &[(u32, usize)], at: usize) -> Option<usize> {
    let mut earlier = runs[..at].iter().rev();
    let run = match position(lines, runs[at].line) {
        None => earlier.find(|run| position(lines, run.line).is_some()),
        Some(here) => {
            let (line, stop) = *lines.get(here.checked_sub(1)?)?;
            if lines[here].1 == runs[at].last {
                return Some(stop);
            }
            earlier.find(|run| run.line == line)
        }
    };
    run.map(|run| run.last)
}
