//! Notebooks run as Jupyter runs them: one space of names, the last line shown, and every cell that can run.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::rc::Rc;

use napkin_python::{Memory, Options, Recovery, Session, Stream};
use napkin_trace::notebook;
use napkin_trace::python::{CellName, Edit};
use napkin_trace::trace::{Map, Trace};
use serde_json::json;

const NAME: &str = "a.ipynb";

/// The program of a notebook with these cells of code.
fn program(cells: &[&str]) -> String {
    let cells: Vec<_> = cells.iter().map(|source| json!({"cell_type": "code", "source": source})).collect();
    let whole = json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells});
    notebook::source(&whole.to_string(), NAME).unwrap()
}

struct Ran {
    trace: Trace,
    output: String,
    errors: String,
    /// `cell: kind` or `cell waits for other`, for each that has not run to its end.
    faults: Vec<String>,
    traceback: String,
}

/// Runs a notebook as the page does, or as a terminal does.
fn run(text: String, edits: &[Edit], recovers: bool) -> Ran {
    let files = Map::from_iter([(NAME.to_owned(), text)]);
    let (output, errors, faults) = (
        Rc::<RefCell<String>>::default(),
        Rc::<RefCell<String>>::default(),
        Rc::<RefCell<Vec<_>>>::default(),
    );
    let (out, err, taken) = (output.clone(), errors.clone(), faults.clone());
    let name = |cell: &Option<CellName>| cell.as_ref().map_or("program", |it| &it.function).to_owned();
    let (files, recovery) = Recovery::new(
        &files,
        edits,
        NAME,
        Rc::new(move |fault| {
            taken.borrow_mut().push(match &fault.waits_for {
                Some(_) => format!("{} waits for {}", name(&fault.cell), name(&fault.waits_for)),
                None => format!("{}: {}", name(&fault.cell), fault.kind),
            });
        }),
        Rc::new(|| ()),
    );
    let memory = Memory::default();
    files.iter().for_each(|(path, text)| memory.put(path, text.as_bytes()).unwrap());
    let session = Session::new(Options {
        files: Rc::new(memory),
        recall: recovers.then(Rc::default),
        recovery: recovers.then_some(recovery),
        write: Rc::new(move |stream, text| {
            if stream == Stream::Output { &out } else { &err }.borrow_mut().push_str(text);
        }),
        ..Options::default()
    });
    let (trace, result) = session.trace(&files[NAME], NAME);
    let traceback = result.err().map(|it| it.traceback).unwrap_or_default();
    let (output, errors, faults) = (output.take(), errors.take(), faults.take());
    Ran { trace, output, errors, faults, traceback }
}

#[test]
fn cells_share_their_names_and_show_what_they_come_to() {
    for (cells, output) in [
        (&["x = 3", "x + 1"][..], "4\n"),
        (&["x = 3\nx;"], ""),
        (&["x = 3\nx ; "], ""),
        (&["None"], ""),
        (&["'a'"], "'a'\n"),
        // What no function may do.
        (&["x: int = 3", "x"], "3\n"),
        (&["from __future__ import print_function\nimport math", "2"], "2\n"),
        (&["from math import *", "floor(2.5)"], "2\n"),
        (&["global x\nx = 3", "x"], "3\n"),
        (&["import math as m", "def f():\n    return m.floor(y)", "y = 2.5", "f()"], "2\n"),
        (&["x = 1", "def f():\n    global x\n    x += 1\nf()\nf()", "x"], "3\n"),
        (&["y = [2 * x for x in range(3)]", "y", "[a for a in y if a > y[1]]"], "[0, 2, 4]\n[4]\n"),
        (&["class A:\n    b = 1\n    def c(self):\n        return A.b", "A().c()"], "1\n"),
        (&["for i in range(3):\n    pass", "i"], "2\n"),
        (&["x = 1\ndel x", "'x' in globals()"], "False\n"),
        (&["if (n := 3) > 2:\n    print(n)\nn"], "3\n3\n"),
        (&["s = '''a\n  b\nc'''\nprint(s)"], "a\n  b\nc\n"),
        (&["x = 7\nx", "_ + 1"], "7\n8\n"),
        (&["__name__"], "'__main__'\n"),
        (&["import torch\nx = torch.arange(3.)\nx"], "tensor([0., 1., 2.])\n"),
        (&["display(1, 'b')"], "1\n'b'\n"),
    ] {
        for recovers in [false, true] {
            let ran = run(program(cells), &[], recovers);
            assert_eq!(
                (&*ran.output, &*ran.traceback, ran.faults.len()),
                (output, "", 0),
                "{cells:?}: {:?}",
                ran.faults
            );
        }
    }
}

#[test]
fn a_cell_that_fails_leaves_those_that_do_not_need_it() {
    for (cells, faults, output) in [
        (
            &["x = 1 / 0", "x + 1", "'on'"][..],
            &["cell_1: ZeroDivisionError", "cell_2 waits for cell_1"][..],
            "'on'\n",
        ),
        // As Python 2 has it.
        (&["print 'a'", "1"], &["cell_1: SyntaxError"], "1\n"),
        (&["x = 3\nreturn x", "1"], &["cell_1: SyntaxError"], "1\n"),
        (&["x = 3\nprint x", "x"], &["cell_1: SyntaxError", "cell_2 waits for cell_1"], ""),
        (
            &["x = 1\ny = x / 0\nz = 2", "x", "z"],
            &["cell_1: ZeroDivisionError", "cell_3 waits for cell_1"],
            "1\n",
        ),
        (
            &["a = nope", "b = a + 1", "c = b + 1", "a = 5", "a"],
            &["cell_1: NameError", "cell_2 waits for cell_1", "cell_3 waits for cell_1"],
            "5\n",
        ),
        (
            &[
                "def half(x):\n        y = 1\n    return x",
                "half(6)",
                "class A: pass\nimport math\n1 / 0",
                "A",
                "math.pi",
            ],
            &["cell_1: IndentationError", "cell_2 waits for cell_1", "cell_3: ZeroDivisionError"],
            "<class '__main__.A'>\n3.141592653589793\n",
        ),
        // RustPython has lost what a comprehension names when a module has ended.
        (&["x = [it for it in (1, 2)]\nnope", "'on'"], &["cell_1: NameError"], "'on'\n"),
    ] {
        let ran = run(program(cells), &[], true);
        assert_eq!(
            (&*ran.output, ran.faults),
            (output, faults.iter().map(|it| (*it).to_owned()).collect()),
            "{cells:?}"
        );
    }
}

#[test]
fn a_variable_belongs_to_the_cell_that_changes_it() {
    let ran = run(program(&["x = 1", "y = 2", "x += y"]), &[], false);
    let changed = ran.trace.steps.iter().filter_map(|step| {
        let names: Vec<&str> = step.changed.keys().map(String::as_str).collect();
        let function = &step.stack.last()?.function_name;
        (function.starts_with("cell") && !names.is_empty()).then(|| format!("{function} {}", names.join(" ")))
    });
    assert_eq!(changed.collect::<Vec<_>>(), ["cell_1 x", "cell_2 y", "cell_3 x"]);
}

#[test]
fn magics_do_what_a_person_expects() {
    for (cells, output, errors) in [
        (&["%matplotlib inline\n%load_ext autoreload\n1"][..], "1\n", ""),
        (
            &["!pip install -q torch numpy>=1.2", "%pip install einops", "!python3 -m pip install torch"],
            "",
            "",
        ),
        (&["!pip install seaborn torch"], "", "Not here, and nothing can be installed: seaborn.\n"),
        (&["!echo one two"], "one two\n", ""),
        (&["files = !echo one\nfiles"], "['one']\n", ""),
        (&["%%capture out\nprint('a')", "out.stdout"], "'a\\n'\n", ""),
        (&["%%writefile b.txt\none\ntwo", "open('b.txt').read()"], "Written: b.txt\n'one\\ntwo\\n'\n", ""),
        (
            &["%tensorboard --logdir x\n2"],
            "2\n",
            "`%tensorboard` was not run: it is a magic that is not here.\n",
        ),
        (&["%%javascript\nalert(1)"], "", "`%%javascript` was not run: it is a magic that is not here.\n"),
    ] {
        let ran = run(program(cells), &[], false);
        assert_eq!((&*ran.output, &*ran.errors, &*ran.traceback), (output, errors, ""), "{cells:?}");
    }
    for (cells, begins) in [
        (&["%time sum(range(9))"][..], "Wall time: "),
        (&["%%time\nx = 3\nx"], "3\nWall time: "),
        (&["%timeit -n 2 sum(range(9))"], ""),
        (&["%%timeit\nsum(range(9))"], ""),
    ] {
        let ran = run(program(cells), &[], false);
        assert!(ran.output.starts_with(begins) && ran.output.contains("s"), "{cells:?}: {}", ran.output);
        assert_eq!(ran.traceback, "");
    }
}

#[test]
fn values_are_drawn_as_they_show_themselves() {
    let class = "class A:\n    def __init__(self, form):\n        self.form = form\n";
    for (source, kind, data) in [
        (
            format!("{class}    def _repr_html_(self):\n        return self.form\nA('<b>a</b>')"),
            "html",
            "<b>a</b>",
        ),
        (
            format!("{class}    def _repr_markdown_(self):\n        return self.form\nA('*a*')"),
            "markdown",
            "*a*",
        ),
        (
            format!("{class}    def _repr_svg_(self):\n        return self.form\nA('<svg/>')"),
            "image",
            "data:image/svg+xml;utf8,<svg/>",
        ),
        (
            format!("{class}    def _repr_png_(self):\n        return self.form\nA(b'abc')"),
            "image",
            "data:image/png;base64,YWJj",
        ),
        ("from IPython.display import HTML\nHTML('<i>b</i>')".to_owned(), "html", "<i>b</i>"),
        (
            "from IPython.display import Math, display\ndisplay(Math('x^2'))".to_owned(),
            "markdown",
            "$$ x^2 $$",
        ),
        ("%%html\n<b>c</b>".to_owned(), "html", "<b>c</b>"),
    ] {
        let ran = run(program(&[&source]), &[], false);
        let drawn: Vec<_> = ran.trace.steps.iter().flat_map(|step| &step.renderings).collect();
        assert_eq!(ran.traceback, "");
        assert_eq!((&*drawn[0].kind, &drawn[0].data, &*ran.output), (kind, &json!(data), ""), "{source}");
    }
}

#[test]
fn an_edited_cell_may_have_magics_and_be_wrong() {
    let text = program(&["x = 1", "x"]);
    let first = text.lines().position(|line| line == "def cell_1():").unwrap() as u32 + 1;
    let edit = |text: &str| Edit {
        cell: CellName { path: NAME.to_owned(), function: "cell_1".to_owned() },
        is_cell: true,
        lines: (first, first + 1),
        text: text.to_owned(),
        good: None,
    };
    for (written, output, faults) in [
        ("def cell_1():\n    %matplotlib inline\n    x = 2", "2\n", ""),
        ("def cell_1():\n    %%capture\n    x = 3\n    print(x)", "3\n", ""),
        ("def cell_1():\n    from math import *\n    x = floor(4.5)", "4\n", ""),
        ("def cell_1():\n    x = (", "", "cell_1: SyntaxError, cell_2 waits for cell_1"),
        ("def other():\n    x = 5", "", "cell_1: NameError, cell_2 waits for cell_1"),
    ] {
        let ran = run(text.clone(), &[edit(written)], true);
        assert_eq!((&*ran.output, &*ran.faults.join(", ")), (output, faults), "{written}");
    }
}

#[test]
fn a_traceback_counts_lines_in_cells() {
    let cells = ["def f(x):\n    return 1 / x", "y = 1\n\nf(0)"];
    let ran = run(program(&cells), &[], false);
    let places: Vec<&str> =
        ran.traceback.lines().filter_map(|line| line.trim().strip_prefix("File \"a.ipynb\", ")).collect();
    assert_eq!(places, ["cell 2, line 3", "cell 1, line 2, in f"], "{}", ran.traceback);
    let ran = run(program(&["1", "x = 1\nprint x"]), &[], false);
    assert!(ran.traceback.contains("File \"a.ipynb\", cell 2, line 2\n"), "{}", ran.traceback);
}
