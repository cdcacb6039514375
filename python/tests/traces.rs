//! Programs are traced as CPython's sys.settrace sees them: traces/*.json were written by traces/write.py.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_python::{Options, Session, Stream};
use napkin_trace::trace::Trace;
use serde_json::{Map, Value, json};

fn traced(source: &str, path: &str) -> Trace {
    Session::new(Options::default()).trace(source, path).0
}

/// What the reference has of a value: objects whose text has an address are told by their class alone.
fn known(ours: &Value, theirs: &Value) -> Value {
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else { return ours.clone() };
    let pairs = ours.iter().filter(|(name, _)| theirs.contains_key(*name) || !theirs.contains_key("dtype"));
    let kept = pairs.map(|(name, value)| {
        let reference = theirs.get(name).unwrap_or(&Value::Null);
        let is_address = name == "contents" && reference.is_null();
        (name.clone(), if is_address { Value::Null } else { known(value, reference) })
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

#[test]
fn programs_are_traced_as_cpython_traces_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut checked = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.with_extension("py").file_name().unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(path.with_extension("py")).unwrap();
        let expected: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let trace = traced(&source, &name);
        assert_eq!(trace.failure, None, "{name}");
        for (at, (step, expected)) in trace.steps.iter().zip(&expected).enumerate() {
            let stack: Vec<_> =
                step.stack.iter().map(|it| json!([it.line_number, it.function_name])).collect();
            let place = format!("{name}, step {at}, {:?}", step.stack.last().unwrap());
            assert_eq!(Value::from(stack), expected["stack"], "{place}");
            assert_eq!(step.stdout, expected["stdout"], "{place}");
            for (what, ours) in [("env", json!(step.env)), ("changed", json!(step.changed))] {
                assert_eq!(known(&ours, &expected[what]), expected[what], "{place}: {what}");
            }
        }
        assert_eq!(trace.steps.len(), expected.len(), "{name}");
        let text = serde_json::to_string(&trace).unwrap();
        assert_eq!(serde_json::from_str::<Trace>(&text).unwrap(), trace, "{name} as JSON");
        checked += 1;
    }
    assert!(checked > 2);
}

/// Statements, and the variables that each changes.
const CHANGES: [(&str, &str); 25] = [
    ("import torch", ""),
    ("x = [1]", "x"),
    ("x.append('a')", "x"),
    ("y = x", "y"),
    ("y[0] = 5", "x y"),
    ("y[0] = 5", ""),
    ("x = [5, 'a']", ""),
    ("d = {'a': 1}", "d"),
    ("d['a'] = 1.0", "d"),
    ("d['b'] = None", "d"),
    ("n = [[1]]", "n"),
    ("n[0].append(2)", "n"),
    ("w = list(range(40))", "w"),
    ("w.append(1)", ""),
    ("w[0] = 9", "w"),
    ("t = torch.ones(2)", "t"),
    ("v = t[:1]", "v"),
    ("v.add_(1)", "t v"),
    ("t = torch.ones(2, dtype=torch.int64)", "t"),
    ("t = torch.ones(2)", "t"),
    ("t.requires_grad_()", "t"),
    ("t.data = torch.zeros(2)", "t"),
    ("t.sum().backward(); g = t.grad", "g"),
    ("t.sum().backward()", "g"),
    ("del d", "d"),
];

#[test]
fn what_changes_in_place_is_seen() {
    let source: String = CHANGES.iter().map(|(statement, _)| format!("{statement}\n")).collect();
    let trace = traced(&source, "x.py");
    assert_eq!(trace.failure, None);
    for (step, (statement, changed)) in trace.steps.iter().zip(CHANGES) {
        let mut names: Vec<_> = step.changed.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names.join(" "), changed, "{statement}");
    }
    assert_eq!(trace.steps.len(), CHANGES.len());
}

#[test]
fn beyond_what_is_recorded_nothing_is_traced() {
    let written = Rc::new(RefCell::new(String::new()));
    let heard = written.clone();
    let write = move |_: Stream, text: &str| heard.borrow_mut().push_str(text);
    let program = "import sys\nprint(sys.gettrace() is None)\nfor i in range(60_000):\n    pass\nprint(sys.gettrace() is None)\n";
    let session = Session::new(Options { write: Rc::new(write), ..Options::default() });
    let (trace, _) = session.trace(program, "x.py");
    assert!(trace.truncated);
    assert_eq!(written.take(), "False\nTrue\n");
}

/// Of a loop its first rounds are recorded and its last one, with what that has shown, and all that comes behind it.
#[test]
fn a_long_loop_is_recorded_at_both_ends() {
    let source = "
def half(n):
    return n / 2
total = 0
for i in range(3_000):
    total += i  # @inspect total
    if i % 1000 == 0:
        print(i)
    h = half(i)
print(total)  # @inspect total h
";
    let trace = traced(source, "loop.py");
    assert!(!trace.truncated && trace.steps.len() < 5_000, "{}", trace.steps.len());
    assert_eq!(trace.warnings.len(), 2, "{:?}", trace.warnings);
    let shown = |line: u32, name: &str| {
        let last =
            trace.steps.iter().rfind(|step| step.stack.last().is_some_and(|it| it.line_number == line))?;
        Some(last.env.get(name)?.as_ref()?.contents.to_string())
    };
    assert_eq!(shown(6, "total").as_deref(), Some("4498500"));
    assert_eq!((shown(10, "total").as_deref(), shown(10, "h").as_deref()), (Some("4498500"), Some("1499.5")));
    let written: String = trace.steps.iter().map(|step| step.stdout.as_str()).collect();
    assert_eq!(written, "0\n1000\n2000\n4498500\n");
}

#[test]
fn what_a_class_computes_to_show_itself_is_no_work_of_the_program() {
    let source = "
import torch
class Shown:
    x = torch.ones(64, 64)
    def __repr__(self): return str((self.x @ self.x).sum())
shown = Shown()  # @inspect shown
y = torch.ones(2, 2) @ torch.ones(2, 2)
z = 1
";
    let trace = traced(source, "shown.py");
    let flops: u64 = trace.steps.iter().flat_map(|step| step.ledger.values()).map(|it| it.flops).sum();
    assert_eq!(flops, 2 * 2 * 2 * 2);
    assert!(trace.steps.iter().any(|step| format!("{:?}", step.env).contains("tensor(262144.)")));
}

#[test]
fn what_is_no_name_cannot_be_inspected() {
    let trace = traced("d = {'k': 1}  # @inspect d[\"k\"]\nx = d  # @inspect x d.k\n", "names.py");
    assert_eq!(trace.warnings, ["names.py, line 1: @inspect and @clear take names such as x or x.grad"]);
}
