//! What would never end, or take all memory, ends with Python's own exceptions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::rc::Rc;

use napkin_python::{Options, Session};

#[test]
fn too_much_raises() {
    let session = Session::new(Options::default());
    for (program, exception) in [
        ("def f():\n    return f()\nf()", "RecursionError"),
        ("class A:\n    def __add__(self, o):\n        return self + o\nA() + 1", "RecursionError"),
        ("class A:\n    def __repr__(self):\n        return repr(self)\nrepr(A())", "RecursionError"),
        ("[0] * 10**10", "MemoryError"),
        ("'a' * 10**13", "MemoryError"),
        ("import sys\nsys.setrecursionlimit(10**6)", "ValueError: the recursion limit is at most 1000 here"),
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

#[test]
fn an_operation_is_interrupted() {
    let session = Session::new(Options::default());
    let interrupter = session.interrupter();
    let waits = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(1));
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
