//! What of a cell's source is told to the reader elsewhere: its prose, its questions and their answers. Who edits the cell
//! finds them folded away.

use std::ops::Range;

use super::source::Source;

/// The functions of the module `napkin` that tell a reader something. Each stands as a statement of its own.
const TOLD: [(&str, &str); 6] = [
    ("text", "prose"),
    ("try_this", "something to try"),
    ("check", "a question"),
    ("exercise", "an exercise"),
    ("slip", "an error to find"),
    ("remember", "what to remember"),
];

/// Lines that are folded away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Where, in bytes of the text, without the indentation of the first line.
    pub place: Range<usize>,
    /// What is there, for a reader.
    pub label: String,
}

/// What the statement that begins on a line tells the reader, if it does nothing else.
fn label(source: &Source, first: u32) -> Option<&'static str> {
    let told = TOLD.iter().find(|(name, _)| *name == source.first_word(first));
    told.filter(|_| source.is_call(first)).map(|(_, label)| *label)
}

/// Whether the statement that begins on a line does nothing but tell the reader something.
pub(super) fn is_told(source: &Source, first: u32) -> bool {
    label(source, first).is_some()
}

/// What of a text is folded away.
pub fn folds(text: &str) -> Vec<Fold> {
    let source = Source::new(text);
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .chain([text.len() + 1])
        .collect();
    let mut folds: Vec<(u32, Fold)> = Vec::new();
    let mut line = 1;
    while line <= source.len() {
        let (first, last) = source.statement(line);
        if let Some(label) = label(&source, first) {
            let end = starts[last as usize] - 1;
            let own = source.line(first);
            let from = starts[first as usize - 1] + own.len() - own.trim_start().len();
            match folds.last_mut() {
                // What stands side by side is one fold.
                Some((before, fold)) if *before + 1 == first => {
                    *before = last;
                    fold.place.end = end;
                    if !fold.label.split(", ").any(|known| known == label) {
                        fold.label += &format!(", {label}");
                    }
                }
                _ => folds.push((last, Fold { place: from..end, label: label.to_owned() })),
            }
        }
        line = last.max(line) + 1;
    }
    folds.into_iter().map(|(_, fold)| fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_questions_are_folded_and_code_is_not() {
        let text = "def cell():\n    \"\"\"Cell\"\"\"\n    text(\"\"\"\nProse (1\n\"\"\")\n    x = text(1)  # text(2)\n    check(\n        \
                    \"?\",\n        answer=\"secret\",\n    )\n    remember(\"ü\")\n    print(x)\n    show.table(x)";
        let folded: Vec<_> =
            folds(text).into_iter().map(|it| (text[it.place].to_owned(), it.label)).collect();
        let [(prose, one), (rest, two)] = &folded[..] else { panic!("{folded:?}") };
        assert_eq!((prose.as_str(), one.as_str()), ("text(\"\"\"\nProse (1\n\"\"\")", "prose"));
        assert!(rest.starts_with("check(") && rest.ends_with("remember(\"ü\")"), "{rest}");
        assert_eq!(two, "a question, what to remember");
        let after = folds("def f():\n    remember(\"“ü”\")\n    return x  # @hide\n# theirs");
        let [after] = &after[..] else { panic!("{after:?}") };
        assert_eq!(after.place, 13..33);
        assert_eq!(folds("x = 1\ncheck"), []);
        assert_eq!(folds(""), []);
    }
}
