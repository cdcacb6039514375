//! Every step of both lectures by keyboard, forwards and back, and every figure that they must reach, as it stands in the
//! page.

use std::fs;

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

use crate::figures::{Shown, miss};
use crate::look::no_violation;

pub(crate) const LECTURES: [&str; 2] = ["resource-accounting", "arithmetic-intensity"];

/// `press(key)`; `go(step)`; `show()` answers what is asked; `see()`: what can be read at a step, which adds to `values`
/// all that each variable was, by its function and name.
pub(crate) const SEE: &str = "
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const lecture = document.querySelector('.lecture');
    const count = () => document.querySelector('.stepper-count').textContent;
    const last = () => +count().match(/of (\\d+)/)[1];
    const go = step => {
        const scrub = document.querySelector('[data-scrub]');
        scrub.value = step;
        scrub.dispatchEvent(new Event('input', {bubbles: true}));
    };
    const inside = () => document.querySelector('ol.code')?.ariaLabel?.match(/, ([^,]*)$/)?.[1];
    const values = {};
    const value = element => {
        const table = element.querySelector('table');
        const numbers = [...(table ?? element).querySelectorAll('data.number')].map(number => number.value);
        return numbers.length ? numbers : [element.textContent.trim()];
    };
    const show = () => document.querySelectorAll('button[data-do=show]').forEach(button => button.click());
    const see = () => {
        show();
        for (const it of document.querySelectorAll('.variables .variable')) {
            const name = it.querySelector('dt').textContent;
            const seen = values[inside() + ' ' + name] ??= [];
            const now = value(it.querySelector('dd'));
            if (!seen.some(known => known.join() === now.join())) seen.push(now);
        }
        return count() + lecture.textContent;
    };";

/// What could be read at each step on the way to the end of a lecture and on the way back.
const WALK: &str = "
    const [forwards, back, end] = [[], [], last()];
    for (let step = 0; ; step++) {
        forwards.push(see());
        if (step === end) break;
        press(step % 2 ? 'l' : 'ArrowRight');
    }
    for (let step = end; ; step--) {
        back.unshift(count() + lecture.textContent);
        if (step === 0) break;
        press(step % 2 ? 'h' : 'ArrowLeft');
    }
    const differ = forwards.findIndex((text, step) => text !== back[step]);
    return {last: end, differ, forwards: forwards[differ], back: back[differ], values};";

pub(crate) async fn open(page: &Page, lecture: &str) -> Result<()> {
    page.go(&format!("?lecture={lecture}&step=0")).await?;
    page.css("html[data-live]").await.map(drop)
}

#[tokio::test]
async fn lectures_are_walked_forwards_and_back_and_reach_their_figures() -> Result<()> {
    let figures = fs::read_to_string(xtask::root().join("python/tests/lectures/figures.json"))?;
    let rows: Vec<Value> = serde_json::from_str(&figures)?;
    for lecture in LECTURES {
        let found = check(&format!("walk_{lecture}"), Options::default(), async |page| {
            open(page, lecture).await?;
            page.run_async(&format!("{SEE}{WALK}"), vec![]).await
        })
        .await?;
        assert!(found["last"].as_u64().is_some_and(|last| last > 100), "{lecture}: {}", found["last"]);
        assert_eq!(found["forwards"], found["back"], "{lecture}, step {}", found["differ"]);
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
    ("resource-accounting", &["training_time", "strides", "underflow"]),
    ("arithmetic-intensity", &["one_roof", "this_machine"]),
];

#[tokio::test]
async fn axe_finds_no_violation_in_a_lecture() -> Result<()> {
    for dark in [false, true] {
        for viewport in [(390, 844), (1440, 900)] {
            let options = Options { viewport, dark, ..Options::default() };
            let scheme = if dark { "dark" } else { "light" };
            check(&format!("axe_lecture_{scheme}_{}", viewport.0), options, async |page| {
                for (lecture, functions) in CELLS {
                    open(page, lecture).await?;
                    no_violation(page).await?;
                    for function in functions {
                        let script = "const trace = await (await fetch(`lectures/${arguments[0]}.json`)).json();
                            return trace.steps.findLastIndex(it => it.stack.at(-1)?.function_name === arguments[1]);";
                        let step = page.run_async(script, vec![json!(lecture), json!(function)]).await?;
                        page.go(&format!("?lecture={lecture}&step={step}")).await?;
                        page.css("html[data-live]").await?;
                        let unfold = "document.querySelectorAll('main details').forEach(it => it.open = true);";
                        page.run(unfold, vec![]).await?;
                        no_violation(page).await?;
                        page.show_answers().await?;
                        no_violation(page).await?;
                    }
                }
                Ok(())
            })
            .await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_lecture_is_no_wider_than_its_window() -> Result<()> {
    for (width, lecture) in [320, 390, 768].into_iter().flat_map(|width| LECTURES.map(|it| (width, it))) {
        let options = Options { viewport: (width, 844), ..Options::default() };
        check(&format!("{lecture}_width_{width}"), options, async |page| {
            open(page, lecture).await?;
            let script = "const page = document.documentElement;
                const wide = [];
                for (let step = 0; step < last(); step++) {
                    press('l');
                    show();
                    const over = page.scrollWidth - page.clientWidth;
                    if (over > 0) wide.push(count() + ': ' + over);
                }
                return wide;";
            let wide = page.run_async(&format!("{SEE}{script}"), vec![]).await?;
            assert_eq!(wide, json!([]), "{lecture}, {width} px");
            Ok(())
        })
        .await?;
    }
    Ok(())
}
