//! The pages as text: before any script, with all that is on them, as a reader scrolls.

use std::time::Duration;

use anyhow::Result;
use napkin_tests::{Options, check};
use serde_json::{Value, json};

use crate::walk::LECTURES;

/// Every tool, in order.
pub const CELLS: [&str; 20] = [
    "time",
    "size",
    "reality",
    "mfu",
    "tensor",
    "dtypes",
    "strides",
    "flops",
    "machine",
    "roofline",
    "backward",
    "transformer",
    "count",
    "memory",
    "kv",
    "parallel",
    "optimal",
    "training",
    "formulas",
    "terms",
];

/// All pages.
pub const PAGES: [&str; 3] = ["index.html", "arithmetic-intensity.html", "tools.html"];

#[tokio::test]
async fn the_tools_read_without_a_script() -> Result<()> {
    let options = Options { javascript: false, ..Options::default() };
    check("without_a_script", options, async |page| {
        page.go("tools.html").await?;
        assert_eq!(page.cells().await?, CELLS);
        for cell in CELLS {
            let text = page.text(&format!("#{cell}")).await?;
            assert!(text.split_whitespace().count() > 60, "{cell} says only: {text}");
            assert!(page.css(&format!("#{cell} h2")).await?.is_displayed().await?);
        }
        // Results, too: those were computed when the page was built.
        let flops = page.text("#flops").await?;
        assert!(flops.contains("33.55 M"), "{flops}");
        let time = page.text("#time").await?;
        assert!(time.contains("143.9 days") && time.contains("3.537 M GPU-hours"), "{time}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_lecture_reads_whole_without_a_script() -> Result<()> {
    let options = Options { javascript: false, ..Options::default() };
    check("lecture_without_a_script", options, async |page| {
        for (lecture, file, count) in [(LECTURES[0], PAGES[0], 36), (LECTURES[1], PAGES[1], 10)] {
            page.go(file).await?;
            let script = "const seen = (cell, selector) =>
                    [...cell.querySelectorAll(selector)].filter(it => it.checkVisibility()).length;
                return [...document.querySelectorAll('.cell')].map(cell => ({id: cell.id, title: cell.querySelector('h3').textContent,
                    words: cell.innerText.split(/\\s+/).length, code: seen(cell, '.line code'), prose: seen(cell, '.prose'),
                    values: seen(cell, '.result-value')}));";
            let cells = page.run(script, vec![]).await?;
            let cells = cells.as_array().map_or(&[][..], Vec::as_slice);
            assert_eq!(cells.len(), count, "{lecture}");
            for cell in cells {
                let has = |what: &str, least: u64| cell[what].as_u64() >= Some(least);
                assert!(has("words", 40) && has("code", 1) && has("prose", 1) && has("values", 1), "{cell}");
                assert!(cell["title"].as_str().is_some_and(|title| !title.is_empty()), "{cell}");
            }
            // Each entry of the contents leads somewhere, and every cell has one.
            let script = "const ids = [...document.querySelectorAll('.lecture-contents a')].map(link => link.hash.slice(1));
                return {none: ids.filter(id => !document.getElementById(id)),
                    missing: [...document.querySelectorAll('.cell')].map(cell => cell.id).filter(id => !ids.includes(id))};";
            assert_eq!(page.run(script, vec![]).await?, json!({"none": [], "missing": []}), "{lecture}");
        }
        page.go("index.html").await?;
        // The lecture's own figures, but none that is asked for.
        let time = page.text("#training_time").await?;
        assert!(time.contains("6.3e24 FLOP") && time.contains("total_flops = 6 * params * tokens"), "{time}");
        assert!(!time.contains("143.9"), "{time}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn every_tool_is_there_and_linked() -> Result<()> {
    check("every_cell", Options::default(), async |page| {
        page.open("").await?;
        page.ready().await?;
        assert_eq!(page.cells().await?, CELLS);
        let links = page.run(
            "return [...document.querySelectorAll('nav.contents a')].map(link => link.hash.slice(1));",
            vec![],
        );
        assert_eq!(serde_json::from_value::<Vec<String>>(links.await?)?, CELLS);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn every_page_has_one_header_that_leads_to_the_others() -> Result<()> {
    check("header", Options::default(), async |page| {
        let mut headers: Vec<Value> = Vec::new();
        for file in PAGES {
            page.go(file).await?;
            page.live().await?;
            let script = "return [...document.querySelectorAll('.page-header .lectures a')].map(link => link.getAttribute('href'));";
            headers.push(page.run(script, vec![]).await?);
            let script = "return document.querySelectorAll('.page-header [aria-current=page]').length;";
            assert_eq!(page.run(script, vec![]).await?, 1, "{file}");
            // One title, of this page.
            assert_eq!(page.run("return document.querySelectorAll('h1').length;", vec![]).await?, 1, "{file}");
        }
        assert_eq!(headers[0], json!(["./", "arithmetic-intensity.html", "tools.html"]));
        assert!(headers.iter().all(|header| *header == headers[0]), "{headers:?}");
        Ok(())
    })
    .await
}

/// The browser writes down where a page was scrolled to a moment later; a reload goes to what is written.
async fn place_is_kept() {
    tokio::time::sleep(Duration::from_secs(2)).await;
}

#[tokio::test]
async fn contents_follow_who_scrolls_and_lead_there() -> Result<()> {
    check("contents_follow", Options::default(), async |page| {
        for lecture in LECTURES {
            page.lecture(lecture, "").await?;
            let cells = page.cells().await?;
            let current = async |cell: &str| {
                page.until(&format!("{cell} in the contents"), async || {
                    let script = "const link = document.querySelector('.lecture-contents a[aria-current]');
                        const [list, entry] = [link?.closest('nav'), link].map(it => it?.getBoundingClientRect());
                        const inSight = entry && entry.top >= list.top && entry.bottom <= list.bottom + 1;
                        return inSight && link.hash === '#' + arguments[0];";
                    Ok((page.run(script, vec![json!(cell)]).await? == true).then_some(()))
                })
                .await
            };
            for cell in cells.iter().step_by(6).rev() {
                let script = "document.getElementById(arguments[0]).scrollIntoView({block: 'start', behavior: 'instant'});";
                page.run(script, vec![json!(cell)]).await?;
                current(cell).await?;
            }
            // By a link: the address names the cell, and opens it again.
            let cell = cells.get(4).map_or("", String::as_str);
            let script = "document.querySelector(`.lecture-contents a[href='#${arguments[0]}']`).click(); return location.hash;";
            assert_eq!(page.run(script, vec![json!(cell)]).await?, format!("#{cell}"));
            current(cell).await?;
            place_is_kept().await;
            page.driver().refresh().await?;
            page.live().await?;
            current(cell).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_reload_comes_back_to_the_cell_that_was_in_sight() -> Result<()> {
    check("reload", Options { is_idle: true, ..Options::DEFAULT }, async |page| {
        let top = async |cell: &str| {
            let script = "return document.getElementById(arguments[0]).getBoundingClientRect().top;";
            anyhow::Ok(page.run(script, vec![json!(cell)]).await?.as_f64().unwrap_or(f64::NAN))
        };
        for (file, cell) in [(PAGES[0], "optimizers"), (PAGES[2], "memory")] {
            page.go(file).await?;
            page.live().await?;
            page.wake(cell).await?;
            page.run("scrollBy({top: 120, behavior: 'instant'});", vec![]).await?;
            place_is_kept().await;
            let before = top(cell).await?;
            page.driver().refresh().await?;
            // Before the page answers, and when all above the cell has its height.
            for _ in 0..2 {
                page.until(&format!("{cell} where it was"), async || {
                    let is_there = (top(cell).await? - before).abs() < 40.0;
                    anyhow::Ok(is_there.then_some(()))
                })
                .await?;
                page.live().await?;
            }
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_reload_comes_back_before_all_is_laid_out() -> Result<()> {
    check("early_reload", Options::default(), async |page| {
        page.go(PAGES[0]).await?;
        page.live().await?;
        // A reader whose hand does not rest: the page lays nothing out meanwhile.
        let moves = "setInterval(() => dispatchEvent(new Event('wheel')), 200);
            document.getElementById('optimizers').scrollIntoView({block: 'start', behavior: 'instant'});";
        page.run(moves, vec![]).await?;
        place_is_kept().await;
        let place = "return [document.getElementById('optimizers').getBoundingClientRect().top,
            document.querySelectorAll('.is-far').length];";
        let place = async || anyhow::Ok(serde_json::from_value(page.run(place, vec![]).await?)?);
        let (before, far): (f64, u32) = place().await?;
        assert!(far > 5, "{far}");
        page.driver().refresh().await?;
        for _ in 0..2 {
            page.until("the cell where it was", async || {
                let (top, _): (f64, u32) = place().await?;
                anyhow::Ok(((top - before).abs() < 40.0).then_some(()))
            })
            .await?;
            page.live().await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_link_to_a_late_cell_shows_it_in_a_high_window() -> Result<()> {
    let options = Options { viewport: (1440, 2400), is_idle: true, ..Options::DEFAULT };
    check("high_window", options, async |page| {
        for (file, cell) in [(PAGES[0], "whole_budget"), (PAGES[0], "training_time"), (PAGES[2], "memory")] {
            page.go(&format!("{file}#{cell}")).await?;
            page.live().await?;
            page.until("everything laid out", async || {
                let far = page.run("return document.querySelectorAll('.is-far').length;", vec![]).await?;
                Ok((far == 0).then_some(()))
            })
            .await?;
            let script =
                "const {top, bottom} = document.getElementById(arguments[0]).getBoundingClientRect();
                return [top, bottom, innerHeight];";
            let place = page.run(script, vec![json!(cell)]).await?;
            let [top, bottom, height]: [f64; 3] = serde_json::from_value(place)?;
            assert!(top >= 0.0 && bottom.min(top + 300.0) <= height, "{cell}: {top} to {bottom} of {height}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn nothing_comes_from_another_host() -> Result<()> {
    check("no_other_host", Options::default(), async |page| {
        for file in PAGES {
            page.go(file).await?;
            page.live().await?;
            let script = "return performance.getEntriesByType('resource').map(entry => entry.name)
                .filter(name => new URL(name).origin !== location.origin);";
            assert_eq!(page.run(script, vec![]).await?, json!([]), "{file}");
        }
        Ok(())
    })
    .await
}
