//! Cells as scripts: what they print here is what they print under PyTorch, which exports/write.py wrote down. Lectures as
//! notebooks, Markdown and decks.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use napkin_export::{arguments, cells, lecture, script};
use napkin_python::{Folder, Memory, Options, Session};
use napkin_trace::prepare::prepare;
use napkin_trace::python::Form;
use napkin_trace::trace::{Card, Drawing, Trace};
use serde_json::Value;

const LECTURES: [&str; 2] = ["resource-accounting.py", "arithmetic-intensity.py"];

/// The lectures as they ran, once: they write files.
static TRACES: LazyLock<[Trace; 2]> = LazyLock::new(|| LECTURES.map(run));

fn run(lecture: &str) -> Trace {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/lectures");
    let source = fs::read_to_string(folder.join(lecture)).unwrap();
    let (files, prepare) = (Rc::new(Folder(folder)), Rc::new(prepare));
    let options = Options { files, prepare: Some(prepare), ..Options::default() };
    let (trace, result) = Session::new(options).trace(&source, lecture);
    result.unwrap();
    trace
}

/// The cards of a lecture, each once.
fn cards(trace: &Trace) -> Vec<Card> {
    let drawn = trace.steps.iter().flat_map(|step| &step.renderings);
    let cards = drawn.filter_map(|rendering| match rendering.drawing() {
        Some(Drawing::Card(card)) => Some(card),
        _ => None,
    });
    cards.collect()
}

/// What a script prints in a session of its own.
fn printed(source: &str) -> String {
    let out: Rc<RefCell<String>> = Rc::default();
    let to = out.clone();
    let options = Options {
        write: Rc::new(move |_, text| to.borrow_mut().push_str(text)),
        files: Rc::new(Memory::default()),
        ..Options::default()
    };
    if let Err(failure) = Session::new(options).run(source, "script.py") {
        out.borrow_mut().push_str(&failure.traceback);
    }
    out.take()
}

/// Whether texts are the same but for the last digits of their numbers.
fn is_like(ours: &str, theirs: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let is_apart = |c: char| c.is_whitespace() || "[](),".contains(c);
        text.split(is_apart).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (ours, theirs) = (words(ours), words(theirs));
    ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(ours, theirs)| {
            let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-6 + 1e-5 * theirs.abs();
            match (ours.parse::<f64>(), theirs.parse::<f64>()) {
                (Ok(ours), Ok(theirs)) if theirs.fract() != 0.0 || ours.fract() != 0.0 => close(ours, theirs),
                _ => ours == theirs,
            }
        })
}

#[test]
fn cells_print_as_scripts_what_they_print_under_pytorch() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let expected = fs::read_to_string(here.join("tests/exports/golden.json")).unwrap();
    let mut expected: BTreeMap<String, Option<String>> = serde_json::from_str(&expected).unwrap();
    for (lecture, trace) in LECTURES.into_iter().zip(&*TRACES) {
        let files: Vec<(&str, &str)> =
            trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        for (path, name) in cells(&files, lecture) {
            let text = arguments(trace, &path, &name)
                .and_then(|arguments| script(&files, &path, &name, &arguments))
                .unwrap_or_else(|rule| panic!("{name}: {rule}"));
            let under_pytorch = expected
                .remove(&format!("{lecture} {name}"))
                .unwrap_or_else(|| panic!("{name} is not in golden.json: run exports/write.py"));
            assert!(!text.contains("def check(") && !text.contains("def solution("), "{name} has an answer");
            let ours = printed(&text);
            match under_pytorch {
                Some(theirs) => {
                    assert!(is_like(&ours, &theirs), "{name}: {ours}\nunder PyTorch: {theirs}\n{text}");
                }
                // What depends on the machine at least runs.
                None => assert!(!ours.contains("Traceback"), "{name}:\n{ours}"),
            }
        }
    }
    assert!(expected.is_empty(), "no longer cells: {:?}", expected.keys());
}

/// What depends on the clock.
const TIMED: [&str; 7] =
    ["seconds", "fp32", "bf16", "bytes_per_second", "flops_per_second", "ridge_here", "mfu_here"];

#[test]
fn a_notebook_says_what_the_lecture_says() {
    for (name, trace) in LECTURES.into_iter().zip(&*TRACES) {
        let notebook: Value = serde_json::from_str(&lecture(Form::Notebook, trace, name).unwrap()).unwrap();
        assert_eq!((&notebook["nbformat"], &notebook["nbformat_minor"]), (&4.into(), &5.into()));
        let cells = notebook["cells"].as_array().unwrap();
        let mut ids: Vec<&str> = cells.iter().map(|cell| cell["id"].as_str().unwrap()).collect();
        assert!(ids.iter().all(|id| (1..=64).contains(&id.len())));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), cells.len(), "an id stands twice");
        let text = |cell: &Value| cell["source"].as_str().unwrap().to_owned();
        for cell in cells {
            let is_code = cell["cell_type"] == "code";
            assert!(is_code || cell["cell_type"] == "markdown");
            assert!(cell["metadata"].is_object() && !text(cell).is_empty());
            assert_eq!(cell.get("outputs").is_some_and(Value::is_array), is_code);
            assert_eq!(cell.get("execution_count").is_some_and(Value::is_null), is_code);
            assert!(!text(cell).contains("# @") && !text(cell).contains("def solution"), "{}", text(cell));
        }
        let code: Vec<String> = cells.iter().filter(|cell| cell["cell_type"] == "code").map(text).collect();
        let lines = code.iter().flat_map(|text| text.lines());
        let mut classes: Vec<&str> = lines.filter(|line| line.starts_with("class ")).collect();
        classes.sort_unstable();
        assert!(classes.windows(2).all(|pair| pair[0] != pair[1]), "{classes:?}");
        // Our own module draws in the place of matplotlib.
        let code = code.into_iter().map(|text| match text {
            text if text.starts_with("%pip") => String::new(),
            text if text.contains("class show") => "from napkin import show".to_owned(),
            text => text,
        });
        let said = printed(&code.collect::<Vec<_>>().join("\n\n"));
        let exercises: Vec<Card> = cards(trace).into_iter().filter(|card| card.function.is_some()).collect();
        let mut faults: Vec<&str> = exercises.iter().map(|card| card.choices[0].why.as_str()).collect();
        let lines = |said: &str| -> Vec<String> {
            let is_timed = |line: &&str| TIMED.iter().any(|name| line.starts_with(&format!("{name} = ")));
            said.lines().filter(|line| !is_timed(line)).map(str::to_owned).collect()
        };
        let mut ours = lines(&said);
        // Each check of an exercise says what the page says.
        ours.retain(|line| match faults.iter().position(|fault| fault == line) {
            Some(at) => {
                faults.remove(at);
                false
            }
            None => true,
        });
        assert!(faults.is_empty(), "{name}: {faults:?} in\n{said}");
        let files: Vec<_> = trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let whole = printed(&script(&files, name, "main", &[]).unwrap());
        assert!(is_like(&ours.join("\n"), &lines(&whole).join("\n")), "{name}: {said}\nbut\n{whole}");
    }
}

#[test]
fn a_lecture_that_returns_early_is_no_notebook() {
    let text = "def main():\n    cell()\n\n\ndef cell():\n    \"\"\"Cell\"\"\"\n    if True:\n        return 1\n    return 2\n";
    let trace =
        Trace { files: [("early.py".to_owned(), text.to_owned())].into_iter().collect(), ..Trace::default() };
    let rule = lecture(Form::Notebook, &trace, "early.py").unwrap_err();
    assert!(rule.contains("cell in early.py returns before its last line"), "{rule}");
}

#[test]
fn markdown_has_values_and_no_answers() {
    let (name, trace) = (LECTURES[0], &TRACES[0]);
    let text = lecture(Form::Markdown, trace, name).unwrap();
    for part in ["# Resource accounting", "## Why count?", "# total_flops = 6.3e24", "| tf32 | 1 | 8 | 10 |"]
    {
        assert!(text.contains(part), "{part}");
    }
    // What is asked for, and what is below it.
    assert!(text.contains("**Predict.** For how many days") && !text.contains("143.9265"));
    for card in cards(trace).iter().filter(|card| card.function.is_none()) {
        assert!(card.choices.iter().all(|choice| !text.contains(choice.why.as_str())), "{}", card.text);
    }
    assert!(!text.contains("def solution"));
}

#[test]
fn a_deck_has_each_question_once_and_its_answer_behind() {
    let (mut guids, mut count) = (Vec::new(), 0);
    for (name, trace) in LECTURES.into_iter().zip(&*TRACES) {
        let deck = lecture(Form::Anki, trace, name).unwrap();
        assert_eq!(deck, lecture(Form::Anki, trace, name).unwrap());
        let (head, rows): (Vec<&str>, Vec<&str>) = deck.lines().partition(|line| line.starts_with('#'));
        assert_eq!(head[..2], ["#separator:tab", "#html:true"]);
        assert!(head.contains(&"#guid column:1") && head.contains(&"#tags column:4"));
        // A field may have several lines.
        let rows = rows.join("\n");
        let rows: Vec<Vec<&str>> = rows.split("\"\n\"").map(|row| row.split("\"\t\"").collect()).collect();
        for card in cards(trace).iter().filter(|card| card.choices.len() > 1 && card.function.is_none()) {
            let right = card.choices.iter().find(|choice| choice.is_right == Some(true)).unwrap();
            let escaped = |text: &str| {
                text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
            };
            let words = escaped(card.text.split(['`', '*', '$', '\'', '\n']).next().unwrap_or_default());
            let offers = |row: &[&str]| {
                card.choices.iter().all(|it| row[1].contains(&format!("<li>{}</li>", escaped(&it.text))))
            };
            let answers = |row: &[&str]| row[2].contains(&format!("<b>{}</b>", escaped(&right.text)));
            let asks = |row: &&Vec<&str>| row[1].contains(&words) && offers(row) && answers(row);
            assert_eq!(rows.iter().filter(asks).count(), 1, "{}", card.text);
        }
        for row in &rows {
            let [guid, front, back, tags] = row[..] else { panic!("{row:?}") };
            assert!(!front.is_empty() && !back.is_empty() && tags.contains("napkin::"), "{row:?}");
            assert!(!front.contains("<b>") || front.contains("Find the error"), "{front}");
            guids.push(guid.trim_start_matches('"').to_owned());
        }
        count += rows.len();
    }
    assert!(count >= 60, "{count} notes");
    guids.sort_unstable();
    guids.dedup();
    assert_eq!(guids.len(), count, "a guid stands twice");
}

/// The trace of a program of one file.
fn traced(path: &str, text: &str) -> Trace {
    let prepare = Some(Rc::new(prepare) as Rc<_>);
    let options = Options { files: Rc::new(Memory::default()), prepare, ..Options::default() };
    Session::new(options).trace(text, path).0
}

/// The code of a notebook, one cell after the other.
fn code(notebook: &str) -> String {
    let notebook: Value = serde_json::from_str(notebook).unwrap();
    let cells = notebook["cells"].as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "code");
    cells.map(|cell| cell["source"].as_str().unwrap().to_owned() + "\n").collect()
}

#[test]
fn parameters_are_bound_as_a_call_binds_them() {
    let text = "\"\"\"L\"\"\"\n\n\ndef swapped(a, b, c=7, *, d=9):\n    \"\"\"S\"\"\"\n    print(a, b, c, d)\n\n\n\
                def main():\n    a, b = 1, 2\n    swapped(b, a)\n\n\nif __name__ == \"__main__\":\n    main()\n";
    let notebook = lecture(Form::Notebook, &traced("l.py", text), "l.py").unwrap();
    let code = code(&notebook);
    assert!(printed(&code).contains("2 1 7 9"), "{code}\n{}", printed(&code));
}

#[test]
fn what_cannot_be_exported_rightly_is_refused_by_name() {
    let with = |before: &str, body: &str| {
        format!(
            "\"\"\"L\"\"\"\n\n{before}\n\n\ndef cell():\n    \"\"\"C\"\"\"\n    {body}\n\n\ndef main():\n    cell()\n\n\n\
             if __name__ == \"__main__\":\n    main()\n"
        )
    };
    let from = "from napkin import text";
    for (before, body, wanted) in [
        ("def check(x):\n    print(x)", "check(1)", "l.py defines check"),
        ("from napkin import text as say", "say('a')", "gives text of napkin another name"),
        ("import napkin", "napkin.text('a')", "l.py imports napkin whole"),
        (from, "x = 1; text('a')", "line 8 of l.py draws and does something else"),
        (from, "text('a'); x = 1", "line 8 of l.py draws and does something else"),
    ] {
        let trace = traced("l.py", &with(before, body));
        for form in [Form::Notebook, Form::Markdown] {
            let error = lecture(form, &trace, "l.py").unwrap_err();
            assert!(error.contains(wanted), "{body}: {error}");
        }
    }
    let mut long = traced("l.py", &with(from, "text('a')"));
    assert!(lecture(Form::Anki, &long, "l.py").is_ok());
    long.truncated = true;
    for form in [Form::Notebook, Form::Markdown, Form::Anki] {
        assert!(lecture(form, &long, "l.py").unwrap_err().contains("more steps than a trace holds"));
    }
}

#[test]
fn letters_that_mean_something_to_a_form_stay_what_they_are() {
    let text = "\"\"\"L\"\"\"\n\nfrom napkin import show\n\n\ndef cell(word):\n    \"\"\"C\"\"\"\n    fence = \"```\"\n    \
                s = (2, 3)  # @predict How many?  # @inspect s\n    show.table([\"a|b\"], [[\"*c*\\nd\"]])\n\n\n\
                def main():\n    cell(\"❤️ zero\\u200b\\n\")\n\n\nif __name__ == \"__main__\":\n    main()\n";
    let trace = traced("my lec.py", text);
    let files: Vec<_> = trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let given = arguments(&trace, "my lec.py", "cell").unwrap();
    let script = script(&files, "my lec.py", "cell", &given).unwrap();
    assert!(!printed(&script).contains("Error"), "{script}\n{}", printed(&script));
    let markdown = lecture(Form::Markdown, &trace, "my lec.py").unwrap();
    assert!(markdown.contains("````python"), "{markdown}");
    let deck = lecture(Form::Anki, &trace, "my lec.py").unwrap();
    assert!(
        deck.contains("\"napkin::my_lec::cell napkin::predict\"") && deck.contains("s = (2, 3)"),
        "{deck}"
    );
}
