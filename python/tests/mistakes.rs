//! What is said of mistakes: in Python's own words and places where the text of a program is wrong.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::rc::Rc;

use napkin_python::{Files, Memory, Options, Session};

fn session() -> (Session, Rc<RefCell<String>>, Rc<Memory>) {
    let written = Rc::<RefCell<String>>::default();
    let to = written.clone();
    let write = Rc::new(move |_, text: &str| to.borrow_mut().push_str(text));
    let files = Rc::new(Memory::default());
    (Session::new(Options { write, files: files.clone(), ..Options::default() }), written, files)
}

/// Of every mistake its title, its program, and what follows the line of dashes.
fn mistakes(page: &str) -> Vec<(&str, &str, &str)> {
    let cases = page.split("\n=== ").skip(1).map(|case| {
        let (title, rest) = case.split_once('\n').unwrap();
        let (source, expected) = rest.split_once("\n--- ").unwrap();
        (title, source, expected)
    });
    cases.collect()
}

/// Asks for the place, which the caret under a line does not always show.
const ASK: &str = "
try:
    import mistake
except SyntaxError as error:
    print(f'{error.lineno}:{error.offset}')
";

#[test]
fn mistakes_of_syntax_are_told_in_pythons_words_and_at_pythons_place() {
    let (session, written, files) = session();
    let (mut same, mut wrong) = (0, String::new());
    for (title, source, expected) in mistakes(include_str!("mistakes/syntax.txt")) {
        let source = format!("{source}\n");
        files.create("mistake.py", false).unwrap();
        files.resize("mistake.py", 0).unwrap();
        files.write("mistake.py", 0, source.as_bytes()).unwrap();
        session.run(ASK, "ask.py").unwrap();
        let place = written.take();
        let failure = session.run(&source, "mistake.py").unwrap_err().traceback;
        let ours = place + &failure;
        if ours.trim_end() == expected.trim_end() {
            same += 1;
        } else {
            wrong += &format!("=== {title}\n{source}--- ours\n{ours}--- Python's\n{expected}\n");
        }
    }
    assert!(same > 100 && wrong.is_empty(), "{same} as in Python\n{wrong}");
}
