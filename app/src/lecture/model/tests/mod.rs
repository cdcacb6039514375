//! Small programs, as a tracer writes down what they do.

mod document;
mod export;
mod listing;
mod questions;
mod run_diff;
mod search;
mod slider_range;
mod source;
mod splice;
mod stepping;

use napkin_trace::trace::{Json, Map, Prediction, Rendering, Slider, StackElement, Step, Trace, Value};
use serde_json::json;

use super::questions::Question;
use super::source::Function;
use super::stepping::Progress;
use super::*;

/// The file that all these programs are.
pub const PATH: &str = "small.py";

/// A step whose stack is written `main:7 section:12`, outermost first.
fn at(stack: &str) -> Step {
    let place = |place: &str| {
        let (name, line) = place.rsplit_once(':').unwrap();
        StackElement {
            path: PATH.to_owned(),
            line_number: line.parse().unwrap(),
            function_name: name.to_owned(),
            code: None,
            end_line_number: None,
        }
    };
    Step { stack: stack.split_whitespace().map(place).collect(), ..Step::default() }
}

fn all_at(stacks: &[&str]) -> Vec<Step> {
    stacks.iter().map(|stack| at(stack)).collect()
}

fn value(contents: impl Into<Json>) -> Option<Value> {
    Some(Value { kind: "int".to_owned(), contents: contents.into(), ..Value::default() })
}

/// A step that shows a variable.
fn shows(mut step: Step, name: &str, contents: impl Into<Json>) -> Step {
    step.env.insert(name.to_owned(), value(contents));
    step
}

/// A step that draws a text.
fn says(mut step: Step, text: &str) -> Step {
    step.renderings.push(Rendering {
        kind: "markdown".to_owned(),
        data: text.into(),
        ..Rendering::default()
    });
    step
}

pub fn files(text: &str) -> Map<String> {
    Map::from([(PATH.to_owned(), text.to_owned())])
}

fn traced(text: &str, steps: Vec<Step>) -> Trace {
    Trace { files: files(text), steps, ..Trace::default() }
}

/// The slider of [`TWO`] with another range.
pub fn slider(value: &str, min: f64, max: f64, step: Option<f64>) -> Slider {
    let (name, function_name) = ("params".to_owned(), "one".to_owned());
    Slider { line_number: 8, function_name, name, value: value.to_owned(), min, max, step }
}

/// A question about a number.
fn asked(line_number: u32, function: &str, name: &str) -> Map<Vec<Prediction>> {
    let (function_name, name, question) = (function.to_owned(), name.to_owned(), "How many?".to_owned());
    let asked = Prediction { line_number, function_name, name, question, choices: Vec::new() };
    Map::from([(PATH.to_owned(), vec![asked])])
}

/// A section that calls a cell in each round of a loop.
const SMALL: &str = r#""""Small: what a reader sees."""

from napkin import text


def main():
    section()


def section():
    """First things"""
    text("""
Some *prose*
over lines.
""")
    for name in ["a", "b"]:
        cell(name)  # a comment @stepover no


def cell(name):
    """A cell

    and more about it."""
    x = [1,
         2]  # @inspect x
    y = name  # @inspect y @clear x
    print(y)
    return y


main()
"#;

/// What [`SMALL`] does, in 23 steps.
fn small() -> Trace {
    let mut steps = all_at(&["<module>:1", "<module>:31", "<module>:31 main:6", "<module>:31 main:7"]);
    let section = |rest: &str| at(&format!("<module>:31 main:7 section:{rest}"));
    steps.extend([section("10"), says(section("12"), "Some *prose* over lines.")]);
    for _ in 0..2 {
        let cell = |line: u32| section(&format!("17 cell:{line}"));
        let mut x = shows(cell(24), "x", json!([1, 2]));
        x.changed.insert("x".to_owned(), value(1));
        let mut y = shows(cell(26), "y", "a");
        y.env.insert("x".to_owned(), None);
        let print = Step { stdout: "a\n".to_owned(), ..cell(27) };
        steps.extend([section("16"), section("17"), cell(20), x, y, print, cell(28), section("17")]);
    }
    steps.push(at("<module>:31 main:7"));
    traced(SMALL, steps)
}

/// Two cells with lines between them, a helper, a loop, a hidden line, and a cell of prose alone.
const LOOP: &str = r#"import torch


def main():
    one()
    between = 1
    two()


def one():
    """One"""
    text("Prose")
    n = helper(3)

    secret = 1  # @hide
    for i in range(3):
        a = i
        b = helper(a)
    return a


def two():
    """Two"""
    text("Only prose")


def helper(x):
    y = x
    return y


main()
"#;

/// What [`LOOP`] does, in 46 steps.
fn looped() -> Trace {
    let defined = ["<module>:1", "<module>:4", "<module>:10", "<module>:22", "<module>:27", "<module>:32"];
    let mut steps = all_at(&defined);
    let main = |rest: &str| at(&format!("<module>:32 main:{rest}"));
    let one = |rest: &str| main(&format!("5 one:{rest}"));
    steps.extend([main("4"), main("5"), one("10"), says(one("12"), "Prose")]);
    let calls = |line: u32| {
        let helper = |inside: u32| one(&format!("{line} helper:{inside}"));
        let own = || one(&line.to_string());
        [own(), helper(27), helper(28), helper(29), own()]
    };
    steps.extend(calls(13));
    steps.push(one("15"));
    for _ in 0..3 {
        steps.extend([one("16"), one("17")]);
        steps.extend(calls(18));
    }
    steps.extend([one("16"), one("19"), main("5"), main("6"), main("7"), main("7 two:22")]);
    steps.extend([says(main("7 two:24"), "Only prose"), main("7"), at("<module>:32")]);
    let hidden_line_numbers = Map::from([(PATH.to_owned(), vec![15])]);
    Trace { hidden_line_numbers, ..traced(LOOP, steps) }
}

/// Two cells with a number that a reader may change, a question and a hidden line.
pub const TWO: &str = r#"def main():
    one()
    two()


def one():
    """One"""
    params = 70e9  # @slider 1e8 1e13
    days = params * 2


def two():
    """Two"""
    c = 1  # @hide
    d = c


main()
"#;

/// What [`TWO`] does, in 10 steps, with a value by which one run is told from another.
pub fn two(shown: impl Into<Json>) -> Trace {
    let (main, shown) = (|rest: &str| at(&format!("<module>:18 main:{rest}")), shown.into());
    let one = [main("2"), main("2 one:8"), shows(main("2 one:9"), "days", shown.clone()), main("2")];
    let two = [main("3"), main("3 two:14"), shows(main("3 two:15"), "d", shown), main("3")];
    let module = || std::iter::once(at("<module>:18"));
    Trace {
        hidden_line_numbers: Map::from([(PATH.to_owned(), vec![14])]),
        sliders: Map::from([(PATH.to_owned(), vec![slider("70e9", 1e8, 1e13, None)])]),
        predictions: asked(9, "one", "days"),
        ..traced(TWO, module().chain(one).chain(two).chain(module()).collect())
    }
}
