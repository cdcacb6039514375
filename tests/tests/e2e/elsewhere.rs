//! What a reader's own code does far from a mistake: long loops, lines above a function, programs of their own.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::By;

use crate::lecture::{LECTURE, TIME, gone, open_editor, still};
use crate::standing::{POSITION, write};
use crate::traces::{give, give_all};

/// Runs what is written in an open editor.
async fn run(page: &Page, scope: &str, text: &str) -> Result<()> {
    write(page, scope, text).await?;
    page.click(&format!("{scope} .editing"), "Run what is written").await
}

/// A loop that is longer than what is recorded leaves every cell, and what it has come to.
#[tokio::test]
async fn a_long_loop_leaves_every_cell_and_shows_its_end() -> Result<()> {
    check("elsewhere_loop", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        let all = page.cells().await?;
        open_editor(page, TIME).await?;
        let lines = "    n = 0\n    for i in range(20000):\n        n += i\n    print(n)\n    return 3.5e6";
        run(page, "#training_time", &format!("def training_time():\n    \"\"\"How long?\"\"\"\n{lines}"))
            .await?;
        page.reads("#training_time .output", "199990000").await?;
        still(page).await?;
        assert_eq!(page.cells().await?, all);
        // And one that is so long that nobody looks any more.
        run(page, "#training_time", &format!("def training_time():\n{}", lines.replace("20000", "200000")))
            .await?;
        page.reads("#training_time", "19999900000").await?;
        page.reads("#training_time", "is not shown line by line").await?;
        still(page).await?;
        assert_eq!(page.cells().await?, all);
        Ok(())
    })
    .await
}

/// What a question is about is not given away by a run before.
#[tokio::test]
async fn an_error_answers_no_question() -> Result<()> {
    check("elsewhere_question", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        let script = "const view = document.querySelector('#training_time .cm-content').cmTile.view;
            const text = view.state.doc.toString(), at = text.indexOf('total_flops / ');
            view.dispatch({ changes: { from: at, to: at + 11, insert: 'total_flop' } });";
        page.run(script, vec![]).await?;
        page.click("#training_time .editing", "Run what is written").await?;
        page.reads("#training_time .fault", "Line 21: NameError").await?;
        still(page).await?;
        let text = page.text("#training_time").await?;
        assert!(!text.contains("3.537 M") && text.contains("Guess first"), "{text}");
        Ok(())
    })
    .await
}

/// The same in a notebook, whose cells have no names of their own.
#[tokio::test]
async fn a_long_loop_in_a_notebook_hides_nothing() -> Result<()> {
    check("elsewhere_notebook", Options::default(), async |page| {
        let code = |source: &str| json!({"cell_type": "code", "metadata": {}, "execution_count": null, "source": source, "outputs": []});
        let cells = [code("n = 0\nfor i in range(100000):\n    n += 1\nprint(n)"), code("n + 1")];
        let notebook = json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells});
        page.lecture("resource-accounting", "").await?;
        give(page, "drop", "loop.ipynb", &notebook.to_string()).await?;
        page.click(".run-here", "Run it here").await?;
        page.reads("#cell_1", "100000").await?;
        page.reads("#cell_2", "100001").await?;
        still(page).await?;
        assert_eq!(page.cells().await?, ["cell_1", "cell_2"]);
        Ok(())
    })
    .await
}

/// Stopped, a cell stays where it was.
#[tokio::test]
async fn a_cell_that_is_stopped_stays_in_its_place() -> Result<()> {
    check("elsewhere_stop", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        let all = page.cells().await?;
        let titles = async || -> Result<Vec<String>> {
            let text = page.text(".lecture-contents ol").await?;
            let is_title = |line: &&str| !matches!(*line, "read" | "stopped" | "failed");
            Ok(text.lines().filter(is_title).map(str::to_owned).collect())
        };
        let contents = titles().await?;
        open_editor(page, TIME).await?;
        run(page, "#training_time", "def training_time():\n    n = 0\n    while True:\n        n += 1")
            .await?;
        page.reads("#training_time .fault", "It was stopped after 20 seconds").await?;
        still(page).await?;
        assert_eq!(page.cells().await?, all);
        assert_eq!(titles().await?, contents);
        Ok(())
    })
    .await
}

/// Lines are counted as the editor has them, whatever stands above the function.
#[tokio::test]
async fn what_stands_above_a_function_is_counted() -> Result<()> {
    check("elsewhere_above", Options::default(), async |page| {
        page.read(LECTURE, "storage_and_strides", "").await?;
        page.show_answers().await?;
        page.click(POSITION, "Write your code").await?;
        let helper = "import math\n\n\ndef helper(a):\n    return a / 0\n\n\n";
        write(page, POSITION, &format!("{helper}def position(index, stride):\n    return helper(index[0])"))
            .await?;
        page.click(POSITION, "Check").await?;
        page.reads(&format!("{POSITION} .fault"), "Line 5: ZeroDivisionError").await?;
        // What cannot be read was not called, and what is called wrongly says so at its first line.
        write(page, POSITION, "def position(index):\n    return 3").await?;
        page.click(POSITION, "Check").await?;
        page.reads(
            &format!("{POSITION} .fault"),
            "Line 1: TypeError: position() takes 1 positional argument",
        )
        .await?;
        write(page, POSITION, "def position(index, stride)\n    return 3").await?;
        page.click(POSITION, "Check").await?;
        page.reads(POSITION, "was not called: its code cannot be read").await?;
        page.click(&format!("{POSITION} .fault"), "Restore this exercise").await?;
        gone(page, ".fault").await
    })
    .await
}

/// A program whose functions have no titles ends at its first error, as under Python.
#[tokio::test]
async fn a_program_without_cells_ends_at_its_error() -> Result<()> {
    check("elsewhere_program", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        let program = "def scale(x):\n    return x * factors\n\n\ndef main():\n    print(\"begins\")\n    z = scale(2)\n    print(\"done\", z)\n\n\nmain()\n";
        give_all(page, "drop", json!([["mine.py", program]])).await?;
        page.reads(".fault", "NameError: name 'factors' is not defined").await?;
        page.reads(".document", "begins").await?;
        still(page).await?;
        assert!(!page.text(".document .output").await?.contains("done"));
        page.reads(".runner .broken", "failed").await?;
        assert_eq!(page.driver().find_all(By::Css(".fault")).await?.len(), 1);
        Ok(())
    })
    .await
}
