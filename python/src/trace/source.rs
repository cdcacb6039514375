//! A file of a program: where its statements are, and what their directives say.

use std::collections::BTreeMap;

use napkin_trace::trace::{Prediction, Slider};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, ModModule, Stmt};
use ruff_python_parser::{Parsed, parse_module};
use ruff_source_file::LineIndex;
use ruff_text_size::{Ranged, TextRange, TextSize};

/// What the comments of a statement ask for.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Directives {
    pub(super) inspect: Vec<String>,
    pub(super) clear: Vec<String>,
    pub(super) stepover: bool,
}

/// Lines are counted from 1.
#[derive(Debug, Default)]
pub struct Source {
    /// As the file has it.
    pub text: String,
    /// Its lines without their indentation.
    lines: Vec<String>,
    /// First and last line of the innermost statement on each line; of what has a body, the lines before the body.
    statements: Vec<Option<(u32, u32)>>,
    /// By the first line of their statement.
    directives: BTreeMap<u32, Directives>,
    pub(super) hidden: Vec<u32>,
    pub(super) sliders: Vec<Slider>,
    /// What readers are asked, in the order of the lines.
    pub predictions: Vec<Prediction>,
    /// Sentences about directives that mean nothing.
    pub(super) warnings: Vec<String>,
    /// Where in the text the numbers of the sliders are.
    numbers: Vec<TextRange>,
    /// The modules that it imports, with dots.
    pub(crate) imports: Vec<String>,
}

/// `name = value` on a line, and the function that it is in.
struct Assignment<'a> {
    name: &'a str,
    value: &'a Expr,
    function: String,
}

/// The statements of a file as they are found.
struct Finder<'a> {
    parsed: &'a Parsed<ModModule>,
    lines: &'a LineIndex,
    statements: Vec<Option<(u32, u32)>>,
    /// By the first line.
    assignments: BTreeMap<u32, Assignment<'a>>,
    imports: Vec<String>,
}

impl<'a> Finder<'a> {
    fn line(&self, at: TextSize) -> u32 {
        line(self.lines, at)
    }

    /// The end of the last token before a place that is no comment or line break.
    fn end_before(&self, at: TextSize) -> TextSize {
        let tokens = self.parsed.tokens().iter().take_while(|token| token.end() <= at);
        let written = tokens.filter(|token| !is_blank(token.kind()));
        written.last().map_or(at, Ranged::end)
    }

    fn visit(&mut self, body: &'a [Stmt], function: &str) {
        for statement in body {
            let bodies = bodies(statement);
            let end = match bodies.first().and_then(|body| body.first()) {
                Some(inner) => self.end_before(inner.start()),
                None => statement.end(),
            };
            let (first, last) = (self.line(statement.start()), self.line(end));
            for line in first..=last {
                if let Some(place) = self.statements.get_mut(line as usize) {
                    *place = Some((first, last));
                }
            }
            let inner = match statement {
                Stmt::FunctionDef(function) => function.name.as_str(),
                _ => function,
            };
            if let Stmt::Assign(assign) = statement
                && let [Expr::Name(name)] = assign.targets.as_slice()
            {
                let function = function.to_owned();
                self.assignments
                    .insert(first, Assignment { name: name.id.as_str(), value: &assign.value, function });
            }
            match statement {
                Stmt::Import(import) => {
                    self.imports.extend(import.names.iter().map(|alias| alias.name.to_string()));
                }
                Stmt::ImportFrom(import) => {
                    self.imports.extend(import.module.as_ref().map(ToString::to_string));
                }
                _ => {}
            }
            for body in bodies {
                self.visit(body, inner);
            }
        }
    }
}

fn line(lines: &LineIndex, at: TextSize) -> u32 {
    u32::try_from(lines.line_index(at).get()).unwrap_or(u32::MAX)
}

fn is_blank(kind: TokenKind) -> bool {
    use TokenKind::{Comment, Dedent, Indent, Newline, NonLogicalNewline};
    matches!(kind, Comment | Dedent | Indent | Newline | NonLogicalNewline)
}

/// The statements within a statement, by the blocks that they are in.
pub fn bodies(statement: &Stmt) -> Vec<&[Stmt]> {
    let mut bodies: Vec<&[Stmt]> = Vec::new();
    match statement {
        Stmt::FunctionDef(it) => bodies.push(&it.body),
        Stmt::ClassDef(it) => bodies.push(&it.body),
        Stmt::With(it) => bodies.push(&it.body),
        Stmt::For(it) => bodies.extend([&*it.body, &*it.orelse]),
        Stmt::While(it) => bodies.extend([&*it.body, &*it.orelse]),
        Stmt::If(it) => {
            bodies.push(&it.body);
            bodies.extend(it.elif_else_clauses.iter().map(|clause| &*clause.body));
        }
        Stmt::Match(it) => bodies.extend(it.cases.iter().map(|case| &*case.body)),
        Stmt::Try(it) => {
            bodies.push(&it.body);
            bodies.extend(it.handlers.iter().map(|handler| match handler {
                ruff_python_ast::ExceptHandler::ExceptHandler(handler) => &*handler.body,
            }));
            bodies.extend([&*it.orelse, &*it.finalbody]);
        }
        _ => {}
    }
    bodies
}

const NAMES: [&str; 6] = ["inspect", "clear", "stepover", "hide", "slider", "predict"];

/// The directives of a comment with what stands behind each.
fn directives(comment: &str) -> Vec<(&str, &str)> {
    let starts: Vec<(usize, &str)> = comment
        .match_indices('@')
        .filter_map(|(at, _)| {
            let rest = &comment[at + 1..];
            let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            NAMES.contains(&word).then_some((at, word))
        })
        .collect();
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([comment.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&(at, word), end)| (word, comment[at + 1 + word.len()..end].trim()))
        .collect()
}

/// A number as Python writes it.
fn number(text: &str) -> Option<f64> {
    text.replace('_', "").parse().ok().filter(|value: &f64| value.is_finite())
}

impl Source {
    /// A text that is not Python has no statements; whoever compiles it says why.
    pub fn new(text: String) -> Self {
        let trimmed = text.lines().map(|line| line.trim().to_owned()).collect();
        let Ok(parsed) = parse_module(&text) else { return Self { text, lines: trimmed, ..Self::default() } };
        let lines = LineIndex::from_source_text(&text);
        let statements = vec![None; lines.line_count() + 1];
        let assignments = BTreeMap::new();
        let mut finder =
            Finder { parsed: &parsed, lines: &lines, statements, assignments, imports: Vec::new() };
        finder.visit(parsed.suite(), "");
        let Finder { statements, assignments, imports, .. } = finder;
        let mut source = Self { lines: trimmed, statements, imports, ..Self::default() };
        for token in parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Comment) {
            let line = line(&lines, token.start());
            for (name, argument) in directives(&text[token.range()]) {
                let (first, last) = source.statement(line);
                if !source.statements.get(line as usize).is_some_and(Option::is_some) {
                    source.warnings.push(format!("line {line}: no statement for @{name}"));
                } else if let Err(rule) =
                    source.direct(name, argument, first, last, assignments.get(&first), &text)
                {
                    source.warnings.push(format!("line {line}: {rule}"));
                }
            }
        }
        source.text = text;
        source
    }

    fn direct(
        &mut self,
        name: &str,
        argument: &str,
        first: u32,
        last: u32,
        assignment: Option<&Assignment<'_>>,
        text: &str,
    ) -> Result<(), &'static str> {
        let directives = self.directives.entry(first).or_default();
        let names = || argument.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned);
        match name {
            "inspect" | "clear" if !names().all(|name| is_variable(&name)) => {
                return Err("@inspect and @clear take names such as x or x.grad");
            }
            "inspect" => directives.inspect.extend(names()),
            "clear" => directives.clear.extend(names()),
            "stepover" => directives.stepover = true,
            "hide" => self.hidden.extend(first..=last),
            "slider" => {
                let rule = "@slider MIN MAX [STEP] stands behind name = NUMBER";
                let bounds: Option<Vec<f64>> = argument.split_whitespace().map(number).collect();
                let (Some(it), Some(&[min, max, ref step @ ..])) = (assignment, bounds.as_deref()) else {
                    return Err(rule);
                };
                let value = text[it.value.range()].to_owned();
                if number(&value).is_none() || step.len() > 1 || min >= max {
                    return Err(rule);
                }
                self.numbers.push(it.value.range());
                self.sliders.push(Slider {
                    line_number: first,
                    function_name: it.function.clone(),
                    name: it.name.to_owned(),
                    value,
                    min,
                    max,
                    step: step.first().copied(),
                });
            }
            _ => {
                let Some(it) = assignment else { return Err("@predict stands behind name = …") };
                let mut parts = argument.split('|').map(|part| part.trim().to_owned());
                let question = parts.next().unwrap_or_default();
                self.predictions.push(Prediction {
                    line_number: first,
                    function_name: it.function.clone(),
                    name: it.name.to_owned(),
                    question,
                    choices: parts.collect(),
                });
            }
        }
        Ok(())
    }

    /// What the statement that begins on a line asks to show.
    pub fn inspected(&self, first: u32) -> Vec<String> {
        self.directives(first).inspect
    }

    /// Where in a comment its directives begin.
    pub fn directive(comment: &str) -> Option<usize> {
        let (word, _) = directives(comment).into_iter().next()?;
        comment.find(&format!("@{word}"))
    }

    /// First and last line of the statement on a line.
    pub(super) fn statement(&self, line: u32) -> (u32, u32) {
        self.statements.get(line as usize).copied().flatten().unwrap_or((line, line))
    }

    pub(super) fn directives(&self, first: u32) -> Directives {
        self.directives.get(&first).cloned().unwrap_or_default()
    }

    /// A line without its indentation.
    pub(super) fn line(&self, line: u32) -> Option<String> {
        self.lines.get(usize::try_from(line).ok()?.checked_sub(1)?).cloned()
    }

    /// The text with other numbers in it: `name` or `function.name`, and the value. Those it has are counted in `found`.
    ///
    /// # Errors
    /// With a sentence if a value is no number on its slider.
    pub(crate) fn set(&self, settings: &[(String, String)], found: &mut [usize]) -> Result<String, String> {
        let mut changes: Vec<(TextRange, &str)> = Vec::new();
        for ((name, value), found) in settings.iter().zip(found) {
            for (slider, range) in self.sliders.iter().zip(&self.numbers) {
                if slider.name == *name || full_name(slider) == *name {
                    *found += 1;
                    check(slider, value)?;
                    changes.retain(|(known, _)| known != range);
                    changes.push((*range, value));
                }
            }
        }
        changes.sort_by_key(|(range, _)| range.start());
        let mut text = self.text.clone();
        for (range, value) in changes.into_iter().rev() {
            text.replace_range(range.start().to_usize()..range.end().to_usize(), value);
        }
        Ok(text)
    }

    /// What `--set` calls its sliders.
    pub(crate) fn slider_names(&self) -> impl Iterator<Item = String> {
        self.sliders.iter().map(full_name)
    }
}

fn full_name(slider: &Slider) -> String {
    match slider.function_name.as_str() {
        "" => slider.name.clone(),
        function => format!("{function}.{}", slider.name),
    }
}

fn check(slider: &Slider, value: &str) -> Result<(), String> {
    let is_whole = |text: &str| text.replace('_', "").parse::<i64>().is_ok();
    let Slider { name, min, max, .. } = slider;
    if is_whole(&slider.value) && !is_whole(value) {
        return Err(format!("{name} is a whole number, not {value}"));
    }
    match number(value) {
        Some(number) if (*min..=*max).contains(&number) => Ok(()),
        Some(_) => Err(format!("{name} goes from {min} to {max}, not to {value}")),
        None => Err(format!("{name} is a number, not {value}")),
    }
}

/// Whether a text is a name, or names with points between them.
fn is_variable(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split('.').all(|part| part.chars().all(is_letter) && part.starts_with(|it: char| !it.is_numeric()))
}
