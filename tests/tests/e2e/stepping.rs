//! Keys and buttons go through the cells and their steps, and the address follows.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::reading::CELLS;

/// Cell and step as the address tells them; an address that tells nothing means the beginning.
async fn told(page: &Page) -> Result<(String, String)> {
    let script = "const told = new URLSearchParams(location.search);
        return [told.get('cell') ?? arguments[0], told.get('step') ?? '0'];";
    Ok(serde_json::from_value(page.run(script, vec![json!(CELLS[0])]).await?)?)
}

/// Waits until the cell shows the step and the address tells it.
async fn at(page: &Page, cell: &str, step: usize, last: usize) -> Result<()> {
    page.reads(&format!("#{cell} .stepper-count"), &format!("Step {step} of {last}")).await?;
    let what = format!("address with cell={cell} and step={step}");
    page.until(&what, async || Ok((told(page).await? == (cell.to_owned(), step.to_string())).then_some(())))
        .await?;
    let lit = "return [...document.querySelectorAll(`#${arguments[0]} .step`)]
        .findIndex(step => step.querySelector('[aria-current=step]'));";
    assert_eq!(page.run(lit, vec![json!(cell)]).await?, step);
    let is_lit = "return document.querySelector(`#${arguments[0]} .part.is-lit`) !== null;";
    page.until(&format!("part that step {step} of {cell} is about"), async || {
        Ok((page.run(is_lit, vec![json!(cell)]).await? == true).then_some(()))
    })
    .await
}

async fn last_step(page: &Page, cell: &str) -> Result<usize> {
    let script = "return document.querySelectorAll(`#${arguments[0]} .step`).length;";
    let steps = page.run(script, vec![json!(cell)]).await?;
    Ok(steps.as_u64().context("no count")? as usize - 1)
}

#[tokio::test]
async fn keys_walk_all_steps_of_all_cells_and_back() -> Result<()> {
    check("keys_walk", Options::default(), async |page| {
        page.open("").await?;
        page.ready().await?;
        for (index, cell) in CELLS.into_iter().enumerate() {
            if index > 0 {
                if index % 2 == 0 {
                    page.press("j").await?;
                } else {
                    let keys = page.driver().action_chain().key_down(Key::Shift).send_keys(Key::Right + "");
                    keys.key_up(Key::Shift).perform().await?;
                }
            }
            let last = last_step(page, cell).await?;
            for step in 0..=last {
                if step > 0 {
                    page.press(if step % 2 == 0 { "l".into() } else { Key::Right + "" }).await?;
                }
                at(page, cell, step, last).await?;
            }
            // Beyond the last step there is nothing.
            page.press(Key::Right + "").await?;
            at(page, cell, last, last).await?;
            for step in (0..last).rev() {
                page.press(if step % 2 == 0 { "h".into() } else { Key::Left + "" }).await?;
                at(page, cell, step, last).await?;
            }
        }
        for cell in CELLS.into_iter().rev().skip(1) {
            page.press("k").await?;
            at(page, cell, 0, last_step(page, cell).await?).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn buttons_step_and_the_browser_goes_back() -> Result<()> {
    check("buttons_step", Options::default(), async |page| {
        page.open("").await?;
        page.ready().await?;
        let last = last_step(page, "flops").await?;
        let next = page.named("#flops", "button", "Next step").await?;
        let back = page.named("#flops", "button", "Back").await?;
        assert!(!back.is_enabled().await?, "there is nothing before the first step");
        next.scroll_into_view().await?;
        for step in 1..=last {
            next.click().await?;
            at(page, "flops", step, last).await?;
        }
        assert!(!next.is_enabled().await?, "there is nothing after the last step");
        back.click().await?;
        at(page, "flops", last - 1, last).await?;
        page.driver().back().await?;
        at(page, "flops", last, last).await?;
        page.driver().forward().await?;
        at(page, "flops", last - 1, last).await
    })
    .await
}

#[tokio::test]
async fn no_key_is_taken_from_a_field() -> Result<()> {
    check("keys_in_fields", Options::default(), async |page| {
        page.open("?v=2&cell=flops&step=1").await?;
        page.ready().await?;
        let last = last_step(page, "flops").await?;
        let field = page.named("#flops", "textbox", "B").await?;
        field.click().await?;
        page.press("hljk?").await?;
        page.press(Key::Right + Key::Left).await?;
        at(page, "flops", 1, last).await?;
        assert!(field.value().await?.is_some_and(|text| text.contains("hljk?")), "the keys reach the field");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_step_shows_what_it_lights_beside_its_text() -> Result<()> {
    let phone = (390, 844);
    for (name, viewport) in [("step_phone", phone), ("step_desktop", (1280, 800))] {
        check(name, Options { viewport, ..Options::default() }, async |page| {
            page.open("?cell=training").await?;
            page.ready().await?;
            // Down to the last part, through ones that do not fit the window together.
            for step in 1..=4 {
                page.press("l").await?;
                // As much of the part as fits: nothing over its beginning, and its end where it is not too long.
                let is_seen = "const box = (found) => document.querySelector('#training ' + found).getBoundingClientRect();
                    const [lit, text, steps] = [box('.part.is-lit'), box('.step.is-current .step-text'), box('.steps')];
                    const at = document.elementFromPoint(lit.x + 12, lit.y + 12);
                    const isTop = at !== null && at.closest('.part.is-lit') !== null;
                    return isTop && Math.min(lit.bottom, lit.top + innerHeight / 2) <= innerHeight && text.top >= 0 && steps.bottom <= innerHeight;";
                page.until(&format!("step {step} in sight"), async || {
                    Ok((page.run(is_seen, vec![]).await? == true).then_some(()))
                })
                .await?;
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}
