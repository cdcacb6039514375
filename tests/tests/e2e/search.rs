//! The search over a lecture: where it leads, and its keys.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use thirtyfour::Key;

use crate::lecture::LECTURE;

/// Waits until so many dialogs are open.
async fn dialogs(page: &Page, wanted: u64) -> Result<()> {
    page.until(&format!("{wanted} open dialogs"), async || {
        let open = page.run("return document.querySelectorAll('dialog[open]').length;", vec![]).await?;
        Ok((open == wanted).then_some(()))
    })
    .await
}

#[tokio::test]
async fn the_first_hit_leads_to_what_was_looked_for() -> Result<()> {
    check("search_hit", Options::default(), async |page| {
        for mode in ["Read", "Step"] {
            page.lecture(LECTURE, "").await?;
            page.click(".lecture-stepper", mode).await?;
            page.press("/").await?;
            dialogs(page, 1).await?;
            page.press("stride").await?;
            page.reads("#hits li:first-child span", "stride").await?;
            let hits = page.text("#hits").await?;
            assert!(!hits.contains("*stride"), "no marks of Markdown in {hits}");
            page.press(Key::Enter + "").await?;
            dialogs(page, 0).await?;
            // A line of a cell, and not the first cell.
            page.until("that cell", async || {
                let place = page.text(".lecture-stepper .where").await?;
                Ok((place.starts_with("Cell ") && !place.starts_with("Cell 1 of")).then_some(()))
            })
            .await?;
            page.reads(".cell.is-current", "stride").await?;
        }
        // A step outside of the lecture is its first line.
        page.lecture(LECTURE, "?step=0").await?;
        page.reads(".lecture-stepper .where", "Cell 1 of 36, line 1 of").await
    })
    .await
}

#[tokio::test]
async fn escape_closes_it_and_nothing_opens_over_another_dialog() -> Result<()> {
    check("search_keys", Options::default(), async |page| {
        page.lecture(LECTURE, "").await?;
        page.press("/").await?;
        dialogs(page, 1).await?;
        page.press("stride").await?;
        page.press(Key::Escape + "").await?;
        dialogs(page, 0).await?;
        page.press("?").await?;
        dialogs(page, 1).await?;
        let chord = page.driver().action_chain().key_down(Key::Control).send_keys("k");
        chord.key_up(Key::Control).perform().await?;
        page.press(Key::Escape + "").await?;
        dialogs(page, 0).await
    })
    .await
}
