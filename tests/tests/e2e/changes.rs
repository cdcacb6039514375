//! Every slider of both lectures at both of its ends, and a line edited in every cell.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::figures::{Shown, miss};
use crate::lecture::{press_with, ran, still, value};
use crate::walk::{LECTURES, SEE, open};

/// Of training that takes a thousand steps, each of which sums in another order.
const TOLERANCE: f64 = 1e-4;

/// What such a training leaves is rounding.
const ROUNDING: (&str, f64) = ("last_loss", 1e-6);

/// Longer than a reader's hand rests before the program runs.
const QUIET: Duration = Duration::from_millis(400);

/// `visit(function)`: by the contents to its cell.
pub(crate) const VISIT: &str = "
    const visit = function_ => {
        const links = () => [...document.querySelectorAll('.lecture-contents a')];
        globalThis.cells ??= links().map((_, at) => (links()[at].click(), inside()));
        const link = links()[cells.indexOf(function_)];
        link?.click();
        if (inside() !== function_) {
            throw new Error(`no cell of ${function_}: ${document.querySelector('.fault')?.textContent}`);
        }
    };";

/// Gives the focus to a slider, by its id.
async fn focus(page: &Page, slider: &str) -> Result<()> {
    let script = format!(
        "{SEE}{VISIT} visit(arguments[0].split('.')[0]);
        document.querySelector(`[data-slider='${{arguments[0]}}'] input[type=range]`).focus();"
    );
    page.run(&script, vec![json!(slider)]).await.map(drop)
}

/// What each slider says, and the line that it is in.
const SLIDERS: &str = "
    const found = {};
    for (const id of arguments[0]) {
        visit(id.split('.')[0]);
        const slider = document.querySelector(`[data-slider='${id}']`);
        found[id] = [slider.querySelector('input[type=range]').ariaValueText,
            slider.querySelector('input[type=text]').value,
            slider.closest('.statement').querySelector('code').textContent.split('#')[0].split(' = ')[1].trim()];
    }
    return found;";

/// What the cells show at their last steps.
const CELLS: &str = "
    for (const {dataset: {step}} of document.querySelectorAll('.lecture-contents a')) {
        go(step);
        const cell = inside();
        press('u');
        press('h');
        if (inside() !== cell) throw new Error(`${cell} ends in ${inside()}`);
        see();
    }
    return values;";

/// Moves each slider of a round to its end, and says what is wrong then.
async fn wrong(page: &Page, round: &Value, end: Key) -> Result<Vec<Value>> {
    open(page, round["lecture"].as_str().context("a round of no lecture")?).await?;
    // With the lines that are still to come, and their sliders.
    page.press("a").await?;
    let sliders: Vec<(String, String)> = serde_json::from_value(round["sliders"].clone())?;
    for (slider, _) in &sliders {
        focus(page, slider).await?;
        page.press(end.clone() + "").await?;
    }
    tokio::time::sleep(QUIET).await;
    still(page).await?;
    let faults = "return [...document.querySelectorAll('.fault, .message')].map(it => it.textContent).filter(Boolean);";
    let faults: Vec<Value> = serde_json::from_value(page.run(faults, vec![]).await?)?;
    if !faults.is_empty() {
        return Ok(faults);
    }
    let ids: Vec<&String> = sliders.iter().map(|(id, _)| id).collect();
    let said = page.run(&format!("{SEE}{VISIT}{SLIDERS}"), vec![json!(ids)]).await?;
    let mut wrong = Vec::new();
    for (id, value) in &sliders {
        let said: Vec<String> = serde_json::from_value(said[id].clone())?;
        let wanted: f64 = value.parse()?;
        if said.len() != 3 || said.iter().any(|text| text.replace('_', "").parse() != Ok(wanted)) {
            wrong.push(json!({"slider": id, "is": said, "not": value}));
        }
    }
    let values = page.run_async(&format!("{SEE}{VISIT}{CELLS}"), vec![json!(ids)]).await?;
    let values: Shown = serde_json::from_value(values)?;
    for figure in round["values"].as_array().context("a round without values")? {
        let value = figure[2].get("values").unwrap_or(&figure[2]);
        let is_rounding = figure[1] == ROUNDING.0 && value.as_f64().is_some_and(|it| it < ROUNDING.1);
        // Of a large tensor its numbers are not there to compare.
        if value.get("dtype").is_none() && !is_rounding {
            wrong.extend(miss(&values, &json!([figure[0], figure[1], value, TOLERANCE])));
        }
    }
    Ok(wrong)
}

#[tokio::test]
async fn every_slider_goes_to_both_ends_and_the_figures_follow() -> Result<()> {
    let ends = fs::read_to_string(xtask::root().join("python/tests/lectures/ends.json"))?;
    let rounds: Vec<Value> = serde_json::from_str(&ends)?;
    check("slider_ends", Options::default(), async |page| {
        let mut missed = Vec::new();
        for (at, round) in rounds.iter().enumerate() {
            // A round at the lower ends is followed by one of the same sliders at the upper ones.
            let end = if at % 2 == 0 { Key::Home } else { Key::End };
            let wrong = wrong(page, round, end).await.unwrap_or_else(|error| vec![json!(error.to_string())]);
            if !wrong.is_empty() {
                missed.push(json!({"sliders": round["sliders"], "wrong": wrong}));
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
        Ok(())
    })
    .await
}

/// There a tensor holds what was in memory before, or tells where it lies.
const OF_MEMORY: [&str; 2] = ["How many bytes is a tensor?", "Views"];

/// The functions of the contents, in order.
const CONTENTS: &str = "
    return [...document.querySelectorAll('.lecture-contents a')].map(link => (go(link.dataset.step), inside()));";

/// Titles of the contents whose values differ from before.
async fn moved(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.lecture-contents a:has(.has-moved)')]
        .map(link => link.firstChild.textContent);";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

/// Opens the editor at a cell, writes a line before the one that the reader is at, and runs.
pub(crate) async fn edit(page: &Page, cell: &str, line: &str) -> Result<()> {
    page.run(&format!("{SEE}{VISIT} visit(arguments[0]);"), vec![json!(cell)]).await?;
    page.click(".switches", "Edit").await?;
    page.css(".editing .cm-content").await?;
    page.press(format!("{}{line}{}", Key::Home.value(), Key::Enter.value())).await?;
    press_with(page, Key::Shift, Key::Enter).await?;
    ran(page).await.with_context(|| cell.to_owned())
}

#[tokio::test]
async fn a_line_is_edited_in_every_cell_and_taken_back() -> Result<()> {
    for lecture in LECTURES {
        check(&format!("edit_{lecture}"), Options::default(), async |page| {
            open(page, lecture).await?;
            let cells = page.run(&format!("{SEE}{CONTENTS}"), vec![]).await?;
            let cells: Vec<String> = serde_json::from_value(cells)?;
            assert!(cells.len() > 10, "{cells:?}");
            // What was measured, and last digits of sums that another machine takes in another order.
            page.click(".runner", "Run").await?;
            ran(page).await?;
            let mut measured = moved(page).await?;
            measured.extend(OF_MEMORY.map(str::to_owned));
            page.click(".runner", "Reset").await?;
            let text = "return document.querySelector('.code-card').textContent;";
            for (number, cell) in cells.iter().enumerate() {
                page.run(&format!("{SEE}{VISIT} visit(arguments[0]);"), vec![json!(cell)]).await?;
                let before = page.run(text, vec![]).await?;
                edit(page, cell, &format!("edited_mark = {number} + 41  # @inspect edited_mark")).await?;
                let wanted = (number + 41).to_string();
                assert_eq!(value(page, "edited_mark").await?.trim(), wanted, "{cell}");
                let is_whole = "return document.querySelector('.fault') === null;";
                assert_eq!(page.run(is_whole, vec![]).await?, true, "{cell}");
                let own = "return document.querySelector('.lecture-contents a[aria-current]').firstChild.textContent;";
                let own = page.run(own, vec![]).await?;
                let now = page.run(&format!("{SEE}{CONTENTS}"), vec![]).await?;
                assert_eq!(now, json!(cells), "{cell}");
                // Where tensors of the cell itself lie may be another place.
                for title in moved(page).await?.iter().filter(|title| own != **title) {
                    assert!(measured.contains(title), "{cell}: {title} has other values");
                }
                page.click(".runner", "Reset").await?;
                let script = "return document.querySelector('.editing .cm-content').textContent.includes('edited_mark');";
                assert_eq!(page.run(script, vec![]).await?, false, "{cell}: the editor");
                page.click(".editing", "Close the editor").await?;
                page.run(&format!("{SEE}{VISIT} visit(arguments[0]);"), vec![json!(cell)]).await?;
                assert_eq!(page.run(text, vec![]).await?, before, "{cell}: all is as it was");
                assert_eq!(page.all_named(".runner", "button", "Reset").await?.len(), 0, "{cell}");
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}
