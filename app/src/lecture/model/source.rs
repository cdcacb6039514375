//! A file of a program: its statements, its functions and their titles.

use napkin_trace::notebook::{is_cell, is_notebook};

use super::tokens::{Kind, Line, Token, is_name, lines};

/// Lines are counted from 1.
#[derive(Debug)]
pub struct Source {
    lines: Vec<Line>,
    /// In the order in which they begin.
    pub functions: Vec<Function>,
    /// First and last line of the file's docstring.
    pub doc: Option<(u32, u32)>,
}

/// A function, or a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its own, without that of what it is in.
    pub name: String,
    /// The first line, decorators included.
    pub first: u32,
    /// The line of `def`.
    pub def: u32,
    /// The last line of its body.
    pub last: u32,
    /// Lines of the docstring.
    pub doc: Option<(u32, u32)>,
    /// The docstring's first line.
    pub title: Option<String>,
}

/// The name of what is outside of all functions.
pub const MODULE: &str = "<module>";

/// What stands for a function among those of all files.
pub fn function_key(path: &str, function_name: &str) -> String {
    format!("{path}:{function_name}")
}

/// Whether the function with that name is a cell of a notebook: then its editor has no line of `def`.
pub fn is_typed(path: &str, function: &str) -> bool {
    is_notebook(path) && is_cell(function)
}

const DIRECTIVES: [&str; 6] = ["@inspect", "@clear", "@stepover", "@hide", "@slider", "@predict"];

impl Source {
    /// Reads a file; what is no Python has lines without functions.
    pub fn new(text: &str) -> Self {
        let mut source = Self { lines: lines(text), functions: Vec::new(), doc: None };
        source.doc = source.docstring(1, 0);
        source.functions = (1..=source.len()).filter_map(|def| source.defined(def)).collect();
        source
    }

    pub fn len(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    fn entry(&self, number: u32) -> Option<&Line> {
        self.lines.get((number as usize).checked_sub(1)?)
    }

    /// A line as it is, empty where there is none.
    pub fn line(&self, number: u32) -> &str {
        self.entry(number).map_or("", |line| &line.text)
    }

    /// Several lines as they are.
    pub fn text(&self, first: u32, last: u32) -> String {
        (first..=last).map(|line| self.line(line)).collect::<Vec<_>>().join("\n")
    }

    pub fn tokens(&self, number: u32) -> &[Token] {
        self.entry(number).map_or(&[], |line| &line.tokens)
    }

    pub fn first_word(&self, number: u32) -> &str {
        self.entry(number).and_then(|line| line.words().next()).unwrap_or_default()
    }

    /// The tokens of a line as a reader is to see them: without what only the tracer reads.
    pub fn shown(&self, number: u32) -> Vec<Token> {
        let mut tokens = self.tokens(number).to_vec();
        if let Some((Kind::Comment, place)) = tokens.last_mut() {
            let comment = &self.line(number)[place.clone()];
            if let Some(at) = DIRECTIVES.iter().filter_map(|name| comment.find(name)).min() {
                let rest = comment[..at].trim_end();
                place.end = place.start + rest.len();
                if rest == "#" {
                    tokens.pop();
                }
            }
        }
        tokens
    }

    fn goes_on(&self, number: u32) -> bool {
        self.entry(number).is_some_and(|line| line.goes_on)
    }

    /// First and last line of the statement on a line; of what has a body, the lines before the body.
    pub fn statement(&self, number: u32) -> (u32, u32) {
        let (mut first, mut last) = (number.min(self.len()), number);
        while first > 1 && self.goes_on(first) {
            first -= 1;
        }
        while last < self.len() && self.goes_on(last + 1) {
            last += 1;
        }
        (first, last)
    }

    /// The innermost function around a line.
    pub fn within(&self, line: u32) -> Option<&Function> {
        let around = self.functions.iter().filter(|it| (it.first..=it.last).contains(&line));
        around.min_by_key(|it| it.last - it.first)
    }

    /// The cell of a notebook around a line.
    pub fn typed_cell(&self, path: &str, line: u32) -> Option<&Function> {
        let is_it = |it: &&Function| is_typed(path, &it.name) && (it.first..=it.last).contains(&line);
        self.functions.iter().find(is_it)
    }

    /// How many lines before a line are in the body of a function.
    pub fn lines_of_bodies(&self, before: u32) -> u32 {
        let (mut count, mut end) = (0, 0);
        for function in &self.functions {
            let first = self.statement(function.def).1.max(end);
            end = end.max(function.last.min(before.saturating_sub(1)));
            count += end.saturating_sub(first);
        }
        count
    }

    /// Whether the statement on a line does nothing but call something by its name, as `text("…")` does.
    pub fn is_call(&self, number: u32) -> bool {
        let (first, last) = self.statement(number);
        let ends = (first..=last).rev().find_map(|line| self.entry(line)?.words().next_back()) == Some(")");
        let begin: Vec<&str> =
            self.entry(first).into_iter().flat_map(Line::words).take_while(|it| *it != "(").collect();
        let is_path = begin.iter().enumerate().all(|(at, word)| match at % 2 {
            0 => word.starts_with(is_name),
            _ => *word == ".",
        });
        let kind = self.tokens(first).first().map(|(kind, _)| *kind);
        ends && is_path && begin.len() % 2 == 1 && matches!(kind, Some(Kind::Plain | Kind::Call))
    }

    /// The function of that name around a line, the innermost one.
    pub fn function(&self, name: &str, number: u32) -> Option<&Function> {
        // Some tracers say where it is, too: `Model.forward`.
        let name = name.rsplit('.').next().unwrap_or(name);
        // What stands in brackets, as a comprehension or a lambda, is in the function around it.
        let is_anonymous = name.starts_with('<') && name != MODULE;
        let around =
            |it: &&Function| (it.first..=it.last).contains(&number) && (is_anonymous || it.name == name);
        self.functions.iter().filter(around).min_by_key(|it| it.last - it.first)
    }

    /// The first line of the file's docstring.
    pub fn title(&self) -> Option<String> {
        self.title_of(self.doc?)
    }

    /// Whether a line of its own has no code.
    fn is_blank(&self, number: u32) -> bool {
        self.tokens(number).iter().all(|(kind, _)| *kind == Kind::Comment) && !self.goes_on(number)
    }

    fn indentation(&self, number: u32) -> usize {
        let line = self.line(number);
        line.len() - line.trim_start().len()
    }

    /// The function or class that a line defines.
    fn defined(&self, def: u32) -> Option<Function> {
        let mut words = self.entry(def).filter(|line| !line.goes_on)?.words().skip_while(|it| *it == "async");
        words.next().filter(|word| matches!(*word, "def" | "class"))?;
        let name = words.next().filter(|name| name.starts_with(is_name))?.to_owned();
        let (_, header) = self.statement(def);
        let indentation = self.indentation(def);
        let is_inside =
            |line: &u32| self.is_blank(*line) || self.goes_on(*line) || self.indentation(*line) > indentation;
        let body = (header + 1..=self.len()).take_while(is_inside);
        let last = body.filter(|line| !self.is_blank(*line)).last().unwrap_or(header);
        let is_decorator =
            |line: &u32| self.tokens(*line).first().is_some_and(|(kind, _)| *kind == Kind::Decorator);
        let first = (1..def).rev().take_while(is_decorator).last().unwrap_or(def);
        let doc = self.docstring(header + 1, indentation + 1);
        Some(Function { name, first, def, last, doc, title: doc.and_then(|doc| self.title_of(doc)) })
    }

    /// A statement that is a string and nothing else, the first one from a line on.
    fn docstring(&self, from: u32, indentation: usize) -> Option<(u32, u32)> {
        let first = (from..=self.len()).find(|line| !self.is_blank(*line))?;
        let (_, last) = self.statement(first);
        let mut tokens = (first..=last).flat_map(|line| self.tokens(line));
        let begins = self.tokens(first).first().is_some_and(|(kind, _)| *kind == Kind::Text);
        let is_text = begins && tokens.all(|(kind, _)| matches!(kind, Kind::Text | Kind::Comment));
        (is_text && self.indentation(first) >= indentation).then_some((first, last))
    }

    fn title_of(&self, (first, last): (u32, u32)) -> Option<String> {
        let text = self.text(first, last);
        let text = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let text = text.trim_matches(['"', '\'']).trim();
        text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
    }
}
