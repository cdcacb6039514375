//! The program that stands for a notebook.

use serde_json::json;

use super::escapes::{self, Scan};
use super::{Cell, Kind};
use crate::tags::only_picture;
use crate::trace::{Json, Rendering};

/// What a cell of code is called, before its number.
pub(super) const CELL: &str = "cell_";

/// Whether a file of a program stands for a notebook.
#[must_use]
pub fn is_notebook(path: &str) -> bool {
    path.ends_with(".ipynb")
}

/// Whether a function of such a file is a cell.
#[must_use]
pub fn is_cell(function: &str) -> bool {
    function
        .strip_prefix(CELL)
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()))
}

/// A statement of `main`; lines are counted from 1.
pub(super) enum Statement {
    /// Prose, or a picture.
    Drawn {
        /// Its first and its last line.
        lines: (u32, u32),
        rendering: Box<Rendering>,
    },
    /// A call of a cell.
    Called {
        line: u32,
        /// Its number among all cells, from 0.
        cell: usize,
        function: String,
        /// The first and the last line of its last statement.
        last: (u32, u32),
    },
}

/// A program, and where its parts are.
pub(super) struct Program {
    pub(super) text: String,
    pub(super) statements: Vec<Statement>,
    /// The line that calls `main`.
    pub(super) call: u32,
}

impl Program {
    pub(super) fn new(cells: &[Cell], name: &str) -> Self {
        let pieces: Vec<Vec<Piece>> = cells.iter().map(pieces).collect();
        let mut lines = vec![format!("\"\"\"{}\"\"\"", title(cells, name)), String::new()];
        if pieces.iter().flatten().any(|it| matches!(it, Piece::Picture(_))) {
            lines.push("from edtrace import image".to_owned());
        }
        lines.extend(["from napkin import text", "", "", "def main():"].map(str::to_owned));
        let mut statements = Vec::new();
        let mut functions = Vec::new();
        for (number, (cell, pieces)) in cells.iter().zip(pieces).enumerate() {
            if cell.kind == Kind::Code {
                functions.push(number);
                let function = format!("{CELL}{}", functions.len());
                lines.push(format!("    {function}()"));
                let line = count(&lines);
                statements.push(Statement::Called { line, cell: number, function, last: (0, 0) });
            }
            for piece in pieces {
                let first = count(&lines) + 1;
                let rendering = Box::new(piece.rendering());
                lines.extend(piece.written());
                statements.push(Statement::Drawn { lines: (first, count(&lines)), rendering });
            }
        }
        if statements.is_empty() {
            lines.push("    pass".to_owned());
        }
        for statement in &mut statements {
            if let Statement::Called { cell, function, last, .. } = statement {
                lines.extend([String::new(), String::new(), format!("def {function}():")]);
                let before = count(&lines);
                let (body, place) = body(&cells[*cell].source);
                lines.extend(body);
                *last = (before + place.0, before + place.1);
            }
        }
        lines.extend(["", "", "if __name__ == \"__main__\":", "    main()"].map(str::to_owned));
        let call = count(&lines);
        Self { text: lines.join("\n") + "\n", statements, call }
    }
}

fn count(lines: &[String]) -> u32 {
    u32::try_from(lines.len()).unwrap_or(u32::MAX)
}

/// What a notebook is called: its first heading of the first level, or its file.
fn title(cells: &[Cell], name: &str) -> String {
    let prose = cells.iter().filter(|cell| cell.kind == Kind::Markdown);
    let heading = prose.flat_map(|cell| cell.source.lines()).find_map(|line| line.strip_prefix("# "));
    let title = heading.unwrap_or(name).trim().trim_end_matches('#').trim();
    title.replace(['\\', '"'], "'")
}

/// A part of what a cell of prose says.
enum Piece {
    Prose(String),
    /// The address of a picture.
    Picture(String),
}

impl Piece {
    fn rendering(&self) -> Rendering {
        let (kind, data) = match self {
            Self::Prose(text) => ("markdown", text.trim()),
            Self::Picture(address) => ("image", address.as_str()),
        };
        Rendering { kind: kind.to_owned(), data: Json::from(data), ..Rendering::default() }
    }

    /// The lines of a call that draws it.
    fn written(&self) -> Vec<String> {
        let text = match self {
            Self::Picture(address) => return vec![format!("    image({})", json!(address))],
            Self::Prose(text) => text.trim(),
        };
        if text.contains("\"\"\"") || text.contains('\0') || text.lines().any(|line| line.ends_with('\\')) {
            return vec![format!("    text({})", json!(text))];
        }
        let lines = text.split('\n').map(str::to_owned);
        std::iter::once("    text(r\"\"\"".to_owned()).chain(lines).chain(["\"\"\")".to_owned()]).collect()
    }
}

/// What a cell of prose draws: its pictures by themselves, as far as each has a line of its own.
fn pieces(cell: &Cell) -> Vec<Piece> {
    match cell.kind {
        Kind::Code => return Vec::new(),
        Kind::Raw if cell.source.trim().is_empty() => return Vec::new(),
        Kind::Raw => {
            let fence = if cell.source.contains("```") { "~~~~" } else { "```" };
            return vec![Piece::Prose(format!("{fence}\n{}\n{fence}", cell.source.trim_end()))];
        }
        Kind::Markdown => {}
    }
    let (mut pieces, mut prose, mut fence) = (Vec::new(), String::new(), None::<&str>);
    for line in cell.source.lines() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if let Some(address) = picture(line.trim()).filter(|_| fence.is_none()) {
            pieces.push(Piece::Prose(std::mem::take(&mut prose)));
            pieces.push(Piece::Picture(address));
        } else {
            prose += line;
            prose.push('\n');
        }
    }
    pieces.push(Piece::Prose(prose));
    pieces.retain(|piece| !matches!(piece, Piece::Prose(text) if text.trim().is_empty()));
    pieces
}

/// The address of a picture, if a line is nothing else: `![alt](address "title")`, or an element of HTML, also within others.
/// What lies on another host stays a link, which prose makes of it.
fn picture(line: &str) -> Option<String> {
    let address = if let Some(rest) = line.strip_prefix("![") {
        let (_, rest) = rest.split_once("](")?;
        let inside = rest.strip_suffix(')').filter(|it| !it.contains(')'))?;
        match inside.strip_prefix('<') {
            Some(inside) => inside.split('>').next()?,
            None => inside.split_whitespace().next()?,
        }
        .to_owned()
    } else {
        only_picture(line)?
    };
    let is_elsewhere = crate::prose::is_address(&address) || address.starts_with("//");
    let is_kept = !address.contains(':') || address.starts_with("data:image/");
    (!address.is_empty() && !is_elsewhere && is_kept).then_some(address)
}

/// The body of a function that does what a cell does, and the first and the last line of its last statement, counted from 1.
pub(super) fn body(source: &str) -> (Vec<String>, (u32, u32)) {
    let mut scan = Scan::default();
    let (mut lines, mut last, mut end) = (Vec::new(), 0, 0);
    for line in escapes::python(source) {
        let (is_text, begins) = (scan.is_in_text(), scan.begins());
        scan.read(&line);
        let number = lines.len() + 1;
        let code = line.trim();
        if !code.is_empty() && !(begins && code.starts_with('#')) {
            end = number;
            // A statement at the margin: what is within it runs, or not.
            if begins && !line.starts_with([' ', '\t']) {
                last = number;
            }
        }
        let is_kept = is_text || line.trim().is_empty();
        lines.push(if is_kept { line } else { format!("    {line}") });
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    if end == 0 {
        lines.push("    pass".to_owned());
        (last, end) = (lines.len(), lines.len());
    }
    let line = |it: usize| u32::try_from(it.max(1)).unwrap_or(u32::MAX);
    (lines, (line(last), line(end.max(last))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_indented_but_for_what_is_within_texts() {
        for (source, expected, place) in [
            ("x = 1", vec!["    x = 1"], (1, 1)),
            ("", vec!["    pass"], (1, 1)),
            ("# only this", vec!["    # only this", "    pass"], (2, 2)),
            ("s = '''a\nb\n'''\ns\n\n", vec!["    s = '''a", "b", "'''", "    s"], (4, 4)),
            ("f(1,\n  2)\n# end", vec!["    f(1,", "      2)", "    # end"], (1, 2)),
            ("for x in y:\n    x\n", vec!["    for x in y:", "        x"], (1, 2)),
            ("%matplotlib inline", vec!["    # %matplotlib inline", "    pass"], (2, 2)),
        ] {
            let (lines, last) = body(source);
            assert_eq!(
                (lines.iter().map(String::as_str).collect::<Vec<_>>(), last),
                (expected, place),
                "{source}"
            );
        }
    }

    #[test]
    fn pictures_are_those_that_lie_beside_the_notebook() {
        for (line, address) in [
            ("![a](images/a.png)", Some("images/a.png")),
            ("![a](<a b.png>)", Some("a b.png")),
            ("![a](a.png \"A\")", Some("a.png")),
            ("<img src=\"a.png\" width=\"100\">", Some("a.png")),
            ("<img alt='x' src='a.png'/>", Some("a.png")),
            ("<center style=\"width: 100%\"><img src=\"a.svg\" width=\"9px\"></center>", Some("a.svg")),
            ("<p align=center> <img src=\"a.png\"/> </p>", Some("a.png")),
            ("<img src=\"a.png\" width=20% style=\"float: center;\"></img>", Some("a.png")),
            ("<img src=a/b.png>", Some("a/b.png")),
            ("<p>Here: <img src=\"a.png\"></p>", None),
            ("<p><img src=\"a.png\"><img src=\"b.png\"></p>", None),
            ("<p><a href=\"b\"></a></p>", None),
            ("<", None),
            ("![a](https://example.org/a.png)", None),
            ("![a](javascript:x)", None),
            ("![a](data:text/html,x)", None),
            ("![a](data:image/png;base64,AA)", Some("data:image/png;base64,AA")),
            ("see ![a](a.png)", None),
            ("![a](a.png) and ![b](b.png)", None),
        ] {
            assert_eq!(picture(line).as_deref(), address, "{line}");
        }
    }

    #[test]
    fn a_text_stands_as_it_was_typed_or_escaped() {
        let prose = |text: &str| Piece::Prose(text.to_owned()).written();
        assert_eq!(prose("a\n$\\b$"), ["    text(r\"\"\"", "a", "$\\b$", "\"\"\")"]);
        assert_eq!(prose("a \"\"\" b"), ["    text(\"a \\\"\\\"\\\" b\")"]);
        assert_eq!(prose("a\\"), ["    text(\"a\\\\\")"]);
    }
}
