//! A trace with what follows from it alone.

use std::sync::Arc;

use napkin_trace::Frame;
use napkin_trace::python::CellName;
use napkin_trace::trace::{Map, Rendering, StackElement, Step, Trace, Value, check_places};

use super::call_tree::CallTree;
use super::outline::{Part, outline};
use super::questions::{Question, questions};
use super::source::{Function, MODULE, Source, function_key};
use super::stepping::{stops, walk};

/// A trace, read.
#[derive(Debug, Default)]
pub struct Lecture {
    /// What happened.
    pub trace: Trace,
    /// Which step belongs to which call.
    pub calls: CallTree,
    /// The whole lecture, its sections and their cells, in the order in which they are read.
    pub parts: Vec<Part>,
    /// What the reader is asked.
    pub questions: Vec<Question>,
    /// Whether it is a program of which nothing has run yet.
    pub is_unrun: bool,
    /// The file that it was read from, if that is a notebook.
    pub notebook: Option<Arc<str>>,
    /// What parts were called before somebody edited them, by the key of their function.
    pub(super) titles: Map<String>,
    /// By the number of a call, the lines at which a reader stops in it, and the step after each.
    pub(super) call_stops: Vec<Vec<(u32, usize)>>,
    /// The steps at which a reader who steps through it stops, in order.
    pub(super) stops: Vec<usize>,
    sources: Map<Arc<Source>>,
}

/// A variable that a line has shown or changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub value: Value,
    /// The first line of the statement that gave it the value.
    pub line: u32,
}

impl Lecture {
    /// A trace that a reader brings.
    ///
    /// # Errors
    /// With a sentence, if it has no steps, or names places that are not in it.
    pub fn of_trace(trace: Trace) -> Result<Self, String> {
        check_places(&trace)?;
        Self::run(trace)
    }

    /// A lecture of this site from its JSON: its trace, or its files alone where they have changed since it ran.
    ///
    /// # Errors
    /// With a sentence, if the text is no trace or has no steps.
    pub fn of_site(json: &str) -> Result<Self, String> {
        match serde_json::from_str(json)
            .map_err(|error| format!("This is not a trace of a lecture: {error}"))?
        {
            Trace { files, steps, failure: None, .. } if steps.is_empty() => Ok(Self::unrun(files)),
            trace => Self::run(trace),
        }
    }

    /// A trace with steps.
    fn run(trace: Trace) -> Result<Self, String> {
        if trace.steps.iter().all(|step| step.stack.is_empty()) {
            let why = trace.failure.as_deref().and_then(|failure| failure.trim().lines().last());
            let why = why.map(|why| format!(": its program ended with {why}"));
            return Err(format!("There are no steps in this trace{}", why.unwrap_or_default()));
        }
        Ok(Self::new(trace))
    }

    /// What follows from a trace.
    pub fn new(trace: Trace) -> Self {
        Self::after(&Self::default(), trace)
    }

    /// The same for another run of a program: files that are as they were are not read again.
    pub fn after(before: &Self, trace: Trace) -> Self {
        let source = |(path, text): (&String, &String)| {
            let known = before.sources.get(path).filter(|_| before.trace.files.get(path) == Some(text));
            (path.clone(), known.cloned().unwrap_or_else(|| Arc::new(Source::new(text))))
        };
        let sources = trace.files.iter().map(source).collect();
        let mut titles = before.titles.clone();
        for part in &before.parts {
            titles.entry(function_key(&part.path, &part.function)).or_insert_with(|| part.title.clone());
        }
        let mut lecture = Self { sources, trace, titles, ..Self::default() };
        lecture.calls = CallTree::new(&lecture);
        lecture.parts = outline(&lecture);
        lecture.questions = questions(&lecture, &before.questions);
        lecture.call_stops = (0..lecture.calls.calls.len()).map(|call| stops(&lecture, call)).collect();
        lecture.stops = walk(&lecture);
        lecture
    }

    /// A program that is yet to run, at its first line. Of several files it is the first that defines `main`, or that
    /// asks whether it is the main one, or the first.
    pub fn unrun(files: Map<String>) -> Self {
        let of = |mark: &str| files.iter().find(|(_, text)| text.contains(mark));
        let main = of("def main(").or_else(|| of("__main__")).or(files.first());
        let place = main.map(|(path, text)| StackElement {
            path: path.clone(),
            line_number: 1,
            function_name: MODULE.to_owned(),
            code: text.lines().next().map(str::to_owned),
            end_line_number: None,
        });
        let steps = vec![Step { stack: place.into_iter().collect(), ..Step::default() }];
        Self { is_unrun: true, ..Self::new(Trace { files, steps, ..Trace::default() }) }
    }

    /// The step with that number.
    pub fn step(&self, number: usize) -> Option<&Step> {
        self.trace.steps.get(number)
    }

    /// The number of the last step.
    pub fn last(&self) -> usize {
        self.trace.steps.len().saturating_sub(1)
    }

    /// Where a step is.
    pub fn place(&self, step: usize) -> Option<&StackElement> {
        self.step(step)?.stack.last()
    }

    /// Where a call is: the place of its first own step.
    pub fn call_place(&self, call: usize) -> Option<&StackElement> {
        self.place(self.calls.calls.get(call)?.runs.first()?.first)
    }

    /// A file.
    pub fn source(&self, path: &str) -> Option<&Source> {
        self.sources.get(path).map(Arc::as_ref)
    }

    /// The function of a place; none outside all.
    pub fn function(&self, place: &StackElement) -> Option<&Function> {
        self.source(&place.path)?.function(&place.function_name, place.line_number)
    }

    /// How many lines stand before the first one of what a function is edited in: of itself, of a notebook's cell, whose
    /// `def` nobody has typed, or of the file, if that is one cell.
    pub fn lines_before(&self, path: &str, function: &Function) -> u32 {
        if self.parts.first().is_some_and(|root| root.is_of(path, MODULE)) {
            return 0;
        }
        let cell = self.source(path).and_then(|source| source.typed_cell(path, function.first));
        cell.map_or(function.first - 1, |cell| cell.first)
    }

    /// The name of the function at a place, behind those of the classes and functions that it is in.
    pub fn qualified_name(&self, place: &StackElement) -> Option<String> {
        let (functions, inner) = (&self.source(&place.path)?.functions, self.function(place)?);
        let around = functions.iter().filter(|it| it.first <= inner.first && inner.last <= it.last);
        Some(around.map(|it| it.name.as_str()).collect::<Vec<_>>().join("."))
    }

    /// Whether a place is the line that begins its function.
    pub(super) fn is_entry(&self, place: &StackElement) -> bool {
        self.function(place).is_some_and(|it| it.first == place.line_number || it.def == place.line_number)
    }

    /// The first line of the statement at a place.
    pub fn line(&self, place: &StackElement) -> u32 {
        self.source(&place.path).map_or(place.line_number, |source| source.statement(place.line_number).0)
    }

    /// The first step at a line of a file, counted from 1; if nothing ran there, in the function around it.
    pub fn step_at(&self, path: &str, line: u32) -> Option<usize> {
        let source = self.source(path).filter(|source| line <= source.len())?;
        let (first, _) = source.statement(line);
        let find = |is_it: &dyn Fn(&StackElement) -> bool| {
            let is_here = |place: &StackElement| place.path == path && is_it(place);
            self.trace.steps.iter().position(|step| step.stack.last().is_some_and(is_here))
        };
        let is_around = |place: &StackElement| {
            self.function(place).is_some_and(|function| (function.first..=function.last).contains(&line))
        };
        find(&|place| self.line(place) == first).or_else(|| find(&is_around))
    }

    /// The steps of a part.
    fn steps_of(&self, part: usize) -> &[Step] {
        let call = self.parts.get(part).and_then(|part| self.calls.calls.get(part.call));
        call.and_then(|call| self.trace.steps.get(call.first..=call.last)).unwrap_or_default()
    }

    /// Whether any step of a part is one of an earlier run.
    pub fn is_old(&self, part: usize) -> bool {
        self.steps_of(part).iter().any(|step| step.is_old)
    }

    /// Whether all of them are.
    pub fn is_all_old(&self, part: usize) -> bool {
        let steps = self.steps_of(part);
        !steps.is_empty() && steps.iter().all(|step| step.is_old)
    }

    /// The innermost function around a line, counted from 1, and the line in it.
    pub fn within(&self, path: &str, line: u32) -> Option<(&str, u32)> {
        let function = self.source(path)?.within(line)?;
        Some((&function.name, line - function.first + 1))
    }

    /// What the lecture is called: its first file's docstring.
    pub fn title(&self) -> String {
        let path = self.main().unwrap_or("A trace");
        self.source(path).and_then(Source::title).unwrap_or_else(|| path.to_owned())
    }

    /// The file that the program begins with.
    pub fn main(&self) -> Option<&str> {
        self.trace.steps.iter().find_map(|step| Some(step.stack.first()?.path.as_str()))
    }

    /// The innermost part around a step; the whole lecture, number 0, where there is none.
    pub fn part_at(&self, step: usize) -> usize {
        let open = self.calls.open(self.calls.call(step));
        open.into_iter().rev().find_map(|call| self.part_of(call)).unwrap_or(0)
    }

    /// The cell that the innermost of some frames is in: in a program without a `main` nothing else says so.
    pub fn cell_around(&self, frames: &[Frame]) -> Option<CellName> {
        let cells = || self.cells().map(|part| &self.parts[part]);
        let cell =
            frames.iter().rev().find_map(|it| cells().find(|cell| cell.is_of(&it.path, &it.function)))?;
        Some(CellName { path: cell.path.clone(), function: cell.function.clone() })
    }

    /// Whether a step is in the lecture: what ran before and after its outermost part is in no listing.
    pub(super) fn is_inside(&self, step: usize) -> bool {
        let open = self.calls.open(self.calls.call(step));
        self.parts.first().is_none_or(|root| open.contains(&root.call))
    }

    /// The part that a call is.
    pub fn part_of(&self, call: usize) -> Option<usize> {
        self.parts.iter().position(|part| part.call == call)
    }

    /// The part with that name in addresses.
    pub fn part_named(&self, anchor: &str) -> Option<usize> {
        self.parts.iter().position(|part| part.anchor == anchor)
    }

    /// The name of a part in addresses.
    pub fn anchor(&self, part: usize) -> Option<String> {
        Some(self.parts.get(part)?.anchor.clone())
    }

    /// The cells, parts without parts, in order: their numbers.
    pub fn cells(&self) -> impl Iterator<Item = usize> {
        (0..self.parts.len()).filter(|part| self.parts[*part].is_cell())
    }

    /// The variables that are shown at a step, in the order in which they were asked for: what its call has inspected
    /// so far and not cleared.
    pub fn inspected(&self, step: usize) -> Vec<Variable> {
        self.carried(step, |step| &step.env)
    }

    /// All local variables of a step's call as far as they are known.
    pub fn known(&self, step: usize) -> Vec<Variable> {
        self.carried(step, |step| &step.changed)
    }

    fn carried<'a>(&'a self, step: usize, of: impl Fn(&'a Step) -> &'a Map<Option<Value>>) -> Vec<Variable> {
        let Some(call) = self.calls.call(step) else { return Vec::new() };
        let mut carried: Map<(&Value, u32)> = Map::default();
        for own in self.calls.calls[call].steps_until(step) {
            let line = self.place(own).map_or(0, |place| self.line(place));
            for (name, value) in of(&self.trace.steps[own]) {
                match value {
                    Some(value) => carried.insert(name.clone(), (value, line)),
                    None => carried.shift_remove(name),
                };
            }
        }
        let variable =
            |(name, (value, line)): (String, (&Value, u32))| Variable { name, value: value.clone(), line };
        carried.into_iter().map(variable).collect()
    }

    /// Whether a speaker has noted anything.
    pub fn has_notes(&self) -> bool {
        self.trace.steps.iter().flat_map(|step| &step.renderings).any(|it| it.kind == "note")
    }
}

/// Whether drawings are prose, and nothing else.
pub fn is_prose<'a>(drawings: impl IntoIterator<Item = &'a Rendering>) -> bool {
    let mut drawings = drawings.into_iter().peekable();
    drawings.peek().is_some() && drawings.all(|it| matches!(it.kind.as_str(), "markdown" | "note"))
}
