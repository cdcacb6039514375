//! The published lectures run from top to bottom; lectures/napkin.py stands in for what draws.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_python::{Folder, Options, Session};

#[test]
fn lectures_run_from_top_to_bottom() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lectures");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(here.join("tests/lectures/napkin.py"), folder.join("napkin.py")).unwrap();
    for file in fs::read_dir(here.join("../public/lectures")).unwrap() {
        let file = file.unwrap().path();
        fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    for name in ["resource-accounting.py", "arithmetic-intensity.py"] {
        let files = Rc::new(Folder(folder.clone()));
        let session = Session::new(Options { files, ..Options::default() });
        let source = fs::read_to_string(folder.join(name)).unwrap();
        if let Err(failure) = session.run(&source, name) {
            panic!("{name}: {failure}");
        }
    }
}
