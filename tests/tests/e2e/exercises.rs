//! Exercises: each says what is wrong with it as it stands, passes with its solution, and is remembered.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::lecture::{press_with, still};
use crate::walk::LECTURES;

/// The exercises of a lecture's trace: cell, function, what is wrong with it, its solution.
const EXERCISES: &str = "
    const trace = await (await fetch(`lectures/${arguments[0]}.json`)).json();
    return trace.steps.flatMap(step => step.renderings.filter(it => it.data?.function).map(({data}) =>
        [step.stack.at(-1).function_name, data.function, data.choices[0].why, data.choices.at(-1).why]));";

/// Writes over all that the editor of an exercise holds, and runs.
async fn attempt(page: &Page, scope: &str, text: &str) -> Result<()> {
    let script = "document.querySelector(arguments[0]).focus(); document.execCommand('selectAll');";
    page.run(script, vec![json!(format!("{scope} .cm-content"))]).await?;
    page.devtools("Input.insertText", json!({ "text": text })).await?;
    press_with(page, Key::Shift, Key::Enter).await
}

#[tokio::test]
async fn every_exercise_is_failed_and_solved() -> Result<()> {
    for lecture in LECTURES {
        check(&format!("exercises_{lecture}"), Options::default(), async |page| {
            page.lecture(lecture, "").await?;
            let all = page.run_async(EXERCISES, vec![json!(lecture)]).await?;
            let all: Vec<[String; 4]> = serde_json::from_value(all)?;
            assert!(all.len() >= 3, "{all:?}");
            let score = |solved: usize| format!("Solved {solved} of {} exercises", all.len());
            for (number, [cell, function, fault, solution]) in all.iter().enumerate() {
                let scope = format!("#{cell} .exercise[data-function='{function}']");
                page.wake(cell).await?;
                page.show_answers().await?;
                page.click(&scope, "Write your code").await?;
                page.css(&format!("{scope} .cm-content")).await?;
                page.click(&format!("{scope} .editing"), "Run what is written").await?;
                let plain = fault.replace(['`', '*'], "");
                page.reads(&format!("{scope} .is-wrong"), &plain).await.context(function.clone())?;
                let solution = solution.trim_matches(['`', '\n']);
                if number == 0 {
                    let raises = format!("def {function}(*arguments):\n    return nowhere");
                    attempt(page, &scope, &raises).await?;
                    page.reads(&format!("{scope} .is-wrong"), "raises NameError: name 'nowhere' is not defined")
                        .await?;
                    page.reads(&format!("{scope} .cm-lintRange-error"), "nowhere").await?;
                    still(page).await?;
                }
                attempt(page, &scope, solution).await?;
                page.reads(&format!("{scope} .is-right"), "It passes the check")
                    .await
                    .context(function.clone())?;
                page.reads(".score", &score(number + 1)).await?;
                still(page).await?;
                assert_eq!(page.run("return document.querySelector('.fault');", vec![]).await?, Value::Null);
                page.click(&format!("{scope} .editing"), "Close the editor").await?;
                page.reads(&format!("{scope} pre"), solution.lines().last().unwrap_or_default().trim())
                    .await?;
            }
            // This device remembers it, and forgets it at once.
            page.driver().refresh().await?;
            page.live().await?;
            page.reads(".score", &score(all.len())).await?;
            page.click(".lecture-contents", "Erase my answers").await?;
            page.until("nothing kept", async || {
                let kept = "return localStorage.getItem(`guesses.lecture.${arguments[0]}`);";
                Ok(page.run(kept, vec![json!(lecture)]).await?.is_null().then_some(()))
            })
            .await?;
            let marks = "return [...document.querySelectorAll('.lecture-contents .done')].map(it => it.textContent).join('');";
            assert!(!page.run(marks, vec![]).await?.to_string().contains("of"));
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn what_was_read_and_answered_is_marked_kept_and_saved() -> Result<()> {
    check("progress", Options::default(), async |page| {
        page.read(LECTURES[0], "cost", "").await?;
        let entry = ".lecture-contents a[href='#cost'] .done";
        page.reads(entry, "read").await?;
        page.click("#cost .card[aria-label='Check yourself']", "It stays the same").await?;
        page.reads(entry, "all done").await?;
        page.driver().refresh().await?;
        page.live().await?;
        page.reads(entry, "all done").await?;
        page.wake("cost").await?;
        page.reads("#cost .card .is-right", "the same number of GPU-hours").await?;
        let script = "let caught;
            const real = URL.createObjectURL;
            URL.createObjectURL = blob => { caught = blob; return real.call(URL, blob); };
            [...document.querySelectorAll('.lecture-contents button')].find(it => it.textContent.startsWith('Save')).click();
            return JSON.parse(await caught.text());";
        let saved = page.run_async(script, vec![]).await?;
        assert_eq!(saved["read"], json!(["cost"]));
        let answers = saved["answers"].as_object().context("no answers")?;
        let [(question, answer)] = answers.iter().collect::<Vec<_>>()[..] else { panic!("{answers:?}") };
        assert!(question.contains("rent twice as many"), "{question}");
        assert_eq!(*answer, json!({"text": "It stays the same", "verdict": "Right", "tries": 1}));
        Ok(())
    })
    .await
}
