//! The training loop: it learns, on both devices, and does what its buttons say.

use std::time::Duration;

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};

const CELL: &str = "#training";

/// What the cell reads under a name such as "Step".
async fn reading(page: &Page, name: &str) -> Result<Option<f64>> {
    let script = "const terms = [...document.querySelectorAll('#training .readings dt')];
        return terms.find(term => term.textContent === arguments[0])?.nextElementSibling.textContent ?? null;";
    let text = page.run(script, vec![name.into()]).await?;
    let text = text.as_str().with_context(|| format!("no reading “{name}”"))?;
    Ok(text.parse().ok())
}

/// Waits until so many steps are taken.
pub async fn steps_taken(page: &Page, steps: f64) -> Result<()> {
    page.until(&format!("step {steps}"), async || {
        Ok(reading(page, "Step").await?.filter(|step| *step >= steps).map(drop))
    })
    .await
}

/// First and last loss of the curve, from the words that describe it.
async fn losses(page: &Page) -> Result<(f64, f64)> {
    let script = "return document.querySelector('#training canvas').getAttribute('aria-label');";
    let words = page.run(script, vec![]).await?;
    let words = words.as_str().context("the curve has no words")?;
    let mut numbers =
        words.split_whitespace().filter_map(|word| word.trim_end_matches('.').parse::<f64>().ok());
    let (first, _, last) = (numbers.next(), numbers.next(), numbers.next());
    Ok((first.context("no first loss")?, last.context("no last loss")?))
}

/// How many pixels of the curve's canvas have the curve's colour.
async fn curve_pixels(page: &Page) -> Result<u64> {
    let script = "const canvas = document.querySelector('#training canvas');
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
        const colour = getComputedStyle(canvas).getPropertyValue('--series-1').match(/\\d+/g).map(Number);
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4) {
            found += colour.slice(0, 3).every((part, i) => Math.abs(data[at + i] - part) < 3);
        }
        return found;";
    page.run(script, vec![]).await?.as_u64().context("no count of pixels")
}

#[tokio::test]
async fn the_curve_is_drawn_and_follows_the_theme() -> Result<()> {
    check("curve", Options::default(), async |page| {
        page.open("?cell=training&training.steps=100&training.device=cpu").await?;
        page.ready().await?;
        assert_eq!(curve_pixels(page).await?, 0, "no step, no curve");
        page.click(CELL, "Run").await?;
        steps_taken(page, 100.0).await?;
        let drawn = async || Ok((curve_pixels(page).await? > 200).then_some(()));
        page.until("a curve of many pixels", drawn).await?;
        // The curve has another colour in the dark, so its pixels can only come from a new drawing.
        page.run("document.documentElement.dataset.theme = 'dark';", vec![]).await?;
        page.until("a curve in the other theme's colour", drawn).await
    })
    .await
}

#[tokio::test]
async fn a_lecture_brings_its_own_model() -> Result<()> {
    check("training_start", Options::default(), async |page| {
        page.read("resource-accounting", "training_loop", "").await?;
        let start = [
            ("D, width", "16"),
            ("Layers", "0"),
            ("Batch", "4"),
            ("Learning rate", "0.03"),
            ("Steps per run", "400"),
        ];
        for (name, value) in start {
            let field = page.named("#training_loop", "textbox", name).await?;
            assert_eq!(field.prop("value").await?.as_deref(), Some(value), "{name}");
        }
        let optimizer = page.named("#training_loop", "combobox", "Optimizer").await?;
        assert_eq!(optimizer.prop("value").await?.as_deref(), Some("sgd"));
        Ok(())
    })
    .await
}

async fn learns_on(page: &Page, device: &str) -> Result<()> {
    page.open("?cell=training&training.lr=0.1&training.steps=400").await?;
    page.ready().await?;
    page.choose(CELL, "Device", device).await?;
    page.click(CELL, "Run").await?;
    steps_taken(page, 400.0).await?;
    let (first, last) = losses(page).await?;
    assert!(first > 1.0 && last < first / 100.0, "{device}: the loss goes from {first} to {last}");
    assert!(reading(page, "Steps per second").await?.is_some_and(|rate| rate > 0.0));

    // One step more, by hand.
    page.click(CELL, "Step").await?;
    steps_taken(page, 401.0).await?;
    assert_eq!(reading(page, "Step").await?, Some(401.0));
    // A button that can do nothing while the worker is busy keeps the focus all the same.
    assert_eq!(page.run("return document.activeElement.textContent;", vec![]).await?, "Step");

    // The weights approach 0, 1, …, 15.
    let script = "const table = [...document.querySelectorAll('#training details.table-view')].at(-1);
        table.open = true;
        await new Promise(done => setTimeout(done, 300));
        return [...table.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => Number(cell.textContent)));";
    let rows: Vec<Vec<f64>> = serde_json::from_value(page.run_async(script, vec![]).await?)?;
    assert_eq!(rows.len(), 16);
    for row in rows {
        assert!((row[1] - row[2]).abs() < 1.0, "{device}: weight {} is {}, not {}", row[0], row[1], row[2]);
    }

    page.click(CELL, "Reset").await?;
    page.until("reset", async || Ok((reading(page, "Step").await? == Some(0.0)).then_some(()))).await?;
    assert_eq!(reading(page, "Loss").await?, None, "no loss before the first step");
    Ok(())
}

#[tokio::test]
async fn the_loop_learns_on_the_cpu() -> Result<()> {
    check("learns_cpu", Options::default(), async |page| learns_on(page, "cpu").await).await
}

#[tokio::test]
async fn the_loop_learns_on_the_gpu() -> Result<()> {
    check("learns_gpu", Options::default(), async |page| learns_on(page, "gpu").await).await
}

#[tokio::test]
async fn pause_stops_and_run_goes_on() -> Result<()> {
    check("pause", Options::default(), async |page| {
        page.open("?cell=training&training.device=cpu&training.steps=1e9").await?;
        page.ready().await?;
        page.click(CELL, "Run").await?;
        steps_taken(page, 50.0).await?;
        page.click(CELL, "Pause").await?;
        page.named(CELL, "button", "Run").await?;
        let paused = reading(page, "Step").await?;
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(reading(page, "Step").await?, paused, "paused");
        page.click(CELL, "Run").await?;
        steps_taken(page, paused.context("no step")? + 50.0).await?;
        // Another setting drops the model, and says so.
        page.fill(CELL, "Layers", "3").await?;
        page.reads("#training [role=status].remark", "dropped").await?;
        assert_eq!(reading(page, "Step").await?, Some(0.0));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_same_seed_gives_the_same_losses() -> Result<()> {
    let mut curves = Vec::new();
    for _ in 0..2 {
        let curve = check("same_seed", Options::default(), async |page| {
            page.open("?cell=training&training.device=cpu&training.steps=100&training.seed=7").await?;
            page.ready().await?;
            page.click(CELL, "Run").await?;
            steps_taken(page, 100.0).await?;
            losses(page).await
        });
        curves.push(curve.await?);
    }
    assert_eq!(curves[0], curves[1]);
    Ok(())
}

#[tokio::test]
async fn a_diverging_loss_is_said() -> Result<()> {
    check("diverges", Options::default(), async |page| {
        page.open("?cell=training&training.device=cpu&training.optimizer=sgd&training.lr=10").await?;
        page.ready().await?;
        page.click(CELL, "Run").await?;
        page.reads("#training [role=status].remark", "finite").await?;
        page.click(CELL, "Reset").await?;
        page.fill(CELL, "Learning rate", "0.0001").await?;
        page.click(CELL, "Step").await?;
        steps_taken(page, 1.0).await
    })
    .await
}
