//! A small program, step by step: what is shown where, and where moves lead.

use napkin_notebook::trace::{Json, LedgerDelta, Map, Rendering, StackElement, Step, Value};
use napkin_reader::{
    Address, Kind, Lecture, Move, Reader, Source, State, Verdict, check_source, ledger, lines, listing,
    search, si,
};

const TEXT: &str = r#""""Small: what a reader sees."""

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

/// Steps as a tracer writes them: names and lines of the stack, outermost first.
fn step(stack: &[(&str, u32)]) -> Step {
    let place = |(name, line): &(&str, u32)| StackElement {
        path: "small.py".to_owned(),
        line_number: *line,
        function_name: (*name).to_owned(),
        code: None,
        end_line_number: None,
    };
    Step { stack: stack.iter().map(place).collect(), ..Step::default() }
}

fn whole(contents: Json) -> Option<Value> {
    Some(Value { kind: "int".to_owned(), contents, ..Value::default() })
}

fn trace() -> napkin_notebook::trace::Trace {
    let root = ("<module>", 31);
    let main = ("main", 7);
    let mut steps =
        vec![step(&[("<module>", 1)]), step(&[root]), step(&[root, ("main", 6)]), step(&[root, main])];
    steps.push(step(&[root, main, ("section", 10)]));
    steps.push(step(&[root, main, ("section", 12)]));
    steps[5].renderings = vec![Rendering {
        kind: "markdown".to_owned(),
        data: Json::Text("Some *prose* over lines.".to_owned()),
        ..Rendering::default()
    }];
    for _ in 0..2 {
        steps.push(step(&[root, main, ("section", 16)]));
        steps.push(step(&[root, main, ("section", 17)]));
        let at = |line| step(&[root, main, ("section", 17), ("cell", line)]);
        steps.push(at(20));
        let mut x = at(24);
        x.env.set("x", whole(Json::List(vec![Json::Int(1), Json::Int(2)])));
        x.changed.set("x", whole(Json::Int(1)));
        steps.push(x);
        let mut y = at(26);
        y.env.set("y", whole(Json::Text("a".to_owned())));
        y.env.set("x", None);
        steps.push(y);
        let mut print = at(27);
        print.stdout = "a\n".to_owned();
        steps.push(print);
        steps.push(at(28));
        steps.push(step(&[root, main, ("section", 17)]));
    }
    steps.push(step(&[root, main]));
    napkin_notebook::trace::Trace {
        files: Map(vec![("small.py".to_owned(), TEXT.to_owned())]),
        steps,
        ..napkin_notebook::trace::Trace::default()
    }
}

#[test]
fn sections_and_cells_have_the_titles_of_their_functions() {
    let lecture = Lecture::new(trace());
    assert_eq!(lecture.title(), "Small: what a reader sees.");
    let titles: Vec<(&str, Vec<&str>)> = lecture
        .contents
        .iter()
        .map(|entry| (entry.title.as_str(), entry.cells.iter().map(|cell| cell.title.as_str()).collect()))
        .collect();
    assert_eq!(titles, [("First things", vec!["A cell"])]);
    assert_eq!(lecture.beginning(), 5, "the first thing after the line that names the section");
}

#[test]
fn functions_of_other_files_are_helpers_where_nothing_has_a_title() {
    let texts =
        ["def main():\n    cell()\n    text()\n\n\ndef cell():\n    pass\n", "def text():\n    pass\n"];
    let files = ["own.py", "helpers.py"].into_iter().zip(texts);
    let in_file = |stack: &[(&str, u32)], path: &str| {
        let mut step = step(stack);
        step.stack.iter_mut().for_each(|place| place.path = "own.py".to_owned());
        step.stack.last_mut().unwrap().path = path.to_owned();
        step
    };
    let steps = vec![
        in_file(&[("main", 2)], "own.py"),
        in_file(&[("main", 2), ("cell", 7)], "own.py"),
        in_file(&[("main", 3)], "own.py"),
        in_file(&[("main", 3), ("text", 2)], "helpers.py"),
    ];
    let files = Map(files.map(|(path, text)| (path.to_owned(), text.to_owned())).collect());
    let lecture = Lecture::new(napkin_notebook::trace::Trace { files, steps, ..Default::default() });
    let titles: Vec<&str> = lecture.contents.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles, ["cell"]);
}

#[test]
fn a_function_that_is_called_again_is_another_call() {
    let lecture = Lecture::new(trace());
    let calls: Vec<(&str, usize, usize)> =
        lecture.course.calls.iter().map(|call| (call.function.as_str(), call.first, call.last)).collect();
    assert_eq!(
        calls,
        [("<module>", 0, 22), ("main", 2, 22), ("section", 4, 21), ("cell", 8, 12), ("cell", 16, 20)]
    );
}

#[test]
fn a_place_in_the_code_leads_to_the_first_step_there() {
    let lecture = Lecture::new(trace());
    for (path, line, step) in [
        ("small.py", 14, Some(5)),
        ("small.py", 26, Some(10)),
        ("small.py", 22, Some(8)),
        ("small.py", 31, Some(1)),
        ("small.py", 900, None),
        ("other.py", 1, None),
    ] {
        assert_eq!(lecture.step_at(path, line), step, "{path}:{line}");
    }
}

#[test]
fn moves_lead_by_the_depth_of_the_stack() {
    let mut reader = Reader::new(Lecture::new(trace()));
    for (from, to, target) in [
        (0, Move::Next, Some(1)),
        (0, Move::Back, None),
        (22, Move::Next, None),
        (22, Move::Back, Some(21)),
        (7, Move::Over, Some(13)),
        (9, Move::Over, Some(10)),
        (13, Move::BackOver, Some(7)),
        (9, Move::Out, Some(13)),
        (5, Move::Out, Some(22)),
        (0, Move::Out, None),
        (1, Move::Over, None),
    ] {
        reader.go(from);
        assert_eq!(reader.target(to), target, "{to:?} from step {from}");
    }
}

#[test]
fn variables_are_carried_along_until_they_are_cleared() {
    let lecture = Lecture::new(trace());
    let names = |step| -> Vec<&str> { lecture.inspected(step).iter().map(|it| it.name).collect() };
    assert_eq!(names(8), [""; 0]);
    assert_eq!(names(9), ["x"]);
    assert_eq!(names(10), ["y"]);
    assert_eq!(names(12), ["y"]);
    assert_eq!(names(13), [""; 0], "back in the function that called");
    assert_eq!(names(16), [""; 0], "called again, it begins anew");
    assert_eq!(lecture.known(11).len(), 1);
}

#[test]
fn statements_are_current_passed_skipped_or_coming() {
    let lecture = Lecture::new(trace());
    let shown = listing(&lecture, 10, false);
    let states: Vec<(u32, u32, State)> = shown.iter().map(|it| (it.first, it.last, it.state)).collect();
    assert_eq!(
        states,
        [
            (20, 20, State::Passed),
            (24, 25, State::Passed),
            (26, 26, State::Current),
            (27, 27, State::Coming),
            (28, 28, State::Coming),
        ],
        "without the docstring"
    );
    assert_eq!(listing(&lecture, 10, true)[1].first, 21, "raw code has its docstring");
    let section = listing(&lecture, 13, false);
    assert_eq!((section[1].first, section[1].last, section[1].drawings.len()), (12, 15, 1));
    assert!(section[1].is_call);
    let module = listing(&lecture, 1, false);
    assert!(module.iter().all(|it| ![7, 12, 24].contains(&it.first)), "bodies are left out");
}

#[test]
fn what_was_printed_stands_at_its_line() {
    let lecture = Lecture::new(trace());
    let at = |step| {
        let shown = listing(&lecture, step, false);
        shown.iter().find(|it| it.first == 27).map(|it| it.stdout.clone())
    };
    assert_eq!(at(12).as_deref(), Some("a\n"));
    assert_eq!(at(10).as_deref(), Some(""));
}

#[test]
fn directives_are_for_the_tracer_alone() {
    let source = Source::new(TEXT);
    let shown = |line: u32| -> String {
        source
            .shown(line)
            .iter()
            .map(|(_, place)| &source.line(line)[place.clone()])
            .collect::<Vec<_>>()
            .join("|")
    };
    assert_eq!(shown(26), "y|=|name");
    assert_eq!(shown(17), "cell|(|name|)|# a comment");
}

#[test]
fn tokens_of_a_line() {
    use Kind::{Call, Comment, Decorator, Keyword, Number, Plain, Text};
    for (text, wanted) in [
        (
            "def f(x):",
            vec![(Keyword, "def"), (Call, "f"), (Plain, "("), (Plain, "x"), (Plain, ")"), (Plain, ":")],
        ),
        ("x = 1_000 # y", vec![(Plain, "x"), (Plain, "="), (Number, "1_000"), (Comment, "# y")]),
        (
            "a = r'\\d' + f\"{b}\"",
            vec![(Plain, "a"), (Plain, "="), (Text, "r'\\d'"), (Plain, "+"), (Text, "f\"{b}\"")],
        ),
        ("1e-8+.5", vec![(Number, "1e-8"), (Plain, "+"), (Number, ".5")]),
        ("0xe-1", vec![(Number, "0xe"), (Plain, "-"), (Number, "1")]),
        ("@torch.no_grad()", vec![(Decorator, "@torch.no_grad"), (Plain, "("), (Plain, ")")]),
        ("a @ b", vec![(Plain, "a"), (Plain, "@"), (Plain, "b")]),
        ("type(x)", vec![(Call, "type"), (Plain, "("), (Plain, "x"), (Plain, ")")]),
        ("match = 2", vec![(Plain, "match"), (Plain, "="), (Number, "2")]),
        ("'it\\'s'", vec![(Text, "'it\\'s'")]),
        ("log₂ = 'ä'", vec![(Plain, "log₂"), (Plain, "="), (Text, "'ä'")]),
        ("'open", vec![(Text, "'open")]),
        ("'\\", vec![(Text, "'\\")]),
    ] {
        let found = lines(text);
        let found: Vec<(Kind, &str)> =
            found[0].tokens.iter().map(|token| (token.kind, &text[token.place.clone()])).collect();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn statements_go_on_in_brackets_strings_and_after_backslashes() {
    let source = Source::new("f(1,\n  2)\na = '''x\ny''' \\\n  .z\n# (\nb = 1");
    let statements: Vec<(u32, u32)> = (1..=7).map(|line| source.statement(line)).collect();
    assert_eq!(statements, [(1, 2), (1, 2), (3, 5), (3, 5), (3, 5), (6, 6), (7, 7)]);
}

#[test]
fn a_guess_is_judged_and_kept() {
    let mut trace = trace();
    let asked = |choices: &[&str]| napkin_notebook::trace::Prediction {
        line_number: 24,
        function_name: "cell".to_owned(),
        name: "days".to_owned(),
        question: "How many?".to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
    };
    trace.steps[9].env.set("days", whole(Json::Float(71.96)));
    trace.steps[11].renderings = vec![Rendering {
        kind: "calculator".to_owned(),
        data: Json::Text("71.96".to_owned()),
        ..Rendering::default()
    }];
    trace.steps[8].env.set("above", whole(Json::Int(31337)));
    trace.steps[10].env.set("above", None);
    trace.steps[10].env.set("weeks", whole(Json::Float(10.28)));
    trace.steps[11].stdout = "10.28 weeks\n".to_owned();
    trace.predictions = Map(vec![("small.py".to_owned(), vec![asked(&[])])]);
    for (text, verdict) in [
        ("72", Some(Verdict::Right)),
        ("65", Some(Verdict::Right)),
        ("0.1k", Some(Verdict::Near)),
        ("8", Some(Verdict::Near)),
        ("7", Some(Verdict::Wrong)),
        ("-72", Some(Verdict::Wrong)),
        ("many", None),
        ("", None),
    ] {
        let mut reader = Reader::new(Lecture::new(trace.clone()));
        reader.go(9);
        assert!(!reader.html().contains("71.96"), "locked");
        assert!(reader.html().contains("31337"), "what stands above the question is no secret");
        reader.go(11);
        for secret in ["71.96", "10.28"] {
            assert!(!reader.html().contains(secret), "what comes below gives it away: {secret}");
            assert!(!reader.whole("").contains(secret), "on paper too: {secret}");
        }
        assert!(reader.html().contains("Guess first:"), "what is drawn below it, too");
        reader.guess("cell.days", Some(text));
        assert_eq!(reader.html().contains("Guess first:"), verdict.is_none());
        assert_eq!(reader.html().contains("10.28 weeks"), verdict.is_some());
        assert_eq!(reader.html().contains("10.28</"), verdict.is_some());
        assert_eq!(reader.guesses.get("cell.days").map(|guess| guess.verdict), verdict, "{text}");
        assert_eq!(reader.refused.is_some(), verdict.is_none(), "{text}");
        let mut other = Reader::new(Lecture::new(trace.clone()));
        other.recall(&reader.kept());
        assert_eq!(other.guesses, reader.guesses);
        other.recall("no\tright\t1\ncell.days\tperhaps\t2\nrubbish");
        assert_eq!(other.guesses, reader.guesses, "what is damaged is left out");
    }
    // No choice is right, so nothing is asked.
    trace.predictions = Map(vec![("small.py".to_owned(), vec![asked(&["1", "2"])])]);
    assert!(Lecture::new(trace.clone()).questions.is_empty());
    trace.steps[9].env.set("days", whole(Json::Bool(true)));
    trace.predictions = Map(vec![("small.py".to_owned(), vec![asked(&["yes", "no"])])]);
    assert_eq!(Lecture::new(trace).questions[0].judge("yes"), Ok(Verdict::Right));
}

#[test]
fn addresses_are_read_clamped_and_written() {
    for (query, step, has_notice) in [
        ("?step=0&v=1", Some(0), false),
        ("?step=7", Some(7), false),
        ("?step=23&v=1", Some(22), true),
        ("?step=-4&v=1", Some(0), true),
        ("?step=99999999999999999999999999", Some(22), true),
        ("?step=three&v=1", None, true),
        ("?step=4&v=0", Some(4), true),
        ("", None, false),
        ("?step=3&step=5", Some(5), false),
    ] {
        let (found, notice) = Address::read(query).step(22);
        assert_eq!((found, notice.is_some()), (step, has_notice), "{query}");
    }
    let query = "?lecture=a&step=3&v=1&s.f.x=1e9&device=cpu";
    assert_eq!(Address::read(query).write(), query);
    let odd = Address { lecture: Some("a b&c=ä%".to_owned()), ..Address::default() };
    assert_eq!(Address::read(&odd.write()), odd);
    assert_eq!(Address::read("%zz=%&=&&a").others.len(), 3);
}

#[test]
fn traces_come_from_here_or_by_https() {
    let origin = "http://localhost:8080";
    for (url, is_allowed) in [
        ("lectures/a.json", true),
        ("/a.json?x=y:z", true),
        ("https://example.org/a.json", true),
        ("http://localhost:8080/a.json", true),
        ("http://localhost:8080.example.org/a.json", false),
        ("http://example.org/a.json", false),
        ("//example.org/a.json", false),
        ("\\\\example.org", false),
        ("javascript:alert(1)", false),
        ("data:,x", false),
        ("", false),
    ] {
        assert_eq!(check_source(url, origin).is_ok(), is_allowed, "{url}");
    }
}

#[test]
fn what_is_no_trace_is_refused_with_a_sentence() {
    for (text, part) in [
        ("", "ends in the middle"),
        ("{\"files\": {}, \"steps\": [", "ends in the middle"),
        ("[]", "not a trace"),
        ("{}", "not a trace"),
        ("{\"files\": {}, \"steps\": []}", "no steps"),
        ("{\"files\": {}, \"steps\": [{\"stack\": []}]}", "no steps"),
    ] {
        let why = Lecture::read(text).map(|_| ()).unwrap_err();
        assert!(why.contains(part), "{text}: {why}");
    }
}

#[test]
fn foreign_traces_open_and_walk() {
    let text = r#"{"files": {"/lectures/lecture.py": "def main():\n    x = 1\n"}, "hidden_line_numbers": {}, "images": [],
        "steps": [
            {"stack": [{"path": "/lectures/lecture.py", "line_number": 2, "function_name": "main", "code": "x = 1", "more": 1}],
             "env": {"x": {"type": "int", "contents": 1}}, "renderings": [{"type": "image", "data": "a.png"}], "stdout": "", "stderr": ""},
            {"stack": [{"path": "elsewhere.py", "line_number": 900, "function_name": "<lambda>", "code": "y"}], "env": {}, "renderings": []},
            {"stack": [], "env": {}, "renderings": []}]}"#;
    let mut reader = Reader::new(Lecture::read(text).unwrap());
    for step in 0..=reader.lecture.last() {
        reader.go(step);
        assert!(reader.html().contains(&format!("Step {step} of 2")));
    }
    assert!(search(&reader.lecture, "x = 1").len() == 1);
}

#[test]
fn searches_find_titles_prose_and_code() {
    let lecture = Lecture::new(trace());
    let steps = |words: &str| -> Vec<usize> { search(&lecture, words).iter().map(|hit| hit.step).collect() };
    assert_eq!(steps(""), [5, 9], "the contents");
    assert_eq!(steps("PROSE lines"), [5]);
    assert_eq!(steps("print"), [11]);
    assert_eq!(steps("a CELL"), [9, 7, 8], "the title first");
    assert_eq!(steps("zebra"), [0; 0]);
}

#[test]
fn sums_have_four_digits_and_a_unit() {
    for (value, text) in [
        (128.0, "128 B"),
        (1024.0, "1.024 kB"),
        (33_550_336.0, "33.55 MB"),
        (999_960.0, "1 MB"),
        (0.0, "0 B"),
        (1.5e20, "150 EB"),
    ] {
        assert_eq!(si(value, "B"), text);
    }
    let mut step = Step::default();
    let mut delta = LedgerDelta { flops: 33_550_336, ..LedgerDelta::default() };
    delta.allocated.set("parameters", 128);
    delta.allocated.set("activations", -64);
    step.ledger.set("cpu", delta.clone());
    assert_eq!(ledger(&step), ["+128 B parameters, −64 B activations, 33.55 MFLOP"]);
    step.ledger.set("cuda:0", delta);
    assert_eq!(ledger(&step)[1], "+128 B parameters, −64 B activations, 33.55 MFLOP on cuda:0");
}
