//! A notebook as a file again: what was changed is in it, and the rest is as it was.

use serde::Serialize;
use serde_json::json;

use super::outputs::{Kept, picture};
use super::program::CELL;
use super::typed::typed;
use super::{Kind, cells, whole};
use crate::trace::Json;

/// A notebook's file with what has become of its cells of code. Outputs are new where a cell has shown something else than
/// the file has kept.
///
/// `now` has a list for the function of each cell: its text as a reader has changed it; what its statements have shown, one
/// after the other, as lists `[stdout, stderr, [[kind, data], …]]`; and the class of the exception that has ended it, what
/// that says, and Python's traceback. Each of the three is null where there is no such thing.
///
/// # Errors
/// As [`super::read`].
pub fn save(json: &str, now: &Json) -> Result<String, String> {
    let mut whole = whole(json)?;
    let sources = cells(&whole)?;
    let all = whole.get_mut("cells").and_then(Json::as_array_mut).into_iter().flatten();
    let code = all.zip(&sources).filter(|(_, cell)| cell.kind == Kind::Code);
    for (number, (cell, source)) in (1..).zip(code) {
        let Some(now) = now.get(format!("{CELL}{number}")) else { continue };
        if let Some(code) = now[0].as_str() {
            let text = typed(code, &source.source);
            cell["source"] = match &cell["source"] {
                Json::String(_) => Json::from(text),
                _ => lines(&text),
            };
        }
        if now[1].is_null() && now[2].is_null() {
            continue;
        }
        let outputs = outputs(&now[1], &now[2]);
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

/// A text as a list of its lines.
fn lines(text: &str) -> Json {
    text.split_inclusive('\n').collect()
}

/// What a cell has shown, as a notebook keeps it: texts that follow each other on a stream are one.
fn outputs(shown: &Json, raised: &Json) -> Json {
    let (mut all, mut name, mut text) = (Vec::new(), "", String::new());
    let end = |all: &mut Vec<Json>, name: &str, text: &mut String| {
        if !text.is_empty() {
            all.push(json!({"name": name, "output_type": "stream", "text": lines(text)}));
            text.clear();
        }
    };
    for step in listed(shown) {
        for (at, stream) in ["stdout", "stderr"].into_iter().enumerate() {
            let more = step[at].as_str().unwrap_or_default();
            if stream != name && !more.is_empty() {
                end(&mut all, name, &mut text);
                name = stream;
            }
            text.push_str(more);
        }
        for drawn in listed(&step[2]) {
            end(&mut all, name, &mut text);
            let data = data(drawn[0].as_str().unwrap_or_default(), &drawn[1]);
            all.push(json!({"data": data, "metadata": {}, "output_type": "display_data"}));
        }
    }
    end(&mut all, name, &mut text);
    if let [kind, message, traceback] = listed(raised) {
        let traceback: Vec<&str> = traceback.as_str().unwrap_or_default().lines().collect();
        all.push(json!({
            "ename": kind, "evalue": message, "output_type": "error", "traceback": traceback,
        }));
    }
    Json::Array(all)
}

fn listed(of: &Json) -> &[Json] {
    of.as_array().map(Vec::as_slice).unwrap_or_default()
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

    fn saved(cell: &Json, now: &Json) -> Json {
        let whole = json!({
            "metadata": {"z": 1, "kernelspec": {"name": "k"}}, "nbformat_minor": 5, "nbformat": 4,
            "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A"}, cell],
        });
        let text = save(&whole.to_string(), &json!({"cell_1": now})).unwrap();
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
            let now = json!([function, null, null]);
            assert_eq!(saved(&code(source), &now)["source"], expected, "{function}");
        }
        let mut listed = code("");
        listed["source"] = json!(["x = 1\n", "x"]);
        let now = json!(["def cell_1():\n    x = 2\n    y", null, null]);
        assert_eq!(saved(&listed, &now)["source"], json!(["x = 2\n", "y"]));
    }

    #[test]
    fn outputs_are_new_where_they_differ() {
        let step = |stdout: &str, drawn: Vec<Json>| json!([stdout, "", drawn]);
        let drawn = |kind: &str, data: Json| json!([kind, data]);
        let ran = |steps: Vec<Json>| saved(&code("x"), &json!([null, steps, null]));
        assert_eq!(saved(&code("x"), &json!([null, null, null])), code("x"));
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
        let failed = saved(&code("x"), &json!([null, null, ["E", "v", "Traceback\nE: v"]]));
        assert_eq!(
            failed["outputs"],
            json!([{"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["Traceback", "E: v"]}])
        );
    }
}
