//! A training step that runs in the page, beside what the formulas say of it.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, WebGpu, check};

use crate::{appearance, calculators};

const CELL: &str = "#count";
const LINEAR: (&str, &str) = ("count-linear", "Count the deep linear model");
const TRANSFORMER: (&str, &str) = ("count-transformer", "Count the small Transformer");

/// Presses the button and waits until its sheet has what was counted.
async fn count(page: &Page, (calculator, button): (&str, &str)) -> Result<()> {
    page.click(CELL, button).await?;
    page.until("counted step", async || {
        Ok(rows(page, calculator, "products").await?.iter().all(|row| row.len() > 2).then_some(()))
    })
    .await
}

/// Whether nothing is counted of what the assumptions describe.
async fn is_uncounted(page: &Page, calculator: &str) -> Result<()> {
    page.until("sheet without a counted step", async || {
        Ok(rows(page, calculator, "products").await?.iter().all(|row| row.len() == 2).then_some(()))
    })
    .await
}

/// Cells of the rows of a calculator's table whose first column has that heading.
async fn rows(page: &Page, calculator: &str, heading: &str) -> Result<Vec<Vec<String>>> {
    let script = "const table = [...document.querySelectorAll(`#count .sheet.part-${arguments[0]} table`)]
            .find(table => table.querySelector('thead th').textContent === arguments[1]);
        return [...table?.querySelectorAll('tbody tr') ?? []].map(row =>
            [...row.children].map(cell => cell.textContent.trim()));";
    Ok(serde_json::from_value(page.run(script, vec![calculator.into(), heading.into()]).await?)?)
}

/// What a step does to the unit: products, parameters, gradients, optimizer state and activations are as predicted.
async fn nothing_is_off(page: &Page, calculator: &str) -> Result<()> {
    let products = rows(page, calculator, "products").await?;
    assert!(products.len() > 3, "{products:?}");
    for row in &products {
        assert_eq!((&row[1], row[3].as_str()), (&row[2], "0"), "{products:?}");
    }
    let memory = rows(page, calculator, "held for").await?;
    for purpose in ["parameters", "gradients", "optimizer state", "= activations of this engine"] {
        let row = memory.iter().find(|row| row[0] == purpose).with_context(|| format!("no {purpose}"))?;
        assert_eq!(row[3], "0", "{memory:?}");
    }
    let gradients = rows(page, calculator, "parameter").await?;
    let worst = gradients.last().and_then(|row| row.last()).context("no gradients")?;
    assert!(worst.parse::<f64>()? < 1e-3, "{gradients:?}");
    let script = "return document.querySelectorAll(`#count .part-${arguments[0]} .chart-area`).length;";
    assert!(page.run(script, vec![calculator.into()]).await?.as_u64() >= Some(4), "memory is not drawn");
    Ok(())
}

async fn counts_both(page: &Page, query: &str) -> Result<()> {
    calculators::open(page, query).await?;
    count(page, LINEAR).await?;
    nothing_is_off(page, LINEAR.0).await?;
    calculators::figure_is(page, CELL, "Counted while a step ran", "368 FLOP").await?;
    count(page, TRANSFORMER).await?;
    nothing_is_off(page, TRANSFORMER.0).await
}

#[tokio::test]
async fn the_processor_counts_what_was_predicted() -> Result<()> {
    check("count_cpu", Options { webgpu: WebGpu::None, ..Options::default() }, async |page| {
        counts_both(page, "?cell=count").await?;
        appearance::no_violation(page).await?;
        // Another step has another count; the old one is gone from view, and back with its step.
        let plain = rows(page, TRANSFORMER.0, "products").await?;
        page.named(CELL, "switch", "Checkpoint each block").await?.click().await?;
        is_uncounted(page, TRANSFORMER.0).await?;
        page.reads("#count .sheet.part-count-transformer", "Another step was counted").await?;
        count(page, TRANSFORMER).await?;
        nothing_is_off(page, TRANSFORMER.0).await?;
        let again = rows(page, TRANSFORMER.0, "products").await?;
        assert!(again.len() > plain.len(), "nothing is computed again: {again:?}");
        page.choose(CELL, "Format", "bf16").await?;
        page.choose(CELL, "Optimizer", "muon").await?;
        page.fill(CELL, "Micro-batches of a step", "3").await?;
        page.fill(CELL, "Points", "5").await?;
        count(page, LINEAR).await?;
        count(page, TRANSFORMER).await?;
        for calculator in [LINEAR.0, TRANSFORMER.0] {
            let products = rows(page, calculator, "products").await?;
            assert!(products.iter().all(|row| row[1] == row[2] && row[3] == "0"), "{products:?}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_gpu_counts_the_same() -> Result<()> {
    check("count_gpu", Options::default(), async |page| counts_both(page, "?cell=count&device=gpu").await)
        .await
}

#[tokio::test]
async fn a_step_that_cannot_be_is_refused_in_place() -> Result<()> {
    check("count_bad", Options { webgpu: WebGpu::None, ..Options::default() }, async |page| {
        calculators::open(page, "?cell=count").await?;
        let field = page.fill(CELL, "Heads", "5").await?;
        page.until("rule", async || {
            Ok(page.message_of(&field).await?.contains("a divisor of").then_some(()))
        })
        .await?;
        assert_eq!(field.prop("value").await?.as_deref(), Some("5"), "what was typed stays");
        page.fill(CELL, "Heads", "4").await?;
        is_uncounted(page, TRANSFORMER.0).await?;
        // One is cancelled, the next one runs.
        page.fill(CELL, "Width of the stream", "256").await?;
        page.fill(CELL, "Blocks", "8").await?;
        page.click(CELL, TRANSFORMER.1).await?;
        page.click(CELL, "Cancel").await?;
        page.reads("#count .counting", "Cancelled").await?;
        count(page, LINEAR).await
    })
    .await
}
