//! Every slider of both lectures at both of its ends, and a line edited in every cell.

use std::fs;

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, alone, check};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::figures::{Shown, miss};
use crate::lecture::{open_editor, press_with, set_slider, still, value, write_first_line};
use crate::walk::LECTURES;

/// Of training that takes a thousand steps, each of which sums in another order.
const TOLERANCE: f64 = 1e-4;

/// What such a training leaves is rounding.
const ROUNDING: (&str, f64) = ("last_loss", 1e-6);

/// What each slider says, and the line that it is in.
const SLIDERS: &str = "
    const found = {};
    for (const id of arguments[0]) {
        const slider = document.querySelector(`[data-slider='${id}']`);
        const code = slider?.closest('.statement').querySelector('.line code')?.textContent;
        // A cell may be on its way.
        found[id] = code ? [slider.querySelector('input[type=range]').ariaValueText,
            slider.querySelector('input[type=text]').value, code.split('#')[0].split(' = ')[1].trim()] : [];
    }
    return found;";

/// Each value that a cell's lines show, by its function and name.
const VALUES: &str = "
    const values = {};
    for (const it of document.querySelectorAll('.cell .value[aria-label]')) {
        const name = it.closest('.cell').id + ' ' + it.ariaLabel;
        const numbers = [...(it.querySelector('table') ?? it).querySelectorAll('data.number')].map(number => number.value);
        (values[name] ??= []).push(numbers.length ? numbers : [it.textContent.trim()]);
    }
    return values;";

/// What is not as it should be of sliders at a round's ends.
async fn wrong_sliders(page: &Page, sliders: &[(String, String)]) -> Result<Vec<Value>> {
    let ids: Vec<&String> = sliders.iter().map(|(id, _)| id).collect();
    let said = page.run(SLIDERS, vec![json!(ids)]).await?;
    let mut wrong = Vec::new();
    for (id, value) in sliders {
        let said: Vec<String> = serde_json::from_value(said[id].clone())?;
        let wanted: f64 = value.parse()?;
        if said.len() != 3 || said.iter().any(|text| text.replace('_', "").parse() != Ok(wanted)) {
            wrong.push(json!({"slider": id, "is": said, "not": value}));
        }
    }
    Ok(wrong)
}

/// Moves each slider of a round to its end, and says what is wrong then.
async fn wrong(page: &Page, round: &Value, end: Key) -> Result<Vec<Value>> {
    page.lecture(round["lecture"].as_str().context("a round of no lecture")?, "").await?;
    let sliders: Vec<(String, String)> = serde_json::from_value(round["sliders"].clone())?;
    for (slider, _) in &sliders {
        page.wake(slider.split('.').next().unwrap_or_default()).await?;
        let focus = "document.querySelector(`[data-slider='${arguments[0]}'] input[type=range]`).focus();";
        page.run(focus, vec![json!(slider)]).await?;
        page.press(end.clone() + "").await?;
    }
    // The code itself has each number when the last run, which is of all of them, is over.
    let last = page.until("run of the last value", async || {
        let wrong = wrong_sliders(page, &sliders).await?;
        let faults = "return [...document.querySelectorAll('.fault, .slider .message')].map(it => it.textContent).filter(Boolean);";
        let faults: Vec<Value> = serde_json::from_value(page.run(faults, vec![]).await?)?;
        Ok((wrong.is_empty() || !faults.is_empty()).then_some(faults))
    });
    let faults = match last.await {
        Ok(faults) => faults,
        Err(_) => return wrong_sliders(page, &sliders).await,
    };
    if !faults.is_empty() {
        return Ok(faults);
    }
    still(page).await?;
    for figure in round["values"].as_array().context("a round without values")? {
        page.wake(figure[0].as_str().unwrap_or_default()).await?;
        page.show_answers().await?;
    }
    let values: Shown = serde_json::from_value(page.run(VALUES, vec![]).await?)?;
    let mut wrong = Vec::new();
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

/// Moves the sliders of every second round from `first` on; rounds of lower and of upper ends take turns.
async fn rounds(page: &Page, first: usize, end: Key) -> Result<()> {
    let ends = fs::read_to_string(xtask::root().join("python/tests/lectures/ends.json"))?;
    let rounds: Vec<Value> = serde_json::from_str(&ends)?;
    let mut missed = Vec::new();
    for (at, round) in rounds.iter().enumerate().skip(first).step_by(2) {
        let wrong = wrong(page, round, end.clone()).await;
        let wrong = wrong.unwrap_or_else(|error| vec![json!(format!("{error:#}"))]);
        if !wrong.is_empty() {
            let name = format!("round {at} of {}", round["lecture"]);
            missed.push(json!({ name: wrong }));
        }
    }
    assert!(missed.is_empty(), "{}", json!(missed));
    Ok(())
}

#[tokio::test]
async fn every_slider_goes_to_its_lower_end_and_the_figures_follow() -> Result<()> {
    check("slider_lower_ends", Options::default(), async |page| rounds(page, 0, Key::Home).await).await
}

#[tokio::test]
async fn every_slider_goes_to_its_upper_end_and_the_figures_follow() -> Result<()> {
    // Some cells compute for seconds there, and a program has twenty in all.
    alone("slider_upper_ends", Options::default(), async |page| rounds(page, 1, Key::End).await).await
}

/// What a closed form answers is there within frames of the reader's hand; the rest comes when it has run.
#[tokio::test]
async fn the_last_value_of_a_slider_wins() -> Result<()> {
    check("slider_last", Options::default(), async |page| {
        page.read("resource-accounting", "training_time", "").await?;
        page.show_answers().await?;
        for number in ["1e9", "7e9", "2e9", "7e11"] {
            set_slider(page, "training_time.params", number).await?;
        }
        page.until("code of the last value", async || {
            let said = page.run(SLIDERS, vec![json!(["training_time.params"])]).await?;
            Ok((said["training_time.params"][2] == "7e11").then_some(()))
        })
        .await?;
        still(page).await?;
        assert!(value(page, "training_time", "gpu_hours").await?.contains("35.37 M"));
        Ok(())
    })
    .await
}

/// There a tensor holds what was in memory before, or tells where it lies.
const OF_MEMORY: [&str; 2] = ["bytes_of_a_tensor", "views"];

/// The cells of the contents, in order.
const CONTENTS: &str = "
    return [...document.querySelectorAll('.lecture-contents a')].map(link => link.hash.slice(1))
        .filter(id => document.getElementById(id)?.matches('.cell'));";

/// The cells whose values differ from before, as the contents say.
pub(crate) async fn moved(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.lecture-contents a:has(.has-moved)')]
        .map(link => link.hash.slice(1)).filter(id => document.getElementById(id).matches('.cell'));";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

/// Opens the editor of a cell, writes a line before all others, runs, and closes it.
pub(crate) async fn edit(page: &Page, cell: &str, line: &str) -> Result<()> {
    open_editor(page, cell).await?;
    write_first_line(page, line).await?;
    still(page).await.with_context(|| cell.to_owned())?;
    page.click(".editing", "Close the editor").await
}

#[tokio::test]
async fn a_line_is_edited_in_every_cell_and_taken_back() -> Result<()> {
    for lecture in LECTURES {
        check(&format!("edit_{lecture}"), Options::default(), async |page| {
            page.lecture(lecture, "").await?;
            let cells: Vec<String> = serde_json::from_value(page.run(CONTENTS, vec![]).await?)?;
            assert!(cells.len() >= 10, "{cells:?}");
            // What was measured, and last digits of sums that another machine takes in another order.
            page.wake(&cells[0]).await?;
            page.click(&format!("#{} .cell-tools", cells[0]), "Run").await?;
            still(page).await?;
            let mut measured = moved(page).await?;
            measured.extend(OF_MEMORY.map(str::to_owned));
            let text = "return document.querySelector(`#${arguments[0]} ol.code`).textContent;";
            for (number, cell) in cells.iter().enumerate() {
                page.wake(cell).await?;
                page.show_answers().await?;
                let before = page.run(text, vec![json!(cell)]).await?;
                edit(page, cell, &format!("edited_mark = {number} + 41  # @inspect edited_mark")).await?;
                assert_eq!(
                    value(page, cell, "edited_mark").await?.trim(),
                    (number + 41).to_string(),
                    "{cell}"
                );
                let is_whole = "return document.querySelector('.fault') === null;";
                assert_eq!(page.run(is_whole, vec![]).await?, true, "{cell}");
                let now: Vec<String> = serde_json::from_value(page.run(CONTENTS, vec![]).await?)?;
                assert_eq!(now, cells, "{cell}");
                // Where tensors of the cell itself lie may be another place.
                for other in moved(page).await?.iter().filter(|other| cell != *other) {
                    assert!(measured.contains(other), "{cell}: {other} has other values");
                }
                page.click(&format!("#{cell} .cell-tools"), "Reset").await?;
                page.click("dialog[open]", "Reset").await?;
                page.until(&format!("{cell} as it was"), async || {
                    Ok((page.run(text, vec![json!(cell)]).await? == before).then_some(()))
                })
                .await?;
                still(page).await?;
                assert_eq!(page.all_named(".runner", "button", "Reset all").await?.len(), 0, "{cell}");
            }
            // With the key, too: what is written runs.
            open_editor(page, &cells[0]).await?;
            press_with(page, Key::Shift, Key::Enter).await?;
            still(page).await
        })
        .await?;
    }
    Ok(())
}
