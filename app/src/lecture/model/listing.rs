//! The code of a call, statement by statement, with what each has shown.

use napkin_trace::trace::{Json, Map, Rendering, Slider, Step, Value};

use super::call_tree::{Call, Run};
use super::lecture::{Lecture, Variable, is_prose};
use super::questions::Question;
use super::source::function_key;
use super::stepping::read_until;
use super::tokens::Kind;

/// How far the program is with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Passed,
    Current,
    /// The program has gone by it.
    Skipped,
    Coming,
}

/// A function or class of the program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Definition {
    pub path: String,
    pub name: String,
    /// First and last line.
    pub lines: (u32, u32),
}

/// A statement, or a line without one.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// First and last line.
    pub lines: (u32, u32),
    /// How many lines of its function stand before it; outside of all functions, how many lines that are in none.
    pub lines_before: u32,
    pub state: State,
    /// Whether what it draws says all that there is to it, as of `text("…")`.
    pub is_call: bool,
    /// The parts of the lecture that it calls, by number: they stand in its place.
    pub parts: Vec<usize>,
    /// Calls of the program's other functions that it makes, one for each function.
    pub helpers: Vec<usize>,
    /// Functions and classes of the program whose names it calls first in this listing, without steps of theirs.
    pub stepped_over: Vec<Definition>,
    /// What it drew when it ran last; before it has run, what it will draw.
    pub drawings: Vec<Rendering>,
    /// What it asked to show when it ran last.
    pub values: Vec<Variable>,
    /// What it has written since the call began.
    pub stdout: String,
    /// The same to standard error.
    pub stderr: String,
    /// Whether what it has shown is of an earlier run, in a call of which the last one has done a part.
    pub is_old: bool,
    /// What is asked about it.
    pub question: Option<Question>,
    /// The number that a reader may change in it.
    pub slider: Option<Slider>,
}

impl Statement {
    /// Its place in its function: how many lines stand before it, and how many more than one it has. An edit of another
    /// function does not change that.
    pub fn place(&self) -> (u32, u32) {
        (self.lines_before, self.lines.1 - self.lines.0)
    }

    /// Whether it says nothing but prose.
    pub fn is_prose(&self) -> bool {
        self.is_call && is_prose(&self.drawings)
    }
}

/// Whether a value stands beside its line.
pub fn is_short(value: &Value) -> bool {
    value.shape.is_none()
        && match &value.contents {
            Json::Bool(_) | Json::Number(_) => true,
            Json::String(text) => text.chars().count() <= 24,
            _ => false,
        }
}

/// The code of a call, or of the file what is outside of all functions, after the step `until`, or after all of it.
/// Docstrings and directives only if `is_raw`.
pub fn listing(lecture: &Lecture, call: usize, until: Option<usize>, is_raw: bool) -> Vec<Statement> {
    let Some(place) = lecture.call_place(call) else { return Vec::new() };
    let Some(source) = lecture.source(&place.path) else { return Vec::new() };
    let function = lecture.function(place);
    let (first, last) = function.map_or((1, source.len()), |function| (function.first, function.last));
    let doc = function.map_or(source.doc, |function| function.doc);
    // A title, or the lecture itself, says what the `def` line would.
    let titled = function.filter(|it| it.title.is_some() || lecture.part_of(call).is_some());
    let body = titled.map(|it| it.doc.map_or(it.def + 1, |(first, _)| first));
    let hidden = lecture.trace.hidden_line_numbers.get(&place.path);
    let is_left_out = |line: u32| {
        // Outside of all functions, of each only the line that begins it.
        let is_inside = function.is_none()
            && source.functions.iter().any(|it| source.statement(it.def).1 < line && line <= it.last);
        let is_said = doc.is_some_and(|(first, last)| (first..=last).contains(&line))
            || body.is_some_and(|body| line < body);
        is_inside || is_said && !is_raw || hidden.is_some_and(|hidden| hidden.contains(&line))
    };
    let has_tokens = |(first, last): (u32, u32)| (first..=last).any(|line| !source.tokens(line).is_empty());
    let runs = &lecture.calls.calls[call].runs;
    let before = |step: usize| runs.iter().filter(move |run| run.first <= step).map(|run| run.line);
    let current = until.and_then(|step| before(step).next_back());
    let until = until.map(|step| read_until(lecture, call, step));
    let frontier = before(until.unwrap_or(usize::MAX)).max().unwrap_or(0);

    let mut statements: Vec<Statement> = Vec::new();
    let mut line = first;
    while line <= last {
        let lines = source.statement(line);
        line = lines.1.max(line) + 1;
        // Of several empty lines the first stays; none does at the top.
        let is_after_code = || statements.last().is_some_and(|it| !source.tokens(it.lines.0).is_empty());
        if is_left_out(lines.0) || !has_tokens(lines) && !is_after_code() {
            continue;
        }
        let elsewhere = if function.is_none() { source.lines_of_bodies(lines.0) } else { first - 1 };
        let mut statement = statement(lecture, call, lines, until);
        statement.lines_before = (lines.0 - 1).saturating_sub(elsewhere);
        if current == Some(lines.0) {
            statement.state = State::Current;
        } else if statement.state == State::Coming && (lines.0 < frontier || until.is_none()) {
            statement.state = State::Skipped;
        }
        statements.push(statement);
    }
    // Comments and empty lines go with what follows them.
    let mut after = State::Coming;
    for statement in statements.iter_mut().rev() {
        let is_comment = source.tokens(statement.lines.0).iter().all(|(kind, _)| *kind == Kind::Comment);
        if is_comment && statement.state != State::Current {
            statement.state = if after == State::Coming { State::Coming } else { State::Passed };
        }
        after = statement.state;
    }
    while statements.pop_if(|it| !has_tokens(it.lines)).is_some() {}
    // Lines of what is folded below a statement already, be it a method of the class that is called.
    let mut seen: Vec<(String, u32)> = Vec::new();
    for statement in &mut statements {
        let places = statement.helpers.iter().filter_map(|call| lecture.call_place(*call));
        seen.extend(places.filter_map(|it| Some((it.path.clone(), lecture.function(it)?.def))));
        let mut called = called_by_name(lecture, &place.path, statement.lines);
        // What they call in their turn comes after them.
        let mut at = 0;
        while let Some(Definition { path, lines, .. }) = called.get(at) {
            let further = called_by_name(lecture, path, *lines);
            called.extend(further.into_iter().filter(|it| !called.contains(it)).collect::<Vec<_>>());
            at += 1;
        }
        called.retain(|it| {
            !seen.iter().any(|(path, line)| *path == it.path && (it.lines.0..=it.lines.1).contains(line))
        });
        seen.extend(called.iter().map(|it| (it.path.clone(), it.lines.1)));
        statement.stepped_over = called;
    }
    statements
}

/// A statement of a call, by the times that it ran.
fn statement(lecture: &Lecture, call: usize, lines: (u32, u32), until: Option<usize>) -> Statement {
    let Call { path, runs, .. } = &lecture.calls.calls[call];
    let runs: Vec<&Run> = runs.iter().filter(|run| run.line == lines.0).collect();
    let until = until.unwrap_or(usize::MAX);
    let done = &runs[..runs.partition_point(|run| run.first <= until)];
    let latest = done.last().copied();
    let steps = |run: &Run| run.steps().filter_map(|step| Some((step, lecture.step(step)?)));
    let seen = |run: &Run| steps(run).filter(move |(step, _)| *step <= until).map(|(_, step)| step);
    let written = |of: fn(&Step) -> &String| {
        done.iter().copied().flat_map(seen).map(|step| of(step).as_str()).collect()
    };
    let shown = latest.into_iter().flat_map(seen).flat_map(|step| &step.env);
    let values = shown.filter_map(|(name, value)| {
        Some(Variable { name: name.clone(), value: value.clone()?, line: lines.0 })
    });
    let drawn = latest.or(runs.last().copied()).into_iter().flat_map(steps);
    let called =
        latest.or(runs.first().copied()).map_or(&[][..], |run| lecture.calls.made(call, run.first, run.end));
    let is_here = |line: u32| (lines.0..=lines.1).contains(&line);
    let mut sliders = lecture.trace.sliders.get(path).into_iter().flatten();
    let mut questions = lecture.questions.iter();
    let is_old = |run: &&Run| lecture.trace.steps.get(run.first).is_some_and(|step| step.is_old);
    let is_mixed = || {
        let Call { runs, .. } = &lecture.calls.calls[call];
        runs.iter().any(|run| !is_old(&run))
    };
    Statement {
        lines,
        lines_before: 0,
        is_old: latest.as_ref().is_some_and(is_old) && is_mixed(),
        state: if done.is_empty() { State::Coming } else { State::Passed },
        is_call: lecture.source(path).is_some_and(|source| source.is_call(lines.0)),
        parts: called.iter().filter_map(|call| lecture.part_of(*call)).collect(),
        helpers: helpers(lecture, called),
        stepped_over: Vec::new(),
        drawings: drawn.flat_map(|(_, step)| step.renderings.iter().cloned()).collect(),
        values: values.collect(),
        stdout: written(|step| &step.stdout),
        stderr: written(|step| &step.stderr),
        question: questions.find(|it| it.path == *path && is_here(it.prediction.line_number)).cloned(),
        slider: sliders.find(|it| is_here(it.line_number)).cloned(),
    }
}

/// What stands outside of all functions of the program, is no part of the lecture, and is called by name in these lines.
fn called_by_name(lecture: &Lecture, path: &str, (first, last): (u32, u32)) -> Vec<Definition> {
    let Some(source) = lecture.source(path) else { return Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for number in first..=last {
        let line = source.line(number);
        for (_, place) in source.tokens(number).iter().filter(|(kind, _)| *kind == Kind::Call) {
            let name = &line[place.clone()];
            if !line[..place.start].ends_with('.') && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let defined_in = |path: &String, name: &str| {
        let source = lecture.source(path)?;
        let function =
            source.functions.iter().find(|it| it.name == name && !source.line(it.def).starts_with(' '))?;
        let is_part = lecture.parts.iter().any(|part| part.is_of(path, name));
        let lines = (function.first, function.last);
        (!is_part).then(|| Definition { path: path.clone(), name: name.to_owned(), lines })
    };
    let own = path.to_owned();
    let files = || std::iter::once(&own).chain(lecture.trace.files.keys());
    names.into_iter().filter_map(|name| files().find_map(|path| defined_in(path, name))).collect()
}

/// Of these calls those whose code the trace has, the last of each function; parts of the lecture are none.
fn helpers(lecture: &Lecture, called: &[usize]) -> Vec<usize> {
    let calls = &lecture.calls.calls;
    let with_key = |number: &usize| (function_key(&calls[*number].path, &calls[*number].function), *number);
    let last_of_each: Map<usize> = called.iter().map(with_key).collect();
    let is_helper = |number: &usize| {
        let Call { path, function, .. } = &calls[*number];
        let is_part = lecture.parts.iter().any(|part| part.is_of(path, function));
        !is_part && lecture.source(path).is_some() && !function.starts_with('<')
    };
    last_of_each.into_values().filter(is_helper).collect()
}
