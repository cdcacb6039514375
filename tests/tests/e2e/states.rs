//! What a link carries: the place, the sliders that were moved, and a sentence where it is not to be had.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::lecture::{address, open, ran, still, value};
use crate::walk::SEE;

/// What of the lecture can be read, and what its fields hold.
const STATE: &str = "
    const fields = [...document.querySelectorAll('.slider input')].map(field => field.value);
    const parts = ['.stage', '.variables', '.lecture-stepper'].map(part => document.querySelector(part));
    return [...parts.map(part => part.innerText), ...fields];";

async fn state(page: &Page) -> Result<Vec<String>> {
    Ok(serde_json::from_value(page.run(STATE, vec![]).await?)?)
}

/// Waits until the address says it.
async fn says(page: &Page, wanted: &str) -> Result<String> {
    page.until(wanted, async || Ok(Some(address(page).await?).filter(|query| query.contains(wanted)))).await
}

#[tokio::test]
async fn a_link_brings_a_fresh_browser_to_the_same_state() -> Result<()> {
    let (query, there) = check("state_made", Options::default(), async |page| {
        page.go("").await?;
        page.css("html[data-live]").await?;
        page.named(".lecture-contents", "link", "How long does training take?").await?.click().await?;
        for (name, number) in [("params", "7e11"), ("gpus", "2048")] {
            let script = format!(
                "{SEE} while (!document.querySelector(`[data-slider='training_time.${{arguments[0]}}']`)) press('j');"
            );
            page.run(&script, vec![json!(name)]).await?;
            let field = page.named(".code", "textbox", &format!("{name}, number")).await?;
            page.type_into(&field, number).await?;
            page.press(Key::Enter + "").await?;
            ran(page).await?;
        }
        // To the question, which is answered by who reads it: a guess is the reader's own.
        page.run("document.activeElement.blur();", vec![]).await?;
        for _ in 0..2 {
            page.click(".lecture-stepper", "Step over").await?;
        }
        let guess = page.named(".question", "textbox", "Your guess").await?;
        page.type_into(&guess, "720").await?;
        page.click(".question", "Guess").await?;
        page.reads(".verdict", "Right: you said 720").await?;
        page.click(".lecture-stepper", "Step over").await?;
        let query = says(page, "s.training_time.gpus=2048").await?;
        Ok((query, state(page).await?))
    })
    .await?;
    assert!(query.contains("lecture=resource-accounting") && query.contains("v=1"), "{query}");
    assert!(query.contains("s.training_time.params=7e11"), "{query}");
    check("state_found", Options::default(), async |page| {
        page.go(&query).await?;
        ran(page).await?;
        page.click(".question", "Show me").await?;
        // But for what became of the guess it is all the same.
        let without = |state: &[String]| -> Vec<String> {
            let is_verdict = |line: &&str| !line.contains("Here it is") && !line.contains("you said");
            state.iter().map(|part| part.lines().filter(is_verdict).collect::<Vec<_>>().join("\n")).collect()
        };
        assert_eq!(without(&state(page).await?), without(&there));
        assert!(value(page, "gpu_hours").await?.contains("35.37 M"));
        assert_eq!(address(page).await?, query);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_link_that_is_not_quite_right_has_its_sentence() -> Result<()> {
    let links = [
        ("v=0&step=40", "This link is of another version (0): you are at the step nearest to it.", "40"),
        ("step=999999", "There is no step 999999: this is step", ""),
        ("step=-5", "There is no step -5: this is step 0 of", "0"),
        ("step=soon", "The address asks for the step “soon”, which is not a number.", ""),
        ("step=40&s.nowhere.n=1", "There is no slider “nowhere.n” in this lecture.", "40"),
        ("step=40&s.cost.overhead=9", "overhead goes from 1.0 to 2.0, not to 9: here it is 2.0.", "40"),
        ("step=40&s.largest_model.gpus=2.5", "gpus is a whole number, not 2.5: here it is 3.", "40"),
        ("step=40&s.cost.overhead=much", "overhead is a number, not “much”: here it is 1.2.", "40"),
        ("lecture=nothing", "There is no lecture “nothing” here: this is the first one.", ""),
    ];
    check("state_other", Options::default(), async |page| {
        for (query, sentence, step) in links {
            page.go("index.html").await?;
            page.go(&format!("?{query}")).await?;
            page.reads("#notices", sentence).await?;
            page.css("html[data-live]").await?;
            page.until("another step", async || {
                let count = page.text(".stepper-count").await?;
                Ok(count.starts_with(&format!("Step {step}")).then_some(()))
            })
            .await?;
            page.click("#notices", "Dismiss").await?;
            // The page goes on.
            let before = page.text(".stepper-count").await?;
            page.press(Key::Left + "").await?;
            let after = page.text(".stepper-count").await?;
            assert!(before.starts_with("Step 0 ") || before != after, "{query}: {after}");
            still(page).await?;
        }
        // What was clamped runs with what it was clamped to.
        open(page, "cost", "&s.cost.overhead=9").await?;
        ran(page).await.or(still(page).await)?;
        let field = page.named(".code", "textbox", "overhead, number").await?;
        assert_eq!(field.value().await?.as_deref(), Some("2.0"));
        Ok(())
    })
    .await
}
