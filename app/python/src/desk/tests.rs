//! What the desk says, without a browser.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_notebook::trace::Map;

use super::*;

type Said = Rc<RefCell<Vec<(Event, Option<Vec<u8>>)>>>;

fn desk() -> (Desk, Said) {
    let said = Said::default();
    let heard = said.clone();
    let post: Post =
        Rc::new(move |event, bytes| heard.borrow_mut().push((event.clone(), bytes.map(<[u8]>::to_vec))));
    (Desk::new(Err("No GPU is used here.".into()), post), said)
}

fn program(text: &str) -> Run {
    Run {
        id: 7,
        files: Map(vec![("x.py".into(), text.into())]),
        main: "x.py".into(),
        settings: Map::default(),
        device: DeviceKind::Cpu,
        is_traced: false,
        most_secs: 10.0,
    }
}

/// What a run writes and how it ends.
fn ended(desk: &Desk, said: &Said, run: Run) -> (String, Event) {
    desk.answer(Request::Run(run));
    let mut output = String::new();
    let mut last = None;
    for (event, _) in said.take() {
        match event {
            Event::Output { id: 7, text, .. } => output += &text,
            other => last = Some(other),
        }
    }
    (output, last.unwrap())
}

#[test]
fn output_and_files_come_back() {
    let (desk, said) = desk();
    let text = "print('hello')\nopen('data.bin', 'wb').write(b'abc')\nimport os\nos.mkdir('out')\nopen('out/a', 'w')";
    let (output, done) = ended(&desk, &said, program(text));
    assert_eq!(output, "hello\n");
    let Event::Done { trace, is_out_of_time: false, files, .. } = done else { panic!("{done:?}") };
    assert_eq!(trace.failure, None);
    let left: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
    assert_eq!(left, [("data.bin", 3), ("out/a", 0)]);

    desk.answer(Request::Download { id: 8, path: "data.bin".into() });
    let file = Event::File { id: 8, path: "data.bin".into() };
    assert_eq!(said.take(), [(file, Some(b"abc".to_vec()))]);
    for path in ["nowhere", "out", ""] {
        desk.answer(Request::Download { id: 9, path: path.into() });
        let answer = said.take();
        assert!(matches!(&answer[..], [(Event::Failed { id: Some(9), .. }, None)]), "{answer:?}");
    }
}

#[test]
fn steps_arrive_in_order_and_are_those_of_a_trace() {
    let (desk, said) = desk();
    let text =
        "import time\ntotal = 0\nfor i in range(20):\n    total += i\n    time.sleep(0.01)\nprint(total)\n";
    desk.answer(Request::Run(Run { is_traced: true, ..program(text) }));
    let mut steps = Vec::new();
    let mut batches = 0;
    for (event, _) in said.take() {
        if let Event::Steps { id: 7, from, steps: more } = event {
            assert_eq!(from, steps.len());
            steps.extend(more);
            batches += 1;
        }
    }
    assert!(batches >= 3, "{batches}");
    let whole = Session::new(Options::default()).trace(text, "x.py").0;
    assert_eq!(steps, whole.steps);
}

#[test]
fn sliders_are_set_in_the_file_that_has_them() {
    let (desk, said) = desk();
    let mut run = program("from y import half\nn = 4  # @slider 0 10\nprint(half(n))");
    run.files.set("y.py", "def half(n):\n    by = 2  # @slider 1 4\n    return n // by\n".into());
    run.settings.or_default("x.py").set("n", "9".into());
    run.settings.or_default("y.py").set("half.by", "3".into());
    assert_eq!(ended(&desk, &said, run.clone()).0, "3\n");
    let (output, done) = ended(&desk, &said, program("import y"));
    assert!(output.is_empty() && matches!(&done, Event::Done { files, .. } if files.is_empty()), "{done:?}");
    let Event::Done { trace, .. } = done else { panic!("{done:?}") };
    assert!(trace.failure.unwrap().contains("No module named 'y'"), "y.py was not given any more");
    for (path, name, value) in [("x.py", "n", "11"), ("x.py", "m", "1"), ("z.py", "n", "1")] {
        let mut wrong = run.clone();
        wrong.settings.set(path, Map(vec![(name.to_owned(), value.to_owned())]));
        let (_, answer) = ended(&desk, &said, wrong);
        assert!(matches!(&answer, Event::Failed { id: Some(7), .. }), "{answer:?}");
    }
}

#[test]
fn what_goes_wrong_is_told_and_the_next_program_runs() {
    let (desk, said) = desk();
    for (text, most_secs, in_failure, out_of_time) in [
        ("while True: pass", 0.2, "KeyboardInterrupt", true),
        ("import nothing_of_this_name", 10.0, "ModuleNotFoundError", false),
        ("def f(): f()\nf()", 10.0, "RecursionError", false),
        ("x = (", 10.0, "SyntaxError", false),
    ] {
        for is_traced in [false, true] {
            let (_, done) = ended(&desk, &said, Run { most_secs, is_traced, ..program(text) });
            let Event::Done { trace, is_out_of_time, .. } = done else { panic!("{done:?}") };
            let failure = trace.failure.unwrap();
            assert!(failure.contains(in_failure), "{text}: {failure}");
            assert_eq!(is_out_of_time, out_of_time, "{text}");
        }
    }
    let (_, answer) = ended(&desk, &said, Run { device: DeviceKind::Gpu, ..program("") });
    assert_eq!(answer, Event::Failed { id: Some(7), message: "No GPU is used here.".into() });
    let (_, answer) = ended(&desk, &said, Run { main: "other.py".into(), ..program("") });
    assert!(matches!(answer, Event::Failed { .. }), "{answer:?}");
    assert_eq!(ended(&desk, &said, program("print(1)")).0, "1\n");
}
