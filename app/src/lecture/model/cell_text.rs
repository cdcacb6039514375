//! The text of a function as its editor shows it. For a cell of a notebook that is what is typed there; the function around
//! it is the program's.

use napkin_trace::notebook::{function, typed, typed_cells};

use super::lecture::Lecture;
use super::source::is_typed;

/// A function of the lecture, and what its author typed if it is a cell of a notebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellText {
    name: String,
    /// The function as the lecture has it.
    original: String,
    typed: Option<String>,
}

impl CellText {
    /// A function of a lecture whose text is `original`.
    pub fn new(lecture: &Lecture, path: &str, name: &str, original: String) -> Self {
        let typed_source = || {
            let number: usize = name.rsplit('_').next()?.parse().ok()?;
            let mut cells = typed_cells(lecture.notebook.as_deref()?).ok()?;
            let at = number.checked_sub(1).filter(|at| *at < cells.len())?;
            Some(cells.swap_remove(at))
        };
        // Of a notebook that was opened as a program nobody has the file.
        let typed = is_typed(path, name).then(|| typed_source().unwrap_or_else(|| typed(&original, "")));
        Self { name: name.to_owned(), original, typed }
    }

    /// What the editor shows where that stands in place of the function.
    pub fn shown(&self, text: &str) -> String {
        match &self.typed {
            None => text.to_owned(),
            Some(source) if text == self.original => source.clone(),
            Some(source) => typed(text, source) + blank_end(text),
        }
    }

    /// What stands in place of the function where the editor shows that.
    pub fn taken(&self, shown: &str) -> String {
        match &self.typed {
            None => shown.to_owned(),
            Some(source) if source == shown => self.original.clone(),
            Some(_) => function(&self.name, shown) + blank_end(shown),
        }
    }
}

/// The empty lines that a reader has typed last, and will write into.
fn blank_end(text: &str) -> &str {
    &text[text.trim_end_matches(['\n', ' ']).len()..]
}

#[cfg(test)]
mod tests {
    use napkin_trace::trace::Trace;

    use super::*;

    #[test]
    fn a_cell_of_a_notebook_is_edited_as_it_was_typed() {
        let original = "def cell_1():\n    # %matplotlib inline\n    x = 1".to_owned();
        let source = "%matplotlib inline\nx = 1\n# its end".to_owned();
        let cell =
            CellText { name: "cell_1".to_owned(), original: original.clone(), typed: Some(source.clone()) };
        assert_eq!(cell.shown(&original), source);
        assert_eq!(cell.taken(&source), original, "what is as it was is no edit");
        for shown in [
            "%matplotlib inline\nx = 2",
            "x = 2\n",
            "x = '''a\n  b'''\n\n  ",
            "",
            "\n",
            "# a",
            "if x:\n    y",
        ] {
            let taken = cell.taken(shown);
            assert!(taken.starts_with("def cell_1():\n"), "{taken}");
            assert_eq!(cell.shown(&taken), shown, "{taken}");
        }
        let lecture = Lecture::new(Trace::default());
        let unknown = CellText::new(&lecture, "a.ipynb", "cell_1", original.clone());
        assert_eq!(unknown.shown(&original), "# %matplotlib inline\nx = 1");
        assert_eq!(unknown.taken(""), "def cell_1():\n    pass", "to empty it is an edit");
        let function = CellText { name: "f".to_owned(), original: "def f(): 1".to_owned(), typed: None };
        assert_eq!(
            (function.shown("def f(): 2"), function.taken("def f(): 2")),
            ("def f(): 2".into(), "def f(): 2".into())
        );
    }
}
