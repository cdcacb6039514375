//! FLOPs and time: the lecture's figures, and products timed on this machine.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};

const CELL: &str = "#flops";

async fn figure_is(page: &Page, name: &str, start: &str) -> Result<()> {
    let what = format!("{name} of {start}");
    page.until(&what, async || Ok(page.figure(CELL, name).await?.starts_with(start).then_some(())))
        .await
        .with_context(|| format!("{name} is something else"))
}

#[tokio::test]
async fn the_lectures_figures_come_out() -> Result<()> {
    check("lecture_flops", Options::default(), async |page| {
        page.open("?cell=flops").await?;
        page.ready().await?;
        figure_is(page, "FLOPs of the product", "33,554,432 FLOP").await?;
        figure_is(page, "Training time", "143.92659381842682 day").await?;
        figure_is(page, "FLOPs of the whole training", "6,300,000,000,000,000,000,000,000 FLOP").await?;
        figure_is(page, "FLOPs of all GPUs in a day", "43,772,313,600,000,000,000,000 FLOP").await?;
        figure_is(page, "GPU-hours", "3,537,1").await?;
        for (name, text) in [("B", "16384"), ("D", "32768"), ("K", "8192")] {
            page.fill(CELL, name, text).await?;
        }
        figure_is(page, "FLOPs of the product", "8,796,093,022,208 FLOP").await?;
        page.named(CELL, "switch", "Use the rate for 2:4 sparse matrices").await?.click().await?;
        figure_is(page, "Training time", "71.963").await
    })
    .await
}

#[tokio::test]
async fn the_numbers_follow_a_slider() -> Result<()> {
    check("slider", Options::default(), async |page| {
        page.open("?cell=flops").await?;
        page.ready().await?;
        let slider = page.named(CELL, "slider", "MFU, slider").await?;
        slider.focus().await?;
        page.press(thirtyfour::Key::Left + "").await?;
        // 0.49 instead of 0.5.
        figure_is(page, "Training time", "146.86").await?;
        page.press(thirtyfour::Key::End + "").await?;
        figure_is(page, "Training time", "71.963").await?;
        let field = page.named(CELL, "textbox", "MFU").await?;
        assert_eq!(field.value().await?.as_deref(), Some("1"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn results_show_how_they_come_about() -> Result<()> {
    check("working", Options::default(), async |page| {
        page.open("?cell=flops").await?;
        page.ready().await?;
        let script = "const all = [...document.querySelectorAll('#flops details.working')];
            all.forEach(details => details.open = true);
            return all.map(details => ({text: details.textContent,
                links: [...details.querySelectorAll('a')].map(link => link.href)}));";
        let workings = page.run(script, vec![]).await?;
        let [product, run] = workings.as_array().context("no list")?.as_slice() else {
            panic!("{workings:#}");
        };
        assert!(product["text"].as_str().is_some_and(|text| text.contains("33.55")), "{product:#}");
        assert!(run["text"].as_str().is_some_and(|text| text.contains("6")), "{run:#}");
        let links = run["links"].as_array().context("no links")?;
        assert!(!links.is_empty(), "the peak rate has a source");
        Ok(())
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
        page.open("?cell=flops&flops.b=130&flops.d=65&flops.k=67").await?;
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
        page.open("?cell=flops&flops.b=1048576&flops.d=1048576&flops.k=1048576").await?;
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
        for device in ["CPU", "GPU"] {
            assert!(time_it(page, device).await?.contains("32 × 32 × 32"));
        }
        Ok(())
    })
    .await
}
