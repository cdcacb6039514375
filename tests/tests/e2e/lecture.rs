//! The lecture runs in the page: what a reader changes moves what depends on it.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::changes::{VISIT, edit};
use crate::walk::SEE;

/// The cell on training time, at its last step, by its links.
const CELL: &str = "?lecture=resource-accounting&step=";

/// Opens the lecture at the last step of a function, with more in the address.
pub(crate) async fn open(page: &Page, function: &str, more: &str) -> Result<()> {
    page.go("").await?;
    let script = "const trace = await (await fetch('lectures/resource-accounting.json')).json();
        return trace.steps.findLastIndex(step => step.stack.at(-1).function_name === arguments[0]);";
    let step = page.run_async(script, vec![json!(function)]).await?;
    page.go(&format!("{CELL}{step}{more}")).await?;
    page.css("html[data-live]").await.map(drop)
}

/// Waits until a run that was begun has ended.
pub(crate) async fn ran(page: &Page) -> Result<()> {
    page.css(".runner .progress").await?;
    still(page).await
}

/// Waits until nothing runs.
pub(crate) async fn still(page: &Page) -> Result<()> {
    page.until("end of the run", async || {
        let script = "return document.querySelector('.runner .progress') === null;";
        Ok((page.run(script, vec![]).await? == true).then_some(()))
    })
    .await
}

/// What stands beside the line that gives a variable its value, whatever is still to be guessed.
pub(crate) async fn value(page: &Page, name: &str) -> Result<String> {
    page.show_answers().await?;
    let script = "const line = [...document.querySelectorAll('.statement')]
            .find(line => line.querySelector('code')?.textContent.trim().startsWith(arguments[0] + ' ='));
        return line?.querySelector('.result')?.textContent ?? '';";
    Ok(page.run(script, vec![json!(name)]).await?.as_str().unwrap_or_default().to_owned())
}

/// What stands behind the page's name in the address.
pub(crate) async fn address(page: &Page) -> Result<String> {
    Ok(page.run("return location.search;", vec![]).await?.as_str().unwrap_or_default().to_owned())
}

/// Presses a key while another is held.
pub(crate) async fn press_with(page: &Page, held: Key, key: Key) -> Result<()> {
    let chord = page.driver().action_chain().key_down(held.clone()).send_keys(key + "");
    Ok(chord.key_up(held).perform().await?)
}

/// Writes before all else in the file of the step, and runs.
pub(crate) async fn write_first_line(page: &Page, text: &str) -> Result<()> {
    page.click(".switches", "Edit").await?;
    page.css(".editing .cm-content").await?;
    press_with(page, Key::Control, Key::Home).await?;
    page.press(text).await?;
    press_with(page, Key::Shift, Key::Enter).await
}

#[tokio::test]
async fn a_slider_moves_what_follows_and_the_link_says_so() -> Result<()> {
    let query = check("lecture_slider", Options::default(), async |page| {
        open(page, "training_time", "").await?;
        assert!(value(page, "gpu_hours").await?.contains("3.537 M"), "{}", value(page, "gpu_hours").await?);
        let field = page.named(".code", "textbox", "params, number").await?;
        page.type_into(&field, "7e11").await?;
        page.press(Key::Enter + "").await?;
        ran(page).await?;
        assert!(value(page, "gpu_hours").await?.contains("35.37 M"), "ten times the parameters");
        assert!(page.text(".runner .state").await?.contains("1 slider is moved"));
        page.css(".result.is-moved").await?;
        address(page).await
    })
    .await?;
    assert!(query.contains("s.training_time.params=7e11"), "{query}");
    check("lecture_link", Options::default(), async |page| {
        page.go(&query).await?;
        ran(page).await?;
        assert!(value(page, "gpu_hours").await?.contains("35.37 M"));
        page.click(".runner", "Reset").await?;
        assert!(value(page, "gpu_hours").await?.contains("3.537 M"));
        assert!(!address(page).await?.contains("s."));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn sliders_and_edits_run_on_the_gpu() -> Result<()> {
    check("lecture_gpu", Options::default(), async |page| {
        open(page, "where_tensors_live", "&device=gpu").await?;
        ran(page).await?;
        assert!(value(page, "device").await?.contains("cuda"), "{}", value(page, "device").await?);
        assert!(value(page, "more").await?.contains("8192"), "{}", value(page, "more").await?);
        // A product there, and what a slider elsewhere moves beside it.
        edit(page, "where_tensors_live", "mark = (torch.ones(8, 8, device='cuda') @ torch.ones(8, 8, device='cuda')).sum().item()  # @inspect mark")
            .await?;
        assert!(value(page, "mark").await?.contains("512"), "{}", value(page, "mark").await?);
        let open_cell = format!("{SEE}{VISIT} visit('training_time'); press('a');");
        page.run(&open_cell, vec![]).await?;
        let field = page.named(".code", "textbox", "params, number").await?;
        page.type_into(&field, "7e11").await?;
        page.press(Key::Enter + "").await?;
        ran(page).await?;
        page.run(&format!("{SEE}{VISIT} visit('where_tensors_live');"), vec![]).await?;
        let script = "return document.querySelector('.fault') === null;";
        assert_eq!(page.run(script, vec![]).await?, true);
        assert!(address(page).await?.contains("device=gpu"));
        assert!(value(page, "mark").await?.contains("512"), "the edit is kept");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn keys_move_a_slider() -> Result<()> {
    check("lecture_slider_keys", Options::default(), async |page| {
        open(page, "training_time", "").await?;
        let range =
            "const range = document.querySelector(\"[data-slider='training_time.gpus'] input[type=range]\");";
        let focus = format!("{range} range.focus(); return +range.value;");
        let place = async || -> Result<Option<i64>> {
            Ok(page.run(&format!("{range} return +range.value;"), vec![]).await?.as_i64())
        };
        let before = page.run(&focus, vec![]).await?.as_i64();
        page.press(Key::Right + "").await?;
        assert_eq!(place().await?, before.map(|place| place + 1));
        press_with(page, Key::Shift, Key::Right).await?;
        assert_eq!(place().await?, before.map(|place| place + 11));
        for (key, gpus) in [(Key::End, "100000"), (Key::Home, "1")] {
            page.press(key + "").await?;
            page.until(gpus, async || {
                let shown = page.run(&format!("{range} return range.ariaValueText;"), vec![]).await?;
                Ok((shown == gpus).then_some(()))
            })
            .await?;
        }
        ran(page).await?;
        assert!(value(page, "gpus").await?.contains('1'));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_faulty_line_is_marked_and_the_text_survives() -> Result<()> {
    check("lecture_fault", Options::default(), async |page| {
        open(page, "training_time", "").await?;
        write_first_line(page, "x = (").await?;
        page.reads(".fault", "SyntaxError: '(' was never closed").await?;
        page.reads(".fault", "resource-accounting.py, line 1").await?;
        page.css(".editing .cm-lintRange-error").await?;
        assert!(value(page, "gpu_hours").await?.contains("3.537 M"), "the page goes on");
        page.driver().refresh().await?;
        page.css("html[data-live]").await?;
        page.reads("#notices", "your text is kept").await?;
        page.click(".switches", "Edit").await?;
        page.css(".editing .cm-content").await?;
        // It opens at the line that is read.
        press_with(page, Key::Control, Key::Home).await?;
        page.reads(".editing .cm-line", "x = (").await?;
        page.click(".runner", "Reset").await?;
        page.reads(".editing .cm-line", "\"\"\"").await
    })
    .await
}

#[tokio::test]
async fn an_endless_loop_is_stopped_by_the_button() -> Result<()> {
    check("lecture_endless", Options::default(), async |page| {
        open(page, "training_time", "").await?;
        write_first_line(page, "while 1: 1 #").await?;
        page.reads(".runner .progress", "running").await?;
        page.click(".runner", "Stop").await?;
        page.reads(".fault", "You stopped it").await?;
        page.click(".editing", "Restore this file").await?;
        ran(page).await?;
        assert!(value(page, "gpu_hours").await?.contains("3.537 M"), "another worker has come");
        Ok(())
    })
    .await
}
