//! Cells as scripts: what they print here is what they print under PyTorch, which exports/write.py wrote down.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_python::{Folder, Memory, Options, Session, arguments, cells, script};

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
    for lecture in ["resource-accounting.py", "arithmetic-intensity.py"] {
        let folder = here.join("../public/lectures");
        let source = fs::read_to_string(folder.join(lecture)).unwrap();
        let session = Session::new(Options { files: Rc::new(Folder(folder)), ..Options::default() });
        let (trace, result) = session.trace(&source, lecture);
        result.unwrap();
        let files: Vec<(&str, &str)> =
            trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        for (path, name) in cells(&files, lecture) {
            let text = arguments(&trace, &path, &name)
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
