//! The code around a step, statement by statement, with what each has shown so far.

use napkin_notebook::trace::{Rendering, Slider, StackElement};

use crate::lecture::{Lecture, Variable};
use crate::questions::Question;

/// How far the program is with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has run.
    Passed,
    /// It runs now.
    Current,
    /// The program has gone by it.
    Skipped,
    /// The program has not come to it.
    Coming,
}

/// A statement, or a line without one.
#[derive(Debug)]
pub struct Statement<'a> {
    /// Its lines.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// How far the program is.
    pub state: State,
    /// Whether what it draws says all that there is to it.
    pub is_call: bool,
    /// What it drew when it ran last.
    pub drawings: Vec<&'a Rendering>,
    /// What it asked to show when it ran last.
    pub values: Vec<Variable<'a>>,
    /// What it has written since the call began.
    pub stdout: String,
    /// The same to standard error.
    pub stderr: String,
    /// What is asked about it.
    pub question: Option<&'a Question>,
    /// The number that a reader may change in it.
    pub slider: Option<&'a Slider>,
}

/// The function of a step, or of the file what is outside of all functions; docstrings only if `is_raw`.
#[must_use]
pub fn listing(lecture: &Lecture, step: usize, is_raw: bool) -> Vec<Statement<'_>> {
    let (Some(place), Some(call)) = (lecture.place(step), lecture.course.call(step)) else {
        return Vec::new();
    };
    let Some(source) = lecture.source(&place.path) else { return Vec::new() };
    let function = lecture.function(place);
    let (first, last) = function.map_or((1, source.len()), |function| (function.first, function.last));
    let doc = function.map_or_else(|| source.doc(), |function| function.doc).filter(|_| !is_raw);
    let hidden = lecture.trace.hidden_line_numbers.get(&place.path).map_or(&[][..], Vec::as_slice);
    // Outside of all functions, of each only the line that begins it.
    let is_inside = |line: u32| {
        function.is_none()
            && source.functions.iter().any(|it| source.statement(it.def).1 < line && line <= it.last)
    };
    let runs = Runs::new(lecture, call, step);
    let is_now = |line: u32| runs.0.last().is_some_and(|run| run.line == line);
    let is_doc = |line: u32| doc.is_some_and(|(first, last)| (first..=last).contains(&line)) && !is_now(line);
    let frontier = runs.0.iter().map(|run| run.line).max().unwrap_or(0);

    let mut statements: Vec<Statement> = Vec::new();
    let mut line = first;
    while line <= last {
        let (begin, end) = source.statement(line);
        line = end.max(line) + 1;
        if hidden.contains(&begin) || is_inside(begin) || is_doc(begin) {
            continue;
        }
        let is_blank = (begin..=end).all(|line| source.tokens(line).is_empty());
        if is_blank && statements.last().is_none_or(|before| source.tokens(before.first).is_empty()) {
            continue;
        }
        statements.push(statement(lecture, place, &runs, (begin, end), frontier));
    }
    // Comments and empty lines go with what follows them.
    let mut state = State::Coming;
    for statement in statements.iter_mut().rev() {
        let is_comment = |line| source.tokens(line).iter().all(|it| it.kind == crate::tokens::Kind::Comment);
        if is_comment(statement.first) && statement.state != State::Current {
            statement.state = if state == State::Coming { State::Coming } else { State::Passed };
        }
        state = statement.state;
    }
    while statements.last().is_some_and(|it| (it.first..=it.last).all(|line| source.tokens(line).is_empty()))
    {
        statements.pop();
    }
    statements
}

fn statement<'a>(
    lecture: &'a Lecture,
    place: &StackElement,
    runs: &Runs,
    (first, last): (u32, u32),
    frontier: u32,
) -> Statement<'a> {
    let of_line = || runs.0.iter().filter(|run| run.line == first);
    let latest = of_line().next_back();
    let is_now = runs.0.last().is_some_and(|run| run.line == first);
    let state = match latest {
        Some(_) if is_now => State::Current,
        Some(_) => State::Passed,
        None if first < frontier => State::Skipped,
        None => State::Coming,
    };
    let steps = |run: &Run| run.steps.clone().into_iter().filter_map(|step| lecture.step(step));
    let written = |of: fn(&napkin_notebook::trace::Step) -> &String| -> String {
        of_line().flat_map(|run| steps(run).map(of)).map(String::as_str).collect()
    };
    let shown = latest.into_iter().flat_map(steps).flat_map(|step| &step.env.0);
    let values =
        shown.filter_map(|(name, value)| Some(Variable { name, value: value.as_ref()?, line: first }));
    let is_own = |path: &String, line: u32| *path == place.path && (first..=last).contains(&line);
    let of_file = lecture.trace.sliders.get(&place.path).into_iter().flatten();
    Statement {
        first,
        last,
        state,
        is_call: lecture.source(&place.path).is_some_and(|source| source.is_call(first)),
        drawings: latest.into_iter().flat_map(steps).flat_map(|step| &step.renderings).collect(),
        values: values.collect(),
        stdout: written(|step| &step.stdout),
        stderr: written(|step| &step.stderr),
        question: lecture.questions.iter().find(|it| is_own(&it.path, it.prediction.line_number)),
        slider: of_file.into_iter().find(|it| (first..=last).contains(&it.line_number)),
    }
}

/// A statement that ran once: before and after what it called.
struct Run {
    line: u32,
    steps: Vec<usize>,
}

/// What ran in a call up to a step.
struct Runs(Vec<Run>);

impl Runs {
    fn new(lecture: &Lecture, call: usize, step: usize) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for own in lecture.course.own_until(call, step) {
            let Some(place) = lecture.place(*own) else { continue };
            let line = lecture.line(place);
            match runs.last_mut() {
                Some(run) if run.line == line => run.steps.push(*own),
                _ => runs.push(Run { line, steps: vec![*own] }),
            }
        }
        Self(runs)
    }
}
