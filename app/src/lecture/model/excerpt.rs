//! Where a fault is, as the reader sees the code: lines are counted in the function that the editor shows.

use std::collections::BTreeMap;

use napkin_trace::{Fault, Frame};

use napkin_trace::notebook::is_notebook;

use super::source::{MODULE, Source, is_typed};

/// A place of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub path: String,
    /// The function around it, or the name of what is outside of all.
    pub function: String,
    /// The line in that function, counted from 1.
    pub line: u32,
    /// The line in the file; none if the file does not have it, since it could not be read.
    pub file_line: Option<u32>,
    /// What stands there.
    pub excerpt: Option<Excerpt>,
}

/// A line of code, and what of it raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Without its indentation.
    pub code: String,
    /// Characters before the mark, and how many it has; none if it is the whole line.
    pub mark: Option<(usize, usize)>,
}

impl Excerpt {
    fn new(line: &str, frame: &Frame) -> Option<Self> {
        let code = line.trim();
        if code.is_empty() {
            return None;
        }
        let indent = line.chars().take_while(|it| it.is_whitespace()).count();
        let count = code.chars().count();
        let mark = frame.column.map(|column| {
            let from = (column as usize).saturating_sub(indent).min(count);
            let is_one_line = frame.end_line.is_none_or(|last| last == frame.line);
            let end = match frame.end_column {
                Some(end) if is_one_line => (end as usize).saturating_sub(indent),
                Some(_) => count,
                None => from + 1,
            };
            // What is missing at the end of a line stands behind it.
            (from, end.clamp(from, count.max(from + 1)).saturating_sub(from).max(1))
        });
        Some(Self { code: code.to_owned(), mark: mark.filter(|mark| *mark != (0, count)) })
    }

    /// The mark as Python draws it below the line; empty if it is the whole line.
    pub fn caret(&self) -> String {
        self.mark.map_or_else(String::new, |(from, count)| " ".repeat(from) + &"^".repeat(count))
    }
}

/// The places of a fault: first those in its own cell, the innermost one first, and then those in others. `files` are those
/// that ran, and `text` is what the reader wrote in the cell.
pub fn spots(files: &BTreeMap<String, Source>, fault: &Fault, text: &str) -> Vec<Spot> {
    // Of a cell of a notebook the editor shows what is typed there, without its `def`.
    let before = |path: &str, function: &str| u32::from(is_typed(path, function));
    let made = |frame: &Frame, function: String, line: u32| {
        let code = files.get(&frame.path).map(|source| source.line(frame.line));
        let excerpt = code.and_then(|code| Excerpt::new(code, frame));
        Spot { path: frame.path.clone(), function, line, file_line: Some(frame.line), excerpt }
    };
    let written = place_of(files, fault, text);
    let spot = |frame: &Frame| {
        if frame.is_of_text {
            let excerpt = text.lines().nth(frame.line.saturating_sub(1) as usize);
            let function = frame.function.clone();
            let excerpt = excerpt.and_then(|line| Excerpt::new(line, frame));
            let line = frame.line.saturating_sub(before(&frame.path, &function)).max(1);
            return Spot { path: frame.path.clone(), function, line, file_line: None, excerpt };
        }
        let source = files.get(&frame.path);
        let own = fault.cell.as_ref().filter(|cell| cell.path == frame.path);
        if let Some(cell) = own
            && let Some((first, last)) = written
            && (first..=last).contains(&frame.line)
        {
            let line = (frame.line - first + 1).saturating_sub(before(&frame.path, &cell.function)).max(1);
            return made(frame, cell.function.clone(), line);
        }
        let around = source.filter(|_| own.is_none_or(|cell| cell.function != MODULE)).and_then(|source| {
            // What is defined within a cell is a part of it.
            let own = own.and_then(|cell| source.function(&cell.function, frame.line));
            let own = own.or_else(|| source.typed_cell(&frame.path, frame.line));
            let function = own.or_else(|| source.within(frame.line))?;
            let line = frame.line - function.first + 1;
            Some((&*function.name, line.saturating_sub(before(&frame.path, &function.name)).max(1)))
        });
        let (function, line) = around.unwrap_or((MODULE, frame.line));
        made(frame, function.to_owned(), line)
    };
    // Every cell of a notebook is a text of the reader's: the mistake is where it was raised.
    let is_own = |spot: &Spot| {
        fault.cell.as_ref().is_none_or(|cell| cell.path == spot.path && cell.function == spot.function)
            || is_typed(&spot.path, &spot.function)
    };
    // What calls the cells of a notebook is no text of anybody.
    let is_shown = |frame: &&Frame| !(is_notebook(&frame.path) && frame.function == "main");
    let all = fault.frames.iter().rev().filter(is_shown).map(spot);
    let (mut own, others): (Vec<Spot>, Vec<Spot>) = all.partition(is_own);
    own.extend(others);
    own
}

/// First and last line, in the file that ran, of what the reader wrote in the cell of a fault: other lines may stand above
/// the function.
fn place_of(files: &BTreeMap<String, Source>, fault: &Fault, text: &str) -> Option<(u32, u32)> {
    let cell = fault.cell.as_ref()?;
    let first = |source: &Source| Some(source.functions.iter().find(|it| it.name == cell.function)?.first);
    let written = Source::new(text);
    let from = (first(files.get(&cell.path)?)? + 1).checked_sub(first(&written)?)?;
    Some((from, from + written.len().saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use napkin_trace::python::CellName;

    use super::*;

    #[test]
    fn a_mark_is_where_python_draws_it() {
        let frame = |column, end_column| Frame { line: 1, column, end_column, ..Frame::default() };
        for (line, frame, caret) in [
            ("    x = 1 / 0", frame(Some(8), Some(13)), "    ^^^^^"),
            ("    x = 1 / 0", frame(None, None), ""),
            ("    x = 1 / 0", frame(Some(4), Some(13)), ""),
            // A colon is missing behind the line, or a bracket in a line below.
            ("def one()", frame(Some(9), Some(10)), "         ^"),
            ("x = (", frame(Some(4), None), "    ^"),
            ("x = (", Frame { end_line: Some(3), ..frame(Some(4), Some(1)) }, "    ^"),
        ] {
            assert_eq!(Excerpt::new(line, &frame).unwrap().caret(), caret, "{line}");
        }
        assert_eq!(Excerpt::new("   ", &frame(Some(0), None)), None);
    }

    #[test]
    fn lines_are_those_of_what_the_reader_edits() {
        let text =
            "x = 1\n\n\ndef cell_1():\n    def one():\n        return x\n\n\ndef main():\n    cell_1()\n";
        let frames = [("<module>", 1), ("main", 10), ("one", 6)];
        for (path, cell, expected) in [
            // A notebook's cell is edited whole, without the line of its function; what calls it is nobody's.
            ("a.ipynb", "cell_1", vec![("cell_1", 2), (MODULE, 1)]),
            ("a.ipynb", "cell_2", vec![("cell_1", 2), (MODULE, 1)]),
            // A program that is one cell is edited whole.
            ("a.py", MODULE, vec![(MODULE, 6), (MODULE, 10), (MODULE, 1)]),
            ("a.py", "cell_1", vec![("cell_1", 3), ("main", 2), (MODULE, 1)]),
        ] {
            let frame = |(function, line): (&str, u32)| Frame {
                path: path.to_owned(),
                function: function.to_owned(),
                line,
                ..Frame::default()
            };
            let cell = CellName { path: path.to_owned(), function: cell.to_owned() };
            let fault = Fault { cell: Some(cell), frames: frames.map(frame).into(), ..Fault::default() };
            let files = [(path.to_owned(), Source::new(text))].into();
            let spots = spots(&files, &fault, "");
            assert_eq!(spots.iter().map(|it| (&*it.function, it.line)).collect::<Vec<_>>(), expected);
        }
    }
}
