//! A lecture as a Jupyter notebook that runs under PyTorch: <https://nbformat.readthedocs.io>, version 4.5.

use serde_json::{Value, json};

use crate::document::{Block, Document};
use crate::script::printing;

/// What draws in the place of `napkin`.
const SHOW: &str = include_str!("show.py");

/// What is told first.
const ABOUT: &str = "This notebook needs PyTorch, as in Colab. Run its cells from top to bottom. It has the questions and no \
    answers: those are on the lecture's page, where you see them once you have chosen.";

/// Packages that neither PyTorch nor Python brings.
const PACKAGES: [&str; 3] = ["einops", "jaxtyping", "safetensors"];

/// The notebook as JSON.
pub(crate) fn notebook(document: &Document) -> Result<String, String> {
    let Document { blocks, imports } = document;
    let draws = blocks.iter().any(|block| matches!(block, Block::Drawing { .. }));
    let is_imported = |package: &&str| {
        imports
            .iter()
            .any(|line| line.split(' ').nth(1).is_some_and(|it| it.split('.').next() == Some(*package)))
    };
    let packages: Vec<&str> =
        PACKAGES.into_iter().filter(is_imported).chain(draws.then_some("matplotlib")).collect();
    let mut first = Vec::new();
    if !packages.is_empty() {
        first.push(code(&format!("%pip install -q {}", packages.join(" ")), &json!({})));
    }
    if !imports.is_empty() {
        first.push(code(&imports.iter().cloned().collect::<Vec<_>>().join("\n"), &json!({})));
    }
    if draws {
        first.push(code(SHOW.trim_end(), &folded()));
    }
    let mut cells: Vec<Value> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        cells.push(match block {
            Block::Prose(text) if at == 0 => prose(&format!("{text}\n\n{ABOUT}")),
            Block::Prose(text) => prose(text),
            Block::Code { text, .. } => code(&printing(text), &json!({})),
            Block::Helpers(text) | Block::Drawing { text, .. } => code(text, &json!({})),
            Block::Check(text) => code(text, &folded()),
        });
        if at == 0 {
            cells.append(&mut first);
        }
    }
    for (at, cell) in cells.iter_mut().enumerate() {
        cell["id"] = format!("cell-{}", at + 1).into();
    }
    let whole = json!({
        "cells": cells,
        "metadata": {
            "kernelspec": { "display_name": "Python 3", "language": "python", "name": "python3" },
            "language_info": { "name": "python" },
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    });
    serde_json::to_string_pretty(&whole).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// The metadata of code that stays out of sight: in Jupyter, and in Colab.
fn folded() -> Value {
    json!({ "jupyter": { "source_hidden": true }, "cellView": "form" })
}

fn prose(text: &str) -> Value {
    json!({ "cell_type": "markdown", "id": "", "metadata": {}, "source": text })
}

fn code(text: &str, metadata: &Value) -> Value {
    json!({
        "cell_type": "code",
        "execution_count": null,
        "id": "",
        "metadata": metadata,
        "outputs": [],
        "source": text,
    })
}
