//! A file of a program: its statements, its functions and their titles.

use crate::tokens::{Kind, Line, Token, lines};

/// Lines are counted from 1.
#[derive(Debug, Default)]
pub struct Source {
    text: Vec<String>,
    lines: Vec<Line>,
    /// In the order in which they begin.
    pub functions: Vec<Function>,
    /// First and last line of the file's docstring.
    doc: Option<(u32, u32)>,
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

/// What is outside of all functions.
const MODULE: &str = "<module>";

const DIRECTIVES: [&str; 6] = ["@inspect", "@clear", "@stepover", "@hide", "@slider", "@predict"];

impl Source {
    /// Reads a file; what is no Python has lines without functions.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut source =
            Self { text: text.lines().map(str::to_owned).collect(), lines: lines(text), ..Self::default() };
        source.doc = source.docstring(1, 0);
        source.functions = source.find_functions();
        source
    }

    /// How many lines it has.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// A line as it is, empty where there is none.
    #[must_use]
    pub fn line(&self, number: u32) -> &str {
        self.index(number).and_then(|index| self.text.get(index)).map_or("", String::as_str)
    }

    /// The tokens of a line.
    #[must_use]
    pub fn tokens(&self, number: u32) -> &[Token] {
        self.entry(number).map_or(&[], |line| &line.tokens)
    }

    /// The tokens of a line as a reader is to see them: without what only the tracer reads.
    #[must_use]
    pub fn shown(&self, number: u32) -> Vec<(Kind, std::ops::Range<usize>)> {
        let mut tokens = Vec::new();
        for token in self.tokens(number) {
            let mut place = token.place.clone();
            if token.kind == Kind::Comment {
                let comment = &self.line(number)[place.clone()];
                if let Some(at) = DIRECTIVES.iter().filter_map(|name| comment.find(name)).min() {
                    place.end = place.start + comment[..at].trim_end().len();
                    if comment[..at].trim_end() == "#" {
                        continue;
                    }
                }
            }
            tokens.push((token.kind, place));
        }
        tokens
    }

    /// First and last line of the statement on a line; of what has a body, the lines before the body.
    #[must_use]
    pub fn statement(&self, number: u32) -> (u32, u32) {
        let goes_on = |number: u32| self.entry(number).is_some_and(|line| line.goes_on);
        let mut first = number.min(self.len());
        while first > 1 && goes_on(first) {
            first -= 1;
        }
        let mut last = number;
        while last < self.len() && goes_on(last + 1) {
            last += 1;
        }
        (first, last)
    }

    /// Whether the statement on a line does nothing but call something, as `text("…")` does.
    #[must_use]
    pub fn is_call(&self, number: u32) -> bool {
        let (first, last) = self.statement(number);
        let written = (first..=last).rev().find_map(|line| {
            let token = self.tokens(line).iter().rev().find(|token| token.kind != Kind::Comment)?;
            Some(&self.line(line)[token.place.clone()] == ")")
        });
        self.path_len(first).is_some() && written == Some(true)
    }

    /// How many tokens `a.b.c` before an opening bracket takes.
    fn path_len(&self, number: u32) -> Option<usize> {
        let tokens = self.tokens(number);
        let text = |token: &Token| &self.line(number)[token.place.clone()];
        let at = tokens.iter().position(|token| text(token) == "(")?;
        let is_path = tokens[..at].iter().enumerate().all(|(index, token)| match index % 2 {
            0 => matches!(token.kind, Kind::Plain | Kind::Call) && text(token).starts_with(is_name),
            _ => text(token) == ".",
        });
        (is_path && at % 2 == 1).then_some(at)
    }

    /// The function of that name around a line, the innermost one.
    #[must_use]
    pub fn function(&self, name: &str, number: u32) -> Option<&Function> {
        // Some tracers say where it is, too: `Model.forward`.
        let name = name.rsplit('.').next().unwrap_or(name);
        // What stands in brackets, as a comprehension or a lambda, is in the function around it.
        let is_anonymous = name.starts_with('<') && name != MODULE;
        let around =
            |it: &&Function| (is_anonymous || it.name == name) && (it.first..=it.last).contains(&number);
        self.functions.iter().filter(around).min_by_key(|it| it.last - it.first)
    }

    /// The first line of the file's docstring.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        self.doc.and_then(|doc| self.title_of(doc))
    }

    /// Lines of the file's docstring.
    #[must_use]
    pub fn doc(&self) -> Option<(u32, u32)> {
        self.doc
    }

    fn index(&self, number: u32) -> Option<usize> {
        (number as usize).checked_sub(1)
    }

    fn entry(&self, number: u32) -> Option<&Line> {
        self.lines.get(self.index(number)?)
    }

    fn is_blank(&self, number: u32) -> bool {
        self.tokens(number).iter().all(|token| token.kind == Kind::Comment)
            && self.entry(number).is_none_or(|line| !line.goes_on)
    }

    fn indentation(&self, number: u32) -> usize {
        let line = self.line(number);
        line.len() - line.trim_start().len()
    }

    fn find_functions(&self) -> Vec<Function> {
        let mut found = Vec::new();
        for def in (1..=self.len()).filter(|line| !self.entry(*line).is_some_and(|line| line.goes_on)) {
            let Some(name) = self.defined(def) else { continue };
            let (_, header) = self.statement(def);
            let indentation = self.indentation(def);
            let is_inside = |line: &u32| {
                self.is_blank(*line)
                    || self.entry(*line).is_some_and(|entry| entry.goes_on)
                    || self.indentation(*line) > indentation
            };
            let body = (header + 1..=self.len()).take_while(is_inside);
            let last = body.filter(|line| !self.is_blank(*line)).last().unwrap_or(header);
            let is_decorator =
                |line: &u32| self.tokens(*line).first().is_some_and(|token| token.kind == Kind::Decorator);
            let first = (1..def).rev().take_while(is_decorator).last().unwrap_or(def);
            let doc = self.docstring(header + 1, indentation + 1);
            let title = doc.and_then(|doc| self.title_of(doc));
            found.push(Function { name, first, def, last, doc, title });
        }
        found
    }

    /// The name after `def` or `class`.
    fn defined(&self, number: u32) -> Option<String> {
        let line = self.line(number).trim_start();
        let line = line.strip_prefix("async ").unwrap_or(line).trim_start();
        let rest = line.strip_prefix("def ").or_else(|| line.strip_prefix("class "))?;
        let name: String = rest.trim_start().chars().take_while(|c| is_name(*c)).collect();
        (!name.is_empty()).then_some(name)
    }

    /// A statement that is a string and nothing else, the first one from a line on.
    fn docstring(&self, from: u32, indentation: usize) -> Option<(u32, u32)> {
        let first = (from..=self.len()).find(|line| !self.is_blank(*line))?;
        if self.indentation(first) < indentation {
            return None;
        }
        let (_, last) = self.statement(first);
        let mut tokens = (first..=last).flat_map(|line| self.tokens(line));
        let is_text = tokens.all(|token| matches!(token.kind, Kind::Text | Kind::Comment));
        (is_text && self.tokens(first).first().is_some_and(|token| token.kind == Kind::Text))
            .then_some((first, last))
    }

    fn title_of(&self, (first, last): (u32, u32)) -> Option<String> {
        let text: Vec<&str> = (first..=last).map(|line| self.line(line)).collect();
        let text = text.join("\n");
        let text = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let quote = text.chars().next()?;
        let text = text.trim_matches(quote).trim();
        text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
