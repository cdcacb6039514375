//! How long the lecture's page takes, and Python in it beside Pyodide: `cargo run -p napkin-tests --bin timings [FOLDER]`,
//! where FOLDER is that of the npm package `pyodide`. Every figure is of a fresh browser, in milliseconds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use napkin_site::server::StaticServer;
use napkin_tests::long_trace::{MOVES, long_trace};
use napkin_tests::{Options, Page, alone};
use serde_json::{Value, json};
use xtask::size::compressed;

const ROUNDS: usize = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let pyodide = std::env::args_os().nth(1).map(|folder| site(Path::new(&folder))).transpose()?;
    let compressed = as_hosted()?;
    fs::write(compressed.join("long.json"), long_trace().to_string())?;
    for round in 1..=ROUNDS {
        println!("round {round}");
        let server = StaticServer::start(&compressed, "/", 0)?;
        for (conditions, is_slow) in [("as it is", false), ("throttled", true)] {
            let page = alone("timings", Options::default(), async |page| {
                if is_slow {
                    throttle(page).await?;
                }
                page.driver().goto(format!("{}index.html#training_time", server.address())).await?;
                lecture(page).await
            });
            println!("  the lecture, {conditions}: {}", page.await?);
        }
        let longest = alone("timings", Options::default(), async |page| {
            page.driver().goto(format!("{}index.html?trace=long.json", server.address())).await?;
            page.reads("h1", "long.py").await?;
            let script = "let [last, longest] = [Infinity, 0];
                const moved = now => { longest = Math.max(longest, now - last); last = now; };";
            page.run_async(&format!("{script}{MOVES}\nreturn longest;"), vec![]).await
        });
        println!("  the longest frame with 20,000 steps: {}", longest.await?);
        println!("  Napkin       {}", python(&xtask::dist(), "ours").await?);
        if let Some(folder) = &pyodide {
            println!("  Pyodide      {}", python(folder, "pyodides").await?);
        }
    }
    for folder in pyodide.into_iter().chain([compressed]) {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// The site as a host sends it: compressed.
fn as_hosted() -> Result<PathBuf> {
    let site = std::env::temp_dir().join(format!("napkin-hosted-{}", std::process::id()));
    for name in napkin_site::files::files(&xtask::dist())? {
        let bytes = napkin_site::files::read(&xtask::dist(), &name)?;
        let to = site.join(&name);
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::write(&to, &bytes)?;
        fs::write(site.join(format!("{name}.br")), compressed(&bytes, 9)?)?;
    }
    Ok(site)
}

/// A quarter of the machine's speed for the page's thread, and a line of 10 Mbit/s with 40 ms.
async fn throttle(page: &Page) -> Result<()> {
    page.devtools("Emulation.setCPUThrottlingRate", json!({"rate": 4})).await?;
    let bytes_per_sec = 10e6 / 8.0;
    let line = json!({"offline": false, "latency": 40, "downloadThroughput": bytes_per_sec,
        "uploadThroughput": bytes_per_sec});
    page.devtools("Network.enable", json!({})).await?;
    page.devtools("Network.emulateNetworkConditions", line).await.map(drop)
}

/// Pyodide with a page that it can be asked from.
fn site(package: &Path) -> Result<PathBuf> {
    let site = std::env::temp_dir().join(format!("napkin-pyodide-{}", std::process::id()));
    fs::create_dir_all(&site)?;
    for entry in fs::read_dir(package).with_context(|| format!("cannot read {}", package.display()))? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, site.join(name))?;
        }
    }
    fs::write(site.join("index.html"), "<!doctype html><link rel=\"icon\" href=\"data:,\" />")?;
    Ok(site)
}

/// From the address to the first text and to a page that answers; a slider of the lecture's code until what Python shows
/// beside a line follows, the first time and later, and until the calculator's figures do while Python runs; a slider of
/// the calculator alone, of which the code knows nothing; what a key takes from line to line.
async fn lecture(page: &Page) -> Result<Value> {
    let script = "const frame = () => new Promise(requestAnimationFrame);
        while (document.documentElement.dataset.live === undefined) await frame();
        const answers = performance.now();
        const readable = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
        const cell = document.getElementById('training_time');
        // In sight it comes alive; what is asked for would be covered.
        for (let frames = 0; frames < 20; frames++) await frame();
        cell.querySelector('.show-answer')?.click();
        await frame();
        const slider = cell.querySelector('.slider input[type=range]');
        const move = async (what, by = slider) => {
            const results = () => [...cell.querySelectorAll(what)].map(it => it.textContent).join();
            const [before, start] = [results(), performance.now()];
            const [value, step] = [Number(by.value), Number(by.step) || 1];
            by.value = value - step >= Number(by.min) ? value - step : Number(by.max);
            by.dispatchEvent(new InputEvent('input', {bubbles: true}));
            while (results() === before) await frame();
            return performance.now() - start;
        };
        // The figures of the calculator in the cell are closed forms, what stands beside its lines is Python's.
        const [figures, lines] = ['.figure-exact', '.result'];
        const [first_run, runs, closed_forms] = [await move(lines), [], []];
        for (let round = 0; round < 9; round++) runs.push(await move(lines));
        for (let round = 0; round < 9; round++) closed_forms.push(await move(figures));
        const own = [...cell.querySelectorAll('.sheet-place input[type=range]')].at(-1);
        await new Promise(told => setTimeout(told, 1500));
        const calculators = [];
        for (let round = 0; round < 9; round++) calculators.push(await move(figures, own));
        const steps = [];
        for (let step = 0; step < 1000; step++) {
            const start = performance.now();
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key: step < 500 ? 'l' : 'h', bubbles: true}));
            document.body.offsetHeight;
            steps.push(performance.now() - start);
        }
        const sorted = all => all.sort((a, b) => a - b);
        const [run, closed_form, calculator] = [runs, closed_forms, calculators].map(all => sorted(all)[4]);
        const step = sorted(steps)[500];
        return {readable, answers, first_run, run, closed_form, calculator, step, slowest_step: steps.at(-1)};";
    page.run_async(script, vec![]).await
}

/// Until Python says that it is there, until it has printed, and statements per second.
async fn python(folder: &Path, which: &str) -> Result<Value> {
    let server = StaticServer::start(folder, "/", 0)?;
    alone("timings", Options::default(), async |page| {
        page.driver().goto(server.address()).await?;
        let script = format!("{}\nreturn await {which}();", include_str!("timings.js"));
        page.run_async(&script, vec![]).await.context(which.to_owned())
    })
    .await
}
