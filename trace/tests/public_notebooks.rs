//! Notebooks that others have made: those of nbformat's own tests, which the crate of that name carries, and its reader as
//! the judge of what is written here.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use napkin_trace::notebook;
use napkin_trace::trace::Json;
use serde_json::json;

/// The folder of a package that this one is compiled with.
fn package(name: &str) -> PathBuf {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut metadata = Command::new(cargo);
    metadata.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
    let told = metadata.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let told: Json = serde_json::from_slice(&told.stdout).expect("cargo metadata tells where packages are");
    let packages = told["packages"].as_array().unwrap();
    let found = packages.iter().find(|it| it["name"] == name).expect("a package of the workspace");
    PathBuf::from(found["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

/// By their names.
fn notebooks() -> BTreeMap<String, String> {
    let files = fs::read_dir(package("nbformat").join("tests/notebooks")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let found: BTreeMap<_, _> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "ipynb"))
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    assert!(found.len() > 20, "{} notebooks", found.len());
    found
}

/// Each cell of code with the text that a reader sees of it.
fn functions(program: &str) -> BTreeMap<String, String> {
    let mut functions = BTreeMap::<String, String>::new();
    let mut name = None;
    for line in program.lines() {
        let defined = line.strip_prefix("def ").and_then(|rest| rest.strip_suffix("():"));
        if let Some(function) = defined.filter(|function| notebook::is_cell(function)) {
            name = Some(function.to_owned());
        } else if line.starts_with("if __name__") {
            name = None;
        }
        if let Some(name) = name.clone() {
            let text = functions.entry(name).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    functions
}

fn source(cell: &Json) -> String {
    match &cell["source"] {
        Json::String(text) => text.clone(),
        lines => lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect(),
    }
}

/// What is valid in version 4 is read, and all of it is still there when it is saved.
#[test]
fn all_of_version_4_are_read_and_saved() {
    let mut read = 0;
    for (name, json) in notebooks() {
        let before: Json = serde_json::from_str(&json).unwrap();
        let Ok(program) = notebook::source(&json, &name) else {
            let is_valid = before["nbformat"] == 4 && nbformat::parse_notebook(&json).is_ok();
            assert!(!is_valid, "{name}: {:?}", notebook::read(&json, &name));
            continue;
        };
        read += 1;
        notebook::read(&json, &name).unwrap_or_else(|why| panic!("{name}: {why}"));
        let saved = |now: &dyn Fn(String) -> Json| {
            let now: Json = functions(&program).into_iter().map(|(cell, text)| (cell, now(text))).collect();
            notebook::save(&json, &now).unwrap()
        };
        let after: Json = serde_json::from_str(&saved(&|_| json!([null, null, null]))).unwrap();
        assert_eq!(after, before, "{name}");
        // Code as it is shown is the code that was typed.
        let after: Json = serde_json::from_str(&saved(&|text| json!([text, null, null]))).unwrap();
        let cells = |whole: &Json| whole["cells"].as_array().unwrap().clone();
        for (before, after) in cells(&before).iter().zip(&cells(&after)) {
            assert_eq!(source(after).trim_end(), source(before).trim_end(), "{name}");
        }
        // What cells have shown here leaves it as valid as it was.
        let drawn = ["html", "image", "plot"].map(|kind| json!([kind, "data:image/png;base64,AAAA"]));
        let shown = json!(["shown\n", "", drawn]);
        let after = saved(&|_| json!([null, [shown], null]));
        if !functions(&program).is_empty() {
            assert!(after.contains("\"image/png\": \"AAAA\""), "{name}");
        }
        if let Ok(nbformat::Notebook::V4(_)) = nbformat::parse_notebook(&json) {
            let judged = nbformat::parse_notebook(&after);
            assert!(matches!(judged, Ok(nbformat::Notebook::V4(_))), "{name}: {:?}", judged.err());
        }
    }
    assert!(read > 10, "{read} notebooks of version 4");
}
