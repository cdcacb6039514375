//! Scripts print what they print under PyTorch: scripts/*.txt were written by scripts/write.py. What outside/ and limits/
//! print is our own: what is said of names that are not there, and of sizes that no machine has.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_python::{Files, Folder, Memory, Options, Session};

/// What a script prints, with the traceback that ends it if there is one.
fn printed(source: &str, path: &str, files: Rc<dyn Files>) -> String {
    let text = Rc::new(RefCell::new(String::new()));
    let to = text.clone();
    let session = Session::new(Options {
        write: Rc::new(move |_, text| to.borrow_mut().push_str(text)),
        files,
        ..Options::default()
    });
    if let Err(failure) = session.run(source, path) {
        text.borrow_mut().push_str(&failure.traceback);
    }
    text.take()
}

/// Puts what scripts import beside them.
fn with_neighbours(files: Rc<dyn Files>) -> Rc<dyn Files> {
    let source = include_bytes!("scripts/helper_module.py");
    files.create("helper_module.py", false).unwrap();
    files.write("helper_module.py", 0, source).unwrap();
    files
}

/// Runs every script of a folder with its files in memory and on disk; what differs from the .txt beside it is said.
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let on_disk = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&on_disk).unwrap();
    let (mut checked, mut wrong) = (0, String::new());
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let expected = path.with_extension("txt");
        if path.extension().is_some_and(|extension| extension == "py") && expected.exists() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let (source, expected) =
                (fs::read_to_string(&path).unwrap(), fs::read_to_string(expected).unwrap());
            let places: [Rc<dyn Files>; 2] = [Rc::new(Memory::default()), Rc::new(Folder(on_disk.clone()))];
            for files in places {
                let ours = printed(&source, &name, with_neighbours(files));
                for (line, (ours, theirs)) in ours.lines().zip(expected.lines()).enumerate() {
                    if ours != theirs {
                        wrong += &format!("{name}:{}: {ours}\n    not {theirs}\n", line + 1);
                    }
                }
                if ours.lines().count() != expected.lines().count() {
                    wrong += &format!("{name}: ends with {:?}\n", ours.lines().last());
                }
            }
            checked += 1;
        }
    }
    assert!(checked > 0);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn scripts_print_what_they_print_under_pytorch() {
    check("scripts");
}

#[test]
fn names_that_are_outside_say_what_they_are() {
    check("outside");
}

/// Prints what there is of modules, optimizers and schedules.
const NAMES: &str = "
import torch
for module in (torch.nn, torch.optim, torch.optim.lr_scheduler):
    for name, value in vars(module).items():
        if isinstance(value, type) and not name.startswith('_'):
            print(name)
";

#[test]
fn docs_scope_names_every_module_optimizer_and_schedule() {
    let doc = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scope.md")).unwrap();
    let (inside, _) = doc.split_once("## What is outside").unwrap();
    let names = printed(NAMES, "names.py", Rc::new(Memory::default()));
    let missing: Vec<_> = names.lines().filter(|name| !inside.contains(&format!("`{name}`"))).collect();
    assert!(names.contains("AdamW") && missing.is_empty(), "docs/scope.md lacks {missing:?}");
}

#[test]
fn sizes_that_no_machine_has_are_refused() {
    check("limits");
}
