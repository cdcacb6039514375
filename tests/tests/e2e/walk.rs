//! Every step of both lectures by keyboard, forwards and back, and every figure that they must reach, as it stands in the
//! page.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

use crate::look::no_violation;

const LECTURES: [&str; 2] = ["resource-accounting", "arithmetic-intensity"];

/// Of a lecture: what could be read at each step on the way to its end and on the way back, and all that each variable
/// was, by its function and name.
const WALK: &str = "
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const lecture = document.querySelector('.lecture');
    const count = () => document.querySelector('.stepper-count').textContent;
    const value = element => {
        const table = element.querySelector('table');
        const numbers = [...(table ?? element).querySelectorAll('data.number')].map(number => number.value);
        return numbers.length ? numbers : [element.textContent.trim()];
    };
    const [forwards, back, values] = [[], [], {}];
    const last = +count().match(/of (\\d+)/)[1];
    for (let step = 0; ; step++) {
        document.querySelectorAll('button[data-do=show]').forEach(button => button.click());
        forwards.push(count() + lecture.textContent);
        const [, inside] = document.querySelector('ol.code')?.ariaLabel?.match(/, ([^,]*)$/) ?? [];
        for (const it of document.querySelectorAll('.variables .variable')) {
            const name = it.querySelector('dt').textContent;
            const seen = values[inside + ' ' + name] ??= [];
            const now = value(it.querySelector('dd'));
            if (!seen.some(known => known.join() === now.join())) seen.push(now);
        }
        if (step === last) break;
        press(step % 2 ? 'l' : 'ArrowRight');
    }
    for (let step = last; ; step--) {
        back.unshift(count() + lecture.textContent);
        if (step === 0) break;
        press(step % 2 ? 'h' : 'ArrowLeft');
    }
    const differ = forwards.findIndex((text, step) => text !== back[step]);
    return {last, differ, forwards: forwards[differ], back: back[differ], values};";

async fn open(page: &Page, lecture: &str) -> Result<()> {
    page.go(&format!("?lecture={lecture}&step=0")).await?;
    page.css("html[data-live]").await.map(drop)
}

/// The numbers, texts and truths in a figure, in order.
fn flat(figure: &Value, to: &mut Vec<Value>) {
    match figure {
        Value::Array(items) => items.iter().for_each(|item| flat(item, to)),
        Value::Object(named) => named.values().for_each(|item| flat(item, to)),
        one => to.push(one.clone()),
    }
}

/// Whether what the page shows is the figure.
fn is_reached(shown: &[String], figure: &Value, tolerance: f64) -> bool {
    let mut wanted = Vec::new();
    flat(figure, &mut wanted);
    let mut shown = shown.to_vec();
    if figure.is_object() {
        // In the order of their names here, and there in that in which they were given.
        let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
        shown.sort_by(|one, other| number(one).total_cmp(&number(other)));
        let number = |one: &Value| one.as_f64().unwrap_or(f64::NAN);
        wanted.sort_by(|one, other| number(one).total_cmp(&number(other)));
    }
    // Of a tensor with more than two dimensions a table has the first matrix.
    if figure[0][0].is_array() && !shown.is_empty() {
        wanted.truncate(shown.len());
    }
    let is_one = |(shown, wanted): (&String, &Value)| match wanted {
        Value::Number(wanted) => match (shown.replace([',', '_'], "").parse::<f64>(), wanted.as_f64()) {
            (Ok(shown), Some(wanted)) => (shown - wanted).abs() <= tolerance * wanted.abs(),
            _ => false,
        },
        Value::Bool(wanted) => shown.to_lowercase() == wanted.to_string(),
        Value::String(wanted) => shown.contains(wanted.as_str()),
        _ => shown == "None",
    };
    // Of numbers among texts only the numbers were read.
    wanted.retain(|one| one.is_number() || shown.len() == 1);
    shown.len() == wanted.len() && shown.iter().zip(&wanted).all(is_one)
}

#[tokio::test]
async fn lectures_are_walked_forwards_and_back_and_reach_their_figures() -> Result<()> {
    let figures = fs::read_to_string(xtask::root().join("python/tests/lectures/figures.json"))?;
    let rows: Vec<Value> = serde_json::from_str(&figures)?;
    for lecture in LECTURES {
        let found = check(&format!("walk_{lecture}"), Options::default(), async |page| {
            open(page, lecture).await?;
            page.run_async(WALK, vec![]).await
        })
        .await?;
        assert!(found["last"].as_u64().is_some_and(|last| last > 100), "{lecture}: {}", found["last"]);
        assert_eq!(found["forwards"], found["back"], "{lecture}, step {}", found["differ"]);
        let values: BTreeMap<String, Vec<Vec<String>>> = serde_json::from_value(found["values"].clone())?;
        let mut missed = Vec::new();
        for row in rows.iter().filter(|row| row["lecture"] == lecture) {
            for figure in row["figures"].as_array().context("a row without figures")? {
                let (function, name) = (&figure[0], &figure[1]);
                let key = format!("{} {}", function.as_str().unwrap_or(""), name.as_str().unwrap_or(""));
                let shown = values.get(&key).map_or(&[][..], Vec::as_slice);
                let tolerance = figure[3].as_f64().unwrap_or(1e-6);
                if !shown.iter().any(|shown| is_reached(shown, &figure[2], tolerance)) {
                    missed.push(
                        json!({"row": row["row"], "variable": key, "shown": shown, "figure": figure[2]}),
                    );
                }
            }
        }
        assert!(missed.is_empty(), "{lecture}: {missed:#?}");
    }
    Ok(())
}

#[tokio::test]
async fn axe_finds_no_serious_violation_in_a_lecture() -> Result<()> {
    for dark in [false, true] {
        for viewport in [(390, 844), (1440, 900)] {
            let options = Options { viewport, dark, ..Options::default() };
            let scheme = if dark { "dark" } else { "light" };
            check(&format!("axe_lecture_{scheme}_{}", viewport.0), options, async |page| {
                open(page, "resource-accounting").await?;
                no_violation(page).await?;
                // Where a guess is asked for, a tensor shown and a chart drawn.
                for function in ["training_time", "strides", "underflow"] {
                    let script = "const trace = await (await fetch('lectures/resource-accounting.json')).json();
                        return trace.steps.findLastIndex(it => it.stack.at(-1)?.function_name === arguments[0]);";
                    let step = page.run_async(script, vec![json!(function)]).await?;
                    page.go(&format!("?lecture=resource-accounting&step={step}")).await?;
                    page.css("html[data-live]").await?;
                    page.run("document.querySelectorAll('main details').forEach(it => it.open = true);", vec![]).await?;
                    no_violation(page).await?;
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
    for width in [320, 390, 768] {
        let options = Options { viewport: (width, 844), ..Options::default() };
        check(&format!("lecture_width_{width}"), options, async |page| {
            open(page, "resource-accounting").await?;
            let script = "const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
                const page = document.documentElement;
                const wide = [];
                for (let step = 0; step < 1500; step++) {
                    press('l');
                    const over = page.scrollWidth - page.clientWidth;
                    if (over > 0) wide.push(document.querySelector('.stepper-count').textContent + ': ' + over);
                }
                return wide;";
            let wide = page.run_async(script, vec![]).await?;
            assert_eq!(wide, json!([]), "{width} px");
            Ok(())
        })
        .await?;
    }
    Ok(())
}
