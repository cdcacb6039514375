//! A cell that fails leaves the rest standing: which cells run, which fail and which wait.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use napkin_python::{InSight, Memory, Options, Recall, Recovery, Session};
use napkin_trace::Fault;
use napkin_trace::python::{CellName, Edit};
use napkin_trace::trace::{Map, Step, Trace};

const MAIN: &str = r#"
from parts import section, twice


def main():
    """A lecture"""
    first()
    total, rest = second(3)
    third(total)
    section()
    value = fourth(rest)
    last = value + 1
    fifth(last)
    sixth()


def first():
    """First"""
    a = 1  # @inspect a


def second(n):
    """Second"""
    b = twice(n)  # @inspect b
    return b, 2


def third(total):
    """Third"""
    c = total + 1  # @inspect c


def fourth(rest):
    """Fourth"""
    d = rest * 10  # @inspect d
    return d


def fifth(last):
    """Fifth"""
    e = last  # @inspect e


def sixth():
    """Sixth"""
    f = 6  # @inspect f


if __name__ == "__main__":
    main()
"#;

const PARTS: &str = r#"
from napkin import text


def section():
    """A section"""
    text("Prose")
    inner()
    other()


def inner():
    """Inner"""
    g = 7  # @inspect g


def other():
    """Other"""
    h = 8  # @inspect h


def twice(n):
    return n * 2
"#;

/// What stands in place of functions, by name.
type Edits<'a> = &'a [(&'a str, &'a str)];

struct Page {
    session: Session,
    recall: Rc<RefCell<Recall>>,
    most: Duration,
}

#[derive(Debug)]
struct Ran {
    trace: Trace,
    faults: Vec<Fault>,
    spent: Duration,
}

impl Page {
    fn new() -> Self {
        let session = Session::with_library(Options::default());
        Self { session, recall: Rc::default(), most: Duration::from_secs(5) }
    }

    fn run(&self, edits: Edits<'_>, in_sight: Option<&str>) -> Ran {
        let files: Map<String> = [("main.py", MAIN), ("parts.py", PARTS)]
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .into();
        let edits: Vec<Edit> = edits.iter().map(|(function, text)| edit(&files, function, text)).collect();
        let faults = Rc::new(RefCell::new(Vec::new()));
        let (taken, start) = (faults.clone(), Rc::new(Cell::new(Instant::now())));
        let restarted = start.clone();
        let begin = Instant::now();
        let (files, recovery) = Recovery::new(
            &files,
            &edits,
            "main.py",
            Rc::new(move |fault| taken.borrow_mut().push(fault)),
            Rc::new(move || restarted.set(Instant::now())),
        );
        let memory = Memory::default();
        files.iter().for_each(|(path, text)| memory.put(path, text.as_bytes()).unwrap());
        let most = self.most;
        let options = Options {
            files: Rc::new(memory),
            recall: Some(self.recall.clone()),
            recovery: Some(recovery),
            interrupt: Some(Rc::new(move || start.get().elapsed() > most)),
            in_sight: in_sight.map(|function| InSight {
                path: "main.py".to_owned(),
                function: function.to_owned(),
                take: Rc::new(|_: Vec<Step>| ()),
            }),
            ..Options::default()
        };
        self.session.renew();
        self.session.give(options);
        let (trace, _) = self.session.trace(&files["main.py"], "main.py");
        let faults = faults.take();
        Ran { trace, faults, spent: begin.elapsed() }
    }
}

fn edit(files: &Map<String>, function: &str, text: &str) -> Edit {
    let head = format!("def {function}(");
    let (path, file) = files.iter().find(|(_, text)| text.contains(&head)).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let first = lines.iter().position(|line| line.starts_with(&head)).unwrap();
    let inside = lines[first + 1..].iter().take_while(|line| line.is_empty() || line.starts_with(' '));
    let last = first + 1 + inside.collect::<Vec<_>>().iter().rposition(|line| !line.is_empty()).unwrap() + 1;
    let cell = CellName { path: path.clone(), function: function.to_owned() };
    Edit {
        cell,
        is_cell: function != "twice",
        lines: (first as u32 + 1, last as u32),
        text: text.to_owned(),
        good: None,
    }
}

impl Ran {
    /// The variables that were shown, with their values, in order.
    fn shown(&self) -> String {
        let env = self.trace.steps.iter().flat_map(|step| &step.env);
        let shown = env.filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?.contents)));
        shown.collect::<Vec<_>>().join(" ")
    }

    /// `cell: NameError at line`, `cell waits for other`
    fn told(&self) -> String {
        let name = |cell: &Option<CellName>| cell.as_ref().map_or("program", |it| &it.function).to_owned();
        let told = self.faults.iter().map(|fault| match &fault.waits_for {
            Some(_) => format!("{} waits for {}", name(&fault.cell), name(&fault.waits_for)),
            None => {
                let frame = fault.frames.last().map(|it| format!("{} {}", it.function, it.line));
                format!("{}: {} in {}", name(&fault.cell), fault.kind, frame.unwrap_or_default())
            }
        });
        told.collect::<Vec<_>>().join(", ")
    }
}

#[test]
fn what_does_not_need_the_broken_cell_runs() {
    let page = Page::new();
    let all = "a=1 b=6 c=7 g=7 h=8 d=20 e=21 f=6";
    let cases: &[(Edits<'_>, &str, &str)] = &[
        (&[], all, ""),
        // A colon, a bracket, a name.
        (
            &[("first", "def first()\n    a = 1")],
            "b=6 c=7 g=7 h=8 d=20 e=21 f=6",
            "first: SyntaxError in first 1",
        ),
        (
            &[("second", "def second(n):\n    \"\"\"Second\"\"\"\n    b = (n\n    return b, 2")],
            "a=1 g=7 h=8 f=6",
            "second: SyntaxError in second 3, third waits for second, fourth waits for second, main waits for second, \
             fifth waits for second",
        ),
        (
            &[("second", "def second(n):\n    \"\"\"Second\"\"\"\n    b = m  # @inspect b\n    return b, 2")],
            "a=1 g=7 h=8 f=6",
            "second: NameError in second 24, third waits for second, fourth waits for second, main waits for second, \
             fifth waits for second",
        ),
        // In a section, and in what a cell calls.
        (
            &[("inner", "def inner():\n    \"\"\"Inner\"\"\"\n    g = 1 / 0")],
            "a=1 b=6 c=7 h=8 d=20 e=21 f=6",
            "inner: ZeroDivisionError in inner 14",
        ),
        (
            &[("twice", "def twice(n):\n    return n * m")],
            "a=1 g=7 h=8 f=6",
            "second: NameError in twice 23, third waits for second, fourth waits for second, main waits for second, \
             fifth waits for second",
        ),
        (
            &[("twice", "def twice(n):\n    return n *")],
            "a=1 g=7 h=8 f=6",
            "twice: SyntaxError in twice 2, second waits for twice, third waits for twice, fourth waits for twice, \
             main waits for twice, fifth waits for twice",
        ),
        // It is not called that any more, and it does not take what it is given.
        (
            &[("third", "def thrid(total):\n    c = 1")],
            "a=1 b=6 g=7 h=8 d=20 e=21 f=6",
            "third: NameError in third 1",
        ),
        (
            &[("third", "def third():\n    \"\"\"Third\"\"\"\n    c = 1")],
            "a=1 b=6 g=7 h=8 d=20 e=21 f=6",
            "third: TypeError in third 28",
        ),
        (
            &[("third", "def third(total):\n    exit()")],
            "a=1 b=6 g=7 h=8 d=20 e=21 f=6",
            "third: SystemExit in third 29",
        ),
        // The section itself fails: what it calls after that does not run.
        (
            &[("section", "def section():\n    \"\"\"A section\"\"\"\n    inner()\n    1 / 0\n    other()")],
            "a=1 b=6 c=7 g=7 h=8 d=20 e=21 f=6",
            "section: ZeroDivisionError in section 8",
        ),
        (&[], all, ""),
    ];
    for (edits, shown, told) in cases {
        let ran = page.run(edits, None);
        assert_eq!(
            (ran.shown().as_str(), ran.told().as_str()),
            (*shown, *told),
            "{edits:?} {:#?}",
            ran.faults
        );
        // What is missing is no variable.
        let changed = ran.trace.steps.iter().flat_map(|step| &step.changed);
        let kinds: Vec<&str> = changed.filter_map(|(_, value)| Some(&*value.as_ref()?.kind)).collect();
        assert!(!kinds.iter().any(|kind| kind.contains("Missing")), "{edits:?} {kinds:?}");
        // Once more, and in sight: with what is known of the last run it is the same.
        for in_sight in [None, edits.first().map(|(function, _)| *function)] {
            let again = page.run(edits, in_sight);
            assert_eq!(again.shown(), *shown, "{edits:?} again");
            let mut told_again: Vec<String> = again.told().split(", ").map(str::to_owned).collect();
            told_again.dedup();
            assert_eq!(told_again.join(", "), *told, "{edits:?} again");
        }
    }
}

#[test]
fn a_cell_that_does_not_end_is_stopped_once() {
    let most = Duration::from_secs(1);
    let page = Page { most, ..Page::new() };
    let edits: Edits<'_> = &[("first", "def first():\n    \"\"\"First\"\"\"\n    while True:\n        pass")];
    let shown = "b=6 c=7 g=7 h=8 d=20 e=21 f=6";
    // At the one or the other line of the loop.
    let is_told = |ran: &Ran| ran.told().starts_with("first: KeyboardInterrupt in first ");
    let ran = page.run(edits, None);
    assert_eq!((ran.shown().as_str(), is_told(&ran), ran.faults.len()), (shown, true, 1));
    let again = page.run(edits, Some("sixth"));
    assert_eq!(
        (again.shown().trim_start_matches("f=6 "), is_told(&again), again.faults.len()),
        (shown, true, 1)
    );
    assert!(again.spent < most, "{:?}", again.spent);
    // Whoever asks for it has it run again, once.
    let asked = page.run(edits, Some("first"));
    assert_eq!((asked.shown().as_str(), is_told(&asked)), (shown, true));
    assert!(asked.spent > most.mul_f64(0.95), "{:?}", asked.spent);
    assert!(asked.spent < 2 * most, "{:?}", asked.spent);
    assert_eq!(page.run(&[], None).told(), "");
}

#[test]
fn an_error_outside_of_all_functions_is_told() {
    let page = Page::new();
    let files = Map::from_iter([("a.py".to_owned(), "import nowhere\n".to_owned())]);
    let faults = Rc::new(RefCell::new(Vec::new()));
    let taken = faults.clone();
    let take = Rc::new(move |fault| taken.borrow_mut().push(fault));
    let (_, recovery) = Recovery::new(&files, &[], "a.py", take, Rc::new(|| ()));
    page.session.give(Options {
        recovery: Some(recovery),
        recall: Some(Rc::default()),
        ..Options::default()
    });
    for (text, kind, line) in [
        ("import nowhere\n", "ModuleNotFoundError", 1),
        ("x = 1\ny = (\n", "SyntaxError", 2),
        ("1/0\n", "ZeroDivisionError", 1),
    ] {
        faults.take();
        let _ = page.session.trace(text, "a.py");
        let [fault] = &faults.take()[..] else { panic!("{text}") };
        assert_eq!((fault.cell.as_ref(), fault.kind.as_str()), (None, kind));
        assert_eq!(fault.frames.last().map(|it| (it.path.as_str(), it.line)), Some(("a.py", line)), "{text}");
    }
}

/// The heads of the cards that a program draws.
fn cards(program: &str) -> Vec<String> {
    let page = Page::new();
    let (trace, result) = page.session.trace(program, "a.py");
    result.unwrap();
    let drawn = trace.steps.iter().flat_map(|step| &step.renderings).filter(|it| it.kind == "card");
    drawn.map(|it| it.data["head"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn gradients_that_nobody_sets_to_zero_are_told_once() {
    let program = |zero: &str| {
        format!(
            "import torch\nw = torch.ones(3, requires_grad=True)\noptimizer = torch.optim.SGD([w], lr=0.1)\nfor step in \
             range(6):\n    {zero}\n    (w * w).sum().backward()\n    optimizer.step()\n"
        )
    };
    assert_eq!(cards(&program("pass")), ["Look again"]);
    for zero in [
        "optimizer.zero_grad()",
        "optimizer.zero_grad(set_to_none=False)",
        "w.grad = None",
        "(w * 2).sum().backward()",
    ] {
        assert!(cards(&program(zero)).is_empty(), "{zero}");
    }
    assert!(cards(&program("w.grad.zero_() if w.grad is not None else None")).is_empty());
}

#[test]
fn what_ends_for_another_run_has_not_taken_too_long() {
    // Once its time is up it stays so, as for a run that is not wanted any more.
    let page = Page { most: Duration::ZERO, ..Page::new() };
    let slow: Edits<'_> =
        &[("first", "def first():\n    \"\"\"First\"\"\"\n    for i in range(3000):\n        a = i")];
    assert!(!page.run(slow, None).told().contains("first: KeyboardInterrupt"));
    let patient = Page { most: Duration::from_secs(20), ..page };
    assert_eq!(patient.run(slow, None).told(), "", "it is run");
}

#[test]
fn a_name_that_is_near_is_one_of_the_cell() {
    let page = Page::new();
    let ran = page.run(&[("first", "def first():\n    params = 1\n    a = parms * 2")], Some("first"));
    let fault = ran.faults.first().unwrap();
    assert_eq!(fault.message, "name 'parms' is not defined. Did you mean: 'params'?");
    assert!(fault.advice.as_ref().unwrap().contains("Did you mean `params`?"), "{:?}", fault.advice);
}
