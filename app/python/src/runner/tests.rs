//! What the worker says, without a browser.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_trace::python::{CellName, Part};
use napkin_trace::trace::Json;

use super::*;

/// All runs have it: the page has the steps of the last one.
const REQUEST: RequestId = 7;

/// A runner, and what it says.
struct Page {
    runner: Runner,
    said: Rc<RefCell<Vec<Event>>>,
}

impl Page {
    fn new() -> Self {
        let said = Rc::<RefCell<Vec<_>>>::default();
        let heard = said.clone();
        let post: Post = Rc::new(move |message, _| heard.borrow_mut().push(message.event.clone()));
        Self { runner: Runner::new(Err("No GPU is used here.".into()), post, None, None), said }
    }

    /// All that a run leads to.
    fn events(&self, run: Run) -> Vec<Event> {
        self.runner.answer(Request { id: REQUEST, command: Command::Run(run) });
        self.said.take()
    }

    /// What a run writes and how it ends.
    fn ended(&self, run: Run) -> (String, Event) {
        let mut events = self.events(Run { has_steps_of: None, ..run });
        let last = events.pop().unwrap();
        (steps(&events, &[]).iter().map(|step| &*step.stdout).collect(), last)
    }
}

/// What is sent of the steps of a run.
fn parts(events: &[Event]) -> impl Iterator<Item = &Part> {
    events.iter().flat_map(|event| if let Event::Steps(parts) = event { &parts[..] } else { &[] })
}

/// The steps of a run, put together as the page does; `before` are those of the last run.
fn steps(events: &[Event], before: &[Step]) -> Vec<Step> {
    let steps = parts(events).flat_map(|part| match part {
        Part::New(new) => new.clone(),
        Part::Same { from, count } => before[*from..from + count].to_vec(),
    });
    steps.collect()
}

/// What the cell in sight has done, by its function.
fn cell(events: &[Event]) -> Option<(&str, &[Step])> {
    events.iter().find_map(|event| match event {
        Event::CellSteps { cell, steps } => Some((cell.function.as_str(), steps.as_slice())),
        _ => None,
    })
}

/// What the page keeps of a GPU is taken without a word, by one that has a GPU, and by one that has none.
#[test]
fn what_is_known_of_the_kernels_reaches_the_gpu() {
    let page = Page::new();
    let tell = |page: &Page, text: &str| {
        page.runner.answer(Request { id: REQUEST, command: Command::UseTuning(text.to_owned()) });
        assert_eq!(page.said.take(), []);
    };
    tell(&page, "nonsense");
    let gpu = pollster::block_on(Gpu::open(napkin_engine::gpu::GpuOptions::default())).unwrap();
    let known = gpu.tuning() + "m2n2k2f tiled_32x32x16_4x4\nright tiled_32x32x16_4x4 float32\n";
    let runner = Runner::new(Ok(gpu.clone()), page.runner.post.clone(), None, None);
    tell(&Page { runner, said: page.said.clone() }, &known);
    assert_eq!(gpu.tuning(), known);
}

/// What a program finds out about the kernels is told, so that the page can keep it.
#[test]
fn what_is_found_out_about_the_kernels_reaches_the_page() {
    let page = Page::new();
    let gpu = pollster::block_on(Gpu::open(napkin_engine::gpu::GpuOptions::default())).unwrap();
    let _runner = Runner::new(Ok(gpu.clone()), page.runner.post.clone(), None, None);
    pollster::block_on(gpu.tune(&[(3, 5, 7)], napkin_engine::DType::F32)).unwrap();
    assert_eq!(page.said.take().pop(), Some(Event::Tuned(gpu.tuning())));
}

fn program(text: &str) -> Run {
    Run {
        files: Map::from([("x.py".into(), text.into())]),
        edits: Vec::new(),
        main: "x.py".into(),
        settings: Map::default(),
        device: DeviceKind::Cpu,
        most_secs: 60.0,
        cell: None,
        has_steps_of: Some((REQUEST, usize::MAX)),
    }
}

/// A run with another number on a slider.
fn with(mut run: Run, path: &str, name: &str, value: &str) -> Run {
    run.settings.insert(path.into(), Map::from([(name.into(), value.into())]));
    run
}

/// Without what differs from run to run.
fn timeless(mut steps: Vec<Step>) -> Vec<Step> {
    for step in &mut steps {
        // When Python lets go of what is unreachable is its own affair.
        step.ledger = Map::default();
        for value in step.changed.values_mut().chain(step.env.values_mut()).flatten() {
            value.storage = None;
        }
    }
    steps
}

#[test]
fn sliders_are_set_in_the_file_that_has_them() {
    let page = Page::new();
    let mut run = program("from y import half\nn = 4  # @slider 0 10\nprint(half(n))");
    run.files.insert("y.py".into(), "def half(n):\n    by = 2  # @slider 1 4\n    return n // by\n".into());
    let run = with(with(run, "x.py", "n", "9"), "y.py", "half.by", "3");
    assert_eq!(page.ended(run.clone()).0, "3\n");
    let (output, done) = page.ended(program("import y"));
    let Event::Done { trace, files, .. } = done else { panic!("{done:?}") };
    assert!(output.is_empty() && files.is_empty(), "{files:?}");
    assert!(trace.failure.unwrap().contains("No module named 'y'"), "y.py was not given any more");
    for (path, name, value) in [("x.py", "n", "11"), ("x.py", "m", "1"), ("z.py", "n", "1")] {
        let (_, answer) = page.ended(with(run.clone(), path, name, value));
        assert!(matches!(&answer, Event::Failed(_)), "{answer:?}");
    }
}

const LECTURE: &str = r#"
import torch
from parts import half, seen
from napkin import text

def main():
    first()
    number = second()
    third(number)

def first():
    """First"""
    text("Some *prose*.")
    torch.manual_seed(1)
    a = torch.randn(2)

def second():
    """Second"""
    text("And $x^2$.")
    n = 4  # @slider 0 10
    b = half(n)
    return b

def third(number):
    """Third"""
    c = torch.rand(2) * number
    seen.append(number)
    d = len(seen)

if __name__ == "__main__":
    main()
"#;

const PARTS: &str = "seen = []\ndef half(n):\n    return n / 2\n";

fn cell_name(function: &str) -> CellName {
    CellName { path: "x.py".into(), function: function.into() }
}

fn lecture(n: &str, function: Option<&str>) -> Run {
    let mut run = program(LECTURE);
    run.files.insert("parts.py".into(), PARTS.into());
    run.cell = function.map(cell_name);
    with(run, "x.py", "second.n", n)
}

#[test]
fn a_moved_slider_sends_its_cell_first_and_else_what_has_changed() {
    // What an interpreter of its own does.
    let alone = |n: &str| timeless(steps(&Page::new().events(lecture(n, None)), &[]));
    let page = Page::new();
    page.runner.warm_up();
    let before = steps(&page.events(lecture("4", None)), &[]);
    assert_eq!(timeless(before.clone()), alone("4"));

    let events = page.events(lecture("6", Some("second")));
    assert_eq!(timeless(steps(&events, &before)), alone("6"));
    let place = |name: &str| {
        // What comes first are the module's own steps.
        let is = |text: String| text.starts_with(name) && text.contains("\"b\"");
        events.iter().position(|event| is(format!("{event:?}")))
    };
    assert!(place("CellSteps").unwrap() < place("Steps(").unwrap());
    let (function, cell) = cell(&events).unwrap();
    assert_eq!(function, "second");
    assert!(cell.iter().all(|step| step.stack[0].function_name == "second"), "{cell:?}");
    let shown = cell.iter().find_map(|step| step.changed.get("b")?.as_ref()).unwrap();
    assert_eq!(shown.contents, Json::from(3.0));
    assert_eq!(cell.iter().filter(|step| step.renderings.iter().any(|it| !it.prepared.is_null())).count(), 1);
    let sent: usize =
        parts(&events).map(|part| if let Part::New(steps) = part { steps.len() } else { 0 }).sum();
    assert!(sent < before.len() / 2, "{sent} of {}", before.len());

    // A page that no longer waited for the run before has not kept its steps.
    let events = page.events(Run { has_steps_of: None, ..lecture("8", None) });
    assert!(parts(&events).all(|part| matches!(part, Part::New(_))));
    assert_eq!(timeless(steps(&events, &[])), alone("8"));
}

#[test]
fn a_cell_with_arguments_is_sent_when_it_is_come_to() {
    let page = Page::new();
    assert_eq!(cell(&page.events(lecture("4", Some("third")))).unwrap().0, "third");
    assert_eq!(cell(&page.events(lecture("4", Some("first")))), None, "it would do the same");
}

#[test]
fn every_run_begins_as_the_first() {
    let page = Page::new();
    let text = r#"
import sys, torch, builtins, warnings
from torch.nn import functional as F
import parts, json

n = 1  # @slider 0 9
print(torch.get_default_dtype(), torch.is_grad_enabled(), torch.is_inference_mode_enabled())
print(torch.rand(1).item(), torch.initial_seed(), torch.get_default_device(), torch.tensor(1 / 3))
print(torch.get_num_threads(), torch.get_float32_matmul_precision(), torch.are_deterministic_algorithms_enabled())
print(torch.is_autocast_enabled(), torch.backends.cudnn.benchmark)
print(len(parts.seen), hasattr(builtins, "mine"), hasattr(torch, "mine"), hasattr(torch.nn.Linear, "mine"))
print(sys.getrecursionlimit(), sys.argv, sys.path, len(sys.meta_path), "mine" in sys.modules)
print(torch.nn.Linear.forward.__name__, F.relu.__name__, json.dumps([1]), sys.stdout.name, len(warnings.filters))
print("leftover" in globals())
leftover = 1
parts.seen.append(1)
builtins.mine = torch.mine = torch.nn.Linear.mine = sys.modules["mine"] = 1
torch.nn.Linear.forward = F.relu = json.dumps = lambda *_: None
torch.manual_seed(n)
torch.set_default_dtype(torch.float64)
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.inference_mode(True).__enter__()
torch.autocast("cpu").__enter__()
torch.set_printoptions(precision=1)
torch.set_num_threads(3)
torch.set_float32_matmul_precision("high")
torch.use_deterministic_algorithms(True)
torch.backends.cudnn.benchmark = True
warnings.simplefilter("ignore")
sys.setrecursionlimit(200)
sys.argv.append("mine")
sys.path.append("mine")
sys.meta_path.append(None)
class Quiet:
    name = "mine"
    def write(self, text): pass
sys.stdout = Quiet()
"#;
    let run = |n: &str| {
        let mut run = program(text);
        run.files.insert("parts.py".into(), PARTS.into());
        with(run, "x.py", "n", n)
    };
    let (first, done) = page.ended(run("2"));
    assert!(matches!(&done, Event::Done { trace, .. } if trace.failure.is_none()), "{done:?}");
    for _ in 0..2 {
        assert_eq!(page.ended(run("3")).0, first);
    }
    let mut edited = run("3");
    edited.files.insert("parts.py".into(), "seen = [1, 2]".into());
    assert!(page.ended(edited).0.contains("\n2 False"), "an edited module is another one");
}

#[test]
fn a_cell_that_fails_is_shown_as_far_as_it_came() {
    let text = "def main():\n    first()\n    broken()\ndef first():\n    'First'\n    a = 1\ndef broken():\n    'Broken'\n    b = 1\n    c = b / 0\nmain()\n";
    let events = Page::new().events(Run { cell: Some(cell_name("broken")), ..program(text) });
    assert!(cell(&events).unwrap().1.iter().any(|step| step.changed.contains_key("b")));
    assert!(steps(&events, &[]).iter().any(|step| step.changed.contains_key("a")));
    let fault = faults(&events)[0];
    assert_eq!((fault.cell.as_ref(), fault.kind.as_str()), (Some(&cell_name("broken")), "ZeroDivisionError"));
    let Some(Event::Done { trace, .. }) = events.last() else { panic!("{events:?}") };
    assert_eq!(trace.failure, None, "the program has gone on");
}

fn faults(events: &[Event]) -> Vec<&Fault> {
    events
        .iter()
        .filter_map(|event| if let Event::Fault(fault) = event { Some(&**fault) } else { None })
        .collect()
}

#[test]
fn the_reader_ends_a_cell_and_the_program_goes_on() {
    let said = Rc::<RefCell<Vec<_>>>::default();
    let heard = said.clone();
    let post: Post = Rc::new(move |message, _| heard.borrow_mut().push(message.event.clone()));
    let runner = Rc::new_cyclic(|runner: &std::rc::Weak<Runner>| {
        let (runner, begin, is_said) = (runner.clone(), Instant::now(), Cell::new(false));
        let listen = move || {
            // By then it is in the loop.
            if begin.elapsed() > Duration::from_secs(2) && !is_said.replace(true) {
                runner.upgrade().unwrap().answer(Request { id: REQUEST + 1, command: Command::Stop });
            }
        };
        Runner::new(Err("No GPU is used here.".into()), post, Some(Rc::new(listen)), None)
    });
    let text = "def main():\n    endless()\n    other()\ndef endless():\n    'Endless'\n    while True: pass\ndef other():\n    'Other'\n    b = 1\nmain()\n";
    let run = Run { most_secs: 60.0, ..program(text) };
    runner.answer(Request { id: REQUEST, command: Command::Run(run) });
    let events = said.take();
    let [fault] = faults(&events)[..] else { panic!("{events:?}") };
    assert_eq!(
        (fault.cell.as_ref(), fault.kind.as_str()),
        (Some(&cell_name("endless")), "KeyboardInterrupt")
    );
    assert!(steps(&events, &[]).iter().any(|step| step.changed.contains_key("b")));
    let Some(Event::Done { trace, .. }) = events.last() else { panic!("{events:?}") };
    assert_eq!(trace.failure, None);
}

#[test]
fn an_exercise_that_does_not_end_is_stopped_once_and_spoils_nothing_else() {
    let page = Page::new();
    page.runner.warm_up();
    let text = "from napkin import exercise\nclass Key:\n    hints = []\n    def solution(x):\n        return x\n    def check(f):\n        f(1)\ndef main():\n    first()\ndef first():\n    'First'\n    exercise('Do it', attempt, Key)\n    a = 1\ndef attempt(x):\n    while True: pass\nmain()\n";
    for most_secs in [2.0, 60.0] {
        let begin = Instant::now();
        let events = page.events(Run { most_secs, has_steps_of: None, ..program(text) });
        let [fault] = faults(&events)[..] else { panic!("{events:?}") };
        assert_eq!(
            (fault.cell.as_ref(), fault.kind.as_str()),
            (Some(&cell_name("attempt")), "KeyboardInterrupt")
        );
        assert_eq!(fault.frames[0].function, "attempt");
        let steps = steps(&events, &[]);
        assert!(steps.iter().any(|step| step.changed.contains_key("a")), "{events:?}");
        let cards = serde_json::to_string(&steps.iter().map(|step| &step.renderings).collect::<Vec<_>>());
        assert!(cards.unwrap().contains("was stopped before it returned"), "{events:?}");
        assert!(begin.elapsed().as_secs_f64() < 10.0);
    }
}

#[test]
fn a_program_ends_when_its_time_is_up() {
    let page = Page::new();
    for text in [
        "print(1)\nwhile True: pass",
        "print(1)\nwhile True: print(1, end='')",
        "print(1)\nfor i in range(30_000):\n    j = i\nwhile True: pass",
        "print(1)\ndef f(n): return n < 1 or f(n - 1) and f(n - 1)\nf(60)",
    ] {
        let (output, done) = page.ended(Run { most_secs: 0.5, ..program(text) });
        let Event::Done { trace, .. } = done else { panic!("{text}: {done:?}") };
        assert!(trace.failure.unwrap().contains("KeyboardInterrupt"), "{text}");
        assert!(output.starts_with("1\n"), "{text}: {output}");
    }
    assert_eq!(page.ended(program("print(2)")).0, "2\n");
}
