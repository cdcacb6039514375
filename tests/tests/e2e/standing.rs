//! What an error leaves standing, and what the browser keeps of what a reader has written.

use std::time::{Duration, Instant};

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::lecture::{
    LECTURE, TIME, gone, open_editor, press_with, reset_all, shows, still, write_first_line, written,
};
use crate::traces::give_all;

/// An exercise, wrong and right, in a file that has another one.
pub const POSITION: &str = "#storage_and_strides .exercise";
const ODD: &str = "#views .exercise";
const WRONG: &str = "def position(index, stride):\n    return index[0] * stride[0]";
const RIGHT: &str = "def position(index, stride):\n    return sum(i * s for i, s in zip(index, stride))";

pub async fn write(page: &Page, scope: &str, text: &str) -> Result<()> {
    page.css(&format!("{scope} .cm-content")).await?;
    let script = "document.querySelector(arguments[0]).focus(); document.execCommand('selectAll');";
    page.run(script, vec![json!(format!("{scope} .cm-content"))]).await?;
    page.devtools("Input.insertText", json!({ "text": text })).await.map(drop)
}

/// A program that has begun to run comes to its loop. Stopped before that, it has no cell that can end alone.
async fn into_the_loop() {
    tokio::time::sleep(Duration::from_secs(5)).await;
}

async fn ids(page: &Page, selector: &str) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll(arguments[0])].map(it => it.closest('.cell').id);";
    Ok(serde_json::from_value(page.run(script, vec![json!(selector)]).await?)?)
}

#[tokio::test]
async fn cells_that_need_the_broken_one_wait_and_lead_to_it() -> Result<()> {
    check("standing_waits", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        let all = page.cells().await?;
        for mistake in ["peak = nowhere", "while True: pass", "x = ("] {
            open_editor(page, TIME).await?;
            write_first_line(page, mistake).await?;
            if mistake.starts_with("while") {
                page.reads(".runner .progress", "step").await?;
                page.click(".runner", "Stop").await?;
                page.reads(".runner .broken", "1 cell was stopped").await?;
            }
            page.css("#training_time .fault").await?;
            still(page).await?;
            assert_eq!(page.cells().await?, all, "{mistake}");
            assert_eq!(ids(page, ".fault").await?, [TIME], "{mistake}");
            page.wake("cost").await?;
            page.reads("#cost .waits", "How long does training take?").await?;
            // Values of before are still there, and dimmed.
            shows(page, "cost", "dollars", "$10.61 M").await?;
            page.css("#cost.is-old").await?;
            page.click("#cost .waits", "How long does training take?").await?;
            page.until("the broken cell", async || {
                let top = "return document.querySelector('#training_time').getBoundingClientRect().top;";
                Ok((page.run(top, vec![]).await?.as_f64().unwrap_or(1e9) < 400.0).then_some(()))
            })
            .await?;
            page.click("#training_time .fault", "Restore this cell").await?;
            gone(page, ".fault, .waits, .cell.is-old").await?;
            still(page).await?;
            page.click(".editing", "Close the editor").await?;
            shows(page, TIME, "gpu_hours", "3.537 M").await?;
        }
        Ok(())
    })
    .await
}

/// A reader's hand may be faster than the page.
#[tokio::test]
async fn a_button_that_is_pressed_before_the_page_answers_is_heard() -> Result<()> {
    check("standing_early", Options::default(), async |page| {
        let press = "addEventListener('DOMContentLoaded', () => {
            globalThis.early = !document.documentElement.hasAttribute('data-live');
            document.querySelector('#training_time .cell-tools button').click();
        });";
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": press })).await?;
        let is_early = async || -> Result<()> {
            page.css("#training_time .editing .cm-content").await?;
            assert_eq!(page.run("return early;", vec![]).await?, true, "the page answered too soon for this");
            Ok(())
        };
        page.read(LECTURE, TIME, "").await?;
        is_early().await?;
        write_first_line(page, "peak = 1e15").await?;
        still(page).await?;
        // Of a reader who has edited, what the build has written is made anew as the page comes alive.
        page.driver().refresh().await?;
        page.live().await?;
        page.wake(TIME).await?;
        is_early().await
    })
    .await
}

/// What was wrong with another text is not said of this one, and what was stopped is kept.
#[tokio::test]
async fn a_run_of_another_text_begins_without_the_fault_of_the_last() -> Result<()> {
    check("standing_next", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "peak = (").await?;
        page.reads("#training_time .fault", "SyntaxError").await?;
        page.reads("#training_time .waits", "what you have written here has not run").await?;
        let said = "return document.querySelector('.announcer').textContent;";
        assert_eq!(page.run(said, vec![]).await?, "", "the cell says it");
        write(page, "#training_time", "def training_time():\n    while True: pass").await?;
        page.click(".editing", "Run what is written").await?;
        page.reads(".runner .progress", "running").await?;
        gone(page, ".fault, .cm-lintRange-error").await?;
        into_the_loop().await;
        page.click(".runner", "Stop").await?;
        page.reads("#training_time .fault", "You stopped it").await?;
        page.reads("#training_time .versions summary", "Versions: 3").await?;
        page.reads("#training_time .waits", "this cell was stopped").await?;
        still(page).await?;
        // What does not need it has run, and runs: the loop is not tried again.
        let old = ids(page, ".cell.is-old").await?;
        assert!(old.contains(&"cost".to_owned()), "{old:?}");
        assert!(old.iter().all(|cell| [TIME, "reality", "cost"].contains(&cell.as_str())), "{old:?}");
        let begin = Instant::now();
        page.wake("matmul").await?;
        page.click("#matmul .cell-tools", "Run").await?;
        page.reads(".announcer", "It has run, but not all of it").await?;
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
        page.reads("#training_time .fault", "You stopped it").await
    })
    .await
}

/// What ran last may be the lecture's own code; and whatever puts a text into the editor runs it.
#[tokio::test]
async fn undo_goes_back_to_what_ran_last() -> Result<()> {
    check("standing_undo", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "mine = 41").await?;
        still(page).await?;
        write(page, "#training_time", "def training_time():\n    return nowhere").await?;
        page.click(".editing", "Run what is written").await?;
        page.reads("#training_time .fault", "NameError").await?;
        page.click("#training_time .fault", "Undo my edit").await?;
        page.reads(".editing .cm-content", "mine = 41").await?;
        still(page).await?;
        page.click(".editing", "Restore the original").await?;
        page.until("the original", async || Ok((!written(page).await?.contains("mine = 41")).then_some(())))
            .await?;
        still(page).await?;
        write(page, "#training_time", "def training_time():\n    return elsewhere").await?;
        page.click(".editing", "Run what is written").await?;
        page.reads("#training_time .fault", "elsewhere").await?;
        still(page).await?;
        page.click(".editing", "Restore the original").await?;
        gone(page, ".fault, .cm-lintRange-error").await?;
        still(page).await?;
        // Each text is there once.
        page.reads("#training_time .versions summary", "Versions: 4").await?;
        write(page, "#training_time", "def training_time():\n    return nothing").await?;
        page.click(".editing", "Run what is written").await?;
        page.reads("#training_time .fault", "NameError").await?;
        page.click("#training_time .fault", "Undo my edit").await?;
        page.until("the original", async || Ok((!written(page).await?.contains("nothing")).then_some(())))
            .await?;
        let text = written(page).await?;
        assert!(text.contains("How long does training take?") && !text.contains("mine"), "{text}");
        Ok(())
    })
    .await
}

/// A line of code that could not be read is nowhere but in the editor.
#[tokio::test]
async fn the_line_of_an_error_opens_the_editor_that_has_it() -> Result<()> {
    check("standing_line", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "peak = (").await?;
        page.reads("#training_time .fault", "Line 3: SyntaxError").await?;
        still(page).await?;
        page.click("#training_time .editing", "Close the editor").await?;
        page.click("#training_time .fault", "Line 3").await?;
        page.reads("#training_time .editing .cm-activeLine", "peak = (").await?;
        page.css("#training_time .cm-lintRange-error").await?;
        // Once it is closed, nothing opens it again.
        page.click("#training_time .editing", "Close the editor").await?;
        page.click("#training_time .fault", "Restore this cell").await?;
        still(page).await?;
        assert_eq!(page.run("return document.querySelector('.editing');", vec![]).await?, json!(null));
        Ok(())
    })
    .await
}

/// A loop in an exercise is the exercise's: its cell goes on, and the way on stands where the mistake is.
#[tokio::test]
async fn an_exercise_that_does_not_end_is_stopped_by_itself() -> Result<()> {
    check("standing_endless", Options::default(), async |page| {
        page.read(LECTURE, "storage_and_strides", "").await?;
        page.show_answers().await?;
        page.click(POSITION, "Write your code").await?;
        write(page, POSITION, "def position(index, stride):\n    while True:\n        index = index").await?;
        page.click(POSITION, "Check").await?;
        page.reads(".runner .progress", "running").await?;
        into_the_loop().await;
        page.click(".runner", "Stop").await?;
        page.reads(&format!("{POSITION} .fault"), "You stopped it").await?;
        page.reads(&format!("{POSITION} .fault"), "while True").await?;
        still(page).await?;
        page.reads(&format!("{POSITION} .is-wrong"), "was stopped before it returned").await?;
        assert_eq!(ids(page, ".cell.is-old, .cell:has(.waits)").await?, [""; 0]);
        page.click(&format!("{POSITION} .fault"), "Restore this exercise").await?;
        gone(page, ".fault").await
    })
    .await
}

#[tokio::test]
async fn a_check_judges_the_code_that_stands_there() -> Result<()> {
    check("standing_check", Options::default(), async |page| {
        page.read(LECTURE, "storage_and_strides", "").await?;
        page.show_answers().await?;
        page.click(POSITION, "Write your code").await?;
        write(page, POSITION, WRONG).await?;
        page.click(POSITION, "Check").await?;
        page.reads(&format!("{POSITION} .is-wrong"), "position(").await?;
        // A verdict goes when the code changes; the next one needs no other button.
        write(page, POSITION, RIGHT).await?;
        page.reads(&format!("{POSITION} .verdict"), "has not been checked").await?;
        page.click(POSITION, "Check").await?;
        page.reads(&format!("{POSITION} .is-right"), "passes the check").await?;
        page.reads(".score", "Solved 1 of").await?;
        // An error leads to the hint, too.
        write(page, POSITION, "def position(index, stride):\n    return nowhere").await?;
        page.click(POSITION, "Check").await?;
        page.reads(&format!("{POSITION} .fault"), "NameError").await?;
        page.click(&format!("{POSITION} .fault"), "Show the hint").await?;
        page.reads(&format!("{POSITION} .hints"), "Hint 1").await?;
        write(page, POSITION, RIGHT).await?;
        page.click(POSITION, "Check").await?;
        page.reads(&format!("{POSITION} .is-right"), "passes the check").await?;
        // Hints come one after the other.
        page.click(POSITION, "Hint 2").await?;
        let hints = "return document.querySelectorAll('#storage_and_strides .hints .verdict').length;";
        page.until("two hints", async || Ok((page.run(hints, vec![]).await? == 2).then_some(()))).await?;
        // Another exercise of the same file is not spoiled by an error in this one, nor the other way round.
        page.wake("views").await?;
        page.show_answers().await?;
        page.click(ODD, "Write your code").await?;
        write(page, ODD, "def odd_columns(x)\n    return x").await?;
        page.click(ODD, "Check").await?;
        page.reads(&format!("{ODD} .fault"), "Line 1: SyntaxError: expected ':'").await?;
        still(page).await?;
        assert_eq!(ids(page, ".fault").await?, ["views"]);
        page.reads(".score", "Solved 1 of").await?;
        page.reads(&format!("{POSITION} .is-right"), "passes the check").await?;
        assert_eq!(
            page.run("return document.querySelectorAll('.cm-lintRange-error').length > 0;", vec![]).await?,
            true
        );
        // The code that has solved it is the code that stands there.
        page.click(&format!("{POSITION} .editing"), "Restore the original").await?;
        page.until("nothing solved", async || {
            Ok((!page.text(".score").await?.contains("Solved 1")).then_some(()))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn what_is_reset_is_asked_about_and_comes_back() -> Result<()> {
    check("standing_reset", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "mine = 41").await?;
        still(page).await?;
        page.click(".runner", "Reset all").await?;
        page.reads("dialog[open]", "How long does training take?").await?;
        page.click("dialog[open]", "Keep it").await?;
        assert!(written(page).await?.contains("mine = 41"));
        reset_all(page).await?;
        page.until("the original", async || Ok((!written(page).await?.contains("mine = 41")).then_some(())))
            .await?;
        page.click(".runner", "Undo the reset").await?;
        page.reads(".editing .cm-content", "mine = 41").await?;
        still(page).await?;
        // Every version is there, with what differs.
        page.run("document.querySelector('.versions').open = true;", vec![]).await?;
        page.click(".versions li:last-child", "Difference").await?;
        page.reads(".editing .cm-changedLine, .editing .cm-insertedLine", "mine = 41").await?;
        page.click(".versions li:last-child", "Take this one").await?;
        page.until("the original", async || Ok((!written(page).await?.contains("mine = 41")).then_some(())))
            .await
    })
    .await
}

#[tokio::test]
async fn what_is_written_outlives_the_page() -> Result<()> {
    check("standing_kept", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        // In the middle of a run, and of one that has ended the worker.
        write_first_line(page, "while True: pass  # mine").await?;
        page.reads(".runner .progress", "running").await?;
        page.driver().refresh().await?;
        page.live().await?;
        page.reads(".notices", "your code is kept").await?;
        // Another tab has it, too, and what is written there is kept beside it.
        let first = page.driver().window().await?;
        let second = page.driver().new_tab().await?;
        page.driver().switch_to_window(second.clone()).await?;
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        page.reads(".editing .cm-content", "# mine").await?;
        press_with(page, Key::Control, Key::End).await?;
        page.press(format!("{}# theirs", Key::Enter.value())).await?;
        page.until("what is written, kept for both", async || {
            let kept =
                "return localStorage.getItem('edits.lecture.resource-accounting').includes('# theirs');";
            Ok((page.run(kept, vec![]).await? == true).then_some(()))
        })
        .await?;
        page.driver().switch_to_window(first).await?;
        page.devtools("Page.bringToFront", json!({})).await?;
        open_editor(page, TIME).await?;
        // The editor draws only the lines in sight.
        press_with(page, Key::Control, Key::End).await?;
        page.reads(".editing .cm-content", "# theirs").await?;
        // A new version of the lecture: the code is kept, and the reader is told.
        let script = "const key = 'bases.lecture.resource-accounting';
            const bases = JSON.parse(localStorage.getItem(key));
            for (const name in bases) bases[name] = 'def training_time():\\n    pass';
            localStorage.setItem(key, JSON.stringify(bases));
            const edits = JSON.parse(localStorage.getItem('edits.lecture.resource-accounting'));
            edits['resource-accounting.py:gone'] = 'def gone(): pass';
            localStorage.setItem('edits.lecture.resource-accounting', JSON.stringify(edits));";
        page.run(script, vec![]).await?;
        page.driver().refresh().await?;
        page.live().await?;
        page.reads(".notices", "The lecture has a new version of training_time").await?;
        page.reads(".notices", "has no gone any more").await?;
        page.until("code of a function that is gone, among the versions", async || {
            let kept =
                "return localStorage.getItem('versions.lecture.resource-accounting').includes('def gone');";
            Ok((page.run(kept, vec![]).await? == true).then_some(()))
        })
        .await
    })
    .await
}

/// A program of two cells and one more, which needs neither.
const PROGRAM: &str = "import torch


def first():
    \"\"\"First\"\"\"
    x = torch.ones(2, 3)  # @inspect x
    return x


def second(x):
    \"\"\"Second\"\"\"
    y = x.sum().item()  # @inspect y


def third():
    \"\"\"Third\"\"\"
    z = 41 + 1  # @inspect z


def main():
    x = first()
    second(x)
    third()


if __name__ == \"__main__\":
    main()
";

#[tokio::test]
async fn what_others_bring_stands_as_firmly() -> Result<()> {
    check("standing_opened", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give_all(page, "drop", json!([["mine.py", PROGRAM]])).await?;
        shows(page, "third", "z", "42").await?;
        still(page).await?;
        for (mistake, says) in [
            ("wrong = torch.ones(4", "Line 3: SyntaxError: '(' was never closed"),
            ("wrong = torch.ones(2) @ torch.ones(3)", "Line 3: RuntimeError"),
        ] {
            open_editor(page, "first").await?;
            write_first_line(page, mistake).await?;
            page.reads("#first .fault", says).await?;
            still(page).await?;
            assert_eq!(page.cells().await?, ["first", "second", "third"]);
            page.reads("#second .waits", "First").await?;
            shows(page, "second", "y", "6").await?;
            shows(page, "third", "z", "42").await?;
            page.click("#first .fault", "Restore this cell").await?;
            gone(page, ".fault, .waits, .cell.is-old").await?;
            still(page).await?;
            // It is where it was, although `main` below has other lines by now.
            page.click("#first .editing", "Close the editor").await?;
        }
        // And in a trace that has its sources.
        page.go(&format!("?trace=lectures/{LECTURE}.json")).await?;
        page.live().await?;
        let all = page.cells().await?;
        open_editor(page, TIME).await?;
        write_first_line(page, "wrong = (").await?;
        page.reads("#training_time .fault", "Line 3: SyntaxError: '(' was never closed").await?;
        still(page).await?;
        assert_eq!(page.cells().await?, all);
        page.wake("cost").await?;
        page.reads("#cost .waits", "How long does training take?").await
    })
    .await
}

/// Two cells that never end, and one that needs neither.
const ENDLESS: &str = "def main():\n    first()\n    second()\n    third()\n\n\ndef first():\n    \"\"\"First\"\"\"\n    \
    while True: pass\n\n\ndef second():\n    \"\"\"Second\"\"\"\n    while True: pass\n\n\ndef third():\n    \"\"\"Third\"\"\"\n    \
    z = 42  # @inspect z\n\n\nif __name__ == \"__main__\":\n    main()\n";

/// Stop ends the cell that runs, and the next one runs; pressed again it ends the run, for which that one is not to blame.
#[tokio::test]
async fn stop_pressed_again_ends_the_run() -> Result<()> {
    check("standing_twice", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give_all(page, "drop", json!([["endless.py", ENDLESS]])).await?;
        page.reads(".runner .progress", "running").await?;
        into_the_loop().await;
        page.click(".runner", "Stop").await?;
        page.reads(".fault", "You stopped it").await?;
        page.reads(".announcer", "Stop again ends the run").await?;
        page.click(".runner", "Stop").await?;
        still(page).await?;
        assert_eq!(ids(page, ".fault").await?, ["first"]);
        page.click("#first .fault", "Run it again").await?;
        into_the_loop().await;
        page.click(".runner", "Stop").await?;
        page.reads("#first .fault", "You stopped it").await
    })
    .await
}

#[tokio::test]
async fn an_editor_shows_code_and_no_answers() -> Result<()> {
    check("standing_folds", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        open_editor(page, TIME).await?;
        let text = written(page).await?;
        assert!(text.contains("peak = 1979e12 / 2") && text.contains("prose"), "{text}");
        assert!(!text.contains("answer=") && !text.contains("Every token meets"), "{text}");
        page.click(".editing", "Whole source").await?;
        page.reads(".editing .cm-content", "answer=").await?;
        page.click(".editing", "Whole source").await?;
        page.until("folded", async || Ok((!written(page).await?.contains("answer=")).then_some(()))).await?;
        // It is the whole function that runs: its questions are still there.
        page.run("document.querySelector('.editing .cm-content').focus();", vec![]).await?;
        write_first_line(page, "mine = 41  # @inspect mine").await?;
        still(page).await?;
        page.click(".editing", "Close the editor").await?;
        shows(page, TIME, "mine", "41").await?;
        page.css("#training_time .card[aria-label='Check yourself']").await.map(drop)
    })
    .await
}
