//! Questions that a reader answers before the answer is shown, whichever way the lecture is read.

use std::collections::BTreeMap;

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::lecture::{LECTURE, TIME};

/// What stands beside the lines of the cell that ask, and after them.
async fn answers(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('#training_time .statement')]
        .filter(line => /^(days|gpu_hours) =/.test(line.querySelector('code')?.textContent.trim()))
        .map(line => line.querySelector('.result').textContent);";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

async fn are(page: &Page, wanted: [&str; 2]) -> Result<()> {
    page.until(&format!("{wanted:?}"), async || {
        let answers = answers(page).await?;
        let fits = answers.len() == 2 && answers.iter().zip(wanted).all(|(it, wanted)| it.contains(wanted));
        Ok(fits.then_some(()))
    })
    .await
}

/// What is locked beside the code of who steps.
async fn locked(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.variables .variable:has(.locked) dt')].map(it => it.textContent);";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

#[tokio::test]
async fn a_question_locks_its_answer_in_both_modes() -> Result<()> {
    check("questions", Options::default(), async |page| {
        page.step(LECTURE, TIME).await?;
        are(page, ["?", "?"]).await?;
        assert_eq!(locked(page).await?, ["days", "gpu_hours"]);
        page.reads("#training_time .waiting", "Guess first").await?;
        page.reads(".score", "questions to answer").await?;
        page.click(".lecture-stepper", "Read").await?;
        are(page, ["?", "?"]).await?;
        // What can be no guess is refused, and nothing is given away.
        let guess = page.named("#training_time .question", "textbox", "Your guess").await?;
        page.type_into(&guess, "long").await?;
        page.click("#training_time .question", "Guess").await?;
        page.until("refusal", async || {
            Ok((guess.attr("aria-invalid").await?.as_deref() == Some("true")).then_some(()))
        })
        .await?;
        are(page, ["?", "?"]).await?;
        page.type_into(&guess, "").await?;
        page.click("#training_time .question", "Guess").await?;
        page.reads("#training_time .question .message", "Write a number").await?;
        page.type_into(&guess, "150").await?;
        page.click("#training_time .question", "Guess").await?;
        page.reads("#training_time .verdict", "you said 150").await?;
        page.reads("#training_time .verdict", "days is 143.9 days.").await?;
        page.focused("you said 150").await?;
        are(page, ["143.9", "3.537 M"]).await?;
        page.css("#training_time .sheet-place").await?;
        page.reads(".score", "Answered 1 of").await?;
        page.click(".lecture-stepper", "Step").await?;
        page.css(".lecture.is-stepping").await?;
        are(page, ["143.9", "3.537 M"]).await?;
        assert_eq!(locked(page).await?, Vec::<String>::new());
        // The browser keeps it, in both modes.
        page.driver().refresh().await?;
        page.live().await?;
        are(page, ["143.9", "3.537 M"]).await?;
        page.read(LECTURE, TIME, "").await?;
        are(page, ["143.9", "3.537 M"]).await?;
        page.reads("#training_time .verdict", "you said 150").await
    })
    .await
}

#[tokio::test]
async fn to_be_shown_unlocks_what_stands_beside_the_code_at_once() -> Result<()> {
    check("questions_shown", Options::default(), async |page| {
        page.step(LECTURE, TIME).await?;
        assert_eq!(locked(page).await?, ["days", "gpu_hours"]);
        page.click("#training_time .question", "Show me").await?;
        page.reads("#training_time .verdict", "Here it is").await?;
        page.focused("Here it is").await?;
        page.until("no lock", async || Ok(locked(page).await?.is_empty().then_some(()))).await
    })
    .await
}

#[tokio::test]
async fn no_answer_of_an_open_question_is_in_sight() -> Result<()> {
    check("questions_all", Options::default(), async |page| {
        for lecture in crate::walk::LECTURES {
            page.lecture(lecture, "").await?;
            let script = "const forms = [...document.querySelectorAll('form.question')];
                return forms.filter(form => {
                    const name = form.dataset.question.split('.').at(-1);
                    const lines = [...form.closest('.cell').querySelectorAll('.statement')];
                    const line = form.closest('.statement');
                    const own = [...line.querySelectorAll(`.value[aria-label='${name}']`)];
                    const later = lines.slice(lines.indexOf(line) + 1);
                    return own.length > 0 || later.some(it => it.querySelector('.value, .chart, .sheet-place'));
                }).map(form => form.dataset.question);";
            let asked = page.run("return document.querySelectorAll('form.question').length;", vec![]).await?;
            assert!(asked.as_u64() >= Some(2), "{lecture} asks {asked}");
            assert_eq!(page.run(script, vec![]).await?, json!([]), "{lecture}");
        }
        Ok(())
    })
    .await
}

/// The cards of a lecture's trace, and the longest part of a Markdown text that reads the same in a page.
const CARDS: &str = "
    const trace = await (await fetch(`lectures/${arguments[0]}.json`)).json();
    const cards = trace.steps.flatMap(step => step.renderings).filter(it => it.type === 'card').map(it => it.data);
    const plain = text => text.split(/[*`$\\\\]/).sort((a, b) => b.length - a.length)[0].trim();
    const given = () => {
        const text = document.documentElement.textContent;
        return cards.flatMap(card => card.choices).map(it => plain(it.why)).filter(why => text.includes(why));
    };";

#[tokio::test]
async fn a_choice_is_answered_once_it_is_chosen() -> Result<()> {
    check("questions_cards", Options { is_idle: true, ..Options::DEFAULT }, async |page| {
        for (lecture, cell) in [(LECTURE, TIME), ("arithmetic-intensity", "ridges")] {
            page.read(lecture, cell, "").await?;
            let given = format!("{CARDS} return given();");
            assert_eq!(page.run_async(&given, vec![json!(lecture)]).await?, json!([]), "{lecture}");
            // What waits for guesses is there after them, still without answers.
            for cell in page.cells().await? {
                page.wake(&cell).await?;
            }
            page.until("everything", async || {
                page.show_answers().await?;
                let open = page.run("return document.querySelectorAll('.waiting').length;", vec![]).await?;
                Ok((open == 0).then_some(()))
            })
            .await?;
            assert_eq!(page.run_async(&given, vec![json!(lecture)]).await?, json!([]), "{lecture}");
            let script = format!(
                "{CARDS} const faults = []; let count = 0;
                const settled = () => new Promise(told => setTimeout(told));
                const asked = cards.filter(it => !it.function);
                for (const card of document.querySelectorAll('.card:not(.exercise .card)')) {{
                    const buttons = [...card.querySelectorAll('button')];
                    const texts = buttons.map(it => it.textContent);
                    const data = asked.find(it => it.head === card.getAttribute('aria-label')
                        && String(it.choices.map(it => it.text)) === String(texts)
                        && card.textContent.includes(plain(it.text)));
                    if (!data) faults.push([card.getAttribute('aria-label'), card.textContent.slice(0, 80)]);
                    for (const [at, button] of buttons.entries()) {{
                        const {{why, is_right}} = data.choices[at];
                        button.click();
                        await settled();
                        const said = card.querySelector('[role=status]');
                        const mark = said.querySelector('.is-right') ? true : said.querySelector('.is-wrong') ? false : null;
                        const pressed = buttons.filter(it => it.ariaPressed === 'true').map(it => it.textContent);
                        const fits = said.textContent.includes(plain(why)) && mark === (is_right ?? null);
                        if (!fits || String(pressed) !== texts[at]) faults.push([texts[at], said.textContent]);
                        count += 1;
                    }}
                }}
                // An exercise gives its hints one by one, and then the solution.
                for (const exercise of document.querySelectorAll('.exercise')) {{
                    const data = cards.find(it => it.function === exercise.dataset.function);
                    for (const {{text, why}} of data.choices.slice(1)) {{
                        const next = exercise.querySelector('button.hint');
                        const offered = next?.textContent;
                        next?.click();
                        await settled();
                        const said = [...exercise.querySelectorAll('.hints .verdict')].at(-1)?.textContent ?? '';
                        if (offered !== text || !said.includes(plain(why))) faults.push([text, offered, said]);
                        count += 1;
                    }}
                }}
                const wanted = cards.flatMap(it => it.function ? it.choices.slice(1) : it.choices);
                return [count, wanted.length, faults];"
            );
            let found = page.run_async(&script, vec![json!(lecture)]).await?;
            assert_eq!(found[2], json!([]), "{lecture}");
            assert_eq!(found[0], found[1], "{lecture}: every choice is on the page");
        }
        Ok(())
    })
    .await
}

/// Guesses at every question of the page, also at those that wait for others: right with `answers`, wrong without them.
/// What each verdict is, and what it says the answer is.
const GUESS: &str = "
    const [answers, verdicts] = [arguments[0], {}];
    const settled = () => new Promise(told => setTimeout(told, 50));
    for (let form; form = document.querySelector('form.question:has(.choices)'); await settled()) {
        const id = form.dataset.question;
        const choices = [...form.querySelectorAll('[data-guess]')];
        if (choices.length === 0) {
            form.querySelector('input').value = answers?.[id] ?? '1e-9';
            form.requestSubmit();
        } else {
            (choices.find(it => it.dataset.guess === answers?.[id]) ?? choices[0]).click();
        }
        await settled();
        const answer = form.querySelector('.verdict strong');
        verdicts[id] = [answer.parentElement.className, answer.querySelector('data')?.value ?? answer.textContent];
    }
    return verdicts;";

#[tokio::test]
async fn every_prediction_is_guessed_wrongly_and_rightly() -> Result<()> {
    check("questions_predictions", Options::default(), async |page| {
        for lecture in crate::walk::LECTURES {
            page.lecture(lecture, "").await?;
            for cell in page.cells().await? {
                page.wake(&cell).await?;
            }
            let first = page.run_async(GUESS, vec![json!(null)]).await?;
            let first: BTreeMap<String, [String; 2]> = serde_json::from_value(first)?;
            assert!(first.len() >= 2, "{first:?}");
            // Of choices the first may be right.
            let is_wrong = |it: &&[String; 2]| it[0].contains("is-wrong");
            assert!(2 * first.values().filter(is_wrong).count() >= first.len(), "{first:?}");
            page.click(".lecture-contents", "Erase my answers").await?;
            page.css("form.question .choices").await?;
            let answers: BTreeMap<_, _> = first.iter().map(|(id, [_, answer])| (id, answer)).collect();
            let then = page.run_async(GUESS, vec![json!(answers)]).await?;
            let then: BTreeMap<String, [String; 2]> = serde_json::from_value(then)?;
            assert!(then.values().all(|it| it[0].contains("is-right")), "{then:?}");
            assert!(then.keys().eq(first.keys()), "{then:?}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_check_is_answered_by_keyboard() -> Result<()> {
    check("questions_keys", Options::default(), async |page| {
        page.read(LECTURE, "cost", "").await?;
        let group = "#cost .card[aria-label='Check yourself']";
        let wrong = page.named(group, "button", "It doubles").await?;
        wrong.send_keys(Key::Enter + "").await?;
        page.reads(&format!("{group} .is-wrong"), "half the time").await?;
        page.named(group, "button", "It stays the same").await?.send_keys(Key::Enter + "").await?;
        page.reads(&format!("{group} .is-right"), "the same number of GPU-hours").await
    })
    .await
}

#[tokio::test]
async fn what_was_erased_can_be_brought_back() -> Result<()> {
    check("questions_erased", Options::default(), async |page| {
        page.read(LECTURE, "cost", "").await?;
        let group = "#cost .card[aria-label='Check yourself']";
        page.click(group, "It doubles").await?;
        page.reads(".score", "Answered 1 of").await?;
        page.click(".lecture-contents", "Erase my answers").await?;
        page.focused("Bring my answers back").await?;
        page.reads(".score", "questions").await?;
        assert_eq!(
            page.run("return document.querySelectorAll('#cost .verdict').length;", vec![]).await?,
            json!(0)
        );
        page.press(Key::Enter + "").await?;
        page.reads(&format!("{group} .is-wrong"), "half the time").await?;
        page.focused("Erase my answers").await?;
        // After another answer there is nothing to bring back.
        page.click(".lecture-contents", "Erase my answers").await?;
        page.click(group, "It doubles").await?;
        page.named(".lecture-contents", "button", "Erase my answers").await.map(drop)
    })
    .await
}
