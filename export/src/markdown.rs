//! A lecture as one Markdown file.

use napkin_trace::trace::{Json, REST, Table, Value};

use crate::document::{Block, Document, marked};
use crate::script::{literal, undirected};

/// Prose, code between fences with the values that it showed as comments, and tables.
pub(crate) fn markdown(document: &Document) -> String {
    let imports = document.imports.iter().cloned().collect::<Vec<_>>().join("\n");
    let mut out = String::new();
    for (at, block) in document.blocks.iter().enumerate() {
        out += &match block {
            Block::Prose(text) => format!("{text}\n\n"),
            Block::Code { text, values } => {
                let values = values.iter().map(|(name, value)| format!("\n# {name} = {}", written(value)));
                fenced(&(undirected(text, false) + &values.collect::<String>()))
            }
            Block::Helpers(text) => fenced(text),
            Block::Drawing { table, .. } => table.as_ref().map(rows).unwrap_or_default(),
            Block::Check(_) => String::new(),
        };
        if at == 0 && !imports.is_empty() {
            out += &fenced(&imports);
        }
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// Code between fences that are longer than any of its own.
fn fenced(code: &str) -> String {
    let longest = code.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}python\n{code}\n{fence}\n\n")
}

fn rows(table: &Table) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |text: String| marked(&text).replace('|', "\\|").replace('\n', "<br>");
    let heads = table.columns.iter().cloned().map(cell).collect();
    let line = vec!["---".to_owned(); table.columns.len()];
    let rows =
        table.rows.iter().map(|cells| row(cells.iter().map(|it| cell(plain(&Value::nested(it)))).collect()));
    format!("{}{}{}\n", row(heads), row(line), rows.collect::<String>())
}

/// A text as it is, anything else as Python writes it.
fn plain(value: &Value) -> String {
    match &value.contents {
        Json::String(text) => text.clone(),
        _ => written(value),
    }
}

/// A value as Python writes it, near enough to be read.
pub(crate) fn written(value: &Value) -> String {
    let inner = |items: &[Json]| {
        items.iter().map(|item| written(&Value::nested(item))).collect::<Vec<_>>().join(", ")
    };
    match &value.contents {
        Json::String(text) if text == REST => REST.to_owned(),
        Json::Array(items) if value.shape.is_some() => format!("tensor([{}])", inner(items)),
        Json::Array(items) if value.kind == "tuple" => format!("({})", inner(items)),
        Json::Array(items) => format!("[{}]", inner(items)),
        Json::Object(entries) => {
            let entry = |(key, it): (&String, &Json)| format!("{key}: {}", written(&Value::nested(it)));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        contents => literal(value).unwrap_or_else(|| contents.to_string()),
    }
}
