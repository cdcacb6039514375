//! What a link carries: the place, the sliders that were moved, and a sentence where it is not to be had.

use anyhow::Result;
use napkin_tests::{Options, Page, check};

use crate::lecture::{LECTURE, TIME, address, says, set_slider, shows, still, value};

/// What of the cell that is stepped through can be read, and what its fields hold; what moved last is of whoever moved it.
const STATE: &str = "
    const hide = document.createElement('style');
    hide.textContent = '.moves, .figure-was { display: none; }';
    document.head.append(hide);
    const cell = document.querySelector('.cell.is-current');
    const fields = [...cell.querySelectorAll('.slider input')].map(field => field.value);
    const parts = ['.cell.is-current .code', '.variables', '.where'].map(part => document.querySelector(part));
    return [...parts.map(part => part.innerText), ...fields];";

async fn state(page: &Page) -> Result<Vec<String>> {
    let parts: Vec<String> = serde_json::from_value(page.run(STATE, vec![]).await?)?;
    // A guess is the reader's own.
    let is_verdict = |line: &&str| !line.contains("Here it is") && !line.contains("you said");
    Ok(parts.iter().map(|part| part.lines().filter(is_verdict).collect::<Vec<_>>().join("\n")).collect())
}

#[tokio::test]
async fn a_link_brings_a_fresh_browser_to_the_same_state() -> Result<()> {
    let (query, there) = check("state_made", Options::default(), async |page| {
        page.step(LECTURE, TIME).await?;
        for (name, number) in [("params", "7e11"), ("gpus", "2048")] {
            set_slider(page, &format!("training_time.{name}"), number).await?;
        }
        let guess = page.named(".question", "textbox", "Your guess").await?;
        page.type_into(&guess, "720").await?;
        page.click(".question", "Guess").await?;
        shows(page, TIME, "days", "719.6").await?;
        still(page).await?;
        page.run("document.activeElement.blur();", vec![]).await?;
        page.press("h").await?;
        says(page, "s.training_time.params=7e11").await?;
        let query = says(page, "s.training_time.gpus=2048").await?;
        Ok((query, state(page).await?))
    })
    .await?;
    assert!(query.starts_with("?v=3&step="), "{query}");
    check("state_found", Options::default(), async |page| {
        page.lecture(LECTURE, &query).await?;
        shows(page, TIME, "gpu_hours", "35.37 M").await?;
        still(page).await?;
        assert_eq!(state(page).await?, there);
        assert_eq!(address(page).await?, query);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_link_that_is_not_quite_right_has_its_sentence() -> Result<()> {
    let links = [
        ("?v=0&step=170", "This address has version", true),
        ("?step=999999", "There is no step 999999: this is step", true),
        ("?step=-5", "There is no step -5: this is step 186 of", true),
        ("?step=soon", "The address asks for the step “soon”, which is not a number.", false),
        ("?step=170&s.nowhere.n=1", "There is no slider “nowhere.n” in this lecture.", true),
        ("?step=170&s.cost.overhead=9", "overhead goes from 1.0 to 2.0, not to 9: here it is 2.0.", true),
        ("?step=170&s.largest_model.gpus=2.5", "gpus is a whole number, not 2.5: here it is 3.", true),
        ("?s.cost.overhead=much", "overhead is a number, not “much”: here it is 1.2.", false),
        ("?embed=nothing", "The lecture has no cell “nothing”: this is all of it.", false),
    ];
    check("state_other", Options::default(), async |page| {
        for (query, sentence, is_stepping) in links {
            page.lecture(LECTURE, query).await?;
            page.reads(".notices", sentence).await?;
            let mode = "return document.querySelector('.lecture.is-stepping') !== null;";
            assert_eq!(page.run(mode, vec![]).await?, is_stepping, "{query}");
            page.click(".notices", "Dismiss").await?;
            page.until("dismissal", async || {
                Ok((!page.css(".notices").await?.is_displayed().await?).then_some(()))
            })
            .await?;
            // The page goes on.
            page.click(".lecture-stepper", if is_stepping { "Read" } else { "Step" }).await?;
            page.until("the other mode", async || {
                Ok((page.run(mode, vec![]).await? != is_stepping).then_some(()))
            })
            .await?;
            still(page).await?;
        }
        // What was clamped runs with what it was clamped to, and the address says so.
        page.read(LECTURE, "cost", "?s.cost.overhead=9").await?;
        says(page, "s.cost.overhead=2.0").await?;
        let field = page.css("[data-slider='cost.overhead'] input[type=text]").await?;
        assert_eq!(field.prop("value").await?.as_deref(), Some("2.0"));
        shows(page, "cost", "kilowatt_hours", "4.952e6").await?;
        still(page).await?;
        assert!(!value(page, "cost", "dollars").await?.is_empty());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn who_goes_back_has_the_values_of_before() -> Result<()> {
    check("state_back", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        page.press("l").await?;
        page.reads(".lecture-stepper .where", "line 1 of").await?;
        page.press("l").await?;
        page.reads(".lecture-stepper .where", "line 2 of").await?;
        set_slider(page, "training_time.params", "7e11").await?;
        still(page).await?;
        says(page, "s.training_time.params=7e11").await?;
        page.driver().back().await?;
        page.reads(".lecture-stepper .where", "line 1 of").await?;
        page.click(".lecture-stepper", "Read").await?;
        shows(page, TIME, "total_flops", "6.3e24").await?;
        page.driver().back().await?;
        page.driver().forward().await?;
        shows(page, TIME, "total_flops", "6.3e24").await
    })
    .await
}
