//! A notebook as a file again: what was changed is in it, and the rest is as it was.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::escapes::{Scan, python, written};
use super::outputs::{Kept, picture};
use super::program::CELL;
use super::{Kind, cells, joined, whole};
use crate::trace::Json;

/// What has become of a cell of code. In JSON it is a list of these.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// The text of its function as a reader has changed it; none if they have not.
    pub code: Option<String>,
    /// What its statements have shown, one after the other; none if it has not run.
    pub shown: Option<Vec<Shown>>,
    /// Why it has not run to its end: the class of an exception, what that says, and Python's traceback.
    pub raised: Option<[String; 3]>,
}

/// What a statement has shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// To standard output.
    pub stdout: String,
    /// To standard error.
    pub stderr: String,
    /// The kinds and the data of what it has drawn.
    pub drawn: Vec<(String, Json)>,
}

/// A notebook's file with what has become of its cells, by the names of their functions. Outputs are new where a cell has
/// shown something else than the file has kept.
///
/// # Errors
/// As [`super::read`].
pub fn save(json: &str, now: &BTreeMap<String, Now>) -> Result<String, String> {
    let mut whole = whole(json)?;
    let sources = cells(&whole)?;
    let all = whole.get_mut("cells").and_then(Json::as_array_mut).into_iter().flatten();
    let code = all.zip(&sources).filter(|(_, cell)| cell.kind == Kind::Code);
    for (number, (cell, source)) in (1..).zip(code) {
        let Some(Now { code, shown, raised }) = now.get(&format!("{CELL}{number}")) else { continue };
        if let Some(code) = code {
            let text = typed(code, &source.source);
            cell["source"] = match &cell["source"] {
                Json::String(_) => Json::from(text),
                _ => lines(&text),
            };
        }
        if shown.is_none() && raised.is_none() {
            continue;
        }
        let outputs = outputs(shown.as_deref().unwrap_or_default(), raised.as_ref());
        if seen(&Kept::of(&outputs)) != seen(&Kept::of(&cell["outputs"])) {
            cell["outputs"] = outputs;
            cell["execution_count"] = Json::from(number);
        }
    }
    // As Jupyter writes it.
    let mut text = Vec::new();
    let form = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut writer = serde_json::Serializer::with_formatter(&mut text, form);
    whole.serialize(&mut writer).map_err(|error| error.to_string())?;
    String::from_utf8(text).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// What a reader sees of outputs.
fn seen(kept: &Kept) -> (&str, &str, Vec<(&str, &Json)>) {
    let drawn = kept.renderings.iter().map(|it| (it.kind.as_str(), &it.data)).collect();
    (kept.stdout.trim_end(), kept.stderr.trim_end(), drawn)
}

/// A cell as it is typed in a notebook: the body of its function, with the lines of IPython that `source` has.
fn typed(function: &str, source: &str) -> String {
    let after = function.lines().position(|line| line.starts_with("def "));
    let mut scan = Scan::default();
    let mut lines: Vec<String> = Vec::new();
    for line in function.split('\n').skip(after.map_or(0, |at| at + 1)) {
        let is_kept = scan.is_in_text() || line.trim().is_empty();
        scan.read(line);
        let indent = line.len() - line.trim_start_matches(' ').len();
        lines.push(line[if is_kept { 0 } else { indent.min(4) }..].to_owned());
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    // A function needs a statement, which a cell does not.
    let is_empty = |line: &String| line.trim().is_empty() || line.trim().starts_with('#');
    if python(source).iter().all(is_empty) && lines.last().is_some_and(|last| last == "pass") {
        lines.pop();
    }
    let escaped: Vec<_> = written(source).into_iter().filter(|it| it.typed != it.python).collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let same = escaped.iter().find(|it| lines[at..].starts_with(&it.python));
        match same {
            Some(same) => {
                all.extend(same.typed.iter().copied());
                at += same.python.len();
            }
            None => {
                all.push(lines[at].as_str());
                at += 1;
            }
        }
    }
    all.join("\n")
}

/// A text as a list of its lines.
fn lines(text: &str) -> Json {
    text.split_inclusive('\n').collect()
}

/// What a cell has shown, as a notebook keeps it.
fn outputs(shown: &[Shown], raised: Option<&[String; 3]>) -> Json {
    let mut all: Vec<Json> = Vec::new();
    let stream = |all: &mut Vec<Json>, name: &str, text: &str| {
        if text.is_empty() {
            return;
        }
        let is_same = |last: &&mut Json| last["output_type"] == "stream" && last["name"] == name;
        match all.last_mut().filter(is_same) {
            Some(last) => {
                let whole = joined(&last["text"]).unwrap_or_default() + text;
                last["text"] = lines(&whole);
            }
            None => all.push(json!({"name": name, "output_type": "stream", "text": lines(text)})),
        }
    };
    for step in shown {
        stream(&mut all, "stdout", &step.stdout);
        stream(&mut all, "stderr", &step.stderr);
        let drawn = step.drawn.iter();
        all.extend(drawn.map(
            |(kind, it)| json!({"data": data(kind, it), "metadata": {}, "output_type": "display_data"}),
        ));
    }
    if let Some([kind, message, traceback]) = raised {
        let traceback: Vec<&str> = traceback.lines().collect();
        all.push(json!({
            "ename": kind, "evalue": message, "output_type": "error", "traceback": traceback,
        }));
    }
    Json::Array(all)
}

/// A drawing in the forms that a notebook knows.
fn data(kind: &str, it: &Json) -> Json {
    let text = it.as_str().unwrap_or_default();
    match kind {
        "plot" => json!({"application/vnd.vegalite.v5+json": it}),
        "html" => json!({"text/html": lines(text)}),
        "markdown" | "note" => json!({"text/markdown": lines(text)}),
        "image" => match picture(text) {
            Some((kind, picture)) => {
                Json::Object([(kind.to_owned(), Json::from(picture))].into_iter().collect())
            }
            None => json!({"text/markdown": [format!("![]({text})")]}),
        },
        kind => json!({"text/plain": [format!("[a drawing of the kind “{kind}”]")]}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(cell: &Json, now: Now) -> Json {
        let whole = json!({
            "metadata": {"z": 1, "kernelspec": {"name": "k"}}, "nbformat_minor": 5, "nbformat": 4,
            "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A"}, cell],
        });
        let text = save(&whole.to_string(), &BTreeMap::from([("cell_1".to_owned(), now)])).unwrap();
        let saved: Json = serde_json::from_str(&text).unwrap();
        let mut untouched = saved.clone();
        untouched["cells"][1] = cell.clone();
        assert_eq!(untouched.to_string(), whole.to_string(), "what was not touched, and its order");
        saved["cells"][1].clone()
    }

    fn code(source: &str) -> Json {
        json!({
            "cell_type": "code", "execution_count": 7, "id": "b", "metadata": {"m": [1.5]}, "source": source,
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["kept\n"]}],
        })
    }

    #[test]
    fn code_is_saved_as_it_is_typed_in_a_notebook() {
        for (source, function, expected) in [
            ("x = 1", "def cell_1():\n    x = 2\n\n    x\n  \n    x\n\n", "x = 2\n\nx\n  \nx"),
            ("", "def cell_1():\n    x = '''a\n  b'''\n    x\n  y", "x = '''a\n  b'''\nx\ny"),
            ("# a", "def cell_1():\n    # b\n    pass", "# b"),
            ("x\npass\n", "def cell_1():\n    y\n    pass", "y\npass"),
            (
                "%matplotlib inline\n!ls \\\n  -l\nx = 1",
                "def cell_1():\n    # %matplotlib inline\n    y = 1\n    get_ipython().system(\"ls -l\")\n    # -l",
                "%matplotlib inline\ny = 1\n!ls \\\n  -l",
            ),
            (
                "%%html\n<b>a</b>",
                "def cell_1():\n    x\n    get_ipython().run_cell_magic(\"html\", \"\", r\"\"\"\n<b>a</b>\n\"\"\")",
                "x\n%%html\n<b>a</b>",
            ),
        ] {
            let now = Now { code: Some(function.to_owned()), ..Now::default() };
            assert_eq!(saved(&code(source), now)["source"], expected, "{function}");
        }
        let mut listed = code("");
        listed["source"] = json!(["x = 1\n", "x"]);
        let code = Some("def cell_1():\n    x = 2\n    y".to_owned());
        assert_eq!(saved(&listed, Now { code, ..Now::default() })["source"], json!(["x = 2\n", "y"]));
    }

    #[test]
    fn outputs_are_new_where_they_differ() {
        let step = |stdout: &str, drawn: Vec<(String, Json)>| Shown {
            stdout: stdout.to_owned(),
            drawn,
            ..Shown::default()
        };
        let drawn = |kind: &str, data: Json| (kind.to_owned(), data);
        let ran = |steps| saved(&code("x"), Now { shown: Some(steps), ..Now::default() });
        assert_eq!(saved(&code("x"), Now::default()), code("x"));
        assert_eq!(ran(vec![step("ke", vec![]), step("pt\n", vec![])]), code("x"));
        let cell = ran(vec![
            step("a\nb", vec![drawn("image", json!("data:image/png;base64,AAAA"))]),
            step("c\n", vec![drawn("image", json!("data:image/svg+xml;utf8,<svg fill=%22%23fff%22/>"))]),
            step("d\n", vec![drawn("html", json!("<b>a</b>")), drawn("image", json!("a.png"))]),
        ]);
        let display = |data: Json| json!({"data": data, "metadata": {}, "output_type": "display_data"});
        let stream = |text: Json| json!({"name": "stdout", "output_type": "stream", "text": text});
        assert_eq!(
            cell["outputs"],
            json!([
                stream(json!(["a\n", "b"])),
                display(json!({"image/png": "AAAA"})),
                stream(json!(["c\n"])),
                display(json!({"image/svg+xml": "<svg fill=\"#fff\"/>"})),
                stream(json!(["d\n"])),
                display(json!({"text/html": ["<b>a</b>"]})),
                display(json!({"text/markdown": ["![](a.png)"]})),
            ])
        );
        assert_eq!(cell["execution_count"], 1);
        let raised = ["E", "v", "Traceback\nE: v"].map(str::to_owned);
        let failed = saved(&code("x"), Now { raised: Some(raised), ..Now::default() });
        assert_eq!(
            failed["outputs"],
            json!([{"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["Traceback", "E: v"]}])
        );
    }
}
