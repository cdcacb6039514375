//! The pages stay smooth while the worker works, and however long a trace is.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, alone};
use serde_json::{Value, json};
use thirtyfour::WebElement;

use crate::traces::give;
use crate::training;

/// Nineteen of twenty frames must come within this; at 60 Hz a frame is 16.7 ms.
const FRAME_MS: f64 = 50.0;
/// How long the slider is dragged.
const DRAG: Duration = Duration::from_secs(3);
/// The machine may be busy with something else for a while; the page is to blame if it is slow every time.
const DRAGS: usize = 3;

/// A trace as long as lectures are not: two lines, ten thousand times.
fn long_trace() -> Value {
    let text = "def main():\n    x = 0  # @inspect x\n    for i in range(10_000):\n        y = i  # @inspect y\n        x += y  # @inspect x\n    print(x)\n\n\nmain()\n";
    let place = |function: &str, line: u32| json!({"path": "long.py", "line_number": line, "function_name": function, "code": ""});
    let outer = place("<module>", 9);
    let int = |number: u64| json!({"type": "int", "contents": number});
    let step =
        |line: u32, env: Value| json!({"stack": [outer, place("main", line)], "env": env, "renderings": []});
    let mut steps =
        vec![json!({"stack": [outer], "env": {}, "renderings": []}), step(2, json!({"x": int(0)}))];
    for round in 0..10_000 {
        steps.push(step(4, json!({"y": int(round)})));
        steps.push(step(5, json!({"x": int(round * (round + 1) / 2)})));
    }
    steps.push(step(6, json!({})));
    json!({"files": {"long.py": text}, "steps": steps})
}

/// The longest frame while the reader steps, goes through the rounds, changes the mode and scrolls.
const LONGEST: &str = "
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const frame = () => new Promise(requestAnimationFrame);
    let last = await frame();
    let longest = 0;
    const next = async () => {
        const now = await frame();
        longest = Math.max(longest, now - last);
        last = now;
    };
    for (let turn = 0; turn < 4; turn++) {
        press('s');
        for (let wait = 0; wait < 3; wait++) await next();
        for (let line = 0; line < 12; line++) {
            press(line < 6 ? 'l' : 'h');
            await next();
            const rounds = document.querySelector('.rounds input');
            if (rounds) {
                rounds.value = 1 + (turn * 997 + line * 101) % +rounds.max;
                rounds.dispatchEvent(new Event('input', {bubbles: true}));
                await next();
            }
        }
        press('s');
        for (let by = 0; by < 12; by++) {
            scrollBy(0, by < 6 ? 200 : -200);
            await next();
        }
    }
    return longest;";

#[tokio::test]
async fn a_trace_of_twenty_thousand_steps_is_stepped_through_smoothly() -> Result<()> {
    alone("smooth_trace", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(page, "file", "long.json", &long_trace().to_string()).await?;
        page.reads("h1", "long.py").await?;
        let mut longest = f64::INFINITY;
        for _ in 0..DRAGS {
            longest = page.run_async(LONGEST, vec![]).await?.as_f64().context("no frame")?;
            println!("longest frame: {longest} ms");
            if longest <= FRAME_MS {
                break;
            }
        }
        assert!(longest <= FRAME_MS, "a frame takes {longest} ms");
        Ok(())
    })
    .await
}

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
        page.click("#training", "Run").await?;
        training::steps_taken(page, 2.0).await?;

        page.wake("time").await?;
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
