//! What would never end, or take all memory, ends with Python's own exceptions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use napkin_python::{Options, Session, Stream};

/// A tenth of a second is promised; here a traceback is written as well, by what was compiled without much optimization.
const MOST_LATE: Duration = Duration::from_millis(500);

#[test]
fn too_much_raises() {
    let session = Session::new(Options::default());
    for (program, exception) in [
        ("def f():\n    return f()\nf()", "RecursionError"),
        ("class A:\n    def __add__(self, o):\n        return self + o\nA() + 1", "RecursionError"),
        ("class A:\n    def __repr__(self):\n        return repr(self)\nrepr(A())", "RecursionError"),
        ("[0] * 10**10", "MemoryError"),
        ("'a' * 10**13", "MemoryError"),
        ("import sys\nsys.setrecursionlimit(10**6)", "ValueError: calls can be at most 1000 deep here"),
    ] {
        let plain = session.run(program, "x.py").unwrap_err();
        assert!(plain.traceback.contains(exception), "{program}\n{plain}");
        let (trace, result) = session.trace(program, "x.py");
        assert!(result.is_err() && trace.failure.unwrap().contains(exception), "traced: {program}");
    }
    session.run("print(1)", "x.py").unwrap();
}

#[test]
fn a_loop_is_interrupted() {
    for traced in [false, true] {
        let asked = Rc::new(Cell::new(0));
        let count = asked.clone();
        let interrupt = move || {
            count.set(count.get() + 1);
            count.get() == 3
        };
        let session = Session::new(Options { interrupt: Some(Rc::new(interrupt)), ..Options::default() });
        let program = "while True:\n    pass";
        let result = match traced {
            false => session.run(program, "x.py"),
            true => session.trace(program, "x.py").1,
        };
        assert!(result.unwrap_err().traceback.contains("KeyboardInterrupt"));
        assert_eq!(asked.get(), 3);
    }
}

/// What never ends, each in its own way.
const ENDLESS: [&str; 14] = [
    "while True: pass",
    "while True:\n    print(1)",
    "import itertools\nfor _ in itertools.count(): pass",
    "import itertools\n[1 for _ in itertools.count()]",
    "import itertools\n{_: 1 for _ in itertools.repeat(0)}",
    "import itertools\nsum(1 for _ in itertools.count())",
    "import itertools\nany(map(lambda _: 0, itertools.count()))",
    "def f(n):\n    \"\"\"Nothing.\"\"\"\n    n and (f(n - 1), f(n - 1), f(n - 1), f(n - 1))\nf(16)",
    "class A:\n    def __iter__(self): return self\n    def __next__(self): return 1\nsum(A())",
    "def g():\n    global x\n    while True:\n        try: x = 1\n        except Exception: pass\ng()",
    "def g():\n    while 1: yield 1\nsum(g())",
    "while True:\n    try:\n        while True: pass\n    except ValueError: pass",
    "import torch\nx = torch.ones(2, requires_grad=True)\nwhile True: (x * 2).sum().backward()",
    "import time\nwhile True: time.sleep(0.01)",
];

/// A session that is told to stop after a moment, which can be set.
fn with_end() -> (Session, Rc<Cell<Option<Instant>>>) {
    let end = Rc::new(Cell::new(None));
    let (asked, heard) = (end.clone(), end.clone());
    let session = Session::new(Options {
        interrupt: Some(Rc::new(move || asked.get().is_some_and(|end| Instant::now() > end))),
        // What has been reached is written.
        write: Rc::new(move |_, text| {
            if text.contains("here") {
                heard.set(Some(Instant::now()));
            }
        }),
        ..Options::default()
    });
    // What prints tracebacks is imported.
    session.run("1 / 0", "x.py").unwrap_err();
    (session, end)
}

/// Whether one of a few attempts ends in time: a machine may stand still for a moment.
fn is_prompt(mut attempt: impl FnMut() -> Duration) -> bool {
    (0..3).any(|_| attempt() < MOST_LATE)
}

#[test]
fn what_never_ends_is_stopped_at_once() {
    let (session, end) = with_end();
    for is_traced in [false, true] {
        for program in ENDLESS {
            let attempt = || {
                end.set(Some(Instant::now() + Duration::from_millis(20)));
                let result = match is_traced {
                    false => session.run(program, "x.py"),
                    true => session.trace(program, "x.py").1,
                };
                let late = end.take().unwrap().elapsed();
                assert!(result.unwrap_err().traceback.contains("KeyboardInterrupt"), "{program}");
                late
            };
            assert!(is_prompt(attempt), "{program}");
        }
    }
}

#[test]
fn beyond_what_is_recorded_a_program_is_stopped_as_well() {
    let (session, end) = with_end();
    let program = "for i in range(60_000):\n    pass\nprint('here')\nwhile True:\n    pass";
    assert!(is_prompt(|| {
        let (trace, result) = session.trace(program, "x.py");
        let late = end.take().unwrap().elapsed();
        assert!(trace.truncated && trace.steps.len() < 20_000, "{}", trace.steps.len());
        assert!(result.unwrap_err().traceback.contains("line 5"));
        late
    }));
}

#[test]
fn polls_change_nothing_that_a_program_sees() {
    let program = r#"
"""A module."""
from __future__ import annotations
import itertools
def f():
    "Says nothing."
def g(n: int = 3) -> int:
    """Adds."""
    global total
    total = 0
    for i in range(n):
        "a text"
        total += i
    else:
        total += 100
    return total
class A:
    """A class."""
    for i in range(3): j = i
    squares = [k * k for k in range(3) if k]
    def __init__(self, x): self.x = x
def outer():
    x = 1
    def inner():
        nonlocal x
        x += 1
        return x
    return inner
async def late(): return 1
i = 0
while i < 3: i += 1
else: i = -1
pairs = {a: b for a in range(2) for b in range(2) if a != b}
key = lambda *args, **more: (args, more)
print(__doc__, f.__doc__, f(), g.__doc__, g(), A.__doc__, A.i, A.j, A.squares, A(1).x, outer()(), i, pairs)
print(key(1, b=2), (lambda: None)(), list(itertools.takewhile(lambda n: n < 3, itertools.count())))
print(sorted(name for name in globals() if not name.startswith("__")))
print(f.__code__.co_varnames, g.__code__.co_varnames, g.__code__.co_firstlineno, late().__name__)
print(frozenset({1, 2}) == {1, 2}, 1 in {1, 2}, sum(x for x in (1, 2)), [*map(lambda x: -x, {3})])
"#;
    let print = |interrupt: Option<Rc<dyn Fn() -> bool>>| {
        let written = Rc::new(RefCell::new(String::new()));
        let heard = written.clone();
        let write = move |_: Stream, text: &str| heard.borrow_mut().push_str(text);
        let session = Session::new(Options { interrupt, write: Rc::new(write), ..Options::default() });
        session.run(program, "x.py").unwrap();
        written.take()
    };
    let plain = print(None);
    assert_eq!(plain.lines().count(), 6, "{plain}");
    assert_eq!(print(Some(Rc::new(|| false))), plain);
}

#[test]
fn an_operation_is_interrupted() {
    let session = Session::new(Options::default());
    let interrupter = session.interrupter();
    let waits = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        interrupter.interrupt();
        napkin_engine::interrupt::interrupt();
    });
    // Hours of additions; what comes after them runs.
    let program = "import torch\ntry:\n    torch.ones(1).expand(10**14).sum()\nexcept KeyboardInterrupt:\n    \
                   assert torch.ones(8, 8).matmul(torch.ones(8, 8)).sum() == 512\n    1 / 0";
    let failure = session.run(program, "x.py").unwrap_err();
    assert!(failure.traceback.ends_with("ZeroDivisionError: division by zero\n"), "{failure}");
    waits.join().unwrap();
}

#[test]
fn drawings_belong_to_their_step() {
    let program =
        "from napkin import show, text\ntext('a $b$')\nshow.plot({'y': [1, 2]}, x=[3, 4], log='y')\n";
    let (trace, result) = Session::new(Options::default()).trace(program, "x.py");
    result.unwrap();
    let drawn: Vec<_> = trace.steps.iter().map(|step| step.renderings.len()).collect();
    assert_eq!(drawn, [0, 1, 1]);
    let text = serde_json::to_string(&trace.steps[2].renderings[0].data).unwrap();
    assert_eq!(text, r#"{"series":{"y":[[3,1],[4,2]]},"title":"","xlabel":"","ylabel":"","log":"y"}"#);
}
