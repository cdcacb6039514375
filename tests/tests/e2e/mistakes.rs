//! What learners do wrong, typed into the real page: the lecture stays whole, the report is at the line that was typed, and
//! what mends it brings everything back.

use std::fs;

use anyhow::{Context, Result, ensure};
use napkin_tests::mistakes::{Mistake, function, mistakes};
use napkin_tests::{Options, Page, alone};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::lecture::{press_with, still};
use crate::walk::LECTURES;

/// Of each function so many that fail when they run, and so many that are typed wrongly.
const EACH: (usize, usize) = (3, 2);

/// What CI tries of all of them.
const SAMPLE: usize = 20;

/// How the page stands.
const STANDING: &str = "
    const shown = selector => [...document.querySelectorAll(selector)].filter(it => it.checkVisibility());
    const [cell] = arguments;
    return {
        cells: document.querySelectorAll('main .cell').length,
        contents: document.querySelectorAll('.lecture-contents a').length,
        faults: shown('.fault').map(it => [it.closest('.cell')?.id ?? '',
            it.querySelector('.fault-head').innerText.replace(/\\s+/g, ' ')]),
        waits: shown('.waits').map(it => it.closest('.cell').id),
        old: [...document.querySelectorAll('.cell.is-old')].map(it => it.id),
        // Whoever stays at a cell has read it, with mistakes or without.
        score: document.querySelector('.score').textContent.replace(/^Read [0-9]+ of [0-9]+ cells\\. /, ''),
        // Prose, questions and figures stay, whatever has failed.
        drawn: [...document.querySelectorAll(`#${cell} :is(.prose, .card)`)]
            .filter(it => !it.closest('.fault, .verdict')).length,
    };";

/// An exercise that is solved first, and has to stay so.
const SOLVED: (&str, &str) = (
    "days_of_training",
    "def days_of_training(params, tokens, gpus, sheet_peak, mfu):\n    flops_per_second = gpus * mfu * sheet_peak / 2\n    return 6 * params * tokens / flops_per_second / 86400",
);

/// Where a mistake is typed: the cell, and the exercise in it if it is one.
struct Place {
    cell: String,
    exercise: Option<String>,
    original: String,
}

impl Place {
    fn editor(&self) -> String {
        match &self.exercise {
            Some(function) => format!("#{} .exercise[data-function='{function}']", self.cell),
            None => format!("#{} .lazy > .editing, #{} > .editing", self.cell, self.cell),
        }
    }

    async fn open(&self, page: &Page) -> Result<()> {
        page.wake(&self.cell).await?;
        page.show_answers().await?;
        match &self.exercise {
            Some(_) => page.click(&self.editor(), "Write your code").await?,
            None => page.click(&format!("#{} .cell-tools", self.cell), "Edit").await?,
        }
        page.css(&format!("#{} .cm-content", self.cell)).await.map(drop)
    }

    async fn write(&self, page: &Page, text: &str) -> Result<()> {
        let script = "document.querySelector(arguments[0]).focus(); document.execCommand('selectAll');";
        page.run(script, vec![json!(format!("#{} .cm-content", self.cell))]).await?;
        page.devtools("Input.insertText", json!({ "text": text })).await?;
        press_with(page, Key::Shift, Key::Enter).await?;
        still(page).await
    }

    /// Types the mistake, looks, mends it and looks again.
    async fn try_mistake(&self, page: &Page, mistake: &Mistake, before: &Value) -> Result<()> {
        self.write(page, &mistake.text).await?;
        let now = self.standing(page).await?;
        for what in ["cells", "contents", "drawn"] {
            ensure!(now[what] == before[what], "{what}: {} of {}", now[what], before[what]);
        }
        ensure!(now["score"] == before["score"], "{} of {}", now["score"], before["score"]);
        let own: Vec<[String; 2]> = serde_json::from_value(now["faults"].clone())?;
        let [[cell, said]] = &own[..] else { anyhow::bail!("faults: {own:?}") };
        ensure!(*cell == self.cell, "the fault is told in {cell}");
        let wanted = format!("Line {}: {}", mistake.line, mistake.says);
        ensure!(said.starts_with(&wanted), "it says {said}, not {wanted}");
        self.write(page, &self.original).await?;
        let mended = self.standing(page).await?;
        ensure!(mended == *before, "mended: {mended} and not {before}");
        Ok(())
    }

    async fn standing(&self, page: &Page) -> Result<Value> {
        page.run(STANDING, vec![json!(self.cell)]).await
    }
}

/// The places of a lecture at which mistakes are made, with the mistakes.
async fn all(page: &Page, lecture: &str) -> Result<Vec<(Place, Vec<Mistake>)>> {
    let trace = fs::read_to_string(xtask::dist().join("lectures").join(format!("{lecture}.json")))?;
    let trace: Value = serde_json::from_str(&trace)?;
    let files: Vec<&str> =
        trace["files"].as_object().context("files")?.values().filter_map(Value::as_str).collect();
    let find = |name: &str| function(files.iter().copied(), name).with_context(|| format!("no {name}"));
    let exercises: Vec<(String, String)> = trace["steps"]
        .as_array()
        .context("steps")?
        .iter()
        .flat_map(|step| {
            let cell = step["stack"].as_array().and_then(|it| it.last()?["function_name"].as_str());
            let drawn = step["renderings"].as_array().into_iter().flatten();
            drawn.filter_map(move |it| Some((cell?.to_owned(), it["data"]["function"].as_str()?.to_owned())))
        })
        .collect();
    let mut places = Vec::new();
    for (seed, cell) in page.cells().await?.into_iter().enumerate() {
        let original = find(&cell)?;
        let made = mistakes(&original, seed, EACH.0, EACH.1);
        places.push((Place { cell, exercise: None, original }, made));
    }
    // The one that is solved stays so.
    let others = exercises.into_iter().filter(|(_, function)| function != SOLVED.0);
    for (seed, (cell, function)) in others.enumerate() {
        let original = find(&function)?;
        let made = mistakes(&original, seed + 3, EACH.0, 0);
        places.push((Place { cell, exercise: Some(function), original }, made));
    }
    Ok(places)
}

async fn solve(page: &Page) -> Result<()> {
    let place = Place {
        cell: "training_time".to_owned(),
        exercise: Some(SOLVED.0.to_owned()),
        original: String::new(),
    };
    place.open(page).await?;
    place.write(page, SOLVED.1).await?;
    page.reads(".score", "Solved 1 of").await?;
    page.click(&format!("{} .editing", place.editor()), "Close the editor").await
}

/// Tries every mistake of both lectures, or each `step`-th.
async fn try_all(step: usize) -> Result<usize> {
    let (mut tried, mut seen, mut missed) = (0, 0, Vec::new());
    for lecture in LECTURES {
        let (count, wrong, passed) =
            alone(&format!("mistakes_{lecture}"), Options::default(), async |page| {
                page.lecture(lecture, "").await?;
                // What every later run is compared with is a run of this machine.
                if lecture == LECTURES[0] {
                    solve(page).await?;
                }
                let (mut count, mut wrong, mut passed) = (0, Vec::new(), seen);
                for (place, mistakes) in all(page, lecture).await? {
                    let is_chosen = |at: &usize| (passed + at).is_multiple_of(step);
                    let chosen: Vec<&Mistake> =
                        (0..mistakes.len()).filter(is_chosen).map(|at| &mistakes[at]).collect();
                    passed += mistakes.len();
                    if chosen.is_empty() {
                        continue;
                    }
                    place.open(page).await?;
                    let before = place.standing(page).await?;
                    for mistake in chosen {
                        count += 1;
                        if let Err(why) = place.try_mistake(page, mistake, &before).await {
                            let name = place.exercise.as_ref().unwrap_or(&place.cell);
                            println!("{name}, {}: {why:#}", mistake.kind);
                            wrong.push(format!("{name}, {}: {why:#}\n{}", mistake.kind, mistake.text));
                            place.write(page, &place.original).await?;
                        }
                    }
                    let scope = place
                        .exercise
                        .as_ref()
                        .map_or_else(|| format!("#{}", place.cell), |_| place.editor());
                    page.click(&format!("{scope} .editing"), "Close the editor").await?;
                }
                Ok((count, wrong, passed))
            })
            .await?;
        tried += count;
        seen = passed;
        missed.extend(wrong);
    }
    println!("{tried} mistakes tried of {seen}, {} missed", missed.len());
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
    Ok(tried)
}

#[tokio::test]
async fn a_sample_of_mistakes_leaves_the_lecture_whole() -> Result<()> {
    let tried = try_all(13).await?;
    assert!(tried >= SAMPLE, "{tried}");
    Ok(())
}

/// `cargo xtask bench mistakes` runs it.
#[tokio::test]
#[ignore = "it takes a quarter of an hour"]
async fn every_mistake_leaves_the_lecture_whole() -> Result<()> {
    let tried = try_all(1).await?;
    assert!(tried >= 150, "{tried}");
    Ok(())
}
