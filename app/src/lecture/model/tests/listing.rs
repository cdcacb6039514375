//! The code of a call, statement by statement.

use super::*;

fn at_step(lecture: &Lecture, step: usize) -> Vec<Statement> {
    listing(lecture, lecture.calls.call(step).unwrap(), Some(step), false)
}

#[test]
fn statements_are_current_passed_skipped_or_coming() {
    let lecture = Lecture::new(small());
    let states = |shown: &[Statement]| -> Vec<(u32, u32, State)> {
        shown.iter().map(|it| (it.lines.0, it.lines.1, it.state)).collect()
    };
    let shown = at_step(&lecture, 10);
    let wanted =
        [(24, 25, State::Passed), (26, 26, State::Current), (27, 27, State::Coming), (28, 28, State::Coming)];
    assert_eq!(states(&shown), wanted, "without what its title says");
    let raw = listing(&lecture, 3, Some(10), true);
    assert_eq!((raw[0].lines.0, raw[1].lines.0), (20, 21), "raw code has all of it");
    let whole = listing(&lecture, 3, None, false);
    assert!(whole.iter().all(|it| it.state == State::Passed), "{whole:?}");
    let section = at_step(&lecture, 13);
    assert_eq!((section[0].lines, section[0].drawings.len()), ((12, 15), 1));
    assert!(section[0].is_prose());
    let module = at_step(&lecture, 1);
    assert!(module.iter().all(|it| ![7, 12, 24].contains(&it.lines.0)), "bodies are left out");

    let text = "if False:\n    a = 1\nb = 2\n# end\n";
    let lecture = Lecture::new(traced(text, all_at(&["<module>:1", "<module>:3"])));
    let shown = listing(&lecture, 0, None, false);
    let wanted = [State::Passed, State::Skipped, State::Passed, State::Coming];
    assert_eq!(shown.iter().map(|it| it.state).collect::<Vec<_>>(), wanted);
}

#[test]
fn a_statement_stays_where_it_is_when_another_function_grows() {
    let text = "import a\ndef one():\n    x = 1\n    return x\n\nclass Two:\n    def f(self):\n        return 2\ndef main():\n    one()\n    Two()\nmain()\n";
    let places = |text: &str, call: usize| -> Vec<(String, u32)> {
        let line = |wanted: &str| text.lines().position(|line| line == wanted).unwrap() + 1;
        let (main, one, two) = (line("main()"), line("    one()"), line("    Two()"));
        let steps = [format!("<module>:{main}"), format!("<module>:{main} main:{one}")];
        let steps = [steps.to_vec(), vec![format!("<module>:{main} main:{two}")]].concat();
        let lecture =
            Lecture::new(traced(text, all_at(&steps.iter().map(String::as_str).collect::<Vec<_>>())));
        let line = |number: u32| lecture.source(PATH).unwrap().line(number).to_owned();
        listing(&lecture, call, None, true)
            .into_iter()
            .map(|it| (line(it.lines.0), it.lines_before))
            .collect()
    };
    for call in [0, 1] {
        let before = places(text, call);
        let mut lines: Vec<u32> = before.iter().map(|it| it.1).collect();
        lines.dedup();
        assert_eq!(lines.len(), before.len(), "each has a place of its own: {before:?}");
        for (from, to) in [("x = 1\n", "x = 1\n    x = 2\n\n"), ("return 2", "if 2:\n            return 2")] {
            assert_eq!(places(&text.replace(from, to), call), before);
        }
    }
}

#[test]
fn what_is_shown_stands_at_its_line() {
    let lecture = Lecture::new(small());
    let print = |step| at_step(&lecture, step).into_iter().find(|it| it.lines.0 == 27).unwrap().stdout;
    assert_eq!((print(12).as_str(), print(10).as_str()), ("a\n", ""));
    let values = |step| -> Vec<(u32, String)> {
        let all = at_step(&lecture, step).into_iter().flat_map(|it| it.values);
        all.map(|it| (it.line, it.name)).collect()
    };
    assert_eq!(values(9), [(24, "x".to_owned())]);
    assert_eq!(values(12), [(24, "x".to_owned()), (26, "y".to_owned())]);
    // What will be drawn stands there before.
    assert_eq!(listing(&lecture, 2, Some(4), false)[0].drawings.len(), 1);
}

#[test]
fn parts_stand_where_they_are_called_and_helpers_beside_it() {
    let lecture = Lecture::new(looped());
    let [main, one] = [0, 1].map(|part| listing(&lecture, lecture.parts[part].call, None, false));
    let parts: Vec<(u32, Vec<usize>)> = main.into_iter().map(|it| (it.lines.0, it.parts)).collect();
    assert_eq!(parts, [(5, vec![1]), (6, vec![]), (7, vec![2])]);
    let helpers: Vec<(u32, Vec<usize>)> = one.into_iter().map(|it| (it.lines.0, it.helpers)).collect();
    let call = |step| vec![lecture.calls.call(step).unwrap()];
    let wanted = [(12, None), (13, Some(12)), (14, None), (16, None), (17, None), (18, Some(35)), (19, None)];
    let wanted = wanted.map(|(line, step)| (line, step.map_or(vec![], call)));
    assert_eq!(helpers, wanted, "of a loop those of its last round, and no hidden line");
    let second = at_step(&lecture, 24);
    assert_eq!(second[5].helpers, call(20), "of the round before, as far as the program has come");
}

#[test]
fn questions_and_sliders_stand_at_their_lines() {
    let lecture = Lecture::new(two(1));
    let cell = listing(&lecture, lecture.parts[1].call, None, false);
    let stand: Vec<_> = cell.iter().map(|it| (it.slider.is_some(), it.question.is_some())).collect();
    assert_eq!(stand, [(true, false), (false, true)]);
}

#[test]
fn short_values_stand_beside_their_lines() {
    let long = "x".repeat(25);
    for (contents, is_shown) in
        [(json!(1), true), (json!(true), true), (json!("x"), true), (json!(long), false), (json!([1]), false)]
    {
        let mut value = value(contents.clone()).unwrap();
        assert_eq!(is_short(&value), is_shown, "{contents}");
        value.shape = Some(vec![1]);
        assert!(!is_short(&value), "a tensor is never");
    }
}

#[test]
fn what_is_stepped_over_is_shown_once_where_its_name_is_called_first() {
    let text = "class Net:\n    def run(self):\n        pass\n\n\n@cached\ndef train(n):\n    return n\n\n\ndef cell():\n    \
                \"\"\"A cell\"\"\"\n    a = train(2) + other.train(1)\n    b = train(3)\n    c = Net()\n    d = [Net.run, \
                later(4)]\n\n\ndef main():\n    cell()\n";
    let mut trace = traced(
        text,
        all_at(&[
            "main:20",
            "main:20 cell:13",
            "main:20 cell:14",
            "main:20 cell:15",
            "main:20 cell:15 run:3",
            "main:20 cell:16",
        ]),
    );
    trace.files.insert(
        "other.py".to_owned(),
        "def later(n):\n    return last(n)\n\n\ndef last(n):\n    return later(n)\n".to_owned(),
    );
    let lecture = Lecture::new(trace);
    let cell = lecture.parts.iter().position(|part| part.function == "cell").unwrap();
    let shown = listing(&lecture, lecture.parts[cell].call, None, false);
    let shown: Vec<(u32, Vec<_>)> = shown
        .into_iter()
        .map(|it| (it.lines.0, it.stepped_over.into_iter().map(|it| (it.path, it.name, it.lines)).collect()))
        .collect();
    let of = |path: &str, name: &str, lines| vec![(path.to_owned(), name.to_owned(), lines)];
    let main = lecture.parts[cell].path.clone();
    let wanted = [
        (13, of(&main, "train", (6, 8))),
        (14, vec![]),
        // Its method has steps and is shown for them.
        (15, vec![]),
        (16, [of("other.py", "later", (1, 2)), of("other.py", "last", (5, 6))].concat()),
    ];
    assert_eq!(shown, wanted);
}
