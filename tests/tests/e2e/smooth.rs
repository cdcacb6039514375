//! What the page does for a key or a moved slider stays little, while the worker works and however long a trace is. How many
//! milliseconds that takes is measured by the program `timings`.

use anyhow::Result;
use napkin_tests::long_trace::{MOVES, long_trace};
use napkin_tests::{Options, check};

use crate::traces::give;
use crate::training;

/// The most nodes that a step, a round or a change of the mode may add or take away; it takes 17.
const MOST_NODES: u64 = 40;

#[tokio::test]
async fn a_trace_of_twenty_thousand_steps_changes_little_with_each() -> Result<()> {
    check("smooth_trace", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(page, "file", "long.json", &long_trace().to_string()).await?;
        page.reads("h1", "long.py").await?;
        let script = format!(
            "const counts = [];
            let nodes = 0;
            new MutationObserver(changes => {{
                for (const {{addedNodes, removedNodes}} of changes) nodes += addedNodes.length + removedNodes.length;
            }}).observe(document.body, {{subtree: true, childList: true}});
            const moved = () => {{ counts.push(nodes); nodes = 0; }};
            {MOVES}
            return counts;"
        );
        let counts: Vec<u64> = serde_json::from_value(page.run_async(&script, vec![]).await?)?;
        assert!(counts.iter().filter(|nodes| **nodes > 0).count() > 25, "{counts:?}");
        assert!(counts.iter().all(|nodes| *nodes <= MOST_NODES), "{counts:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_slider_is_followed_during_a_long_run() -> Result<()> {
    check("smooth", Options::default(), async |page| {
        page.open(
            "?cell=training&training.dim=512&training.batch=512&training.steps=1e9&training.device=cpu",
        )
        .await?;
        page.ready().await?;
        page.click("#training", "Run").await?;
        training::steps_taken(page, 2.0).await?;

        page.wake("time").await?;
        let slider = page.named("#time", "slider", "Parameters, slider").await?;
        let script = "const [slider] = arguments;
            const figure = () => [...document.querySelectorAll('#time .figure')]
                .find(figure => figure.getAttribute('aria-label') === 'Training time')
                .querySelector('.figure-exact').textContent;
            const shown = new Set([figure()]);
            for (let move = 1; move <= 20; move++) {
                slider.value = Math.round(move * slider.max / 20);
                slider.dispatchEvent(new Event('input', {bubbles: true}));
                // Two frames of the page are enough, whatever the worker does.
                for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
                shown.add(figure());
            }
            return shown.size;";
        let shown = page.run_async(script, vec![slider.to_json()?]).await?;
        assert!(shown.as_u64().is_some_and(|shown| shown > 15), "{shown} values of 20");
        // And the run went on all the while.
        let pause = page.named("#training", "button", "Pause").await?;
        assert!(pause.is_enabled().await?);
        Ok(())
    })
    .await
}
