//! All formulas on a page: numbers that follow, and a sheet of paper.

use anyhow::{Context, Result};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use napkin_tests::{Options, Page, check};
use serde_json::json;

use crate::appearance::no_violation;
use crate::calculators;

const CELL: &str = "#formulas";

/// The numbers of a row: those of the chosen model, and of the lecture's small GPT.
async fn row_is(page: &Page, title: &str, wanted: [&str; 2]) -> Result<()> {
    page.until(&format!("{title}: {wanted:?}"), async || {
        let script = "const rows = [...document.querySelectorAll('#formulas tbody tr')];
            const row = rows.find(row => row.querySelector('th').textContent === arguments[0]);
            return [...row.querySelectorAll('.cell-value')].map(value => value.firstChild.textContent.trim());";
        Ok((page.run(script, vec![json!(title)]).await? == json!(wanted)).then_some(()))
    })
    .await
}

#[tokio::test]
async fn every_formula_has_its_number_for_two_models() -> Result<()> {
    check("formulas", Options::default(), async |page| {
        calculators::open(page, "?cell=formulas").await?;
        row_is(page, "weights", ["32.12 GB", "12.84 MB"]).await?;
        let drawn = "return [...document.querySelectorAll('#formulas tbody tr')].map(row =>
            [row.querySelectorAll('td:nth-child(2) math').length, row.querySelector('.symbols') !== null]);";
        let rows = page.run(drawn, vec![]).await?;
        let rows = rows.as_array().context("no rows")?;
        assert!(rows.len() > 20 && rows.iter().all(|row| *row == json!([1, true])), "{rows:?}");
        page.choose(CELL, "Model", "gpt-2").await?;
        row_is(page, "weights", ["497.8 MB", "12.84 MB"]).await?;
        page.choose(CELL, "What training keeps", "bf16").await?;
        row_is(page, "weights", ["248.9 MB", "6.418 MB"]).await?;
        no_violation(page).await
    })
    .await
}

#[tokio::test]
async fn printed_alone_they_are_one_sheet() -> Result<()> {
    check("formulas_on_paper", Options::default(), async |page| {
        for model in ["llama-3.1-8b", "deepseek-v3"] {
            page.go(&format!("tools.html?v=3&embed=formulas&calc.architecture={model}")).await?;
            page.live().await?;
            page.wake("formulas").await?;
            let pdf = page.devtools("Page.printToPDF", json!({"preferCSSPageSize": true})).await?;
            let pdf = BASE64_STANDARD.decode(pdf["data"].as_str().context("no paper")?)?;
            let text = String::from_utf8_lossy(&pdf);
            let pages = text.matches("/Type /Page").count() - text.matches("/Type /Pages").count();
            assert_eq!(pages, 1, "{model}");
        }
        Ok(())
    })
    .await
}
