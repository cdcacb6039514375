//! Every line of both lectures by keyboard, forwards and back, and every figure that they must reach, as it stands in the
//! page.

use std::fs;

use anyhow::{Context, Result};
use napkin_tests::page::SETTLED;
use napkin_tests::{Options, check};
use serde_json::{Value, json};

use crate::appearance::{LOOKS, laid_out, no_violation};
use crate::figures::{Shown, miss};

pub(crate) const LECTURES: [&str; 2] = ["resource-accounting", "arithmetic-intensity"];

/// So often a reader presses → to see a whole lecture.
pub(crate) const MOST_PRESSES: u64 = 450;

/// `press(key)`, and `settled()` when the page has drawn what came of it; `read()`: what can be read of who steps;
/// `see()`: the same with all answers shown, which adds to `values` all that each variable was, by its function and name.
pub(crate) const SEE: &str = "
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const stop = () => document.querySelector('.scrub input')?.value;
    const where = () => document.querySelector('.lecture-stepper .where').textContent;
    const inside = () => document.querySelector('.crumbs [aria-current]')?.textContent;
    const values = {};
    const value = element => {
        const table = element.querySelector('table');
        const numbers = [...(table ?? element).querySelectorAll('data.number')].map(number => number.value);
        return numbers.length ? numbers : [element.textContent.trim()];
    };
    // A chart has as many letters as its width has room for.
    const text = selector => {
        const copy = document.querySelector(selector)?.cloneNode(true);
        copy?.querySelectorAll('svg').forEach(chart => chart.remove());
        return copy?.textContent;
    };
    const read = () => [where(), text('.cell.is-current'), text('.variables')].join('\\n');
    const show = async () => {
        const buttons = document.querySelectorAll('.cell.is-current .show-answer');
        buttons.forEach(button => button.click());
        if (buttons.length) await settled();
    };
    const see = async () => {
        await show();
        while (document.querySelector('.fetching')) await new Promise(later => setTimeout(later, 20));
        for (const it of document.querySelectorAll('.variables .variable')) {
            const name = it.querySelector('dt').textContent;
            const seen = values[inside() + ' ' + name] ??= [];
            const now = value(it.querySelector('dd'));
            if (!seen.some(known => known.join() === now.join())) seen.push(now);
        }
        return read();
    };";

/// What could be read at each line on the way to the end of a lecture, and where it was another on the way back.
const WALK: &str = "
    const [forwards, asks] = [[], []];
    let presses = 0;
    for (let before; before !== stop() || presses === 0; ) {
        before = stop();
        press(presses % 2 ? 'l' : 'ArrowRight');
        await settled();
        if (before === stop()) break;
        presses++;
        forwards.push(await see());
        // What comes below a question changes with its answer.
        asks.push(forwards.at(-1).includes('Guess first'));
    }
    const differ = [];
    for (let at = forwards.length - 1; at >= 0; at--) {
        if (!asks[at] && read() !== forwards[at]) differ.push([forwards[at], read()]);
        press(at % 2 ? 'h' : 'ArrowLeft');
        await settled();
    }
    return {presses, first: where(), start: forwards[0].split('\\n')[0], differ: differ.slice(0, 2), values};";

#[tokio::test]
async fn lectures_are_walked_forwards_and_back_and_reach_their_figures() -> Result<()> {
    let figures = fs::read_to_string(xtask::root().join("python/tests/lectures/figures.json"))?;
    let rows: Vec<Value> = serde_json::from_str(&figures)?;
    for lecture in LECTURES {
        let found = check(&format!("walk_{lecture}"), Options::default(), async |page| {
            page.lecture(lecture, "").await?;
            page.run_async(&format!("{SETTLED}{SEE}{WALK}"), vec![]).await
        })
        .await?;
        let presses = found["presses"].as_u64().context("no count")?;
        println!("{lecture}: {presses} presses");
        assert!((50..=MOST_PRESSES).contains(&presses), "{lecture}: {presses} presses of →");
        assert_eq!(found["differ"], json!([]), "{lecture}, on the way back");
        assert_eq!(found["first"], found["start"], "{lecture}: back at the beginning");
        let values: Shown = serde_json::from_value(found["values"].clone())?;
        let mut missed = Vec::new();
        for row in rows.iter().filter(|row| row["lecture"] == lecture) {
            for figure in row["figures"].as_array().context("a row without figures")? {
                if let Some(miss) = miss(&values, figure) {
                    missed.push(json!({"row": row["row"], "miss": miss}));
                }
            }
        }
        assert!(missed.is_empty(), "{lecture}: {missed:#?}");
    }
    Ok(())
}

/// Where a guess is asked for, a tensor shown and a chart drawn.
const CELLS: [(&str, &[&str]); 2] = [
    ("resource-accounting", &["training_time", "storage_and_strides", "underflow"]),
    ("arithmetic-intensity", &["one_roof", "this_machine"]),
];

/// Looks for what shuts readers out, in both lectures, at both widths.
async fn axe(wanted: &str) -> Result<()> {
    for (scheme, viewport) in LOOKS.into_iter().filter(|(scheme, _)| *scheme == wanted) {
        let options = Options { viewport, dark: scheme == "dark", is_idle: true, ..Options::DEFAULT };
        check(&format!("axe_lecture_{scheme}_{}", viewport.0), options, async |page| {
            for (lecture, cells) in CELLS {
                page.lecture(lecture, "").await?;
                laid_out(page).await?;
                no_violation(page).await?;
                for cell in cells {
                    page.wake(cell).await?;
                    page.show_answers().await?;
                }
                let unfold = "document.querySelectorAll('main details').forEach(it => it.open = true);";
                page.run(unfold, vec![]).await?;
                no_violation(page).await?;
                page.step(lecture, cells[0]).await?;
                laid_out(page).await?;
                page.run(unfold, vec![]).await?;
                no_violation(page).await?;
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn axe_finds_no_violation_in_a_light_lecture() -> Result<()> {
    axe("light").await
}

#[tokio::test]
async fn axe_finds_no_violation_in_a_dark_lecture() -> Result<()> {
    axe("dark").await
}

#[tokio::test]
async fn a_lecture_is_no_wider_than_its_window() -> Result<()> {
    for (width, lecture) in [320, 390, 768].into_iter().flat_map(|width| LECTURES.map(|it| (width, it))) {
        let options = Options { viewport: (width, 844), ..Options::default() };
        check(&format!("{lecture}_width_{width}"), options, async |page| {
            page.lecture(lecture, "").await?;
            let script = "const wide = [];
                const look = place => {
                    // Cells clip, so that nothing of them makes the page wider.
                    for (const box of [document.documentElement, ...document.querySelectorAll('.cell')]) {
                        const over = box.scrollWidth - box.clientWidth;
                        if (over > 0) wide.push(place + ': ' + box.id + ' ' + over);
                    }
                };
                look('to read');
                // Awake, each cell has all that it can have.
                for (const cell of document.querySelectorAll('.cell')) {
                    cell.scrollIntoView({behavior: 'instant'});
                    await new Promise(requestAnimationFrame);
                    cell.querySelectorAll('.show-answer').forEach(button => button.click());
                    await settled();
                    look(cell.id);
                }
                press('ArrowRight');
                await settled();
                for (let before; before !== stop(); ) {
                    before = stop();
                    look(where());
                    press('l');
                    await settled();
                }
                return wide;";
            let wide = page.run_async(&format!("{SETTLED}{SEE}{script}"), vec![]).await?;
            assert_eq!(wide, json!([]), "{lecture}, {width} px");
            Ok(())
        })
        .await?;
    }
    Ok(())
}
