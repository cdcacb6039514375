//! A change runs again what depends on it, and nothing else; the trace is that of a run from scratch.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::rc::Rc;

use napkin_python::{Memory, Options, Recall, Session};
use napkin_trace::trace::{Json, Map, Trace};

const MAIN: &str = r#"
import os
import random
import time
import torch
from parts import SIZE, Layer, deep

ticks = time.perf_counter_ns


def main():
    """A lecture"""
    plain()
    number = section()
    takes(number)
    draws()
    inherits()
    models()
    files()
    scratch()
    twister()
    shared()


def plain():
    """Nothing but numbers"""
    stamp = ticks()
    x = 2  # @slider 0 9
    y = x * x  # @inspect y


def section():
    """A section"""
    first()
    return second(SIZE)


def first():
    """First"""
    stamp = time.perf_counter_ns()
    a = torch.ones(SIZE)  # @inspect a


def second(size):
    """Second"""
    stamp = time.perf_counter_ns()
    b = helper(size)  # @inspect b
    return b


def helper(size):
    return size + 1


def takes(number):
    """Takes what another returns"""
    stamp = time.perf_counter_ns()
    c = number * 10  # @inspect c


def draws():
    """Seeds what it draws from"""
    stamp = time.perf_counter_ns()
    torch.manual_seed(3)
    d = torch.randn(SIZE)  # @inspect d


def inherits():
    """Draws on"""
    stamp = time.perf_counter_ns()
    e = torch.rand(2)  # @inspect e


def models():
    """A class from elsewhere"""
    stamp = time.perf_counter_ns()
    f = Layer(SIZE).size()  # @inspect f
    g = deep()  # @inspect g


def files():
    """Reads and writes"""
    stamp = time.perf_counter_ns()
    with open("note.txt", "a") as file:
        file.write("x")
    h = len(open("note.txt").read())


def scratch():
    """Removes what it writes"""
    stamp = time.perf_counter_ns()
    with open("scratch.txt", "w") as file:
        file.write("x")
    k = open("scratch.txt").read()  # @inspect k
    os.remove("scratch.txt")


def twister():
    """Draws as Python does"""
    stamp = time.perf_counter_ns()
    random.seed(1)
    i = random.random()  # @inspect i


seen = []


def shared():
    """Keeps what others see"""
    stamp = time.perf_counter_ns()
    seen.append(1)
    j = len(seen)  # @inspect j


if __name__ == "__main__":
    main()
"#;

const PARTS: &str = r"
SIZE = 4


class Layer:
    def __init__(self, size):
        self.width = size

    def __repr__(self):
        return 'Layer'

    def size(self):
        return self.width * 2


def deep():
    return inner() + 1


def inner():
    return 1


def unused():
    return 0
";

struct Folder {
    files: Rc<Memory>,
    recall: Option<Rc<RefCell<Recall>>>,
}

impl Folder {
    fn trace(&self, main: &str, parts: &str) -> Trace {
        self.files.put("lectures/parts.py", parts.as_bytes()).unwrap();
        let options =
            Options { files: self.files.clone(), recall: self.recall.clone(), ..Options::default() };
        let (trace, result) = Session::new(options).trace(main, "lectures/main.py");
        result.unwrap();
        trace
    }
}

/// When each cell ran.
fn stamps(trace: &Trace) -> Vec<(String, Json)> {
    let of = |step: &napkin_trace::trace::Step| {
        let value = step.changed.get("stamp")?.as_ref()?.contents.clone();
        Some((step.stack.last()?.function_name.clone(), value))
    };
    trace.steps.iter().filter_map(of).collect()
}

/// Without what differs from run to run.
fn timeless(mut trace: Trace) -> Trace {
    for step in &mut trace.steps {
        // When Python lets go of what is unreachable is its own affair.
        step.ledger = Map::default();
        step.changed.retain(|name, _| name != "stamp" && name != "h");
        for value in step.env.values_mut().chain(step.changed.values_mut()).flatten() {
            value.storage = None;
        }
    }
    trace
}

#[test]
fn a_change_runs_again_what_depends_on_it() {
    // What cannot be told from its own text and arguments runs every time.
    const ALWAYS: [&str; 5] = ["plain", "inherits", "files", "twister", "shared"];
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("", "", "nothing changed", &[]),
        ("c = number * 10", "c = number * 11", "a cell", &["takes"]),
        (
            "return size + 1",
            "return size + 2",
            "what a cell calls, and who takes the result",
            &["second", "takes"],
        ),
        ("return size + 1", "return 1 + size", "what a cell calls, with the same result", &["second"]),
        ("\"\"\"First\"\"\"", "\"\"\"First\"\"\"\n    more = 1", "lines that push others down", &["first"]),
        ("SIZE = 4", "SIZE = 5", "a constant", &["first", "second", "takes", "draws", "models"]),
        ("return inner() + 1", "return inner() + 2", "what calls on", &["models"]),
        ("return 1\n", "return 7\n", "what is called on", &["models"]),
        ("self.width * 2", "self.width * 3", "a class", &["models"]),
        ("return 0\n", "return 1\n", "what nobody calls", &[]),
        ("import random\n", "import random\nimport math\n", "what nobody uses", &[]),
        ("torch.manual_seed(3)", "torch.manual_seed(4)", "a seed", &["draws"]),
    ];
    for (old, new, what, expected) in cases {
        let folder = Folder { files: Rc::new(Memory::default()), recall: Some(Rc::default()) };
        let before = stamps(&folder.trace(MAIN, PARTS));
        let (main, parts) = (MAIN.replacen(old, new, 1), PARTS.replacen(old, new, 1));
        let again = folder.trace(&main, &parts);
        let moved: Vec<String> = stamps(&again)
            .into_iter()
            .zip(before)
            .filter(|(now, then)| now != then)
            .map(|((name, _), _)| name)
            .filter(|name| !ALWAYS.contains(&name.as_str()))
            .collect();
        assert_eq!(moved, *expected, "{what}");
        let alone = Folder { files: Rc::new(Memory::default()), recall: None };
        let whole = timeless(alone.trace(&main, &parts));
        let again = timeless(again);
        for (at, (step, expected)) in again.steps.iter().zip(&whole.steps).enumerate() {
            assert_eq!(step, expected, "{what}: step {at}");
        }
        assert_eq!(again.steps.len(), whole.steps.len(), "{what}");
    }
}

#[test]
fn what_cannot_be_recalled_runs_again() {
    let folder = Folder { files: Rc::new(Memory::default()), recall: Some(Rc::default()) };
    let (before, again) = (stamps(&folder.trace(MAIN, PARTS)), stamps(&folder.trace(MAIN, PARTS)));
    let moved: Vec<String> =
        again.into_iter().zip(before).filter(|(now, then)| now != then).map(|((name, _), _)| name).collect();
    assert_eq!(moved, ["plain", "inherits", "files", "twister", "shared"]);
}
