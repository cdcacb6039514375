//! The page stays smooth while the worker works.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use napkin_tests::{Options, alone};
use serde_json::json;

use crate::{calculators, training};

/// Nineteen of twenty frames must come within this; at 60 Hz a frame is 16.7 ms.
const FRAME_MS: f64 = 50.0;
/// How long the slider is dragged.
const DRAG: Duration = Duration::from_secs(3);

#[tokio::test]
async fn a_slider_follows_the_hand_during_a_long_run() -> Result<()> {
    alone("smooth", Options::default(), async |page| {
        page.open(
            "?cell=training&training.dim=512&training.batch=512&training.steps=1e9&training.device=cpu",
        )
        .await?;
        page.ready().await?;
        calculators::ready(page).await?;
        page.click("#training", "Run").await?;
        training::steps_taken(page, 2.0).await?;

        let slider = page.named("#time", "slider", "Parameters, slider").await?;
        let script = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});
            window.__frames = [];
            const frame = now => { window.__frames.push(now); requestAnimationFrame(frame); };
            requestAnimationFrame(frame);
            window.__shown = new Set();
            const figure = [...document.querySelectorAll('#time .figure')]
                .find(figure => figure.getAttribute('aria-label') === 'Training time');
            new MutationObserver(() => window.__shown.add(figure.querySelector('.figure-exact').textContent))
                .observe(figure, {subtree: true, childList: true, characterData: true});
            const {x, y, width, height} = arguments[0].getBoundingClientRect();
            return [x, y + height / 2, width];";
        let track: [f64; 3] = serde_json::from_value(page.run(script, vec![slider.to_json()?]).await?)?;
        let [left, y, width] = track;
        let mouse = async |kind: &str, x: f64| {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
            page.devtools("Input.dispatchMouseEvent", event).await
        };
        mouse("mousePressed", left + width * 0.5).await?;
        let start = Instant::now();
        while start.elapsed() < DRAG {
            let phase = start.elapsed().as_secs_f64() * 2.0;
            mouse("mouseMoved", left + width * (0.5 + 0.4 * phase.sin())).await?;
        }
        mouse("mouseReleased", left + width * 0.5).await?;

        let script = "const frames = window.__frames;
            return {gaps: frames.slice(1).map((now, i) => now - frames[i]), shown: window.__shown.size};";
        let seen = page.run(script, vec![]).await?;
        let mut gaps: Vec<f64> = serde_json::from_value(seen["gaps"].clone())?;
        gaps.sort_by(f64::total_cmp);
        let p95 = *gaps.get(gaps.len() * 95 / 100).context("no frames")?;
        let shown = seen["shown"].as_u64().context("no count")?;
        println!("{} frames, p95 {p95:.1} ms, {shown} values shown", gaps.len());
        assert!(gaps.len() > 60, "only {} frames in {DRAG:?}", gaps.len());
        assert!(p95 < FRAME_MS, "one frame in twenty takes more than {p95:.1} ms");
        assert!(shown > 15, "the result followed the slider only {shown} times");
        // And the run went on all the while.
        let pause = page.named("#training", "button", "Pause").await?;
        assert!(pause.is_enabled().await?);
        Ok(())
    })
    .await
}
