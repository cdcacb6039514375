//! Scripts print what they print under PyTorch: scripts/*.txt were written by scripts/write.py.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_python::{Options, Session};

/// What a script prints, with the traceback that ends it if there is one.
fn printed(source: &str, path: &str) -> String {
    let text = Rc::new(RefCell::new(String::new()));
    let to = text.clone();
    let session = Session::new(Options {
        write: Rc::new(move |_, text| to.borrow_mut().push_str(text)),
        ..Options::default()
    });
    if let Err(failure) = session.run(source, path) {
        text.borrow_mut().push_str(&failure.traceback);
    }
    text.take()
}

#[test]
fn scripts_print_what_they_print_under_pytorch() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut checked = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let expected = path.with_extension("txt");
        if path.extension().is_some_and(|extension| extension == "py") && expected.exists() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let ours = printed(&fs::read_to_string(&path).unwrap(), &name);
            let theirs = fs::read_to_string(expected).unwrap();
            let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
            // The first lines that differ, and some after them.
            while let (our, their) = (ours.next(), theirs.next())
                && (our.is_some() || their.is_some())
            {
                if our != their {
                    let rest: Vec<_> = ours.take(12).collect();
                    wrong.push(format!("{name}\nPyTorch: {their:?}\nhere:    {our:?}\n{}", rest.join("\n")));
                    break;
                }
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(checked > 0);
}
