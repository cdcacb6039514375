//! What a reader changes in a program, and what comes back.

use napkin_notebook::DeviceKind;
use napkin_notebook::python::{Request, Run};
use napkin_notebook::trace::{Json, Map, Prediction, Slider, StackElement, Step, Trace, Value};
use napkin_reader::{Address, Fault, Form, Lecture, Reader, Scale, same_place, written};

const MAIN: &str = "def cell():\n    params = 70e9  # @slider 1e8 1e13\n    days = params * 2  # @inspect days\n\n\ncell()\n";

fn slider(value: &str, min: f64, max: f64, step: Option<f64>) -> Slider {
    let (name, function_name) = ("params".to_owned(), "cell".to_owned());
    Slider { line_number: 2, function_name, name, value: value.to_owned(), min, max, step }
}

fn at(line: u32) -> Step {
    let place = |function: &str, line_number| StackElement {
        path: "main.py".to_owned(),
        line_number,
        function_name: function.to_owned(),
        code: None,
        end_line_number: None,
    };
    Step { stack: vec![place("<module>", 6), place("cell", line)], ..Step::default() }
}

fn shows(step: Step, days: f64) -> Step {
    let value = Value { kind: "float".to_owned(), contents: Json::Float(days), ..Value::default() };
    Step { env: Map(vec![("days".to_owned(), Some(value))]), ..step }
}

/// A run of [`MAIN`] with a number.
fn run(params: &str, days: f64) -> Trace {
    let text = MAIN.replace("70e9", params);
    Trace {
        files: Map(vec![("main.py".to_owned(), text)]),
        steps: vec![at(1), at(2), shows(at(3), days)],
        sliders: Map(vec![("main.py".to_owned(), vec![slider(params, 1e8, 1e13, None)])]),
        ..Trace::default()
    }
}

fn which() -> (String, String) {
    ("main.py".to_owned(), "cell.params".to_owned())
}

#[test]
fn sliders_reach_their_ends_by_steps_that_differ() {
    let cases = [
        (slider("70e9", 1e8, 1e13, None), ["1e8", "1e13"], 250),
        (slider("1024", 1.0, 100_000.0, None), ["1", "100000"], 200),
        (slider("0.5", 0.05, 1.0, Some(0.01)), ["0.05", "1.0"], 95),
        (slider("4", 0.0, 3.0, None), ["0", "3"], 3),
        (slider("2.0", -1.0, 1.0, None), ["-1.0", "1.0"], 300),
        (slider("512", 128.0, 2048.0, Some(128.0)), ["128", "2048"], 15),
        (slider("1", 1.0, 10.0, Some(4.0)), ["1", "10"], 3),
        (slider("1", 5.0, 5.0, None), ["5", "5"], 0),
    ];
    for (slider, ends, least) in cases {
        let scale = Scale::new(&slider);
        assert_eq!([scale.at(0), scale.at(usize::MAX)], ends, "{slider:?}");
        assert!(scale.last() >= least, "{slider:?} has {} places", scale.last());
        let is_whole = slider.value.parse::<i64>().is_ok();
        for place in 0..=scale.last() {
            let written = scale.at(place);
            assert_eq!(scale.place(&written), place, "{slider:?} at {place}: {written}");
            assert_eq!(scale.read(&written).as_ref(), Ok(&written));
            let is_float = written.contains(['.', 'e']);
            assert_eq!(is_float, !is_whole, "Python tells numbers apart by {written}");
            if place > 0 && least == 250 {
                // Equal ways are equal factors: five decades in three hundred places.
                let factor = written.parse::<f64>().unwrap() / scale.at(place - 1).parse::<f64>().unwrap();
                assert!((factor - 10_f64.powf(5.0 / 300.0)).abs() < 0.02, "{factor} at {place}");
            }
        }
    }
    assert_eq!(Scale::new(&slider("0.5", 0.05, 1.0, Some(0.01))).at(45), "0.5");
}

#[test]
fn numbers_that_will_not_do_have_sentences() {
    let whole = Scale::new(&slider("4", 1.0, 64.0, None));
    let cases = [
        ("x", "params is a number, not “x”", None),
        ("1e999", "params is a number, not “1e999”", None),
        ("NaN", "params is a number, not “NaN”", None),
        ("2.5", "params is a whole number, not 2.5", Some("3")),
        ("65", "params goes from 1 to 64, not to 65", Some("64")),
        ("-3", "params goes from 1 to 64, not to -3", Some("1")),
    ];
    for (text, why, nearest) in cases {
        assert_eq!(whole.read(text), Err((why.to_owned(), nearest.map(str::to_owned))), "{text}");
    }
    assert_eq!(whole.read(" 1_6 "), Ok("16".to_owned()));
    assert_eq!(whole.read("1e1"), Ok("10".to_owned()));
}

#[test]
fn a_run_is_shown_where_the_reader_was() {
    let mut reader = Reader::new(Lecture::new(run("70e9", 140e9)));
    reader.name = Some(("lecture".to_owned(), "main".to_owned()));
    reader.go(2);
    assert!(reader.slide(&which(), Err("7e11")));
    assert!(!reader.slide(&which(), Err("7e11")), "that is no other number");
    assert_eq!(reader.address().write(), "?lecture=main&step=2&v=1&s.cell.params=7e11");
    let program = reader.program(5).unwrap();
    assert_eq!(program.files.get("main.py").map(String::as_str), Some(MAIN));
    assert_eq!(
        program.settings,
        Map(vec![("main.py".to_owned(), Map(vec![("cell.params".to_owned(), "7e11".to_owned())]))])
    );

    let mut longer = run("7e11", 14e11);
    longer.steps.insert(0, at(1));
    reader.take(longer, false);
    assert_eq!((reader.step, reader.lecture.last()), (3, 3));
    assert_eq!(reader.live.moved, Map(vec![("main.py:cell".to_owned(), vec!["days".to_owned()])]));
    assert!(reader.html().contains("is-moved"));

    reader.take(
        Trace { failure: Some("  File \"main.py\", line 2\nSyntaxError: no".to_owned()), ..Trace::default() },
        false,
    );
    assert_eq!(reader.lecture.last(), 3, "what has no steps leaves what is shown");
    let fault = reader.live.fault.clone().unwrap();
    assert_eq!((fault.place, fault.message.as_str()), (Some(("main.py".to_owned(), 2)), "SyntaxError: no"));

    let late = "  File \"main.py\", line 3, in cell\nKeyboardInterrupt".to_owned();
    reader.take(Trace { failure: Some(late), ..Trace::default() }, true);
    let fault = reader.live.fault.clone().unwrap();
    let wanted = (Some(("main.py".to_owned(), 3)), "The program was stopped after 20 seconds.");
    assert_eq!((fault.place, fault.message.as_str()), wanted, "it says where it was");

    reader.reset();
    assert_eq!((reader.step, reader.lecture.last()), (2, 2));
    assert!(!reader.live.is_changed() && reader.live.fault.is_none());
    assert_eq!(reader.address().write(), "?lecture=main&step=2&v=1");
}

#[test]
fn a_card_stays_where_what_came_before_is_called_more_often() {
    let helper = || {
        let mut step = at(1);
        step.stack[1].function_name = "helper".to_owned();
        step
    };
    let mut reader = Reader::new(Lecture::new(run("70e9", 140e9)));
    reader.go(2);
    let card = |reader: &Reader| {
        let html = reader.html();
        let from = html.find("class=\"code-card\" data-key=\"").unwrap();
        html[from..].split('"').nth(3).unwrap().to_owned()
    };
    let before = card(&reader);
    let mut other = run("70e9", 140e9);
    // Called twice: in between there is the file.
    let mut between = at(1);
    between.stack.truncate(1);
    other.steps.splice(0..0, [helper(), between, helper()]);
    reader.take(other, false);
    assert_eq!(reader.step, 5);
    assert_eq!(card(&reader), before);
    reader.go(0);
    let first = card(&reader);
    reader.go(2);
    assert_ne!(card(&reader), first, "another call of a function is another card");
}

#[test]
fn what_rounding_and_memory_change_has_not_moved() {
    let floats = |all: &[f64]| Json::List(all.iter().map(|it| Json::Float(*it)).collect());
    let text = |text: &str| Json::Text(text.to_owned());
    let inside = |key: &str, of: Json| [(key, of)].into_iter().collect::<Json>();
    let cases = [
        (Json::Float(0.1), Json::Float(0.100_000_01), false),
        (Json::Float(1e-8), Json::Float(2e-8), true),
        (Json::Float(f64::INFINITY), Json::Float(f64::INFINITY), false),
        (Json::Float(1.0), Json::Float(f64::NAN), true),
        (Json::Int(100_000_000), Json::Int(100_000_001), true),
        (Json::Int(1), Json::Float(1.0), true),
        (floats(&[1.0, 1e-9]), floats(&[1.0, -1e-9]), false),
        (floats(&[1.0, 1e-9]), floats(&[1.0, 0.1]), true),
        (floats(&[1.0]), floats(&[1.0, 1.0]), true),
        (inside("a", Json::Float(2.0)), inside("a", Json::Float(2.000_001)), false),
        (inside("a", Json::Float(2.0)), inside("b", Json::Float(2.0)), true),
        (inside("a", Json::Float(2.0)), inside("a", Json::Float(2.1)), true),
        (inside("storage", Json::Int(3)), inside("storage", Json::Int(4)), false),
        (text("<Run object at 0x7f12>"), text("<Run object at 0x3a>"), false),
        (text("<Run object at 0x7f12>"), text("<Walk object at 0x7f12>"), true),
    ];
    for (before, after, has_moved) in cases {
        let with = |contents: &Json| {
            let value = Value { kind: "it".to_owned(), contents: contents.clone(), ..Value::default() };
            let mut trace = run("70e9", 1.0);
            trace.steps[2].env.set("days", Some(value));
            trace
        };
        let mut reader = Reader::new(Lecture::new(with(&before)));
        reader.take(with(&after), false);
        assert_eq!(!reader.live.moved.is_empty(), has_moved, "{before:?} and {after:?}");
    }
}

#[test]
fn a_link_brings_its_numbers() {
    let cases: [(&str, &str, &[&str]); 6] = [
        ("s.cell.params=7e11", "7e11", &[]),
        ("s.params=7e11", "7e11", &[]),
        ("s.main.py:cell.params=700000000000", "7e11", &[]),
        ("s.params=1e20", "1e13", &["params goes from 1e8 to 1e13, not to 1e20: here it is 1e13."]),
        ("s.params=x", "70e9", &["params is a number, not “x”: here it is 70e9."]),
        ("s.other=1", "70e9", &["There is no slider “other” in this lecture."]),
    ];
    for (query, value, notices) in cases {
        let mut reader = Reader::new(Lecture::new(run("70e9", 140e9)));
        let address = Address::read(query);
        assert_eq!(reader.set_all(&address.sliders), value != "70e9", "{query}");
        assert_eq!(reader.notices, notices, "{query}");
        let (path, slider) = reader.sliders().next().unwrap();
        assert_eq!(reader.setting(path, slider), value, "{query}");
    }
    // What the program says itself is no change.
    let mut reader = Reader::new(Lecture::new(run("70e9", 140e9)));
    assert!(!reader.set_all(&[("params".to_owned(), "7e10".to_owned())]));
    assert!(!reader.live.is_changed());
}

#[test]
fn what_is_written_is_run_and_taken_back() {
    let mut reader = Reader::new(Lecture::new(run("70e9", 140e9)));
    reader.slide(&which(), Err("7e11"));
    let text = MAIN.replace("* 2", "* 3");
    reader.write("main.py", &text);
    let program = reader.program(1).unwrap();
    assert_eq!(program.files.get("main.py"), Some(&text));
    assert!(program.settings.is_empty(), "numbers of sliders are part of what is written");
    assert_eq!(reader.text("main.py"), Some(text.as_str()));
    reader.write("main.py", MAIN);
    assert!(reader.live.edits.is_empty(), "what is as it was is no edit");
}

#[test]
fn the_same_place_is_the_same_turn_of_the_same_line() {
    let lecture = |lines: &[u32]| {
        Lecture::new(Trace { steps: lines.iter().map(|line| at(*line)).collect(), ..run("1e9", 1.0) })
    };
    let before = lecture(&[1, 2, 3, 2, 3]);
    let cases: [(&[u32], [usize; 5]); 4] = [
        (&[1, 2, 3, 2, 3], [0, 1, 2, 3, 4]),
        (&[1, 2, 3, 2, 3, 2, 3], [0, 1, 2, 3, 4]),
        (&[1, 2, 3], [0, 1, 2, 1, 2]),
        (&[1], [0, 0, 0, 0, 0]),
    ];
    for (lines, wanted) in cases {
        let after = lecture(lines);
        let found = [0, 1, 2, 3, 4].map(|step| same_place(&before, step, &after));
        assert_eq!(found, wanted.map(Some), "{lines:?}");
    }
    let mut elsewhere = lecture(&[1]);
    elsewhere.trace.steps[0].stack.truncate(1);
    assert_eq!(same_place(&before, 1, &elsewhere), None);
}

#[test]
fn a_traceback_names_the_innermost_line_of_the_program() {
    let text = "Traceback (most recent call last):\n  File \"main.py\", line 6, in <module>\n    cell()\n\
                \x20 File \"part.py\", line 12, in cell\n    torch.ones(-1)\n  File \"torch/__init__.py\", line 9, in ones\n\
                RuntimeError: no\n";
    let fault = Fault::read(text, |path| path != "torch/__init__.py");
    assert_eq!(fault.place, Some(("part.py".to_owned(), 12)));
    assert_eq!(fault.message, "RuntimeError: no");
    assert_eq!(Fault::read("", |_| true).message, "The program failed");
    assert_eq!(Fault::read("  File \"main.py\", line x", |_| true).place, None);
}

#[test]
fn a_cell_is_taken_away_without_what_is_locked() {
    let mut trace = run("70e9", 140e9);
    trace.steps[1]
        .env
        .set("n, \"m\"", Some(Value { kind: "int".to_owned(), contents: Json::Int(2), ..Value::default() }));
    let mut reader = Reader::new(Lecture::new(trace.clone()));
    reader.go(2);
    assert_eq!(reader.cell(), Some(("main.py", "cell")));
    let csv = reader.export(Form::Csv).unwrap();
    let wanted = "function,line,name,type,value\r\ncell,2,\"n, \"\"m\"\"\",int,2\r\ncell,3,days,float,140000000000.0\r\n";
    assert_eq!(csv, wanted);
    let data: serde_json::Value = serde_json::from_str(&reader.export(Form::Json).unwrap()).unwrap();
    assert_eq!((&data[1]["name"], &data[1]["contents"]), (&"days".into(), &140e9.into()));
    let markdown = reader.export(Form::Markdown).unwrap();
    assert!(markdown.contains("```python\ndef cell():\n    params = 70e9"), "{markdown}");
    assert!(markdown.contains("    # days = 140000000000.0"), "{markdown}");
    assert_eq!(reader.export(Form::Script), None, "that is the worker's");

    let asked = Prediction {
        line_number: 3,
        function_name: "cell".to_owned(),
        name: "days".to_owned(),
        question: "How many?".to_owned(),
        choices: Vec::new(),
    };
    trace.predictions = Map(vec![("main.py".to_owned(), vec![asked])]);
    let mut reader = Reader::new(Lecture::new(trace));
    reader.go(2);
    for form in [Form::Csv, Form::Json, Form::Markdown] {
        assert!(!reader.export(form).unwrap().contains("140000000000"), "{form:?} tells the answer");
    }
}

#[test]
fn requests_are_written_as_the_worker_reads_them() {
    let files = Map(vec![("a b.py".to_owned(), "print(\"\\ü\")\r\n\t\u{1}".to_owned())]);
    let run = Run {
        id: 7,
        files: files.clone(),
        main: "a b.py".to_owned(),
        settings: Map(vec![("a b.py".to_owned(), Map(vec![("f.x".to_owned(), "1e-8".to_owned())]))]),
        device: DeviceKind::Gpu,
        is_traced: true,
        most_secs: 20.0,
    };
    let requests = [
        Request::Run(Run { settings: Map::default(), device: DeviceKind::Cpu, ..run.clone() }),
        Request::Run(run),
        Request::Download { id: 8, path: "x/\"y\"".to_owned() },
        Request::Script { id: 9, files, path: "a b.py".to_owned(), function: "f".to_owned() },
    ];
    for request in requests {
        let text = written(&request);
        assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request, "{text}");
    }
}

#[test]
fn a_program_begins_where_it_ran_first() {
    let files = Map(vec![
        ("facts.py".to_owned(), "N = 3\n".to_owned()),
        ("main.py".to_owned(), format!("{MAIN}\nif __name__ == \"__main__\":\n    cell()\n")),
    ]);
    let mut reader = Reader::new(Lecture::unrun(files.clone()));
    let program = reader.program(1).unwrap();
    assert_eq!((program.main.as_str(), &program.files), ("main.py", &files));
    let failed =
        Trace { failure: Some("  File \"main.py\", line 2\nSyntaxError: no".to_owned()), ..Trace::default() };
    reader.take(failed, false);
    assert!(reader.live.fault.is_some() && reader.lecture.is_unrun, "it is still to run");
    reader.take(run("70e9", 140e9), false);
    assert!(!reader.lecture.is_unrun && !reader.live.is_changed() && reader.live.fault.is_none());
    assert_eq!(reader.text("facts.py"), Some("N = 3\n"), "what did not run may be imported next");
}
