//! The lecture runs in the page: what a reader changes moves what depends on it.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::changes::{edit, moved};

/// The lecture of the site's first page.
pub(crate) const LECTURE: &str = "resource-accounting";

/// The cell on training time.
pub(crate) const TIME: &str = "training_time";

/// Waits until nothing runs.
pub(crate) async fn still(page: &Page) -> Result<()> {
    page.until("end of the run", async || {
        let script = "return document.querySelector('.runner .progress') === null;";
        Ok((page.run(script, vec![]).await? == true).then_some(()))
    })
    .await
}

/// What stands beside or below the line of a cell that gives a variable its value, whatever is still to be guessed.
pub(crate) async fn value(page: &Page, cell: &str, name: &str) -> Result<String> {
    page.show_answers().await?;
    let script = "const [cell, name] = arguments;
        const line = [...document.querySelectorAll(`#${cell} .statement`)]
            .find(line => line.querySelector('code')?.textContent.trim().startsWith(name + ' ='));
        return line?.querySelector('.result, .shown-value')?.textContent ?? '';";
    let text = page.run(script, vec![json!(cell), json!(name)]).await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

/// Waits until a variable of a cell has a value.
pub(crate) async fn shows(page: &Page, cell: &str, name: &str, wanted: &str) -> Result<()> {
    page.until(&format!("{wanted} as {name} of {cell}"), async || {
        Ok(value(page, cell, name).await?.contains(wanted).then_some(()))
    })
    .await
}

/// What stands behind the page's name in the address.
pub(crate) async fn address(page: &Page) -> Result<String> {
    Ok(page.run("return location.search;", vec![]).await?.as_str().unwrap_or_default().to_owned())
}

/// Waits until the address says it, which it does when the reader's hand rests.
pub(crate) async fn says(page: &Page, wanted: &str) -> Result<String> {
    page.until(wanted, async || Ok(Some(address(page).await?).filter(|query| query.contains(wanted)))).await
}

/// Waits until the address does not say it any more.
async fn says_no_more(page: &Page, wanted: &str) -> Result<()> {
    let what = format!("address without {wanted}");
    page.until(&what, async || Ok((!address(page).await?.contains(wanted)).then_some(()))).await
}

/// Presses a key while another is held.
pub(crate) async fn press_with(page: &Page, held: Key, key: Key) -> Result<()> {
    let chord = page.driver().action_chain().key_down(held.clone()).send_keys(key + "");
    Ok(chord.key_up(held).perform().await?)
}

/// Writes a number into the field of a slider, by the slider's id.
pub(crate) async fn set_slider(page: &Page, slider: &str, number: &str) -> Result<()> {
    let field = page.css(&format!("[data-slider='{slider}'] input[type=text]")).await?;
    page.type_into(&field, number).await?;
    page.press(Key::Enter + "").await
}

/// What the editor of a cell holds.
pub(crate) async fn written(page: &Page) -> Result<String> {
    page.text(".editing .cm-content").await
}

/// Waits until nothing is there any more.
pub(crate) async fn gone(page: &Page, selector: &str) -> Result<()> {
    let none = format!("return document.querySelector({selector:?}) === null;");
    page.until(selector, async || Ok((page.run(&none, vec![]).await? == true).then_some(()))).await
}

/// Opens the editor of a cell with the focus in it.
pub(crate) async fn open_editor(page: &Page, cell: &str) -> Result<()> {
    page.wake(cell).await?;
    page.click(&format!("#{cell} .cell-tools"), "Edit").await?;
    page.until("editor", async || {
        let has_focus = "return document.activeElement?.closest('.editing .cm-content') !== null;";
        Ok((page.run(has_focus, vec![]).await? == true).then_some(()))
    })
    .await
}

/// Takes back all that was changed, code among it: the page asks first.
pub(crate) async fn reset_all(page: &Page) -> Result<()> {
    page.click(".runner", "Reset all").await?;
    page.click("dialog[open]", "Reset").await
}

/// Writes a line below that of `def` into the editor that has the focus, and runs.
pub(crate) async fn write_first_line(page: &Page, text: &str) -> Result<()> {
    press_with(page, Key::Control, Key::Home).await?;
    // Below `def` stands the docstring, which is the cell's title.
    page.press(format!("{}{}{}{text}", Key::Down.value(), Key::End.value(), Key::Enter.value())).await?;
    press_with(page, Key::Shift, Key::Enter).await
}

#[tokio::test]
async fn a_slider_moves_what_follows_and_the_link_says_so() -> Result<()> {
    let query = check("lecture_slider", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        shows(page, TIME, "gpu_hours", "3.537 M").await?;
        set_slider(page, "training_time.params", "7e11").await?;
        // Ten times the parameters.
        shows(page, TIME, "gpu_hours", "35.37 M").await?;
        page.reads(".runner .state", "1 slider moved").await?;
        page.css("#training_time .result-value.is-moved").await?;
        // What another machine has measured, or has had in memory, has not changed.
        still(page).await?;
        assert_eq!(moved(page).await?, [TIME, "reality", "cost"]);
        says(page, "s.training_time.params=7e11").await
    })
    .await?;
    check("lecture_link", Options::default(), async |page| {
        page.read(LECTURE, TIME, &query).await?;
        shows(page, TIME, "gpu_hours", "35.37 M").await?;
        page.click(".runner", "Reset all").await?;
        shows(page, TIME, "gpu_hours", "3.537 M").await?;
        says_no_more(page, "s.").await?;
        // And of one cell alone.
        set_slider(page, "training_time.params", "7e11").await?;
        shows(page, TIME, "gpu_hours", "35.37 M").await?;
        page.click("#training_time .cell-tools", "Reset").await?;
        shows(page, TIME, "gpu_hours", "3.537 M").await?;
        says_no_more(page, "s.").await
    })
    .await
}

#[tokio::test]
async fn a_slider_and_a_field_of_the_same_name_are_one_value() -> Result<()> {
    check("one_value", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        // What the calculator shows waits for the guess, too.
        page.reads("#training_time .waiting", "Guess first").await?;
        page.show_answers().await?;
        let sheet = "#training_time .sheet-place";
        let field = page.named(sheet, "textbox", "MFU").await?;
        let number = page.css("[data-slider='training_time.mfu'] input[type=text]").await?;
        let both = async |wanted: &str| {
            page.until(&format!("an MFU of {wanted}"), async || {
                let texts = [field.prop("value").await?, number.prop("value").await?];
                Ok(texts.iter().all(|text| text.as_deref() == Some(wanted)).then_some(()))
            })
            .await
        };
        both("0.5").await?;
        page.type_into(&field, "0.4").await?;
        both("0.4").await?;
        says(page, "s.training_time.mfu=0.4").await?;
        // The calculator by itself, the code by Python.
        page.reads(&format!("{sheet} [aria-label='Training time']"), "179.9 days").await?;
        shows(page, TIME, "mfu", "0.4").await?;
        shows(page, TIME, "days", "179.9").await?;
        // The other way: the calculator is not drawn anew by the run, and still has the value.
        page.run(
            "document.querySelector(\"[data-slider='training_time.mfu'] input[type=range]\").focus();",
            vec![],
        )
        .await?;
        page.press(Key::End + "").await?;
        page.until("an MFU of 1", async || {
            let text = page.named(sheet, "textbox", "MFU").await?.prop("value").await?.unwrap_or_default();
            Ok((text.parse() == Ok(1.0)).then_some(()))
        })
        .await?;
        page.reads(&format!("{sheet} [aria-label='Training time']"), "71.96 days").await?;
        shows(page, TIME, "days", "71.96").await
    })
    .await
}

#[tokio::test]
async fn sliders_and_edits_run_on_the_gpu() -> Result<()> {
    check("lecture_gpu", Options::default(), async |page| {
        let cell = "where_tensors_live";
        page.read(LECTURE, cell, "?device=gpu").await?;
        shows(page, cell, "device", "cuda").await?;
        shows(page, cell, "more", "8192").await?;
        // A product there, and what a slider elsewhere moves beside it.
        edit(page, cell, "mark = (torch.ones(8, 8, device='cuda') @ torch.ones(8, 8, device='cuda')).sum().item()  # @inspect mark")
            .await?;
        shows(page, cell, "mark", "512").await?;
        page.wake(TIME).await?;
        set_slider(page, "training_time.params", "7e11").await?;
        shows(page, TIME, "gpu_hours", "35.37 M").await?;
        still(page).await?;
        let script = "return document.querySelector('.fault') === null;";
        assert_eq!(page.run(script, vec![]).await?, true);
        assert!(address(page).await?.contains("device=gpu"));
        assert!(value(page, cell, "mark").await?.contains("512"), "the edit is kept");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn keys_move_a_slider() -> Result<()> {
    check("lecture_slider_keys", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        let range =
            "const range = document.querySelector(\"[data-slider='training_time.gpus'] input[type=range]\");";
        let focus = format!("{range} range.focus(); return +range.value;");
        let place = async || -> Result<Option<i64>> {
            Ok(page.run(&format!("{range} return +range.value;"), vec![]).await?.as_i64())
        };
        let before = page.run(&focus, vec![]).await?.as_i64();
        page.press(Key::Right + "").await?;
        assert_eq!(place().await?, before.map(|place| place + 1));
        press_with(page, Key::Shift, Key::Left).await?;
        assert_eq!(place().await?, before.map(|place| place - 9));
        for (key, gpus) in [(Key::End, "100000"), (Key::Home, "1")] {
            page.press(key + "").await?;
            page.until(gpus, async || {
                let shown = page.run(&format!("{range} return range.ariaValueText;"), vec![]).await?;
                Ok((shown == gpus).then_some(()))
            })
            .await?;
        }
        // The arrows were the slider's: nobody steps.
        assert!(!address(page).await?.contains("step="));
        // The last value has won.
        page.until("code with it", async || {
            let line =
                "return document.querySelector(\"[data-slider='training_time.gpus']\").closest('.statement')
                .querySelector('code').textContent;";
            Ok((page.run(line, vec![]).await? == "gpus = 1").then_some(()))
        })
        .await?;
        shows(page, TIME, "gpus", "1").await
    })
    .await
}

#[tokio::test]
async fn a_faulty_line_is_marked_and_the_text_survives() -> Result<()> {
    check("lecture_fault", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        shows(page, TIME, "gpu_hours", "3.537 M").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "x = (").await?;
        page.reads(".fault", "SyntaxError: '(' was never closed").await?;
        page.reads(".fault", "Line 3").await?;
        page.css(".editing .cm-lintRange-error").await?;
        page.driver().refresh().await?;
        page.live().await?;
        page.reads(".notices", "your code is kept").await?;
        open_editor(page, TIME).await?;
        page.reads(".editing .cm-content", "x = (").await?;
        reset_all(page).await?;
        page.until("no word of an edit", async || {
            Ok((!page.css(".notices").await?.is_displayed().await?).then_some(()))
        })
        .await?;
        page.until(
            "the text of before",
            async || Ok((!written(page).await?.contains("x = (")).then_some(())),
        )
        .await?;
        page.click(".editing", "Close the editor").await?;
        page.focused("Edit").await?;
        shows(page, TIME, "gpu_hours", "3.537 M").await
    })
    .await
}

#[tokio::test]
async fn a_run_that_ends_leaves_the_focus_near_its_button() -> Result<()> {
    check("lecture_ends", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "sum(range(40_000_000))").await?;
        page.reads(".runner .progress", "running").await?;
        page.run("document.querySelector('.runner .is-main').focus();", vec![]).await?;
        page.focused("Stop").await?;
        still(page).await?;
        page.focused("Run").await
    })
    .await
}

#[tokio::test]
async fn an_endless_loop_is_stopped_by_the_button() -> Result<()> {
    check("lecture_endless", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "while 1: 1").await?;
        page.reads(".runner .progress", "running").await?;
        page.click(".runner", "Stop").await?;
        page.focused("Run").await?;
        page.reads(".fault", "You stopped it").await?;
        page.click(".editing", "Restore the original").await?;
        page.click(".editing", "Run what is written").await?;
        still(page).await?;
        page.click(".editing", "Close the editor").await?;
        // Another worker has come.
        shows(page, TIME, "gpu_hours", "3.537 M").await?;
        let is_whole = "return document.querySelector('.fault') === null;";
        assert_eq!(page.run(is_whole, vec![]).await?, true);
        Ok(())
    })
    .await
}
