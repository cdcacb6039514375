//! This machine, measured in the page.

use anyhow::{Context, Result, bail};
use napkin_tests::{Options, Page, WebGpu, check};
use serde_json::Value;
use thirtyfour::Key;

use crate::{appearance, calculators, training};

const CELL: &str = "#machine";

/// Samples of a millisecond: what is measured is no matter here.
const QUICK: &str = "?cell=machine&samples=1";

async fn open(page: &Page, query: &str) -> Result<()> {
    calculators::open(page, query).await
}

/// Measures a device; a software GPU takes longer than tests usually wait, but it never stands still.
async fn measure(page: &Page, device: &str) -> Result<()> {
    let progress = "return document.querySelector('#machine .progress p').textContent;";
    let said = "return document.querySelector('#machine .progress').hidden
        ? document.querySelector('#machine .part-measure > .remark').textContent : '';";
    page.click(CELL, &format!("Measure the {device}")).await?;
    let mut last = Value::Null;
    loop {
        let moved = page.until("progress", async || {
            let said = page.run(said, vec![]).await?;
            let now = page.run(progress, vec![]).await?;
            Ok((now != last || said != "").then_some((now, said)))
        });
        let (now, said) = moved.await?;
        match said.as_str() {
            Some("") => last = now,
            Some(said) if said.starts_with("Measured.") => return Ok(()),
            _ => bail!("after {last} the page says {said}"),
        }
    }
}

/// Labels and columns of a table in the cell.
async fn rows(page: &Page, name: &str) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll(`#machine .part-${arguments[0]} tbody tr`)]
        .map(row => row.textContent);";
    Ok(serde_json::from_value(page.run(script, vec![name.into()]).await?)?)
}

/// The record that the button saves.
async fn exported(page: &Page) -> Result<Value> {
    let catch = "const real = URL.createObjectURL;
        URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return real.call(URL, blob); };";
    page.run(catch, vec![]).await?;
    page.click(CELL, "Save the record").await?;
    let text = page.until("saved record", async || {
        Ok(page.run("return window.saved ?? null;", vec![]).await?.as_str().map(str::to_owned))
    });
    serde_json::from_str(&text.await?).context("the record is no JSON")
}

async fn has_charts(page: &Page) -> Result<()> {
    page.until("roofline and heat map", async || {
        let script = "return document.querySelectorAll('#machine .part-roofline svg .chart-line').length > 0
            && document.querySelectorAll('#machine .part-mfu svg .chart-shade').length > 3;";
        Ok((page.run(script, vec![]).await? == true).then_some(()))
    })
    .await
}

#[tokio::test]
async fn the_processor_is_measured_kept_and_exported() -> Result<()> {
    check("machine_cpu", Options { webgpu: WebGpu::None, ..Options::default() }, async |page| {
        open(page, QUICK).await?;
        assert!(!page.named(CELL, "button", "Measure the GPU").await?.is_enabled().await?);
        assert!(rows(page, "operations").await?.is_empty());
        measure(page, "CPU").await?;
        has_charts(page).await?;
        let record = exported(page).await?;
        assert_eq!((&record["format"], &record["device"]), (&"napkin-machine-1".into(), &"cpu".into()));
        let operations = record["operations"].as_array().context("no operations")?.len();
        assert_eq!(rows(page, "operations").await?.len(), operations);
        appearance::no_violation(page).await?;

        // The next visit finds the measured roofs, and lays promised ones under them.
        open(page, "?cell=machine").await?;
        page.wake("machine").await?;
        has_charts(page).await?;
        let field = page.named(CELL, "textbox", "Roofs to compare with").await?;
        page.type_into(&field, "h100-sxm").await?;
        page.until("promised roof", async || {
            let text = page.text("#machine .part-roofline").await?;
            Ok(text.contains("promised").then_some(()))
        })
        .await?;

        page.click(CELL, "Forget it").await?;
        page.until("nothing", async || Ok(rows(page, "operations").await?.is_empty().then_some(()))).await?;
        open(page, "?cell=machine").await?;
        assert!(rows(page, "operations").await?.is_empty());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_gpu_is_measured_while_training_waits() -> Result<()> {
    check("machine_gpu", Options::default(), async |page| {
        open(page, &format!("{QUICK}&training.steps=1000000")).await?;
        page.wake("training").await?;
        page.click("#training", "Run").await?;
        training::steps_taken(page, 10.0).await?;
        page.wake("machine").await?;
        measure(page, "GPU").await?;
        has_charts(page).await?;
        // It has waited, not stopped.
        page.click("#training", "Pause").await?;
        let record = exported(page).await?;
        assert_eq!((&record["device"], &record["backend"]), (&"gpu".into(), &"webgpu".into()));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn expressions_are_measured_and_refused() -> Result<()> {
    check("machine_expression", Options::default(), async |page| {
        open(page, QUICK).await?;
        page.choose(CELL, "Device", "cpu").await?;
        for expression in ["[64, 65] @ [65, 17]", "einsum(\"i k, k j -> i j\", 8x9, 9x7)"] {
            page.fill(CELL, "Expression", expression).await?;
            page.click(CELL, "Measure it").await?;
            page.reads("#machine .measured-expressions", expression).await?;
            page.reads("#machine .part-roofline", &format!("{expression} float32")).await?;
        }
        for (bad, why) in [("softmax(", "On the CPU: "), ("[3, 4] @ [5, 6]", "mat1 and mat2")] {
            let field = page.fill(CELL, "Expression", bad).await?;
            page.click(CELL, "Measure it").await?;
            page.until(why, async || Ok(page.message_of(&field).await?.contains(why).then_some(()))).await?;
            assert_eq!(field.prop("value").await?.as_deref(), Some(bad), "what was typed stays");
        }
        open(page, "?cell=machine").await?;
        page.reads("#machine .measured-expressions", "einsum").await?;
        page.click(CELL, "Remove [64, 65] @ [65, 17] float32").await?;
        page.until("one expression", async || {
            let script = "return document.querySelectorAll('#machine .measured-expressions li').length;";
            Ok((page.run(script, vec![]).await? == 1).then_some(()))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn a_survey_is_cancelled_and_another_one_runs() -> Result<()> {
    check("machine_cancel", Options { webgpu: WebGpu::None, ..Options::default() }, async |page| {
        open(page, "?cell=machine&samples=2000&training.steps=1e9").await?;
        page.click(CELL, "Measure the CPU").await?;
        page.reads("#machine .progress p", " of ").await?;
        page.focused("Measure the CPU").await?;
        page.click(CELL, "Cancel").await?;
        page.reads("#machine .part-measure > .remark", "Cancelled").await?;
        let again = page.named(CELL, "button", "Measure the CPU").await?;
        assert!(page.is_enabled(&again).await?);
        // Who has pressed a button is still there, and one that has nothing to do does nothing.
        page.focused("Cancel").await?;
        page.press(Key::Enter + "").await?;
        // The engine that stood still goes on.
        page.wake("training").await?;
        page.click("#training", "Run").await?;
        training::steps_taken(page, 10.0).await?;
        page.click("#training", "Pause").await?;
        page.choose(CELL, "Device", "cpu").await?;
        page.click(CELL, "Measure it").await?;
        page.reads("#machine .measured-expressions", "softmax(1024x1024) float32").await
    })
    .await
}
