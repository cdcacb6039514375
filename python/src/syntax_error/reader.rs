//! An error of RustPython's in Python's own words, by the tokens around its place.

use std::ops::Range;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseOptions, parse_expression, parse_module, parse_unchecked};
use ruff_text_size::Ranged;
use strsim::osa_distance;

/// The words of Python that a statement or an operator has.
const KEYWORDS: [&str; 25] = [
    "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally",
    "for", "from", "global", "if", "import", "in", "is", "lambda", "not", "or", "return", "while", "with",
];

/// An error as Python would tell it; places are in bytes.
pub(super) struct Told {
    pub(super) message: String,
    pub(super) place: Range<usize>,
    /// What Python gives as the last column where it has none.
    pub(super) end_column: Option<i64>,
}

pub(super) type Token = (TokenKind, Range<usize>);

/// Without comments and the ends of lines within brackets.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    let all = parsed.tokens().iter().filter(|token| !token.kind().is_trivia());
    all.map(|token| (token.kind(), token.start().to_usize()..token.end().to_usize())).collect()
}

const fn opens(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace)
}

const fn closes(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace)
}

const fn is_pair(opening: TokenKind, closing: TokenKind) -> bool {
    matches!(
        (opening, closing),
        (TokenKind::Lpar, TokenKind::Rpar)
            | (TokenKind::Lsqb, TokenKind::Rsqb)
            | (TokenKind::Lbrace, TokenKind::Rbrace)
    )
}

/// Ends what is one value.
fn bounds(kind: TokenKind) -> bool {
    kind.is_any_newline()
        || matches!(
            kind,
            TokenKind::Comma
                | TokenKind::Colon
                | TokenKind::ColonEqual
                | TokenKind::Equal
                | TokenKind::Semi
                | TokenKind::Indent
                | TokenKind::Dedent
                | TokenKind::EndOfFile
                | TokenKind::If
                | TokenKind::Else
                | TokenKind::For
                | TokenKind::Lambda
                | TokenKind::Return
                | TokenKind::Elif
                | TokenKind::While
                | TokenKind::FStringMiddle
                | TokenKind::Exclamation
        )
}

/// A text, and what RustPython blames in it, in bytes.
pub(super) struct Reader<'a> {
    pub(super) source: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) tokens: Vec<Token>,
}

impl Reader<'_> {
    /// The same error as Python would tell it, where that differs.
    pub(super) fn told(&self, message: &str) -> Option<Told> {
        let told = |message: &str, place: Range<usize>| {
            Some(Told { message: message.into(), place, end_column: None })
        };
        let rest = &self.source[self.start..];
        match message {
            "unexpected indentation" => {
                // Python counts the spaces only, and marks nothing.
                let line = self.source[..self.start].rfind('\n').map_or(0, |at| at + 1);
                let text = &self.source[line..];
                let indented = line + text.len() - text.trim_start_matches([' ', '\t']).len();
                let place = indented.saturating_sub(1).max(line);
                Some(Told { message: "unexpected indent".into(), place: place..place, end_column: Some(-1) })
            }
            "inconsistent use of tabs and spaces in indentation" => {
                let line = self.source[..self.start].rfind('\n').map_or(0, |at| at + 1);
                Some(Told { message: message.into(), place: line..line, end_column: Some(0) })
            }
            "positional argument follows keyword argument" => {
                let at = self.tokens[self.at_or_after(self.start)..].iter();
                let mut depth = 0;
                for (kind, range) in at {
                    depth += i32::from(opens(*kind)) - i32::from(closes(*kind));
                    if depth < 0 {
                        return told(message, range.clone());
                    }
                }
                None
            }
            "f-string: expecting '}'" => {
                let quote = self.source[..self.start].chars().rev().find(|it| matches!(it, '"' | '\''));
                let at = self.start + rest.find(quote?)?;
                told(message, at..at)
            }
            "trailing comma not allowed without surrounding parentheses" => {
                told(message, self.end..self.end + 1)
            }
            "Expected one or more names after 'import'"
                if !matches!(rest.chars().next(), None | Some('\n' | ';' | '#')) =>
            {
                told("invalid syntax", self.start..self.end)
            }
            "expected class, function definition or async function definition after decorator" => {
                told("invalid syntax", self.start..self.end)
            }
            "got unexpected unicode" => self.bad_escape(),
            "expected 'else' after 'if' expression" => {
                let before = self.before(self.index_before(self.start, TokenKind::If)?)?;
                told(message, before..self.start)
            }
            "did you forget parentheses around the comprehension target?" => {
                let at = self
                    .tokens
                    .iter()
                    .position(|(kind, range)| *kind == TokenKind::For && range.start >= self.start)?;
                told(message, self.start..self.tokens.get(at.checked_sub(1)?)?.1.end)
            }
            "only single target (not tuple) can be annotated" => {
                told(message, self.start..self.start + rest.find(',').unwrap_or(1))
            }
            "cannot assign to True"
            | "cannot assign to False"
            | "cannot assign to None"
            | "expression cannot contain assignment, perhaps you meant \"==\"?"
                if self.depth(self.at_or_after(self.start)) > 0 =>
            {
                let equals = self
                    .tokens
                    .get(self.at_or_after(self.end))
                    .filter(|(kind, _)| *kind == TokenKind::Equal)?;
                told(message, self.start..equals.1.end)
            }
            "invalid syntax. Maybe you meant '==' or ':=' instead of '='?" => self.equals(message),
            "invalid syntax. Perhaps you forgot a comma?" | "invalid syntax" => self
                .character()
                .or_else(|| self.colon())
                .or_else(|| self.grouped())
                .or_else(|| self.comma())
                .or_else(|| self.keyword()),
            _ if message.starts_with("Missing parentheses")
                || message.starts_with("Did you mean to use 'from") =>
            {
                let last = self.tokens[self.at_or_after(self.start)..]
                    .iter()
                    .take_while(|(kind, _)| !kind.is_any_newline() && *kind != TokenKind::Semi);
                told(message, self.start..last.last()?.1.end)
            }
            _ if message.starts_with("unterminated f-string")
                || message.starts_with("unterminated t-string") =>
            {
                let before = &self.source[..self.start];
                let prefix =
                    before.len() - before.trim_end_matches(|it: char| it.is_ascii_alphabetic()).len();
                told(message, self.start - prefix..self.start - prefix)
            }
            _ if message.starts_with("unterminated triple-quoted") => {
                // Behind its last end a text has no other line.
                let (words, _) = message.rsplit_once(' ')?;
                told(&format!("{words} {})", self.source.lines().count()), self.start..self.start)
            }
            _ if message.ends_with("was never closed") => self.mismatch(),
            _ if message.starts_with("expected an indented block after") => self.header(message),
            _ => None,
        }
    }

    /// The first token that does not end before a place.
    fn at_or_after(&self, place: usize) -> usize {
        self.tokens.partition_point(|(_, range)| range.end <= place && range.start < place.max(1))
    }

    fn index_before(&self, place: usize, kind: TokenKind) -> Option<usize> {
        self.tokens.iter().rposition(|token| token.0 == kind && token.1.end <= place)
    }

    fn depth(&self, index: usize) -> i32 {
        self.tokens[..index].iter().map(|(kind, _)| i32::from(opens(*kind)) - i32::from(closes(*kind))).sum()
    }

    /// Where the value begins that ends before a token.
    fn before(&self, index: usize) -> Option<usize> {
        let (mut depth, mut first) = (0, None);
        for (kind, range) in self.tokens[..index].iter().rev() {
            if depth == 0 && (opens(*kind) || bounds(*kind)) {
                break;
            }
            depth += i32::from(closes(*kind)) - i32::from(opens(*kind));
            first = Some(range.start);
        }
        first
    }

    /// Where the value ends that begins with a token.
    fn after(&self, index: usize) -> Option<usize> {
        let (mut depth, mut last) = (0, None);
        for (kind, range) in &self.tokens[index..] {
            if depth == 0 && (closes(*kind) || bounds(*kind)) {
                break;
            }
            depth += i32::from(opens(*kind)) - i32::from(closes(*kind));
            last = Some(range.end);
        }
        last
    }

    fn is_value(&self, place: Range<usize>) -> bool {
        self.source.get(place).is_some_and(|text| parse_expression(&format!("({text})")).is_ok())
    }

    /// A bracket that is closed by one of another kind.
    fn mismatch(&self) -> Option<Told> {
        let mut open: Vec<&Token> = Vec::new();
        let (opening, closing) = self.tokens.iter().find_map(|token| {
            if opens(token.0) {
                open.push(token);
            } else if closes(token.0) {
                return open
                    .pop()
                    .filter(|(kind, _)| !is_pair(*kind, token.0))
                    .map(|opening| (opening, token));
            }
            None
        })?;
        let [opening, place] = [&opening.1, &closing.1];
        let between = self.source.get(opening.start..place.start)?;
        let line = self.source.get(..opening.start)?.matches('\n').count() + 1;
        let on_line = if between.contains('\n') { format!(" on line {line}") } else { String::new() };
        let message = format!(
            "closing parenthesis '{}' does not match opening parenthesis '{}'{on_line}",
            &self.source[place.clone()],
            &self.source[opening.clone()]
        );
        Some(Told { message, place: place.start..place.start, end_column: None })
    }

    fn header(&self, message: &str) -> Option<Told> {
        let (words, line) = message.rsplit_once(' ')?;
        let mut line: usize = line.parse().ok()?;
        let texts: Vec<_> = self.source.split('\n').map(str::trim_start).collect();
        while line > 1 && texts.get(line - 1).is_some_and(|text| text.is_empty() || text.starts_with('#')) {
            line -= 1;
        }
        Some(Told { message: format!("{words} {line}"), place: self.start..self.end, end_column: None })
    }

    fn character(&self) -> Option<Told> {
        let found =
            self.source[self.start..].chars().next().filter(|it| !it.is_ascii() && !it.is_alphabetic())?;
        let code = format!("U+{:04X}", u32::from(found));
        let is_blank = found.is_whitespace()
            || found.is_control()
            || matches!(found, '\u{200b}'..='\u{200f}' | '\u{feff}');
        let message = if is_blank {
            format!("invalid non-printable character {code}")
        } else {
            format!("invalid character '{found}' ({code})")
        };
        Some(Told { message, place: self.start..self.start, end_column: None })
    }

    /// After `else` and the like Python wants a colon, whatever stands there.
    fn colon(&self) -> Option<Told> {
        let index = self.at_or_after(self.start);
        let (kind, range) = self.tokens.get(index.checked_sub(1)?)?;
        let is_alone = index < 2 || bounds(self.tokens[index - 2].0);
        let wants = matches!(kind, TokenKind::Else | TokenKind::Try | TokenKind::Finally);
        (wants && is_alone && range.end <= self.start && self.depth(index) == 0).then(|| Told {
            message: "expected ':'".into(),
            place: self.start..self.end,
            end_column: None,
        })
    }

    fn equals(&self, message: &str) -> Option<Told> {
        let first = self.at_or_after(self.start);
        let at = first + self.tokens[first..].iter().position(|(kind, _)| *kind == TokenKind::Equal)?;
        let equals = self.tokens[at].1.clone();
        let (last, before) = self.tokens.get(at.checked_sub(1)?)?;
        let target = self.start..before.end;
        let end = self.after(at + 1).filter(|end| self.is_value(equals.end..*end));
        let (message, place) = match end {
            _ if !self.is_value(target.clone()) => ("invalid syntax", equals),
            None => ("invalid syntax", equals),
            Some(_) if matches!(last, TokenKind::String | TokenKind::Int | TokenKind::Float) => {
                ("cannot assign to literal here. Maybe you meant '==' instead of '='?", target)
            }
            Some(end) => (message, self.start..end),
        };
        Some(Told { message: message.into(), place, end_column: None })
    }

    /// An assignment in brackets that are not those of a call.
    fn grouped(&self) -> Option<Told> {
        let index = self.at_or_after(self.start);
        self.tokens.get(index).filter(|(kind, _)| *kind == TokenKind::Equal)?;
        let first = self.before(index)?;
        let open = self.tokens.iter().rposition(|(_, range)| range.end <= first)?;
        let is_call = open > 0
            && matches!(self.tokens[open - 1].0, TokenKind::Name | TokenKind::Rpar | TokenKind::Rsqb);
        let end = self.after(index + 1).filter(|_| self.tokens[open].0 == TokenKind::Lpar && !is_call)?;
        Some(Told {
            message: "invalid syntax. Maybe you meant '==' or ':=' instead of '='?".into(),
            place: first..end,
            end_column: None,
        })
    }

    /// Two values side by side in brackets.
    fn comma(&self) -> Option<Told> {
        let index = self.at_or_after(self.start);
        let both = (index..self.tokens.len()).take(2).find_map(|second| {
            let end = self.after(second)?;
            let first = self.before(second)?;
            let last = self.tokens.get(second.checked_sub(1)?)?.1.end;
            let are_strings =
                self.tokens[second - 1..=second].iter().all(|(kind, _)| *kind == TokenKind::String);
            (self.depth(second) > 0
                && !are_strings
                && self.is_value(first..last)
                && self.is_value(self.tokens[second].1.start..end))
            .then_some((first, second, end))
        });
        let (first, second, end) = both?;
        let place = self.tokens[second].1.clone();
        let told = |message: &str, place| Some(Told { message: message.into(), place, end_column: None });
        let before = second.checked_sub(2).map(|at| self.tokens[at].0);
        if self.tokens[second - 1].0 == TokenKind::Name && before == Some(TokenKind::For) {
            return told("'in' expected after for-loop variables", place);
        }
        if self.tokens[second - 1].0 == TokenKind::Name && self.tokens[second].0 == TokenKind::String {
            return told("invalid syntax", place);
        }
        told("invalid syntax. Perhaps you forgot a comma?", first..end)
    }

    /// A word that is almost one of Python's, if the text can be read further with that.
    fn keyword(&self) -> Option<Told> {
        let line = self.source[..self.start].rfind('\n').map_or(0, |at| at + 1);
        let names = self.tokens.iter().filter(|(kind, range)| {
            *kind == TokenKind::Name && range.start >= line && range.start <= self.start
        });
        for (_, range) in names {
            let word = &self.source[range.clone()];
            let mut near: Vec<_> =
                KEYWORDS.iter().map(|known| (osa_distance(&word.to_lowercase(), known), *known)).collect();
            near.sort_unstable();
            let most = if word.len() > 4 { 2 } else { 1 };
            for (_, known) in near.into_iter().take_while(|(count, _)| *count <= most && word.len() > 1) {
                let text = format!("{}{known}{}", &self.source[..range.start], &self.source[range.end..]);
                let is_read = parse_module(&text).map_or_else(
                    |error| {
                        error.location.start().to_usize()
                            > self.source[self.start..]
                                .find('\n')
                                .map_or(text.len(), |end| self.start + end + 2)
                    },
                    |_| true,
                );
                if is_read {
                    let message = format!("invalid syntax. Did you mean '{known}'?");
                    return Some(Told { message, place: range.clone(), end_column: None });
                }
            }
        }
        None
    }

    fn bad_escape(&self) -> Option<Told> {
        let (_, range) =
            self.tokens.iter().find(|(_, range)| range.contains(&self.start.saturating_sub(1)))?;
        let text = &self.source[range.clone()];
        let quote = text.find(['"', '\''])?;
        let quotes =
            if text[quote..].starts_with(r#"""""#) || text[quote..].starts_with("'''") { 3 } else { 1 };
        let body = &text[quote + quotes..];
        let mut left = body.char_indices();
        while let Some((at, found)) = left.next() {
            let Some((_, kind)) = (found == '\\').then(|| left.next()).flatten() else { continue };
            let (wanted, shape) = match kind {
                'x' => (2, r"\xXX"),
                'u' => (4, r"\uXXXX"),
                'U' => (8, r"\UXXXXXXXX"),
                _ => continue,
            };
            let digits = body[at + 2..].chars().take(wanted).take_while(char::is_ascii_hexdigit).count();
            if digits < wanted {
                let message = format!(
                    "(unicode error) 'unicodeescape' codec can't decode bytes in position {at}-{}: truncated {shape} escape",
                    at + 1 + digits
                );
                return Some(Told { message, place: range.clone(), end_column: None });
            }
        }
        None
    }
}
