//! A trace with what follows from it alone.

use napkin_notebook::trace::{Map, StackElement, Step, Trace, Value};

use crate::contents::{Entry, contents};
use crate::course::Course;
use crate::json::{self, Fault};
use crate::questions::{Question, questions};
use crate::source::{Function, Source};

/// A trace, read.
#[derive(Debug, Default)]
pub struct Lecture {
    /// What happened.
    pub trace: Trace,
    /// Which step belongs to which call.
    pub course: Course,
    /// Sections and their cells.
    pub contents: Vec<Entry>,
    /// What the reader is asked.
    pub questions: Vec<Question>,
    /// Whether it is a program of which nothing has run yet.
    pub is_unrun: bool,
    sources: Map<Source>,
}

/// A variable that a line has shown or changed.
#[derive(Debug, Clone, Copy)]
pub struct Variable<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it holds.
    pub value: &'a Value,
    /// The first line of the statement that gave it the value.
    pub line: u32,
}

impl Lecture {
    /// Reads a trace.
    ///
    /// # Errors
    /// With a sentence, if the text is none, or has no steps.
    pub fn read(json: &str) -> Result<Self, String> {
        let trace: Trace = json::read(json).map_err(|fault| match fault {
            Fault::Ends => "This file ends in the middle: it is no whole trace".to_owned(),
            fault => format!("This is not a trace of a lecture: {fault}"),
        })?;
        if trace.steps.iter().all(|step| step.stack.is_empty()) {
            let why = trace.failure.as_deref().and_then(|failure| failure.trim().lines().last());
            let why = why.map(|why| format!(": its program ended with {why}"));
            return Err(format!("There are no steps in this trace{}", why.unwrap_or_default()));
        }
        Ok(Self::new(trace))
    }

    /// What follows from a trace.
    #[must_use]
    pub fn new(trace: Trace) -> Self {
        let files = trace.files.0.iter();
        let sources = Map(files.map(|(path, text)| (path.clone(), Source::new(text))).collect());
        let function = |place: &StackElement| {
            let source = sources.get(&place.path)?;
            source.function(&place.function_name, place.line_number)
        };
        let is_entry = |place: &StackElement| {
            function(place).is_some_and(|it| it.first == place.line_number || it.def == place.line_number)
        };
        let course = Course::new(&trace.steps, is_entry);
        let title = |call: usize| {
            let call = &course.calls[call];
            let place = call.own.first().and_then(|step| trace.steps[*step].stack.last())?;
            function(place)?.title.clone()
        };
        let contents = contents(&course, title);
        let questions = questions(&trace, &sources);
        Self { course, contents, questions, sources, trace, is_unrun: false }
    }

    /// A program that is yet to run, at its first line. Of several files it is the one that asks whether it is the main
    /// one, or the first.
    #[must_use]
    pub fn unrun(files: Map<String>) -> Self {
        let main = files.0.iter().find(|(_, text)| text.contains("__main__")).or(files.0.first());
        let place = main.map(|(path, text)| StackElement {
            path: path.clone(),
            line_number: 1,
            function_name: "<module>".to_owned(),
            code: text.lines().next().map(str::to_owned),
            end_line_number: None,
        });
        let steps = vec![Step { stack: place.into_iter().collect(), ..Step::default() }];
        Self { is_unrun: true, ..Self::new(Trace { files, steps, ..Trace::default() }) }
    }

    /// The step with that number.
    #[must_use]
    pub fn step(&self, number: usize) -> Option<&Step> {
        self.trace.steps.get(number)
    }

    /// The number of the last step.
    #[must_use]
    pub fn last(&self) -> usize {
        self.trace.steps.len().saturating_sub(1)
    }

    /// Where a step is.
    #[must_use]
    pub fn place(&self, step: usize) -> Option<&StackElement> {
        self.step(step)?.stack.last()
    }

    /// A file.
    #[must_use]
    pub fn source(&self, path: &str) -> Option<&Source> {
        self.sources.get(path)
    }

    /// The function of a place; none outside all.
    #[must_use]
    pub fn function(&self, place: &StackElement) -> Option<&Function> {
        self.source(&place.path)?.function(&place.function_name, place.line_number)
    }

    /// The first line of the statement at a place.
    #[must_use]
    pub fn line(&self, place: &StackElement) -> u32 {
        self.source(&place.path).map_or(place.line_number, |source| source.statement(place.line_number).0)
    }

    /// The first step at a line of a file, counted from 1; if nothing ran there, in the function around it.
    #[must_use]
    pub fn step_at(&self, path: &str, line: u32) -> Option<usize> {
        let source = self.source(path).filter(|source| line <= source.len())?;
        let (first, _) = source.statement(line);
        let places = || (0..=self.last()).filter_map(|step| Some((step, self.place(step)?)));
        let mut of_file = places().filter(|(_, place)| place.path == path);
        let is_around = |place: &StackElement| {
            self.function(place).is_some_and(|function| (function.first..=function.last).contains(&line))
        };
        let exact = of_file.clone().find(|(_, place)| self.line(place) == first);
        exact.or_else(|| of_file.find(|(_, place)| is_around(place))).map(|(step, _)| step)
    }

    /// What the lecture is called: its first file's docstring.
    #[must_use]
    pub fn title(&self) -> String {
        let path = self.trace.steps.iter().find_map(|step| Some(&step.stack.first()?.path));
        let title = path.and_then(|path| self.source(path)?.title());
        title.or_else(|| path.cloned()).unwrap_or_else(|| "A trace".to_owned())
    }

    /// Where a reader begins: in the first section.
    #[must_use]
    pub fn beginning(&self) -> usize {
        self.contents.first().map_or(0, |entry| self.course.landing(entry.call))
    }

    /// The section and the cell around a step.
    #[must_use]
    pub fn around(&self, step: usize) -> Vec<&Entry> {
        let mut found = Vec::new();
        let mut entries = &self.contents;
        let is_around = |entry: &&Entry| {
            let call = &self.course.calls[entry.call];
            (call.first..=call.last).contains(&step)
        };
        while let Some(entry) = entries.iter().find(is_around) {
            found.push(entry);
            entries = &entry.cells;
        }
        found
    }

    /// The variables that are shown at a step, in the order in which they were asked for: what its call has inspected
    /// so far and not cleared.
    #[must_use]
    pub fn inspected(&self, step: usize) -> Vec<Variable<'_>> {
        self.carried(step, |step| &step.env.0)
    }

    /// All local variables of a step's call as far as they are known.
    #[must_use]
    pub fn known(&self, step: usize) -> Vec<Variable<'_>> {
        self.carried(step, |step| &step.changed.0)
    }

    fn carried<'a>(
        &'a self,
        step: usize,
        of: impl Fn(&'a Step) -> &'a [(String, Option<Value>)],
    ) -> Vec<Variable<'a>> {
        let Some(call) = self.course.call(step) else { return Vec::new() };
        let mut carried: Vec<Variable> = Vec::new();
        for own in self.course.own_until(call, step) {
            let line = self.place(*own).map_or(0, |place| self.line(place));
            for (name, value) in of(&self.trace.steps[*own]) {
                let known = carried.iter().position(|known| known.name == name);
                let now = value.as_ref().map(|value| Variable { name, value, line });
                match (known, now) {
                    (Some(at), Some(now)) => carried[at] = now,
                    (Some(at), None) => drop(carried.remove(at)),
                    (None, now) => carried.extend(now),
                }
            }
        }
        carried
    }
}
