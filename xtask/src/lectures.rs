//! The lectures and their traces, which are kept beside them: so nobody has to compile Python to read them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::{process, steps};

/// Lectures are files that others import and that end by calling `main`.
const CALL: &str = "if __name__ == \"__main__\":";

/// Runs all lectures and writes their traces: what makes them may have changed, too.
///
/// # Errors
/// When a lecture fails, or something cannot be written.
pub fn run() -> Result<()> {
    let folder = folder();
    process::run(process::cargo().args(["build", "--quiet", "--locked", "--package", "napkin"]))?;
    // What a lecture writes goes where it is in nobody's way; what it prints is in its trace.
    let scratch = crate::root().join("target/lectures");
    fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    for name in mains(&texts(&folder)?) {
        let lecture = folder.join(name);
        let mut command = Command::new(process::built("napkin"));
        // The trace there is stays until there is another one.
        let part = lecture.with_extension("json.part");
        command.arg("run").arg(&lecture).arg("--trace").arg(&part);
        let ended = process::run(command.current_dir(&scratch));
        if ended.is_err() {
            drop(fs::remove_file(&part));
        }
        ended?;
        let trace = lecture.with_extension("json");
        fs::rename(&part, &trace).with_context(|| format!("cannot write {}", trace.display()))?;
        steps::say(&format!("{name} has run."));
    }
    Ok(())
}

/// The names of a folder's lectures that have changed since their traces were written.
///
/// # Errors
/// When a lecture cannot be read.
pub fn changed(folder: &Path) -> Result<Vec<String>> {
    let texts = texts(folder)?;
    Ok(mains(&texts).filter(|name| kept(folder, name, &texts).is_none()).cloned().collect())
}

/// Copies lectures and traces from one folder into another. A lecture that has changed has its files alone: the page runs it.
///
/// # Errors
/// When something cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let texts = texts(from)?;
    for (name, text) in &texts {
        write(&to.join(name), text.as_str().unwrap_or_default())?;
    }
    for name in mains(&texts) {
        let trace = kept(from, name, &texts).unwrap_or_else(|| unrun(name, &texts));
        write(&to.join(name).with_extension("json"), &trace)?;
    }
    Ok(())
}

/// The trace of a lecture, if it is of its present text and the lecture has run to its end.
fn kept(folder: &Path, name: &str, texts: &Map<String, Value>) -> Option<String> {
    let json = fs::read_to_string(folder.join(name).with_extension("json")).ok()?;
    let trace: Value = serde_json::from_str(&json).ok()?;
    let is_present = |(path, text): (&String, &Value)| texts.get(path) == Some(text);
    let is_whole = trace.get("failure").is_none_or(Value::is_null);
    (is_whole && trace["files"].as_object()?.iter().all(is_present)).then_some(json)
}

/// A trace of nothing yet: the lecture, and all that lectures may import.
fn unrun(name: &str, texts: &Map<String, Value>) -> String {
    let is_other = |path: &String| path != name && mains(texts).any(|main| main == path);
    let files: Map<_, _> = texts
        .iter()
        .filter(|(path, _)| !is_other(path))
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect();
    json!({"files": files, "steps": []}).to_string()
}

/// The names of the files that are lectures.
fn mains(texts: &Map<String, Value>) -> impl Iterator<Item = &String> {
    texts
        .iter()
        .filter(|(_, text)| text.as_str().is_some_and(|text| text.contains(CALL)))
        .map(|(name, _)| name)
}

/// Every Python file of the lectures, by its name.
fn texts(folder: &Path) -> Result<Map<String, Value>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "py"));
    paths.sort();
    let named = |path: PathBuf| {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().context("a path without a name")?;
        Ok((name.to_string_lossy().into_owned(), Value::String(text)))
    };
    paths.into_iter().map(named).collect()
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Where the lectures are.
pub fn folder() -> PathBuf {
    crate::root().join("public/lectures")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_that_ends_in_a_failure_is_none() {
        let folder = std::env::temp_dir().join(format!("napkin-kept-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = "x = 1\nif __name__ == \"__main__\":\n    main()\n";
        fs::write(folder.join("a.py"), text).unwrap();
        for (failure, wanted) in [(json!(null), vec![]), (json!("ZeroDivisionError"), vec!["a.py"])] {
            let trace = json!({"files": {"a.py": text}, "steps": [], "failure": failure});
            fs::write(folder.join("a.json"), trace.to_string()).unwrap();
            assert_eq!(changed(&folder).unwrap(), wanted);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
