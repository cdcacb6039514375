//! The page stays smooth while the worker works.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, alone};
use serde_json::json;
use thirtyfour::WebElement;

use crate::{calculators, training};

/// Nineteen of twenty frames must come within this; at 60 Hz a frame is 16.7 ms.
const FRAME_MS: f64 = 50.0;
/// How long the slider is dragged.
const DRAG: Duration = Duration::from_secs(3);
/// The machine may be busy with something else for a while; the page is to blame if it is slow every time.
const DRAGS: usize = 3;

/// What was seen of the page while its slider was dragged.
#[derive(Debug, Default)]
struct Drag {
    frames: usize,
    /// Nineteen of twenty frames came within this.
    p95_ms: f64,
    /// Values of the result that the page showed.
    shown: u64,
}

impl Drag {
    fn is_smooth(&self) -> bool {
        self.frames > 60 && self.p95_ms < FRAME_MS && self.shown > 15
    }
}

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
        let mut last = Drag::default();
        for _ in 0..DRAGS {
            last = drag(page, &slider).await?;
            println!("{last:?}");
            if last.is_smooth() {
                break;
            }
        }
        assert!(last.is_smooth(), "{last:?}");
        // And the run went on all the while.
        let pause = page.named("#training", "button", "Pause").await?;
        assert!(pause.is_enabled().await?);
        Ok(())
    })
    .await
}

/// Drags the slider to and fro.
async fn drag(page: &Page, slider: &WebElement) -> Result<Drag> {
    let script = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});
        const seen = window.__seen = {frames: [], shown: new Set()};
        const frame = now => { if (window.__seen === seen) { seen.frames.push(now); requestAnimationFrame(frame); } };
        requestAnimationFrame(frame);
        const figure = [...document.querySelectorAll('#time .figure')]
            .find(figure => figure.getAttribute('aria-label') === 'Training time');
        new MutationObserver(() => seen.shown.add(figure.querySelector('.figure-exact').textContent))
            .observe(figure, {subtree: true, childList: true, characterData: true});
        const {x, y, width, height} = arguments[0].getBoundingClientRect();
        return [x, y + height / 2, width];";
    let track: [f64; 3] = serde_json::from_value(page.run(script, vec![slider.to_json()?]).await?)?;
    let [left, y, width] = track;
    let mouse = async |kind: &str, x: f64| {
        let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
        page.devtools("Input.dispatchMouseEvent", event).await
    };
    mouse("mousePressed", left + width * 0.5).await?;
    let start = Instant::now();
    while start.elapsed() < DRAG {
        let phase = start.elapsed().as_secs_f64() * 2.0;
        mouse("mouseMoved", left + width * (0.5 + 0.4 * phase.sin())).await?;
    }
    mouse("mouseReleased", left + width * 0.5).await?;
    let script = "const {frames, shown} = window.__seen;
        return {gaps: frames.slice(1).map((now, i) => now - frames[i]), shown: shown.size};";
    let seen = page.run(script, vec![]).await?;
    let mut gaps: Vec<f64> = serde_json::from_value(seen["gaps"].clone())?;
    gaps.sort_by(f64::total_cmp);
    Ok(Drag {
        frames: gaps.len(),
        p95_ms: *gaps.get(gaps.len() * 95 / 100).context("no frames")?,
        shown: seen["shown"].as_u64().context("no count")?,
    })
}
