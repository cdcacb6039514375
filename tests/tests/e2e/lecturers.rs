//! What lecturers do with a lecture: present it, with notes in a second window, print slides, and take in what was solved.

use anyhow::{Context, Result};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::appearance::no_violation;
use crate::exports::saved;
use crate::lecture::{LECTURE, TIME, says, set_slider, still};

/// The titles that can be seen.
async fn titles(page: &Page) -> Result<Value> {
    let script = "return [...document.querySelectorAll('.lecture-head h1, .lecture-section > h2, .cell > h3')]
        .filter(it => it.checkVisibility() && getComputedStyle(it).clipPath === 'none').map(it => it.textContent.trim());";
    page.run(script, vec![]).await
}

async fn are(page: &Page, wanted: &[&str]) -> Result<()> {
    page.until(&format!("{wanted:?}"), async || Ok((titles(page).await? == json!(wanted)).then_some(())))
        .await
}

/// What is answered on cards that can be seen.
async fn answers(page: &Page) -> Result<u64> {
    let script = "return [...document.querySelectorAll('.cell.is-current .verdict')].length;";
    Ok(page.run(script, vec![]).await?.as_u64().unwrap_or_default())
}

async fn answered(page: &Page, wanted: u64) -> Result<()> {
    page.until(&format!("{wanted} answers"), async || Ok((answers(page).await? == wanted).then_some(())))
        .await
}

/// Answers the first question of the cell about time: what stands below it waits for that.
async fn guess(page: &Page, text: &str) -> Result<()> {
    let field = page.named("#training_time .question", "textbox", "Your guess").await?;
    page.type_into(&field, text).await?;
    page.click("#training_time .question", "Guess").await
}

const COUNT: &str = "Why count?";
const TRAINING: &str = "How long does training take?";

#[tokio::test]
async fn a_lecture_is_presented_part_by_part() -> Result<()> {
    check("present", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        guess(page, "9000").await?;
        page.click("#training_time .card[aria-label='Check yourself']", "989.5 TFLOP/s").await?;
        page.reads(".score", "1 of them right").await?;
        page.press("p").await?;
        says(page, "present").await?;
        are(page, &[COUNT, TRAINING]).await?;
        // What the speaker has answered is not given away: neither here nor in what waits for a guess.
        assert_eq!(answers(page).await?, 0);
        page.reads("#training_time .waiting", "Guess first").await?;
        page.press(Key::Left + "").await?;
        are(page, &[COUNT]).await?;
        page.press(Key::PageUp + "").await?;
        are(page, &["Resource accounting"]).await?;
        page.press(format!("{}{}", Key::PageDown.value(), Key::Right.value())).await?;
        are(page, &[COUNT, TRAINING]).await?;
        // The answers of this cell, and no more: of two questions, a card, and an exercise with two hints and a solution.
        page.press("a").await?;
        answered(page, 6).await?;
        page.reads("#training_time .exercise .hints", "dense_peak").await?;
        page.press("a").await?;
        answered(page, 0).await?;
        // Sliders are live, and keys are theirs while they have the focus.
        page.press("a").await?;
        set_slider(page, "training_time.params", "7e11").await?;
        page.reads("#training_time", "35.37 M").await?;
        page.run("document.activeElement.blur();", vec![]).await?;
        // Line by line, arrows go on by lines and the others by cells.
        page.press("s").await?;
        page.css(".is-presenting.is-stepping").await?;
        page.press(Key::Right + "").await?;
        page.reads(".where", "Cell 1").await?;
        page.press(Key::PageDown + "").await?;
        page.reads(".where", "Cell 2").await?;
        page.press("s").await?;
        are(page, &[COUNT, "What is the largest model that fits?"]).await?;
        page.press(Key::Escape + "").await?;
        page.css(".lecture:not(.is-presenting)").await?;
        page.reads(".score", "1 of them right").await?;
        still(page).await
    })
    .await
}

#[tokio::test]
async fn a_link_begins_to_present_and_keeps_what_was_answered() -> Result<()> {
    check("present_link", Options::default(), async |page| {
        page.read(LECTURE, "cost", "").await?;
        page.click("#cost .card[aria-label='Check yourself']", "It doubles").await?;
        page.lecture(LECTURE, "?present#cost").await?;
        are(page, &[COUNT, "What does it cost?"]).await?;
        assert_eq!(answers(page).await?, 0);
        page.press("a").await?;
        answered(page, 1).await?;
        page.click(".lecture-stepper", "Next cell").await?;
        are(page, &["Memory accounting"]).await?;
        page.until("anchor", async || {
            Ok((page.run("return location.hash;", vec![]).await? == "#memory_accounting").then_some(()))
        })
        .await?;
        page.lecture(LECTURE, "#cost").await?;
        page.wake("cost").await?;
        page.reads("#cost .is-wrong", "half the time").await
    })
    .await
}

#[tokio::test]
async fn notes_are_in_a_window_of_their_own() -> Result<()> {
    check("notes", Options::default(), async |page| {
        page.lecture(LECTURE, "?present#cost").await?;
        are(page, &[COUNT, "What does it cost?"]).await?;
        page.run("window.real = open; window.open = () => null;", vec![]).await?;
        page.press("n").await?;
        page.reads(".announcer", "pop-ups").await?;
        page.run("window.open = window.real;", vec![]).await?;
        let stage = page.driver().window().await?;
        page.press("n").await?;
        let notes = page
            .until("second window", async || {
                let windows = page.driver().windows().await?;
                Ok(windows.into_iter().find(|window| *window != stage))
            })
            .await?;
        page.driver().switch_to_window(notes.clone()).await?;
        page.reads("h1", "What does it cost?").await?;
        page.reads("main", "Next: Memory accounting").await?;
        page.reads("main", "Right: It stays the same").await?;
        page.reads("main", "But they finish in half the time").await?;
        no_violation(page).await?;
        let field = page.named("main", "textbox", "Your notes, kept in this browser").await?;
        page.type_into(&field, "Ask <b>them</b> first").await?;
        // Keys are a field's own, and else the page's.
        page.reads("h1", "What does it cost?").await?;
        page.run("document.activeElement.blur();", vec![]).await?;
        page.press(Key::Right + "").await?;
        page.reads("h1", "Memory accounting").await?;
        page.driver().switch_to_window(stage.clone()).await?;
        are(page, &["Memory accounting"]).await?;
        page.press(Key::Left + "").await?;
        page.driver().switch_to_window(notes).await?;
        page.reads("h1", "What does it cost?").await?;
        page.driver().switch_to_window(stage.clone()).await?;
        page.press(Key::Escape + "").await?;
        page.until("one window", async || Ok((page.driver().windows().await?.len() == 1).then_some(())))
            .await?;
        let kept = "return localStorage['notes.lecture.resource-accounting'];";
        assert_eq!(page.run(kept, vec![]).await?, json!(r#"{"cost":"Ask <b>them</b> first"}"#));
        // With the button, too: what is there afterwards has the focus.
        page.press("p").await?;
        page.click(".lecture-stepper", "Leave Esc").await?;
        page.focused("Read").await
    })
    .await
}

#[tokio::test]
async fn axe_finds_no_violation_on_a_beamer() -> Result<()> {
    for (viewport, dark) in [((1440, 900), false), ((390, 844), true)] {
        let options = Options { viewport, dark, ..Options::default() };
        check(&format!("axe_present_{}", viewport.0), options, async |page| {
            for cell in ["main", "napkin_maths", TIME] {
                page.lecture(LECTURE, &format!("?present#{cell}")).await?;
                page.css(".is-presenting").await?;
                page.press("a").await?;
                no_violation(page).await?;
                let wide = "return document.documentElement.scrollWidth - innerWidth;";
                assert!(page.run(wide, vec![]).await?.as_i64() <= Some(0), "{cell}");
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn who_presents_prints_a_slide_for_each_part() -> Result<()> {
    check("slides", Options::default(), async |page| {
        page.lecture("arithmetic-intensity", "?present#relu").await?;
        page.css(".is-presenting").await?;
        page.run("dispatchEvent(new Event('beforeprint'));", vec![]).await?;
        let script = "return document.querySelectorAll('.lecture-section, main .cell').length;";
        let parts = page.run(script, vec![]).await?.as_u64().context("no parts")?;
        let pdf = page.devtools("Page.printToPDF", json!({"preferCSSPageSize": true})).await?;
        let pdf = BASE64_STANDARD.decode(pdf["data"].as_str().context("no paper")?)?;
        let pdf = String::from_utf8_lossy(&pdf);
        let pages = pdf.matches("/Type /Page\n").count() as u64;
        assert!(pages > parts, "{pages} pages for {parts} parts");
        // A4, across.
        assert!(pdf.contains("/MediaBox [0 0 841"), "no landscape");
        page.on_paper(false).await?;
        let breaks = "return [...document.querySelectorAll('.lecture-section, main .cell')]
            .filter(it => getComputedStyle(it).breakBefore !== 'page').length;";
        assert_eq!(page.run(breaks, vec![]).await?, json!(0));
        assert_eq!(page.run("return document.querySelectorAll('.verdict').length;", vec![]).await?, json!(0));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_was_solved_is_handed_in_as_one_file() -> Result<()> {
    check("hand_in", Options::default(), async |page| {
        page.read(LECTURE, TIME, "?s.training_loop.D=8&s.training_time.gpus=2048").await?;
        still(page).await?;
        let group = "#training_time .card[aria-label='Check yourself']";
        guess(page, "9000").await?;
        page.click(group, "495 TFLOP/s").await?;
        page.click(group, "989.5 TFLOP/s").await?;
        let exercise = "#training_time .exercise";
        page.click(exercise, "Write your code").await?;
        page.css(&format!("{exercise} .cm-content")).await?;
        let script = "document.querySelector(arguments[0]).focus(); document.execCommand('selectAll');";
        page.run(script, vec![json!(format!("{exercise} .cm-content"))]).await?;
        let code = "def days_of_training(params, tokens, gpus, sheet_peak, mfu):\n    \
                    return 6 * params * tokens / (gpus * mfu * sheet_peak / 2) / 86400  # </pre><script>alert(1)</script>";
        page.devtools("Input.insertText", json!({ "text": code })).await?;
        page.click(exercise, "Run what is written").await?;
        page.reads(exercise, "It passes the check").await?;
        let field = page.named(".lecture-contents", "textbox", "Your name").await?;
        page.type_into(&field, "Ada <img src=x> & Co").await?;
        let about = "const [name, blob] = window.caught;
            const html = await blob.text();
            const page = new DOMParser().parseFromString(html, 'text/html');
            return {name, text: page.body.innerText ?? page.body.textContent, title: page.querySelector('h1').textContent,
                code: page.querySelector('pre').textContent,
                foreign: page.querySelectorAll('script, img, link, iframe, [src], [onerror], a[href^=http]').length,
                whole: html.startsWith('<!doctype html>') && html.includes('<meta charset=\"utf-8\">')};";
        let file = saved(page, ".lecture-contents", "Save to hand in", about).await?;
        assert_eq!(file["name"], "ada-img-src-x-co-resource-accounting.html");
        assert_eq!((&file["foreign"], &file["whole"]), (&json!(0), &json!(true)));
        assert!(file["code"].as_str().is_some_and(|it| it.trim_end() == code), "{file}");
        let text = file["text"].as_str().context("no text")?;
        for part in [
            "Handed in by Ada <img src=x> & Co on ",
            "Which peak do you divide by",
            "989.5 TFLOP/s — right, 2 tries.",
            "For how many days are these GPUs busy?",
            "9000 — wrong, 1 try.",
            "Its checks passed.",
            "Its checks have not passed.",
            "Not answered.",
            "training_loop.D = 8",
            // The file of the exercise that was solved has it in its text.
            "training_time.gpus = 2048",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        // What nobody has answered is not told.
        assert!(!text.contains("twice the GPUs for half the time"));
        Ok(())
    })
    .await
}
