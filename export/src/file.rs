//! A file of Python that is being read.

use ruff_python_ast::{ModModule, Stmt, StmtFunctionDef};
use ruff_python_parser::{Parsed, parse_module};
use ruff_source_file::{LineIndex, LineRanges};
use ruff_text_size::{Ranged, TextRange, TextSize};

use crate::script::undirected;

/// A file that is being read.
pub(crate) struct File<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    pub(crate) parsed: Parsed<ModModule>,
    lines: LineIndex,
}

impl<'a> File<'a> {
    pub(crate) fn new(path: &'a str, text: &'a str) -> Result<Self, String> {
        let parsed = parse_module(text).map_err(|error| format!("{path} is not Python: {error}"))?;
        Ok(Self { path, text, parsed, lines: LineIndex::from_source_text(text) })
    }

    pub(crate) fn line(&self, at: TextSize) -> u32 {
        u32::try_from(self.lines.line_index(at).get()).unwrap_or(u32::MAX)
    }

    /// Whole lines without the indentation of the statement that begins at `first`. Within texts of several lines nothing
    /// changes.
    pub(crate) fn at_margin(&self, range: TextRange, first: TextSize) -> String {
        let margin = (first - self.text.line_start(first)).to_usize();
        let is_in_text =
            |at: TextSize| self.parsed.tokens().iter().any(|token| token.start() < at && at < token.end());
        let (mut out, mut at) = (String::new(), range.start());
        for line in self.text[range].split_inclusive('\n') {
            let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
            out += if is_in_text(at) { line } else { &line[blank.min(margin)..] };
            at += TextSize::of(line);
        }
        out
    }
}

/// The statements of a function up to a line, without what they draw.
pub(crate) fn code_until(path: &str, text: &str, name: &str, line: u32) -> Option<String> {
    let file = File::new(path, text).ok()?;
    let body = &function(&file.parsed, name)?.body;
    let statements = body.iter().skip(usize::from(title(body).is_some()));
    let mut statements = statements.take_while(|it| file.line(it.start()) <= line);
    let first = statements.next()?;
    let last = statements.last().unwrap_or(first);
    let range = TextRange::new(text.line_start(first.start()), text.line_end(last.end()));
    Some(undirected(&file.at_margin(range, first.start()), false))
}

/// The first line of the text that a body begins with.
pub(crate) fn title(body: &[Stmt]) -> Option<String> {
    let Some(Stmt::Expr(first)) = body.first() else { return None };
    let text = first.value.as_string_literal_expr()?.value.to_str();
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// A function of a file.
pub(crate) fn function<'a>(parsed: &'a Parsed<ModModule>, name: &str) -> Option<&'a StmtFunctionDef> {
    let functions = parsed.suite().iter().filter_map(Stmt::as_function_def_stmt);
    functions.filter(|it| it.name.as_str() == name).last()
}
