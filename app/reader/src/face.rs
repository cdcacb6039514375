//! The lecture as HTML: contents, code with what it drew, variables, and what steps through them.

use maud::{Markup, html};
use napkin_accounting::decimal;
use napkin_notebook::trace::{StackElement, Value};

use crate::code;
use crate::contents::Entry;
use crate::lecture::Variable;
use crate::listing::{State, Statement, listing};
use crate::place::key;
use crate::questions::{Question, Verdict};
use crate::reader::{Move, Reader};
use crate::words;

/// The kind of rendering that only speakers see.
const NOTE: &str = "note";

impl Reader {
    /// What stands below the page's header.
    #[must_use]
    pub fn html(&self) -> String {
        let title = self.lecture.title();
        let (name, lede) = title.split_once(": ").unwrap_or((&title, ""));
        let (right, answered, asked) = self.score();
        let around = self.lecture.around(self.step);
        let markup = html! {
            header.lecture-head {
                h1 { (name) }
                @if !lede.is_empty() { p.lede { (lede) } }
                @if asked > 0 {
                    p.score {
                        @if answered == 0 { "Predictions to make: " (asked) "." }
                        @else { "Predictions: " (right) " right of " (answered) " made, " (asked) " in all." }
                    }
                }
                @for warning in &self.lecture.trace.warnings { p.message { (warning) } }
                (self.runner())
            }
            div.lecture {
                nav.lecture-contents aria-label="Contents" {
                    h2 { "Contents" }
                    ol { @for entry in &self.lecture.contents { (self.entry(entry, &around)) } }
                }
                (self.stage(&around))
                (self.variables())
            }
            (self.stepper())
        };
        markup.into_string()
    }

    /// All that the reader has come by, as it goes on paper, with the address of the state.
    #[must_use]
    pub fn whole(&self, link: &str) -> String {
        let mut steps = Vec::new();
        let mut entries: Vec<&Entry> = self.lecture.contents.iter().rev().collect();
        while let Some(entry) = entries.pop() {
            if let Some(step) = self.lecture.course.own_until(entry.call, self.step).last() {
                steps.push((entry, *step));
            }
            entries.extend(entry.cells.iter().rev());
        }
        html! {
            p.source { (self.news()) ": " a href=(link) { (link) } }
            @for (entry, step) in steps {
                section.code-card {
                    h2 { (entry.title) }
                    (self.code(step, &format!("paper-{}", entry.call)))
                    (self.large(step))
                }
            }
        }
        .into_string()
    }

    /// The variables that do not stand beside their lines.
    fn large(&self, step: usize) -> Markup {
        let Some(place) = self.lecture.place(step) else { return html! {} };
        let shown = self.lecture.inspected(step);
        let large = shown.iter().filter(|it| !is_short(it.value) && !self.look.hides_variables);
        html! { dl.large { @for variable in large { (self.variable(place, variable, false)) } } }
    }

    /// Where the reader is, in words.
    #[must_use]
    pub fn news(&self) -> String {
        let place = self.lecture.place(self.step);
        let line = place.map_or(String::new(), |place| {
            format!(", line {} of {}", self.lecture.line(place), place.function_name)
        });
        format!("Step {} of {}{line}", self.step, self.lecture.last())
    }

    fn entry(&self, entry: &Entry, around: &[&Entry]) -> Markup {
        let is_around = around.iter().any(|it| it.call == entry.call);
        let is_innermost = around.last().is_some_and(|it| it.call == entry.call);
        let is_read = self.lecture.course.calls[entry.call].last < self.step;
        let state = if is_around { Some("is-open") } else { is_read.then_some("is-read") };
        let call = &self.lecture.course.calls[entry.call];
        let has_moved = self.live.moved.get(&key(&call.path, &call.function)).is_some();
        html! {
            li class=[state] {
                a href=(self.link(self.lecture.course.landing(entry.call)))
                    data-step=(self.lecture.course.landing(entry.call))
                    aria-current=[is_innermost.then_some("true")] {
                    (entry.title)
                    @if has_moved { span.has-moved { " changed" } }
                }
                @if !entry.cells.is_empty() {
                    ol { @for cell in &entry.cells { (self.entry(cell, around)) } }
                }
            }
        }
    }

    fn link(&self, step: usize) -> String {
        let address = crate::Address { step: Some(step.to_string()), ..self.address() };
        address.write()
    }

    fn stage(&self, around: &[&Entry]) -> Markup {
        let place = self.lecture.place(self.step);
        let own = place.and_then(|place| self.lecture.function(place)?.title.clone());
        let title = own.or_else(|| around.last().map(|entry| entry.title.clone()));
        html! {
            section.stage aria-label="Code" {
                div.where {
                    (self.crumbs())
                    (self.switches())
                }
                (self.editor())
                div.code-card data-key=(self.card()) {
                    @if let Some(title) = title { h2 { (title) } }
                    (self.code(self.step, "here"))
                }
                (self.take_away())
                @if self.step == self.lecture.last() { (self.ending()) }
            }
        }
    }

    /// What the code's card stands for: after a run it is still that of the same call, and keeps the focus.
    fn card(&self) -> String {
        let course = &self.lecture.course;
        let Some(number) = course.call(self.step) else { return String::new() };
        let call = &course.calls[number];
        format!("{}:{}:{}", call.path, call.function, course.turn(number))
    }

    fn ending(&self) -> Markup {
        html! {
            @if let Some(failure) = &self.lecture.trace.failure { pre.traceback { (failure.trim_end()) } }
            @else if self.lecture.trace.truncated {
                p.message { "The program went on after this step, but no more of it was recorded." }
            } @else { p.the-end { "This is the last step." } }
        }
    }

    fn crumbs(&self) -> Markup {
        let open = self.lecture.course.open(self.lecture.course.call(self.step));
        let stack = self.lecture.step(self.step).map_or(&[][..], |step| &step.stack);
        html! {
            nav.crumbs aria-label="Call stack" {
                ol {
                    @for (depth, place) in stack.iter().enumerate() {
                        li {
                            @let to = open.get(depth).map(|call| self.lecture.course.landing(*call));
                            a href=[to.map(|to| self.link(to))] data-step=[to]
                                aria-current=[(depth + 1 == stack.len()).then_some("true")]
                                title={ (place.path) ":" (place.line_number) }
                            { (name(place)) }
                        }
                    }
                }
            }
        }
    }

    fn switches(&self) -> Markup {
        let look = self.look;
        let place = self.lecture.place(self.step).map(|place| place.path.as_str());
        html! {
            div.switches role="group" aria-label="View" {
                (switch("raw", "r", "Raw code", look.is_raw))
                (switch("coming", "a", "Coming lines", look.shows_coming))
                (switch("variables", "e", "Variables", !look.hides_variables))
                @if let Some(path) = place.filter(|path| self.text(path).is_some()) {
                    button type="button" data-do="edit" data-of=(path) { "Edit" }
                }
                @if self.has_notes() { (switch("notes", "n", "Notes", look.shows_notes)) }
            }
        }
    }

    /// Whether a speaker has noted anything.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.lecture.trace.steps.iter().flat_map(|step| &step.renderings).any(|it| it.kind == NOTE)
    }

    fn code(&self, step: usize, id: &str) -> Markup {
        let Some(place) = self.lecture.place(step) else { return html! {} };
        let shown = listing(&self.lecture, step, self.look.is_raw);
        let is_seen = |it: &&Statement| self.look.shows_coming || it.state != State::Coming;
        html! {
            ol.code aria-label={ (place.path) ", " (place.function_name) } {
                @for statement in shown.iter().filter(is_seen) { (self.statement(place, statement, id)) }
            }
            @if self.lecture.source(&place.path).is_none() {
                p.message { "The trace does not hold the text of " (place.path) "." }
                pre { (place.code.as_deref().unwrap_or_default()) }
            }
        }
    }

    fn statement(&self, place: &StackElement, it: &Statement, id: &str) -> Markup {
        let class = match it.state {
            State::Passed => "is-passed",
            State::Current => "is-current",
            State::Skipped => "is-skipped",
            State::Coming => "is-coming",
        };
        let drawings = || {
            let is_shown = |kind: &str| kind != NOTE || self.look.shows_notes;
            it.drawings.iter().filter(move |it| is_shown(&it.kind) && !self.look.is_raw)
        };
        let is_prose = drawings().all(|it| matches!(it.kind.as_str(), "markdown" | NOTE));
        let waits = self.awaits_guess(place, it.first) && !(is_prose && it.stdout.is_empty());
        let is_replaced = it.is_call && !it.drawings.is_empty() && !self.look.is_raw;
        let base = self.lecture.function(place).map_or(0, |function| self.indentation(place, function.def));
        html! {
            li class={ "statement " (class) } data-key={ (place.path) ":" (it.first) }
                aria-current=[(it.state == State::Current).then_some("step")]
            {
                @if !is_replaced {
                    @for line in it.first..=it.last {
                        div.line {
                            span.line-number aria-hidden="true" { (line) }
                            code { (code::line(self.lecture.source(&place.path), line, base, self.look.is_raw)) }
                            @if line == it.last { (self.results(place, it)) }
                        }
                    }
                }
                @if let Some(slider) = it.slider { (self.slider(&place.path, slider)) }
                (self.fault_at(&place.path, it.first..=it.last))
                @if waits {
                    p.waiting { "Guess first: the answer would stand here." }
                } @else if drawings().next().is_some() {
                    div.drawings { @for (at, drawing) in drawings().enumerate() {
                        (napkin_drawings::rendering(drawing, &format!("{id}-{}-{at}", it.first)))
                    } }
                }
                @if !it.stdout.is_empty() && !waits { pre.output aria-label="Standard output" { (it.stdout.trim_end_matches('\n')) } }
                @if !it.stderr.is_empty() { pre.output.is-error aria-label="Standard error" { (it.stderr.trim_end_matches('\n')) } }
                @if let Some(question) = it.question.filter(|_| matches!(it.state, State::Passed | State::Current)) {
                    (self.question(question))
                }
            }
        }
    }

    fn indentation(&self, place: &StackElement, line: u32) -> usize {
        let line = self.lecture.source(&place.path).map_or("", |source| source.line(line));
        line.len() - line.trim_start().len()
    }

    /// Numbers and texts beside the line that asked for them; what is larger is among the variables.
    fn results(&self, place: &StackElement, it: &Statement) -> Markup {
        html! {
            @if !self.look.hides_variables {
                @for variable in it.values.iter().filter(|it| is_short(it.value)) {
                    span class={ "result" @if self.has_moved(place, variable.name) { " is-moved" } } { (self.value(place, variable)) }
                }
            }
        }
    }

    fn has_moved(&self, place: &StackElement, name: &str) -> bool {
        let moved = self.live.moved.get(&key(&place.path, &place.function_name));
        moved.is_some_and(|names| names.iter().any(|known| known == name))
    }

    fn value(&self, place: &StackElement, it: &Variable) -> Markup {
        if self.is_locked(place, it.line, it.name) {
            html! { span.locked title="Guess first" { "?" } }
        } else {
            napkin_drawings::value(it.name, it.value)
        }
    }

    fn variables(&self) -> Markup {
        let Some(place) = self.lecture.place(self.step) else { return html! {} };
        let inspected = self.lecture.inspected(self.step);
        let known = self.lecture.known(self.step);
        let is_more = |it: &&Variable| !inspected.iter().any(|other| other.name == it.name);
        let more: Vec<_> = known.iter().filter(is_more).collect();
        let now = self.lecture.step(self.step);
        let is_new = |name: &str| {
            now.is_some_and(|step| step.env.get(name).is_some() || step.changed.get(name).is_some())
        };
        let row = |it: &Variable| self.variable(place, it, is_new(it.name));
        let ledger = now.map(words::ledger).unwrap_or_default();
        html! {
            section.variables aria-label="Variables" {
                @if !self.look.hides_variables {
                    h2 { "Variables" }
                    @if inspected.is_empty() { p.nothing { "Nothing is shown here yet." } }
                    dl { @for variable in &inspected { (row(variable)) } }
                    @if !more.is_empty() {
                        details.more {
                            summary { (more.len()) @if more.len() == 1 { " other local" } @else { " other locals" } }
                            dl { @for variable in more { (row(variable)) } }
                        }
                    }
                }
                @if !ledger.is_empty() {
                    div.ledger {
                        h2 { "This step" }
                        @for sentence in ledger { p { (sentence) } }
                    }
                }
            }
        }
    }

    fn variable(&self, place: &StackElement, it: &Variable, is_new: bool) -> Markup {
        let name = it.name;
        html! {
            div class={ "variable" @if is_new { " is-new" } @if self.has_moved(place, name) { " is-moved" } } data-key=(name) {
                dt { code { (name) } }
                dd { (self.value(place, it)) }
            }
        }
    }

    fn question(&self, question: &Question) -> Markup {
        let asked = &question.prediction;
        let guess = self.guesses.get(&question.id);
        let refused = self.refused.as_ref().filter(|(id, ..)| *id == question.id);
        html! {
            form.question data-question=(question.id) data-key=(question.id) {
                p.question-text { (asked.question) }
                @if let Some(guess) = guess {
                    p class={ "verdict is-" (guess.verdict.id()) } role="status" {
                        @match guess.verdict {
                            Verdict::Right => { "Right: you said " (guess.text) "." },
                            Verdict::Near => { "Close: you said " (guess.text) ", which is the right order of magnitude." },
                            Verdict::Wrong => { "Not quite: you said " (guess.text) "." },
                            Verdict::Shown => { "Here it is." },
                        }
                        " " code { (asked.name) } " is " strong { (answer(&question.answer)) } "."
                    }
                } @else {
                    p.choices {
                        @for choice in &asked.choices {
                            button type="button" data-do="guess" data-of=(question.id) data-guess=(choice) { (choice) }
                        }
                        @if asked.choices.is_empty() {
                            label { span.visually-hidden { "Your guess" }
                                input type="text" inputmode="decimal" autocomplete="off" name="guess"
                                    placeholder="Your guess"
                                    value=[refused.map(|(_, text, _)| text)]
                                    aria-invalid=[refused.map(|_| "true")];
                            }
                            button.is-main type="submit" { "Guess" }
                        }
                        button type="button" data-do="show" data-of=(question.id) { "Show me" }
                    }
                    p.message role="status" { @if let Some((.., why)) = refused { (why) "." } }
                }
            }
        }
    }

    fn stepper(&self) -> Markup {
        let button = |id: &str, keys: &str, label: &str, class: &str| {
            let is_end = Move::of_id(id).is_none_or(|to| self.target(to).is_none());
            html! {
                button type="button" class=[(!class.is_empty()).then_some(class)] data-do="move" data-of=(id)
                    aria-keyshortcuts=(keys) disabled[is_end]
                { (label) }
            }
        };
        let last = self.lecture.last();
        html! {
            div.lecture-stepper role="group" aria-label="Steps" {
                (button("back", "h ArrowLeft", "Back", ""))
                (button("next", "l ArrowRight", "Next step", "is-main"))
                (button("over", "j Shift+ArrowRight", "Step over", "less"))
                (button("out", "u", "Step out", "less"))
                label.scrub {
                    span.visually-hidden { "Step" }
                    input type="range" min="0" max=(last) value=(self.step) data-scrub aria-valuetext=(self.news());
                }
                span.stepper-count { "Step " (self.step) " of " (last) }
            }
        }
    }
}

fn switch(id: &str, key: &str, label: &str, is_on: bool) -> Markup {
    html! {
        button type="button" data-do="look" data-of=(id) aria-keyshortcuts=(key) aria-pressed=(is_on) { (label) }
    }
}

fn name(place: &StackElement) -> &str {
    if place.function_name == "<module>" { &place.path } else { &place.function_name }
}

/// Whether a value stands beside its line.
fn is_short(value: &Value) -> bool {
    use napkin_notebook::trace::Json::{Bool, Float, Int, Text};
    value.shape.is_none()
        && match &value.contents {
            Bool(_) | Int(_) | Float(_) => true,
            Text(text) => text.chars().count() <= 24,
            _ => false,
        }
}

/// A right answer with four significant digits, if it is a number.
fn answer(text: &str) -> String {
    match decimal::read(text) {
        Some(number) if (1e-3..1e5).contains(&number.abs()) && number.fract() != 0.0 => {
            let digits = 3 - (number.abs().log10().floor() as i32).min(3);
            decimal::fixed(number, usize::try_from(digits).unwrap_or(0))
        }
        Some(number) if number.abs() >= 1e9 && number.is_finite() => decimal::scientific(number, 3),
        _ => text.to_owned(),
    }
}
