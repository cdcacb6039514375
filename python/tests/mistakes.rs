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

fn put(files: &Memory, source: &str) {
    files.create("mistake.py", false).unwrap();
    files.resize("mistake.py", 0).unwrap();
    files.write("mistake.py", 0, source.as_bytes()).unwrap();
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
        put(&files, &source);
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

/// Asks for the report of a program that fails: its class, its last line, and the advice.
const REPORT: &str = "
import _tracebacks
try:
    import mistake
except BaseException as error:
    report = _tracebacks.report(error)
    print(report['kind'], report['frames'][-1]['line'], report['advice'])
";

#[test]
fn mistakes_have_advice() {
    let (session, written, files) = session();
    let (mut count, mut wrong) = (0, String::new());
    for (title, source, expected) in mistakes(include_str!("mistakes/advice.txt")) {
        put(&files, source);
        session.run(REPORT, "ask.py").unwrap();
        let ours = written.take();
        let (place, phrase) = expected.trim_end().split_once(": ").unwrap();
        if !ours.starts_with(&format!("{place} ")) || !ours.contains(phrase) {
            wrong += &format!("=== {title}\n{source}\n--- {expected}\n{ours}");
        }
        count += 1;
    }
    assert!(count > 100 && wrong.is_empty(), "{wrong}");
}

#[test]
fn a_suggestion_is_a_name_of_the_function_in_one_sentence() {
    let (session, written, files) = session();
    let ask =
        REPORT.replace("report['kind'], report['frames'][-1]['line'], report['advice']", "report['message']");
    for (source, message) in [
        (
            "def f():\n    parms = 1\n    return params\nf()\n",
            "name 'params' is not defined. Did you mean: 'parms'?\n",
        ),
        ("import torch\ntorch.ones(1).nummel()\n", "has no attribute 'nummel'. Did you mean: 'numel'?\n"),
    ] {
        put(&files, source);
        session.run(&ask, "ask.py").unwrap();
        let ours = written.take();
        assert!(ours.ends_with(message), "{source}{ours}");
    }
}

/// Exceptions that nobody foresees, and some that look like known ones.
const ODD: &str = "
import _advice
class Liar(Exception):
    args = property(lambda self: 1 / 0)
    def __str__(self):
        raise KeyError
    def __getattribute__(self, name):
        raise AssertionError('asked')
known = (RuntimeError, TypeError, ValueError, IndexError, KeyError, AttributeError, NameError, SyntaxError, ImportError, MemoryError)
odd = ((), (None,), (3,), (b'x',), ([],), ('',), ('x' * 1_000_000,), ('(' * 5000,), ('a', 'b'), (object(),), (Liar('x'),))
for kind in known:
    for arguments in odd:
        told = _advice.advice(kind(*arguments))
        assert told is None or type(told) is str and len(told) < 500, told
        told = _advice.advice(kind(*arguments), 3, 4)
        assert told is None or type(told) is str, told
for message in ('name \\'x\\' is not defined', 'mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)', 'list index out of range'):
    for kind in known:
        for line in (None, '', 'x[0] @ (', 'x' * 100_000):
            told = _advice.advice(kind(message), None, line)
            assert told is None or type(told) is str, told
assert _advice.advice(Liar('x')) is None
assert _advice.advice(ValueError('nobody knows this')) is None
assert _advice.advice(None) is None and _advice.advice('text') is None
print('done')
";

#[test]
fn advice_on_what_is_unknown_is_none_and_never_raises() {
    let (session, written, _) = session();
    session.run(ODD, "odd.py").unwrap();
    assert_eq!(written.take(), "done\n");
}

/// Prints every frame of a report with the text that its columns enclose.
const FRAMES: &str = "
import _tracebacks
source = open('mistake.py').read().split('\\n')
try:
    import mistake
except BaseException as error:
    report = _tracebacks.report(error)
    for frame in report['frames']:
        if frame['path'] == 'mistake.py':
            text = source[frame['line'] - 1][frame['column']:frame['end_column']]
            print(frame['function'], frame['line'], frame['end_line'], text)
    print(sorted(report), report['kind'], report['message'])
    print(report['text'] == _tracebacks.describe(error))
";

#[test]
fn a_report_has_the_places_of_all_frames_in_characters() {
    let (session, written, files) = session();
    let keys = "['advice', 'frames', 'kind', 'message', 'text']";
    for (source, expected) in [
        (
            "größe = 'ü'; höhe = {}\ndef f(x):\n    return 'äöü', x[größe]\nf(höhe)\n",
            format!("<module> 4 4 f(höhe)\nf 3 3 x[größe]\n{keys} KeyError 'ü'\nTrue\n"),
        ),
        ("x = 'ä' + (1 +\n", format!("<module> 1 1 (\n{keys} SyntaxError '(' was never closed\nTrue\n")),
        ("größe = 'ü' x\n", format!("<module> 1 1 x\n{keys} SyntaxError invalid syntax\nTrue\n")),
        (
            "return 3\n",
            format!("<module> 1 1 return 3\n{keys} SyntaxError 'return' outside function\nTrue\n"),
        ),
    ] {
        put(&files, source);
        session.run(FRAMES, "ask.py").unwrap();
        assert_eq!(written.take(), expected);
    }
}

/// Compiles every beginning of a text, and the text without each of its letters.
const CUT: &str = "
import _napkin
source = open('mistake.py').read()
for at in range(len(source)):
    for text in (source[:at], source[:at] + source[at + 1:]):
        try:
            _napkin.compiled(text, 'cut.py')
        except SyntaxError as error:
            assert type(error.msg) is str and error.lineno >= 0
";

#[test]
fn no_text_is_too_odd_to_be_told_of() {
    let (session, _, files) = session();
    for (_, source, _) in mistakes(include_str!("mistakes/syntax.txt")) {
        put(&files, source);
        session.run(CUT, "ask.py").unwrap();
    }
}
