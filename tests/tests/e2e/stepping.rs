//! Reading and stepping: keys and buttons go through the lines, the address follows, and the place is kept.

use anyhow::{Context, Result};
use napkin_tests::page::SETTLED;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::{Key, TypingData};

use crate::lecture::{LECTURE, TIME, address};
use crate::reading::CELLS;
use crate::walk::MOST_PRESSES;

/// The step that the address tells; none of who reads.
async fn told(page: &Page) -> Result<Option<u64>> {
    let script = "return new URLSearchParams(location.search).get('step');";
    let step = page.run(script, vec![]).await?;
    Ok(step.as_str().map(str::parse).transpose()?)
}

/// Waits until the bar says where the reader is.
async fn at(page: &Page, place: &str) -> Result<()> {
    let script = "return document.querySelector('.lecture-stepper .where').textContent;";
    page.until(place, async || Ok((page.run(script, vec![]).await? == place).then_some(()))).await
}

/// The ids of the cells that can be seen.
async fn visible(page: &Page) -> Result<Vec<String>> {
    let script =
        "return [...document.querySelectorAll('.cell')].filter(it => it.checkVisibility()).map(it => it.id);";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

/// The file's line that is lit, and how many lines are.
async fn lit(page: &Page) -> Result<(String, u64)> {
    let script = "const lit = [...document.querySelectorAll('.cell.is-current .statement.is-current')];
        return [lit[0]?.dataset.line ?? '', lit.length];";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

/// Waits until a cell is where a reader looks, and the contents say so.
async fn in_sight(page: &Page, cell: &str) -> Result<()> {
    page.until(&format!("{cell} in sight"), async || {
        let script = "const cell = document.getElementById(arguments[0]).getBoundingClientRect();
            const current = document.querySelector('.lecture-contents a[aria-current]')?.hash;
            return cell.top < innerHeight * 0.4 && cell.bottom > 0 && current === '#' + arguments[0];";
        Ok((page.run(script, vec![json!(cell)]).await? == true).then_some(()))
    })
    .await
}

#[tokio::test]
async fn keys_go_through_the_lines_of_a_cell_and_back() -> Result<()> {
    check("keys_walk", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        in_sight(page, TIME).await?;
        assert_eq!(told(page).await?, None);
        let mut seen = Vec::new();
        let keys: [TypingData; 4] = ["l".into(), Key::Right + "", "j".into(), Key::Right + ""];
        for (line, key) in keys.into_iter().enumerate() {
            page.press(key).await?;
            at(page, &format!("Cell 1 of 36, line {} of 10", line + 1)).await?;
            let step = page.until("step in the address", async || told(page).await).await?;
            let (lit, count) = lit(page).await?;
            assert_eq!(count, 1, "one line is lit");
            seen.push((step, lit));
        }
        assert!(seen.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 != two[1].1), "{seen:?}");
        assert_eq!(visible(page).await?, [TIME], "the cell alone");
        let keys: [TypingData; 3] = ["h".into(), Key::Left + "", "k".into()];
        for (line, key) in [3, 2, 1].into_iter().zip(keys) {
            page.press(key).await?;
            at(page, &format!("Cell 1 of 36, line {line} of 10")).await?;
            assert_eq!(lit(page).await?, (seen[line - 1].1.clone(), 1));
        }
        // Before the first line there is nothing.
        page.press(Key::Left + "").await?;
        at(page, "Cell 1 of 36, line 1 of 10").await?;
        let button = page.named(".lecture-stepper", "button", "Back").await?;
        assert!(!page.is_enabled(&button).await?);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn buttons_step_and_the_browser_goes_back() -> Result<()> {
    check("buttons_step", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        in_sight(page, TIME).await?;
        page.click(".lecture-stepper", "Step").await?;
        at(page, "Cell 1 of 36, line 1 of 10").await?;
        let first = page.until("step", async || told(page).await).await?;
        page.click(".lecture-stepper", "Next line").await?;
        at(page, "Cell 1 of 36, line 2 of 10").await?;
        page.until("next step", async || {
            Ok((told(page).await?.is_some_and(|step| step > first)).then_some(()))
        })
        .await?;
        page.driver().back().await?;
        at(page, "Cell 1 of 36, line 1 of 10").await?;
        page.driver().forward().await?;
        at(page, "Cell 1 of 36, line 2 of 10").await?;
        page.click(".lecture-stepper", "Back").await?;
        at(page, "Cell 1 of 36, line 1 of 10").await?;
        // The whole lecture, by the bar.
        let scrub = page.named(".lecture-stepper", "slider", "Place in the lecture").await?;
        scrub.focus().await?;
        page.press(Key::End + "").await?;
        page.reads(".lecture-stepper .where", "Cell 36 of 36, line").await?;
        let button = page.named(".lecture-stepper", "button", "Next line").await?;
        assert!(!page.is_enabled(&button).await?);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn switching_between_reading_and_stepping_keeps_the_place() -> Result<()> {
    check("modes", Options::default(), async |page| {
        let cell = "storage_and_strides";
        page.read(LECTURE, cell, "").await?;
        in_sight(page, cell).await?;
        let all = visible(page).await?;
        assert_eq!(all.len(), 36);
        let pressed = async |mode: &str| {
            let button = page.named(".lecture-stepper .modes", "button", mode).await?;
            Ok::<_, anyhow::Error>(button.attr("aria-pressed").await?.as_deref() == Some("true"))
        };
        assert!(pressed("Read").await? && !pressed("Step").await?);
        page.press("s").await?;
        page.until("one cell", async || Ok((visible(page).await? == [cell]).then_some(()))).await?;
        assert!(pressed("Step").await? && !pressed("Read").await?);
        for _ in 0..3 {
            page.press("l").await?;
        }
        page.reads(".lecture-stepper .where", "line 4 of").await?;
        let place = page.text(".lecture-stepper .where").await?;
        page.click(".lecture-stepper", "Read").await?;
        in_sight(page, cell).await?;
        assert_eq!(visible(page).await?, all);
        page.until("address without a step", async || Ok(told(page).await?.is_none().then_some(()))).await?;
        // Who has stepped in this cell goes on there.
        page.press("s").await?;
        at(page, &place).await?;
        // The contents lead on in the mode that the reader is in.
        page.named(".lecture-contents", "link", "Which operations copy?").await?.click().await?;
        page.until("that cell", async || Ok((visible(page).await? == ["views"]).then_some(()))).await?;
        page.reads(".lecture-stepper .where", "line 1 of").await?;
        page.press("s").await?;
        in_sight(page, "views").await
    })
    .await
}

#[tokio::test]
async fn a_reader_steps_into_a_helper_and_out_again() -> Result<()> {
    check("step_into", Options::default(), async |page| {
        page.step(LECTURE, TIME).await?;
        let script = format!(
            "{SETTLED} const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
            const into = () => [...document.querySelectorAll('.lecture-stepper button')].find(it => it.textContent === 'Step in');
            for (let presses = 0; presses < {MOST_PRESSES}; presses++) {{
                const cell = document.querySelector('.cell.is-current');
                // Not into another cell, but into a function of the file.
                if (into().ariaDisabled !== 'true' && cell?.querySelector('.statement.is-current details.helper')) return cell.id;
                press('l');
                await settled();
            }}
            return null;"
        );
        let cell = page.run_async(&script, vec![]).await?;
        let cell = cell.as_str().context("no line of the lecture calls a function of its own")?;
        let outside = page.text(".lecture-stepper .where").await?;
        let depth = "return document.querySelectorAll('.crumbs li').length;";
        let before = page.run(depth, vec![]).await?.as_u64();
        page.press("i").await?;
        page.reads(".lecture-stepper .where", " of ").await?;
        page.until("call on the stack", async || {
            Ok((page.run(depth, vec![]).await?.as_u64() > before).then_some(()))
        })
        .await?;
        // The helper unfolds where it is called, with its line lit.
        page.css(&format!("#{cell} details.helper[open] .statement.is-current")).await?;
        page.press(Key::Up + "").await?;
        at(page, &outside).await?;
        page.until("call that is over", async || {
            Ok((page.run(depth, vec![]).await?.as_u64() == before).then_some(()))
        })
        .await?;
        page.press(Key::Down + "").await?;
        page.until("call on the stack", async || {
            Ok((page.run(depth, vec![]).await?.as_u64() > before).then_some(()))
        })
        .await?;
        page.click(".lecture-stepper", "Step out").await?;
        at(page, &outside).await
    })
    .await
}

#[tokio::test]
async fn the_rounds_of_a_loop_are_one_slider() -> Result<()> {
    check("rounds", Options::default(), async |page| {
        page.step(LECTURE, "training_loop").await?;
        let script = format!(
            "{SETTLED} const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
            for (let presses = 0; presses < 40; presses++) {{
                const rounds = document.querySelector('.rounds');
                if (rounds) return rounds.textContent;
                press('h');
                await settled();
            }}
            return null;"
        );
        let rounds = page.run_async(&script, vec![]).await?;
        let rounds = rounds.as_str().context("the loop has no rounds")?;
        let all = rounds.rsplit(' ').next().context("no number")?;
        assert_eq!(rounds, format!("Round 1 of {all}"), "back goes the way that next came");
        let state = "return document.querySelector('.variables').textContent;";
        let first = page.run(state, vec![]).await?;
        let slider = page.css(".rounds input").await?;
        slider.focus().await?;
        page.press(Key::End + "").await?;
        page.reads(".rounds", &format!("Round {all} of {all}")).await?;
        page.until("variables of the last round", async || {
            Ok((page.run(state, vec![]).await? != first).then_some(()))
        })
        .await?;
        page.press(Key::Home + "").await?;
        page.reads(".rounds", &format!("Round 1 of {all}")).await?;
        page.until("variables of the first round", async || {
            Ok((page.run(state, vec![]).await? == first).then_some(()))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn no_key_is_taken_from_a_field() -> Result<()> {
    check("keys_in_fields", Options::default(), async |page| {
        page.step(LECTURE, TIME).await?;
        let before = (page.text(".lecture-stepper .where").await?, address(page).await?);
        let field = page.named("#training_time .question", "textbox", "Your guess").await?;
        // It may lie below the bar.
        page.run(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});",
            vec![field.to_json()?],
        )
        .await?;
        field.click().await?;
        page.press("hljkisgre?/").await?;
        page.press(Key::Right + Key::Left).await?;
        assert_eq!(field.prop("value").await?.as_deref(), Some("hljkisgre?/"), "the keys reach the field");
        assert_eq!((page.text(".lecture-stepper .where").await?, address(page).await?), before);
        let dialogs = "return document.querySelectorAll('dialog[open]').length;";
        assert_eq!(page.run(dialogs, vec![]).await?, 0);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_line_that_is_lit_is_in_sight() -> Result<()> {
    for (name, viewport) in [("step_phone", (390, 844)), ("step_desktop", (1280, 800))] {
        check(name, Options { viewport, ..Options::default() }, async |page| {
            // Longer than a window.
            page.read(LECTURE, "optimizers", "").await?;
            in_sight(page, "optimizers").await?;
            for line in 1..=20 {
                page.press("l").await?;
                page.reads(".lecture-stepper .where", &format!("line {line} of")).await?;
                // As much of the line as fits: nothing over its beginning.
                let is_seen = "const lit = document.querySelector('.cell.is-current .statement.is-current');
                    const {x, top} = lit.getBoundingClientRect();
                    const bar = document.querySelector('.lecture-stepper').getBoundingClientRect();
                    const at = document.elementFromPoint(x + 12, top + 8);
                    return at !== null && lit.contains(at) && bar.bottom <= innerHeight && top < bar.top;";
                page.until(&format!("line {line} in sight"), async || {
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

#[tokio::test]
async fn a_lit_line_says_something_and_no_patch_lies_in_it() -> Result<()> {
    check("step_lit", Options::default(), async |page| {
        // The last line waits for a guess, as those before it.
        page.read(LECTURE, TIME, "").await?;
        in_sight(page, TIME).await?;
        for _ in 0..10 {
            page.press("l").await?;
        }
        at(page, "Cell 1 of 36, line 10 of 10").await?;
        let text = page.text(".cell.is-current .statement.is-current").await?;
        assert!(text.contains("Guess first"), "the lit line says {text:?}");
        // The end of a table that might go on is drawn over its shade.
        page.step(LECTURE, "contiguity").await?;
        let script = format!(
            "{SETTLED} for (let presses = 0; presses < 20; presses++) {{
                const lit = document.querySelector('.cell.is-current .statement.is-current');
                const table = lit.querySelector('.shown-value .scroll:has(> table)');
                if (table) return [lit, table].map(it => getComputedStyle(it)).map(it => it.backgroundColor + it.backgroundImage);
                document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: 'h', bubbles: true}}));
                await settled();
            }}
            return null;"
        );
        let [lit, table]: [String; 2] = serde_json::from_value(page.run_async(&script, vec![]).await?)?;
        let ground = lit.strip_suffix("none").context("a lit line has a picture")?;
        assert!(table.contains(ground), "{table} on {ground}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn keys_go_from_tool_to_tool() -> Result<()> {
    check("keys_tools", Options::default(), async |page| {
        page.open("").await?;
        let arrived = async |tool: &str| {
            page.until(&format!("{tool} in the address and in sight"), async || {
                let script = "const top = document.getElementById(arguments[0]).getBoundingClientRect().top;
                    const link = document.querySelector('.contents a[aria-current]');
                    return top < innerHeight * 0.4 && link.hash === '#' + arguments[0]
                        && location.hash === link.hash;";
                Ok((page.run(script, vec![json!(tool)]).await? == true).then_some(()))
            })
            .await
        };
        page.press("j").await?;
        arrived(CELLS[1]).await?;
        let chord = page.driver().action_chain().key_down(Key::Shift).send_keys(Key::Right + "");
        chord.key_up(Key::Shift).perform().await?;
        arrived(CELLS[2]).await?;
        page.press("k").await?;
        arrived(CELLS[1]).await?;
        page.driver().back().await?;
        arrived(CELLS[2]).await
    })
    .await
}
