//! FLOPs and time: the lecture's figures, and products timed on this machine.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};

use crate::calculators::{self, figure_is};

const CELL: &str = "#flops";

#[tokio::test]
async fn the_lectures_figures_come_out() -> Result<()> {
    check("lecture_flops", Options::default(), async |page| {
        calculators::open(page, "?cell=flops").await?;
        figure_is(page, CELL, "FLOPs of the product", "33,554,432 FLOP").await?;
        for (name, text) in [("B", "16384"), ("D", "32768"), ("K", "8192")] {
            page.fill(CELL, name, text).await?;
        }
        figure_is(page, CELL, "FLOPs of the product", "8,796,093,022,208 FLOP").await?;
        // The product that is timed is the one above.
        page.reads("#flops .part-here .code-line", "torch.ones(16384, 32768, dtype=torch.bfloat16)").await?;
        page.choose(CELL, "Format of the products", "tf32").await?;
        page.reads("#flops .part-here .code-line", "no tf32").await
    })
    .await
}

/// Times a small product and returns the text of the newest row.
pub async fn time_it(page: &Page, device: &str) -> Result<String> {
    let rows =
        "return document.querySelectorAll('#flops [aria-label=\"Measured products\"] tbody tr').length;";
    let before = page.run(rows, vec![]).await?;
    page.click(CELL, &format!("Time it on the {device}")).await?;
    page.until("measurement", async || Ok((page.run(rows, vec![]).await? != before).then_some(()))).await?;
    let script =
        "return document.querySelector('#flops [aria-label=\"Measured products\"] tbody tr').innerText;";
    Ok(page.run(script, vec![]).await?.as_str().context("no text")?.to_owned())
}

#[tokio::test]
async fn products_are_timed_here() -> Result<()> {
    check("timed_here", Options::default(), async |page| {
        page.open("?cell=flops&calc.b=130&calc.d=65&calc.k=67&calc.dtype=fp32").await?;
        page.ready().await?;
        let mut devices = Vec::new();
        for device in ["CPU", "GPU"] {
            let row = time_it(page, device).await?;
            assert!(row.contains("130 × 65 × 67") && row.contains("FLOP/s"), "{row}");
            let error = row.split_whitespace().find(|word| word.contains("e-")).context("no error column")?;
            assert!(error.parse::<f64>()? < 1e-5, "{row}");
            devices.push(row.lines().next().unwrap_or_default().to_owned());
        }
        assert_ne!(devices[0], devices[1]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_product_beyond_memory_is_refused_and_nothing_is_lost() -> Result<()> {
    check("beyond_memory", Options::default(), async |page| {
        page.open("?cell=flops&calc.b=1048576&calc.d=1048576&calc.k=1048576").await?;
        page.ready().await?;
        for device in ["CPU", "GPU"] {
            page.click(CELL, &format!("Time it on the {device}")).await?;
            let refusal = page.until("refusal", async || {
                let text = page.text("#flops .remark.is-bad").await?;
                Ok((!text.is_empty()).then_some(text))
            });
            let refusal = refusal.await?;
            assert!(refusal.split_whitespace().count() > 4, "{device}: {refusal}");
        }
        for name in ["B", "D", "K"] {
            page.fill(CELL, name, "32").await?;
        }
        page.reads("#flops .part-here .code-line", "torch.ones(32, 32,").await?;
        for device in ["CPU", "GPU"] {
            assert!(time_it(page, device).await?.contains("32 × 32 × 32"));
        }
        Ok(())
    })
    .await
}
