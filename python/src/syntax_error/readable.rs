//! What of a text can be read: nothing there is to blame for its error.

use std::ops::Range;

use ruff_python_ast::statement_visitor::{StatementVisitor, walk_stmt};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Mod, Stmt};
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

/// A text with a name in the place of each simple statement that ends on a line before its first error, and without all but
/// the first of the strings that stand side by side before it.
///
/// RustPython looks for some mistakes in the whole text, and takes such strings for a comma that is missing.
/// Every line and every column behind these statements stays what it was.
pub(super) fn replaced(source: &str, parsed: &Parsed<Mod>) -> Option<String> {
    let error = parsed.errors().iter().map(|error| error.location.start().to_usize()).min()?;
    let before = source.get(..error)?.rfind('\n').unwrap_or(0);
    let mut read = Read { error, before, parsed, text: source.as_bytes().to_vec() };
    match parsed.syntax() {
        Mod::Module(module) => read.visit_body(&module.body),
        Mod::Expression(_) => return None,
    }
    read.join_strings();
    String::from_utf8(read.text).ok()
}

struct Read<'a> {
    error: usize,
    /// Where the last line before the error ends.
    before: usize,
    parsed: &'a Parsed<Mod>,
    text: Vec<u8>,
}

impl<'a> StatementVisitor<'a> for Read<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let (start, end) = (stmt.start().to_usize(), stmt.end().to_usize());
        if start >= self.before {
            return;
        }
        if is_compound(stmt) {
            walk_stmt(self, stmt);
        } else if start < end && end <= self.before && self.is_closed(stmt) {
            self.blank(start..end);
            self.text[start] = b'x';
        }
    }
}

impl Read<'_> {
    fn blank(&mut self, range: Range<usize>) {
        for byte in self.text[range].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }

    fn join_strings(&mut self) {
        let mut last = None;
        for token in self.parsed.tokens().iter().filter(|token| !token.kind().is_trivia()) {
            let (start, end) = (token.start().to_usize(), token.end().to_usize());
            if end > self.error {
                break;
            }
            if last == Some(TokenKind::String) && token.kind() == TokenKind::String {
                self.blank(start..end);
            }
            last = Some(token.kind());
        }
    }

    /// Whether each bracket of a statement is closed; the parser reads on behind one that is not.
    fn is_closed(&self, stmt: &Stmt) -> bool {
        let tokens = self.parsed.tokens().iter().filter(|token| stmt.range().contains_range(token.range()));
        let depth = tokens.map(|token| match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => -1,
            _ => 0,
        });
        depth.sum::<i32>() == 0
    }
}

const fn is_compound(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::FunctionDef(_)
            | Stmt::ClassDef(_)
            | Stmt::For(_)
            | Stmt::While(_)
            | Stmt::If(_)
            | Stmt::With(_)
            | Stmt::Match(_)
            | Stmt::Try(_)
    )
}
