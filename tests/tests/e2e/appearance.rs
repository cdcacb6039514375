//! What holds for the page as a whole at every size and in both schemes.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::Value;
use xtask::tools::Script;

use crate::calculators;
use crate::lecture::LECTURE;
use crate::reading::CELLS;

/// Both schemes at both widths.
pub(crate) const LOOKS: [(&str, (u32, u32)); 4] =
    [("light", (390, 844)), ("light", (1440, 900)), ("dark", (390, 844)), ("dark", (1440, 900))];

#[tokio::test]
async fn nothing_is_wider_than_a_phone() -> Result<()> {
    for width in [320, 390, 768, 1440] {
        let options = Options { viewport: (width, 844), ..Options::default() };
        check(&format!("width_{width}"), options, async |page| {
            page.open("").await?;
            page.ready().await?;
            for cell in CELLS {
                page.wake(cell).await?;
            }
            let script = "const page = document.documentElement;
                const wide = [...document.querySelectorAll('body *')].filter(element => {
                    const box = element.getBoundingClientRect();
                    if (!box.width || box.right <= innerWidth + 1) return false;
                    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
                        // What scrolls or clips inside its own box is no overflow of the page.
                        if (getComputedStyle(up).overflowX !== 'visible') return false;
                    }
                    return true;
                }).map(element => element.outerHTML.slice(0, 120));
                return {overflow: page.scrollWidth - page.clientWidth, wide};";
            let found = page.run(script, vec![]).await?;
            assert_eq!(found["overflow"], 0, "{width} px: {found:#}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn names_lie_beside_their_sliders() -> Result<()> {
    for width in [320, 390] {
        let options = Options { viewport: (width, 844), is_idle: true, ..Options::default() };
        check(&format!("slider_names_{width}"), options, async |page| {
            page.lecture(LECTURE, "").await?;
            laid_out(page).await?;
            let script = "const box = element => element.getBoundingClientRect();
                const rows = [...document.querySelectorAll('.slider')].filter(row => row.checkVisibility());
                const over = rows.filter(row =>
                    box(row.querySelector('label code')).right > box(row.querySelector('input[type=range]')).left);
                return [rows.length, over.map(row => row.dataset.slider)];";
            let (count, over): (usize, Vec<String>) = serde_json::from_value(page.run(script, vec![]).await?)?;
            assert!(count > 30, "{count} sliders");
            assert!(over.is_empty(), "{width} px: names over sliders: {over:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn axe_finds_no_violation() -> Result<()> {
    for (scheme, viewport) in LOOKS {
        let options = Options { viewport, dark: scheme == "dark", is_idle: true, ..Options::DEFAULT };
        check(&format!("axe_{scheme}_{}", viewport.0), options, axe).await?;
    }
    Ok(())
}

async fn axe(page: &Page) -> Result<()> {
    calculators::open(page, "").await?;
    for cell in CELLS {
        page.wake(cell).await?;
    }
    page.wake("time").await?;
    laid_out(page).await?;
    no_violation(page).await?;
    // With everything unfolded, something moved, something wrong, and a number's derivation over it.
    page.run("document.querySelectorAll('main details').forEach(details => details.open = true);", vec![])
        .await?;
    page.choose("#time", "GPU", "own").await?;
    page.fill("#time", "MFU", "0.4").await?;
    page.reads("#time .moves", "moves").await?;
    page.fill("#time", "PUE", "0").await?;
    page.css("#time .part-time.is-old").await?;
    no_violation(page).await?;
    let script = "document.querySelector('#time .figure-value').click();";
    page.run(script, vec![]).await?;
    page.css("dialog.derivation[open]").await?;
    no_violation(page).await
}

/// Waits until all of the page is laid out: axe sees nothing else.
pub async fn laid_out(page: &Page) -> Result<()> {
    let is_whole = "return document.querySelector('.is-far') === null;";
    page.until("layout of what is far below", async || {
        Ok((page.run(is_whole, vec![]).await? == true).then_some(()))
    })
    .await
}

/// Checks what is laid out of the page, as it is now.
pub async fn no_violation(page: &Page) -> Result<()> {
    page.run(&Script::Axe.source()?, vec![]).await.context("axe-core does not load")?;
    // A colour on its way to another is neither.
    let script = "const still = document.createElement('style');
        still.textContent = '* { transition: none !important; animation: none !important; }';
        document.head.append(still);
        const {violations, passes} = await axe.run(document, {resultTypes: ['violations']});
        return {
            checked: passes.length,
            violations: violations.map(({id, help, nodes}) => ({id, help, nodes: nodes.map(({html, failureSummary}) =>
                html.slice(0, 160) + ' -- ' + failureSummary)}))};";
    let found = page.run_async(script, vec![]).await?;
    assert!(found["checked"].as_u64().is_some_and(|count| count > 10), "axe checked nothing: {found:#}");
    assert_eq!(found["violations"], Value::Array(vec![]), "{:#}", found["violations"]);
    Ok(())
}

#[tokio::test]
async fn both_schemes_have_their_colours() -> Result<()> {
    let mut backgrounds = Vec::new();
    // One style is that of all pages.
    for dark in [false, true] {
        let name = if dark { "scheme_dark" } else { "scheme_light" };
        let background = check(name, Options { dark, ..Options::default() }, async |page| {
            page.open("").await?;
            // The root's background shows where the body has none.
            let luminance = "const colour = [document.body, document.documentElement]
                    .map(element => getComputedStyle(element).backgroundColor)
                    .find(colour => colour !== 'rgba(0, 0, 0, 0)') ?? 'rgb(255, 255, 255)';
                const context = document.createElement('canvas').getContext('2d');
                context.fillStyle = colour;
                context.fillRect(0, 0, 1, 1);
                const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue;";
            page.run(luminance, vec![]).await?.as_f64().context("no background")
        });
        backgrounds.push(background.await?);
    }
    assert!(
        backgrounds[0] > 200.0 && backgrounds[1] < 60.0,
        "light and dark backgrounds are {backgrounds:?}"
    );
    Ok(())
}
