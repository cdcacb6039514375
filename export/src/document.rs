//! A lecture as what is read from its beginning to its end: prose, code and values, without answers.
//!
//! Cells are functions. Here their statements stand one after the other, as in a notebook, and what they need of the
//! program stands before them.

use std::collections::{BTreeMap, BTreeSet};

use napkin_python::{Definition, Program, Source, bodies, names};
use napkin_trace::trace::{Card, Drawing, Map, Step, Table, Trace, Value};
use ruff_python_ast::name::Name;
use ruff_python_ast::{ExprCall, Identifier, Stmt, StmtFunctionDef};
use ruff_python_parser::parse_module;
use ruff_source_file::LineRanges;
use ruff_text_size::{Ranged, TextRange};

use crate::file::{File, function, title};
use crate::script::{draws, import, joined, printing};

/// Something to read or to run.
pub(crate) enum Block {
    /// Markdown.
    Prose(String),
    /// Statements with their directives, and what they asked to show.
    Code { text: String, values: Map<Value> },
    /// Functions and classes that the code below needs.
    Helpers(String),
    /// A statement that draws data, and the table that it drew.
    Drawing { text: String, table: Option<Table> },
    /// Code that says what is wrong with the solution of an exercise.
    Check(String),
}

/// A whole lecture.
pub(crate) struct Document {
    /// In the order in which they are read.
    pub(crate) blocks: Vec<Block>,
    /// Lines that import what all of it needs.
    pub(crate) imports: BTreeSet<String>,
}

/// The lecture whose main file is `main`.
pub(crate) fn document(trace: &Trace, main: &str) -> Result<Document, String> {
    let files: Vec<_> = trace.files.iter().map(|(path, text)| (path.as_str(), printing(text))).collect();
    let program = Program::new(files.iter().map(|(path, text)| (*path, text.as_str())));
    let parts = program.cells(main);
    let mut writer = Writer {
        trace,
        program,
        parts,
        blocks: Vec::new(),
        code: String::new(),
        values: Map::default(),
        locals: BTreeSet::new(),
        defined: BTreeMap::new(),
        covered: BTreeSet::new(),
        imports: BTreeSet::new(),
    };
    writer.part((main, "main"), 1, None)?;
    Ok(Document { blocks: writer.blocks, imports: writer.imports })
}

/// What the choices of a question are, as a list in Markdown.
fn list<'a>(choices: impl IntoIterator<Item = &'a str>) -> String {
    choices.into_iter().map(|choice| format!("\n- {}", marked(choice))).collect()
}

/// A text in Markdown, whatever letters are in it.
pub(crate) fn marked(text: &str) -> String {
    let is_mark = |letter: char| "\\`*_<>$[]".contains(letter);
    text.chars().flat_map(|it| is_mark(it).then_some('\\').into_iter().chain([it])).collect()
}

/// A card without its answers; an exercise has its hints, folded.
fn asked(card: &Card) -> String {
    let Card { head, text, choices, function } = card;
    let more: String = match (function, choices.as_slice()) {
        (None, [] | [_]) => String::new(),
        (None, choices) => "\n".to_owned() + &list(choices.iter().map(|choice| choice.text.as_str())),
        (Some(_), choices) => choices
            .iter()
            .filter(|choice| choice.text.starts_with("Hint"))
            .map(|hint| {
                format!("\n\n<details><summary>{}</summary>\n\n{}\n\n</details>", hint.text, hint.why)
            })
            .collect(),
    };
    format!("**{head}.** {text}{more}")
}

/// A call of a part, and the text of the file that it stands in.
type CallOf<'a> = (&'a ExprCall, &'a str, Option<&'a str>);

struct Writer<'a> {
    trace: &'a Trace,
    program: Program,
    /// Sections and cells, by path and function.
    parts: Vec<(String, String)>,
    blocks: Vec<Block>,
    /// Statements that are not in a block yet, and what they showed.
    code: String,
    values: Map<Value>,
    /// Names that the part has assigned.
    locals: BTreeSet<String>,
    /// What names of the program stand for so far.
    defined: BTreeMap<String, Definition>,
    /// Names that stood for something until a part assigned them.
    covered: BTreeSet<String>,
    imports: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    /// A function with what it calls of parts: under its title, or that of the lecture.
    fn part(
        &mut self,
        (path, name): (&str, &str),
        level: usize,
        call: Option<CallOf<'_>>,
    ) -> Result<(), String> {
        let trace = self.trace;
        let (path, text) =
            trace.files.get_key_value(path).ok_or_else(|| format!("there is no text of {path}"))?;
        let file = File::new(path, text)?;
        let is_missing = || format!("{path} defines no function {name}");
        let definition = function(&file.parsed, name).ok_or_else(is_missing)?;
        let own = if level == 1 { title(file.parsed.suite()) } else { title(&definition.body) };
        let title = own.unwrap_or_else(|| name.replace('_', " "));
        self.blocks.push(Block::Prose(format!("{} {title}", "#".repeat(level))));
        let locals = std::mem::take(&mut self.locals);
        if let Some((call, text, _)) = call {
            self.bind(definition, file.text, call, text);
        }
        self.body(&file, definition, level, call.and_then(|(_, _, target)| target))?;
        self.flush(path)?;
        self.locals = locals;
        Ok(())
    }

    /// Gives parameters what they are called with, unless it has the same name; `own` is the text of the definition's file, `text`
    /// that of the call's.
    fn bind(&mut self, definition: &StmtFunctionDef, own: &str, call: &ExprCall, text: &str) {
        let by_name = |name: &Identifier| {
            let mut keywords = call.arguments.keywords.iter();
            Some(&keywords.find(|it| it.arg.as_ref() == Some(name))?.value)
        };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (at, parameter) in definition.parameters.iter_non_variadic_params().enumerate() {
            let name = &parameter.parameter.name;
            let given = by_name(name).or_else(|| call.arguments.args.get(at)).map(|it| &text[it.range()]);
            let value = given.or_else(|| parameter.default.as_deref().map(|it| &own[it.range()]));
            if let Some(value) = value.filter(|value| *value != name.as_str()) {
                names.push(name.as_str());
                values.push(value);
            }
        }
        // At once: one may be called with what another stands for.
        if !names.is_empty() {
            self.code += &format!("{} = {}\n", names.join(", "), values.join(", "));
        }
    }

    fn body(
        &mut self,
        file: &File<'a>,
        definition: &StmtFunctionDef,
        level: usize,
        target: Option<&str>,
    ) -> Result<(), String> {
        let File { path, text, .. } = *file;
        let name = definition.name.as_str();
        let predictions = Source::new(text.to_owned()).predictions;
        let is_title = title(&definition.body).is_some();
        let Some(first) = definition.body.first() else { return Ok(()) };
        let margin = first.start();
        let mut from = if is_title { text.line_end(first.end()) } else { text.line_start(first.start()) };
        // A value below a question that nobody has answered may be the answer.
        let mut is_open = false;
        let mut was_drawn = false;
        for statement in definition.body.iter().skip(usize::from(is_title)) {
            let end = text.line_end(statement.end());
            let line = &text[TextRange::new(text.line_start(statement.start()), statement.start())];
            if draws(statement) && !line.trim().is_empty() || end <= from && was_drawn {
                let number = file.line(statement.start());
                return Err(format!(
                    "line {number} of {path} draws and does something else, which no notebook can"
                ));
            }
            was_drawn = draws(statement);
            if end <= from {
                continue;
            }
            let lines = (file.line(statement.start()), file.line(statement.end()));
            let code = file.at_margin(TextRange::new(from, end), margin);
            from = end;
            if draws(statement) {
                self.flush(path)?;
                self.draw(file, statement, name, lines, is_open)?;
                continue;
            }
            if let Some((place, call, target)) = self.called(file, statement) {
                self.flush(path)?;
                self.part((&place.0, &place.1), level + 1, Some((call, text, target)))?;
                continue;
            }
            if let Stmt::Return(it) = statement {
                let value = it.value.as_ref().map_or("None", |value| &text[value.range()]);
                if let Some(target) = target.filter(|target| *target != value) {
                    self.code += &format!("{target} = {value}\n");
                }
                break;
            }
            if returns(statement) {
                return Err(format!("{name} in {path} returns before its last line, which no notebook can"));
            }
            let is_here = |line: u32| (lines.0..=lines.1).contains(&line);
            for it in predictions.iter().filter(|it| it.function_name == name && is_here(it.line_number)) {
                self.flush(path)?;
                let choices = list(it.choices.iter().map(String::as_str));
                let gap = if choices.is_empty() { "" } else { "\n" };
                self.blocks.push(Block::Prose(format!("**Predict.** {}{gap}{choices}", it.question)));
                is_open = true;
            }
            self.code += code.trim_start_matches('\n');
            self.code += "\n";
            if !is_open {
                let shown = self.steps(path, name, lines).flat_map(|step| &step.env);
                let shown: Map<Value> =
                    shown.filter_map(|(name, it)| Some((name.clone(), it.clone()?))).collect();
                self.values.extend(shown);
            }
        }
        Ok(())
    }

    /// The part that a statement calls, and the names that its result gets.
    fn called<'b>(
        &self,
        file: &'b File<'_>,
        statement: &'b Stmt,
    ) -> Option<((String, String), &'b ExprCall, Option<&'b str>)> {
        let (value, target) = match statement {
            Stmt::Expr(it) => (&it.value, None),
            Stmt::Assign(it) => (&it.value, it.targets.first().map(|target| &file.text[target.range()])),
            _ => return None,
        };
        let call = value.as_call_expr()?;
        let place = self.program.find(file.path, call.func.as_name_expr()?.id.as_str())?;
        self.parts.contains(&place).then_some((place, call, target))
    }

    /// The steps of a function on lines of its own.
    fn steps(&self, path: &str, function: &str, lines: (u32, u32)) -> impl Iterator<Item = &'a Step> {
        let (path, function) = (path.to_owned(), function.to_owned());
        self.trace.steps.iter().filter(move |step| {
            step.stack.last().is_some_and(|place| {
                place.path == path
                    && place.function_name == function
                    && (lines.0..=lines.1).contains(&place.line_number)
            })
        })
    }

    /// What a statement draws.
    fn draw(
        &mut self,
        file: &File<'_>,
        statement: &Stmt,
        function: &str,
        lines: (u32, u32),
        is_open: bool,
    ) -> Result<(), String> {
        let drawn = self.steps(file.path, function, lines).find(|step| !step.renderings.is_empty());
        for rendering in drawn.into_iter().flat_map(|step| &step.renderings) {
            match rendering.drawing() {
                Some(Drawing::Markdown(text)) => self.prose(text.trim()),
                Some(Drawing::Card(card)) => {
                    self.blocks.push(Block::Prose(asked(&card)));
                    if let Some(attempt) = &card.function {
                        self.exercise(file, statement, attempt)?;
                    }
                }
                Some(drawing) => self.data(file, statement, drawing, is_open)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Prose, below its title if nothing is between them.
    fn prose(&mut self, text: &str) {
        match self.blocks.last_mut() {
            Some(Block::Prose(title)) if title.starts_with('#') && !title.contains('\n') => {
                *title += &format!("\n\n{text}");
            }
            _ => self.blocks.push(Block::Prose(text.to_owned())),
        }
    }

    /// A drawing of data; what only the page can draw is left out.
    fn data(
        &mut self,
        file: &File<'_>,
        statement: &Stmt,
        drawing: Drawing,
        is_open: bool,
    ) -> Result<(), String> {
        let table = match drawing {
            Drawing::Table(table) => (!is_open).then_some(table),
            Drawing::Lines(_) | Drawing::Histogram(_) | Drawing::Heat { .. } => None,
            _ => return Ok(()),
        };
        let range = TextRange::new(file.text.line_start(statement.start()), statement.end());
        let text = file.at_margin(range, statement.start());
        self.define(file.path, &text)?;
        self.blocks.push(Block::Drawing { text, table });
        Ok(())
    }

    /// The function that the reader is to complete, and what checks it; its solution stays where it is.
    fn exercise(&mut self, file: &File<'_>, statement: &Stmt, attempt: &str) -> Result<(), String> {
        let missing = || format!("{attempt} in {} does not stand by itself", file.path);
        let reach = self.program.reach(file.path, attempt).ok_or_else(missing)?;
        let Some(definition) = reach.into_iter().find(|it| it.name == attempt) else { return Ok(()) };
        let text = definition.text.clone();
        self.defined.insert(attempt.to_owned(), definition);
        let needs = self.needs_of(file.path, &text)?;
        if !needs.is_empty() {
            self.blocks.push(Block::Helpers(needs));
        }
        self.blocks.push(Block::Code { text, values: Map::default() });
        let Some((path, check)) = self.check(file, statement, attempt) else { return Ok(()) };
        let needs = self.needs_of(&path, &check)?;
        let gap = if needs.is_empty() { "" } else { "\n\n\n" };
        self.blocks.push(Block::Check(format!("{needs}{gap}{check}")));
        Ok(())
    }

    /// The key of an exercise without what gives it away, and a call of its check; with the path of their file.
    fn check(&mut self, file: &File<'_>, statement: &Stmt, attempt: &str) -> Option<(String, String)> {
        let call = statement.as_expr_stmt()?.value.as_call_expr()?;
        let key = call.arguments.find_argument_value("key", 2)?.as_name_expr()?;
        let (path, key) = self.program.find(file.path, key.id.as_str())?;
        let class =
            self.program.reach(&path, &key)?.into_iter().find(|it| it.path == path && it.name == key)?;
        let parsed = parse_module(&class.text).ok()?;
        let mut text = class.text.clone();
        for part in parsed.suite().first()?.as_class_def_stmt()?.body.iter().rev() {
            let is_answer = match part {
                Stmt::FunctionDef(it) => it.name.as_str() == "solution",
                Stmt::Assign(it) => {
                    let is_one = |name: &Name| matches!(name.as_str(), "hints" | "solution");
                    it.targets.iter().any(|it| it.as_name_expr().is_some_and(|it| is_one(&it.id)))
                }
                _ => false,
            };
            if is_answer {
                let (first, last) = (text.line_start(part.start()), text.full_line_end(part.end()));
                let rest = text[last.to_usize()..].trim_start_matches('\n').to_owned();
                text.truncate(first.to_usize());
                text += &rest;
            }
        }
        self.defined.insert(key.clone(), class);
        let call = format!("print({key}.check({attempt}) or \"It passes the check.\")");
        Some((path, format!("{}\n\n\n{call}", text.trim_end())))
    }

    /// Ends the code that waits.
    fn flush(&mut self, path: &str) -> Result<(), String> {
        let (code, values) = (std::mem::take(&mut self.code), std::mem::take(&mut self.values));
        let text = code.trim_matches('\n').to_owned();
        if !text.is_empty() {
            self.define(path, &text)?;
            self.blocks.push(Block::Code { text, values });
        }
        Ok(())
    }

    /// Defines what statements of a part need, and remembers what they assign.
    fn define(&mut self, path: &str, code: &str) -> Result<(), String> {
        let (loaded, stored) = names(code);
        self.locals.extend(stored.iter().cloned());
        let needs = self.needs(path, loaded.difference(&self.locals.clone()))?;
        for name in stored {
            if self.defined.remove(&name).is_some() {
                self.covered.insert(name);
            }
        }
        if !needs.is_empty() {
            self.blocks.push(Block::Helpers(needs));
        }
        Ok(())
    }

    /// What definitions need.
    fn needs_of(&mut self, path: &str, text: &str) -> Result<String, String> {
        let (loaded, stored) = names(text);
        self.needs(path, loaded.difference(&stored))
    }

    /// What names of a file stand for, and what that needs, as far as it is not defined yet.
    fn needs<'b>(&mut self, path: &str, names: impl Iterator<Item = &'b String>) -> Result<String, String> {
        let mut needed = Vec::new();
        for name in names {
            let reach = self.program.reach(path, name);
            needed.extend(reach.ok_or_else(|| {
                format!("{name} in {path} does not stand by itself: it uses what the rest of the program may change")
            })?);
        }
        let (mut texts, mut last) = (Vec::new(), Vec::new());
        for definition in self.program.in_order(needed) {
            let Definition { path, name, text, .. } = &definition;
            let is_part = self.parts.iter().any(|part| part.0 == *path && part.1 == *name);
            if is_part || self.defined.get(name) == Some(&definition) {
                continue;
            }
            let imported = import(&definition, &self.program);
            // What a file takes from another of the program is defined there.
            if imported.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let is_covered = self.covered.remove(name);
            match imported {
                None => texts.push(text.clone()),
                Some(lines) => {
                    // A line that renames stands behind what it renames.
                    let (lines, renames): (Vec<_>, Vec<_>) =
                        lines.into_iter().partition(|line| line.contains("import "));
                    last.extend(renames);
                    if is_covered { texts.extend(lines) } else { self.imports.extend(lines) }
                }
            }
            self.defined.insert(name.clone(), definition);
        }
        texts.extend(last);
        Ok(joined(&texts))
    }
}

/// Whether a function may end within a statement.
fn returns(statement: &Stmt) -> bool {
    let is_own = !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
    statement.is_return_stmt() || is_own && bodies(statement).into_iter().flatten().any(returns)
}
