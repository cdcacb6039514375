//! `napkin trace`: lectures of edtrace as edtrace itself records them.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::harness::{napkin, stderr};

fn cases() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/cases")
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("edtrace").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the command prints to do with the clock is another thing every time.
fn without_commands(mut trace: Value) -> Value {
    for step in trace["steps"].as_array_mut().into_iter().flatten() {
        if step["stack"]
            .as_array()
            .and_then(|it| it.last())
            .is_some_and(|it| it["code"].as_str().is_some_and(|code| code.starts_with("system_text")))
        {
            let renderings = step["renderings"].as_array_mut().unwrap();
            renderings.iter_mut().for_each(|it| it["data"] = Value::Null);
        }
    }
    trace
}

#[test]
fn a_lecture_is_traced_as_edtrace_records_it() {
    let here = folder("case");
    fs::copy(cases().join("lecture_edtrace.py"), here.join("lecture_edtrace.py")).unwrap();
    let output = napkin("trace lecture_edtrace.py").current_dir(&here).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |path: PathBuf| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    let ours = without_commands(read(here.join("var/traces/lecture_edtrace.json")));
    let theirs = without_commands(read(cases().join("lecture_edtrace.trace.json")));
    for (at, (ours, theirs)) in
        ours["steps"].as_array().unwrap().iter().zip(theirs["steps"].as_array().unwrap()).enumerate()
    {
        assert_eq!(ours, theirs, "step {at}");
    }
    assert_eq!(ours, theirs);
    // What is drawn for a reader is printed where nobody traces.
    let output = napkin("run lecture_edtrace.py").current_dir(&here).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        text.contains("# What a small run costs") && text.contains("Scaling laws https://arxiv.org"),
        "{text}"
    );
}

#[test]
fn a_lecture_that_begins_nothing_begins_at_its_main_and_what_is_no_lecture_is_a_sentence() {
    let here = folder("main");
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    write(
        "alone.py",
        "from execute_util import text\nfrom lecture_util import article_link\n\n\ndef main():\n    x = list(range(100))  # @inspect x\n    text(\"Here\")\n    article_link(\"https://example.org\")\n",
    );
    write("empty.py", "x = 1\n");
    write("fails.py", "from edtrace import text\n\ndef main():\n    1 / 0\n");
    let trace = |args: &str| napkin(&format!("trace {args}")).current_dir(&here).output().unwrap();
    let output = trace("alone.py -o alone.json");
    assert!(output.status.success(), "{}", stderr(&output));
    let written: Value = serde_json::from_str(&fs::read_to_string(here.join("alone.json")).unwrap()).unwrap();
    // Values are whole.
    let x = written["steps"].as_array().unwrap().iter().find_map(|step| step["env"].get("x")).unwrap();
    assert_eq!(x["contents"].as_array().unwrap().len(), 100);
    let output = trace("empty.py -o empty.json");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("empty.py has no steps"), "{}", stderr(&output));
    let output = trace("fails.py -o fails.json");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("ZeroDivisionError") && !here.join("fails.json").exists());
    let output = trace("alone.py -o no/such/folder.json");
    assert!(
        stderr(&output).contains("--output no/such/folder.json: there is no folder"),
        "{}",
        stderr(&output)
    );
    let output = trace("alone.py -o alone.py");
    assert!(stderr(&output).contains("is the program itself"), "{}", stderr(&output));
}
