//! The published lectures show what they show under PyTorch: lectures/golden.json was written by lectures/run.py, and
//! lectures/figures.json is what they are there for. What they tell their readers to try is in lectures/tries.json.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_python::{Memory, Options, Session};
use napkin_trace::trace::Trace;
use serde_json::{Value, json};

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lectures").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A function, a variable, its value.
type Shown = (String, String, Value);

/// A lecture, run. Each edit replaces a text in a function by another.
fn traced(lecture: &str, edits: &[Value]) -> Trace {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/lectures");
    let name = format!("{lecture}.py");
    let paths = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let named = paths.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    // Modules that lectures import have underscores in their names.
    let own = named.filter(|(file, _)| file.ends_with(".py") && (*file == name || !file.contains('-')));
    let mut texts: BTreeMap<_, _> =
        own.map(|(file, path)| (file, fs::read_to_string(path).unwrap())).collect();
    for edit in edits {
        let [function, old, new] = [0, 1, 2].map(|at| edit[at].as_str().unwrap());
        let function = format!("def {function}(");
        let text = texts.values_mut().find(|text| text.contains(&function)).unwrap();
        let start = text.find(&function).unwrap();
        let at = start + text[start..].find(old).unwrap_or_else(|| panic!("no {old} in {function}"));
        text.replace_range(at..at + old.len(), new);
    }
    let files = Memory::default();
    for (file, text) in &texts {
        files.put(file, text.as_bytes()).unwrap();
    }
    let session = Session::new(Options { files: Rc::new(files), ..Options::default() });
    let (trace, result) = session.trace(&texts[&name], &name);
    if let Err(failure) = result {
        panic!("{name}: {failure}");
    }
    trace
}

/// What a lecture inspects, in order.
fn inspected(lecture: &str, edits: &[Value]) -> Vec<Shown> {
    let trace = traced(lecture, edits);
    let values = trace.steps.iter().flat_map(|step| {
        let function = &step.stack.last().unwrap().function_name;
        let shown = step.env.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        shown.map(move |(name, value)| (function.clone(), name.clone(), json!(value)))
    });
    values.collect()
}

/// A value of a trace as run.py writes it.
fn plain(value: &Value) -> Value {
    let contents = &value["contents"];
    if let Some(dtype) = value.get("dtype") {
        let shape = &value["shape"];
        let count: u64 = shape.as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).product();
        let mut tensor = json!({"dtype": dtype, "shape": shape});
        if count <= 64 {
            tensor["values"] = contents.clone();
        }
        return tensor;
    }
    match contents {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(entries) => entries.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        // Whole numbers beyond what JSON keeps.
        Value::String(digits) if value["type"] == "int" => serde_json::from_str(digits).unwrap(),
        _ => contents.clone(),
    }
}

/// Function, name and value of all that the functions of `groups` show.
fn rows(groups: &Value) -> Vec<Value> {
    let groups = groups.as_array().unwrap().iter();
    groups
        .flat_map(|group| group[1].as_array().unwrap().iter().map(|row| json!([group[0], row[0], row[1]])))
        .collect()
}

/// Whether two values are the same, numbers within a relative tolerance.
fn is_near(ours: &Value, theirs: &Value, tolerance: f64) -> bool {
    match (ours, theirs) {
        // Whole numbers are counted.
        (Value::Number(ours), Value::Number(theirs))
            if theirs.is_f64() || ours.is_f64() || tolerance == 0.0 =>
        {
            let (ours, theirs) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
            ours == theirs || (ours - theirs).abs() <= tolerance * theirs.abs().max(1.0)
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| is_near(a, b, tolerance))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.len() == theirs.len()
                && theirs.iter().all(|(name, b)| ours.get(name).is_some_and(|a| is_near(a, b, tolerance)))
        }
        _ => ours == theirs,
    }
}

/// Whether a row of function, variable, value and maybe a relative tolerance is among what is shown.
fn is_reached(row: &Value, shown: &[Shown]) -> bool {
    let tolerance = row[3].as_f64().unwrap_or(0.0);
    shown.iter().any(|(function, name, value)| {
        let ours = plain(value);
        let ours = ours.get("values").unwrap_or(&ours);
        row[0] == *function && row[1] == *name && is_near(ours, &row[2], tolerance)
    })
}

/// Of random numbers, and where sums of float32 are taken in another order.
const TOLERANCE: f64 = 1e-6;

#[test]
fn lectures_show_what_they_show_under_pytorch() {
    let golden = read("golden.json");
    let figures = read("figures.json");
    let (mut wrong, mut compared, mut reached) = (String::new(), 0, 0);
    for (lecture, expected) in golden.as_object().unwrap() {
        let inspected = inspected(lecture, &[]);
        let [all, measured] = ["values", "kinds"].map(|kind| rows(&expected[kind]));
        let (mut values, mut kinds) = (all.iter(), measured.iter());
        for (function, name, value) in &inspected {
            let is_measured = measured.iter().any(|row| row[0] == *function && row[1] == *name);
            let row = if is_measured { kinds.next() } else { values.next() }.unwrap_or(&Value::Null);
            let ours = match (is_measured, value.get("dtype")) {
                (true, Some(dtype)) => json!({"dtype": dtype, "shape": value["shape"]}),
                (true, None) => value["type"].clone(),
                (false, _) => plain(value),
            };
            if row[0] != *function || row[1] != *name || !is_near(&ours, &row[2], TOLERANCE) {
                wrong += &format!("{lecture}, {function}, {name}: {ours}\n    not {row}\n");
            }
            compared += 1;
        }
        assert!(values.next().is_none() && kinds.next().is_none(), "{lecture} shows too little\n{wrong}");
        for row in figures.as_array().unwrap().iter().filter(|row| row["lecture"] == *lecture) {
            for figure in row["figures"].as_array().unwrap() {
                if !is_reached(figure, &inspected) {
                    wrong += &format!("{}: {figure} is not reached\n", row["row"]);
                }
                reached += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 190 && reached > 100, "{compared} values, {reached} figures");
}

#[test]
fn exercises_say_what_is_wrong_and_their_solutions_pass() {
    let mut count = 0;
    for (lecture, expected) in read("golden.json").as_object().unwrap() {
        let cards = |edits: &[Value]| -> Vec<Value> {
            let trace = traced(lecture, edits);
            let shows_check = |path: &str| path.contains("exercise");
            assert!(!trace.steps.iter().flat_map(|step| &step.stack).any(|place| shows_check(&place.path)));
            let drawn = trace.steps.into_iter().flat_map(|step| step.renderings).map(|it| it.data);
            drawn.filter(|card| card.get("function").is_some()).collect()
        };
        let asked = cards(&[]);
        let said = asked.iter().map(|card| json!([card["function"], "fault", card["choices"][0]["why"]]));
        assert_eq!(said.collect::<Vec<_>>(), rows(&expected["exercises"]), "as under PyTorch");
        let solve = |card: &Value| {
            let (function, choices) =
                (card["function"].as_str().unwrap(), card["choices"].as_array().unwrap());
            assert!((3..=4).contains(&choices.len()), "{function} has up to two hints");
            let solution = choices.last().unwrap()["why"].as_str().unwrap().trim_matches(['`', '\n']);
            json!([function, format!("def {function}("), format!("{solution}\n\n\ndef at_first_{function}(")])
        };
        let solved = cards(&asked.iter().map(solve).collect::<Vec<_>>());
        let passed = solved.iter().filter(|card| card["choices"][0]["is_right"] == true).count();
        assert_eq!((solved.len(), passed), (asked.len(), asked.len()), "{solved:#?}");
        count += passed;
    }
    assert!(count >= 12);
}

/// The cards of exercises that a program draws which stands among the lectures' files and some of tests/lectures.
fn exercises(name: &str, program: &str) -> Vec<Value> {
    let files = Memory::default();
    for folder in ["../public/lectures", "tests/lectures"] {
        for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let path = file.unwrap().path();
            // Our own module is there already.
            if path.extension().is_some_and(|it| it == "py") && !path.ends_with("napkin.py") {
                files.put(&path.file_name().unwrap().to_string_lossy(), &fs::read(&path).unwrap()).unwrap();
            }
        }
    }
    let session = Session::new(Options { files: Rc::new(files), ..Options::default() });
    let (trace, result) = session.trace(program, name);
    result.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    let drawn = trace.steps.into_iter().flat_map(|step| step.renderings).map(|it| it.data);
    drawn.filter(|card| card.get("function").is_some()).collect()
}

#[test]
fn checks_accept_what_is_right_and_say_of_a_call_what_is_wrong() {
    let golden = read("golden.json");
    let asked = golden.as_object().unwrap().values().flat_map(|lecture| rows(&lecture["exercises"]));
    let mut counts: BTreeMap<String, [usize; 2]> =
        asked.map(|row| (row[0].as_str().unwrap().to_owned(), [0, 0])).collect();
    let mut wrong = String::new();
    for name in ["attempts_intensity.py", "attempts_accounting.py", "attempts_training.py"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lectures").join(name);
        for card in exercises(name, &fs::read_to_string(path).unwrap()) {
            let (function, expected) = (card["function"].as_str().unwrap(), card["text"].as_str().unwrap());
            let check = &card["choices"][0];
            let is_right = expected == "It passes the check.";
            counts.get_mut(function).unwrap()[usize::from(!is_right)] += 1;
            let (said, case) = (check["why"].as_str().unwrap(), &check["case"]);
            let has_case = case["call"].as_str().is_some_and(|call| call.starts_with(function))
                && case["came"].is_string() != case["raised"].is_string();
            if !said.contains(expected) || check["is_right"] != is_right || has_case == is_right {
                wrong += &format!("{function}: {check}\n    not {expected}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(counts.values().all(|[right, wrong]| *right >= 3 && *wrong >= 4), "{counts:?}");
}

#[test]
fn what_ends_a_check_is_said_of_a_call_and_ends_the_program_where_nobody_traces() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lectures/broken.py");
    let cards = exercises("broken.py", &fs::read_to_string(path).unwrap());
    assert_eq!(cards.len(), 8);
    for card in &cards {
        let (check, expected) = (&card["choices"][0], card["text"].as_str().unwrap());
        assert!(check["why"].as_str().unwrap().contains(expected), "{check}\n    not {expected}");
        assert_eq!(check["is_right"], false);
    }
    let cases: Vec<_> = cards.iter().map(|card| &card["choices"][0]["case"]).collect();
    let call = "half(tensor([0, 1]), named=[1.5, ['a', {'b': …}], None])";
    assert_eq!(*cases[0], json!({"call": call, "came": null, "raised": "ValueError"}));
    assert_eq!(*cases[3], json!({"call": call, "came": "(tensor([0, 1]), tensor([0, 1]))", "raised": null}));
    assert_eq!(*cases[5], Value::Null);
    assert_eq!(*cases[6], json!({"call": call, "came": "tensor([0.25], float64)", "raised": null}));

    let program = "from napkin import exercise\nclass Key:\n    hints = []\n    def solution(): return 1\n    \
        def check(f): f()\ndef f():\n    return nowhere\nexercise('a task', f, Key)";
    let plain = Session::new(Options::default()).run(program, "x.py").unwrap_err();
    assert!(plain.traceback.contains("return nowhere") && plain.traceback.contains("NameError"), "{plain}");
}

#[test]
fn what_readers_are_told_to_try_is_true() {
    for round in read("tries.json").as_array().unwrap() {
        let shown = inspected(round["lecture"].as_str().unwrap(), round["edits"].as_array().unwrap());
        let missed = round["figures"].as_array().unwrap().iter().filter(|row| !is_reached(row, &shown));
        assert_eq!(missed.collect::<Vec<_>>(), Vec::<&Value>::new());
    }
}
