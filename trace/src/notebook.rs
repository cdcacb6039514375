//! Notebooks as lectures: `.ipynb`, nbformat 4.
//!
//! A notebook is read as a program. Each code cell is a function `cell_1`, `cell_2`, … that `main` calls, between the prose
//! of its Markdown. Python compiles such a function as what it was, a piece of one module whose names are those of all
//! cells. What the file has kept of outputs is the trace of that program until it runs.

mod escapes;
mod outputs;
mod program;
mod saved;
mod typed;

pub use escapes::{as_ipython, python};
pub use program::{is_cell, is_notebook};
pub use saved::save;
pub use typed::{function, typed, typed_cells};

use crate::trace::{Json, MOST_BYTES, Map, Rendering, StackElement, Step, Trace};
use outputs::Kept;
use program::{Program, Statement};

/// More code cells nobody wrote by hand.
const MOST_CELLS: usize = 2_000;

/// A cell as its author typed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) kind: Kind,
    pub(crate) source: String,
}

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Markdown,
    Code,
    /// Neither is run nor read.
    Raw,
}

/// The program that a notebook is; `name` is what its file is called.
///
/// # Errors
/// With a sentence without its full stop: if it is no JSON, or no notebook that can be read.
pub fn source(json: &str, name: &str) -> Result<String, String> {
    Ok(Program::new(&cells(&whole(json)?)?, name).text)
}

/// A notebook with the outputs that its file has kept, as a trace; `name` is what its file is called.
///
/// # Errors
/// With a sentence without its full stop, if the text is no JSON or too long, its format is not nbformat 4 or its language is
/// not Python, or it has no cells, or one that is none.
pub fn read(json: &str, name: &str) -> Result<Trace, String> {
    trace(&whole(json)?, name)
}

fn whole(json: &str) -> Result<Json, String> {
    if json.len() > MOST_BYTES {
        return Err(format!(
            "A notebook of {} MB is too large: at most {} MB are read",
            json.len() / 1_000_000,
            MOST_BYTES / 1_000_000
        ));
    }
    serde_json::from_str(json).map_err(|error| format!("This is not JSON: {error}"))
}

fn trace(whole: &Json, name: &str) -> Result<Trace, String> {
    let cells = cells(whole)?;
    let program = Program::new(&cells, name);
    let mut steps = Vec::new();
    let place = |line: u32, last: u32, function: &str| StackElement {
        path: name.to_owned(),
        line_number: line,
        function_name: function.to_owned(),
        code: program.text.lines().nth(line.saturating_sub(1) as usize).map(|line| line.trim().to_owned()),
        end_line_number: (last > line).then_some(last),
    };
    let module = place(program.call, program.call, "<module>");
    let main = |line, last| vec![module.clone(), place(line, last, "main")];
    steps.push(Step { stack: vec![module.clone()], ..Step::default() });
    for statement in &program.statements {
        match statement {
            Statement::Drawn { lines, rendering } => steps.push(Step {
                stack: main(lines.0, lines.1),
                renderings: vec![Rendering::clone(rendering)],
                ..Step::default()
            }),
            Statement::Called { line, cell, function, last } => {
                steps.push(Step { stack: main(*line, *line), ..Step::default() });
                let kept = whole.pointer(&format!("/cells/{cell}/outputs")).map(Kept::of).unwrap_or_default();
                let mut stack = main(*line, *line);
                stack.push(place(last.0, last.1, function));
                let Kept { renderings, stdout, stderr } = kept;
                steps.push(Step { stack, renderings, stdout, stderr, ..Step::default() });
            }
        }
    }
    let files = Map::from_iter([(name.to_owned(), program.text.clone())]);
    Ok(Trace { files, steps, is_recorded: true, ..Trace::default() })
}

/// The cells of a notebook.
fn cells(whole: &Json) -> Result<Vec<Cell>, String> {
    match whole.get("nbformat").and_then(Json::as_u64) {
        Some(4) => {}
        Some(old @ 1..4) => {
            return Err(format!(
                "This notebook has version {old} of the format: save it again with Jupyter, which makes it version 4, \
                 and open that"
            ));
        }
        Some(new) => return Err(format!("This notebook has version {new} of the format: 4 is read")),
        None => return Err("This is not a notebook: it has no “nbformat”".to_owned()),
    }
    let language = whole
        .pointer("/metadata/kernelspec/language")
        .or_else(|| whole.pointer("/metadata/language_info/name"))
        .and_then(Json::as_str);
    if let Some(language) = language.filter(|it| !is_python(it)) {
        return Err(format!("This notebook is written in {}: only Python runs here", short(language)));
    }
    let cells = whole.get("cells").and_then(Json::as_array);
    let cells = cells.ok_or_else(|| "This is not a notebook: it has no list of “cells”".to_owned())?;
    if cells.len() > MOST_CELLS {
        return Err(format!("This notebook has {} cells: at most {MOST_CELLS} are read", cells.len()));
    }
    cells
        .iter()
        .enumerate()
        .map(|(at, it)| cell(it).map_err(|why| format!("Cell {at} of this notebook {why}")))
        .collect()
}

/// The first words of what a file says, for a sentence.
fn short(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(40).collect()
}

fn is_python(language: &str) -> bool {
    let language = language.to_ascii_lowercase();
    language.is_empty() || language.contains("python")
}

fn cell(it: &Json) -> Result<Cell, String> {
    let kind = match it.get("cell_type").and_then(Json::as_str) {
        Some("markdown") => Kind::Markdown,
        Some("code") => Kind::Code,
        Some("raw") => Kind::Raw,
        Some(other) => return Err(format!("is of a type that is not known, “{}”", short(other))),
        None => return Err("has no “cell_type”".to_owned()),
    };
    let source = it.get("source").and_then(joined).ok_or_else(|| "has no text in “source”".to_owned())?;
    let source = match (kind, it.get("attachments").and_then(Json::as_object)) {
        (Kind::Markdown, Some(attached)) => with_attached(source, attached),
        _ => source,
    };
    Ok(Cell { kind, source })
}

/// A text that is one string, or a list of its lines.
pub(crate) fn joined(json: &Json) -> Option<String> {
    let text = match json {
        Json::String(text) => text.clone(),
        Json::Array(lines) => lines.iter().map(|line| line.as_str()).collect::<Option<Vec<_>>>()?.concat(),
        _ => return None,
    };
    Some(text.replace("\r\n", "\n"))
}

/// Markdown with the pictures in place that its cell carries.
fn with_attached(mut text: String, attached: &serde_json::Map<String, Json>) -> String {
    for (name, kinds) in attached {
        let picture = kinds.as_object().into_iter().flatten().find(|(kind, _)| kind.starts_with("image/"));
        if let Some((kind, data)) = picture.and_then(|(kind, data)| Some((kind, joined(data)?))) {
            let address = outputs::address(kind, &data);
            for written in [name.clone(), name.replace(' ', "%20")] {
                text = text.replace(&format!("attachment:{written})"), &format!("{address})"));
                text = text.replace(&format!("attachment:{written}\""), &format!("{address}\""));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn notebook(cells: &Json) -> Json {
        json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    }

    #[test]
    fn a_notebook_is_a_program_with_what_it_has_kept() {
        let trace = trace(
            &notebook(&json!([
                {"cell_type": "markdown", "source": ["# Two\n", "and *more*"]},
                {"cell_type": "code", "source": "x = 1\n\nx + 1", "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
                    {"output_type": "execute_result", "data": {"text/plain": "2"}, "metadata": {}, "execution_count": 1},
                ]},
                {"cell_type": "raw", "source": "kept"},
                {"cell_type": "code", "source": "", "outputs": []},
            ])),
            "two.ipynb",
        )
        .unwrap();
        let text = &trace.files["two.ipynb"];
        assert!(text.starts_with("\"\"\"Two\"\"\"\n"), "{text}");
        assert!(text.contains("def cell_1():\n    x = 1\n\n    x + 1\n"), "{text}");
        assert!(text.contains("def cell_2():\n    pass\n"), "{text}");
        crate::trace::check_places(&trace).unwrap();
        let cell: Vec<_> =
            trace.steps.iter().filter(|step| step.stack.last().unwrap().function_name == "cell_1").collect();
        assert_eq!(cell.len(), 1);
        assert_eq!(cell[0].stack.last().unwrap().code.as_deref(), Some("x + 1"));
        assert_eq!(cell[0].stdout, "a\nb\n2\n");
        let drawn: Vec<_> =
            trace.steps.iter().flat_map(|step| &step.renderings).map(|it| it.data.clone()).collect();
        assert_eq!(drawn, [json!("# Two\nand *more*"), json!("```\nkept\n```")]);
    }

    #[test]
    fn what_is_no_notebook_of_python_is_a_sentence() {
        for (whole, says) in [
            (json!({"nbformat": 3, "worksheets": []}), "version 3 of the format: save it again"),
            (json!({"nbformat": 5, "cells": []}), "version 5"),
            (json!({"cells": []}), "no “nbformat”"),
            (json!({"nbformat": 4}), "no list of “cells”"),
            (
                json!({"nbformat": 4, "cells": [], "metadata": {"kernelspec": {"language": "R"}}}),
                "written in R",
            ),
            (notebook(&json!([{"cell_type": "code"}])), "Cell 0 of this notebook has no text"),
            (
                notebook(&json!([{"cell_type": "code", "source": ""}, {"source": ""}])),
                "Cell 1 of this notebook has no “cell",
            ),
            (notebook(&json!([{"cell_type": "heading", "source": ""}])), "“heading”"),
        ] {
            let why = trace(&whole, "a.ipynb").unwrap_err();
            assert!(why.contains(says), "{whole}: {why}");
        }
    }

    #[test]
    fn what_a_cell_carries_is_in_its_text() {
        let whole = notebook(&json!([{
            "cell_type": "markdown", "source": "see\n\n![two dots](attachment:two%20dots.png)\n\nand on",
            "attachments": {"two dots.png": {"image/png": "AAAA\nBBBB"}},
        }]));
        let trace = trace(&whole, "a.ipynb").unwrap();
        let drawn: Vec<_> = trace.steps.iter().flat_map(|step| &step.renderings).collect();
        assert_eq!(drawn.iter().map(|it| &*it.kind).collect::<Vec<_>>(), ["markdown", "image", "markdown"]);
        assert_eq!(drawn[1].data, json!("data:image/png;base64,AAAABBBB"));
    }
}
