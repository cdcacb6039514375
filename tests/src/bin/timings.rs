//! How long the lecture's page takes, and Python in it beside Pyodide: `cargo run -p napkin-tests --bin timings [FOLDER]`,
//! where FOLDER is that of the npm package `pyodide`. Every figure is of a fresh browser, in milliseconds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, alone};
use serde_json::Value;
use xtask::serve::StaticServer;

const ROUNDS: usize = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let pyodide = std::env::args_os().nth(1).map(|folder| site(Path::new(&folder))).transpose()?;
    for round in 1..=ROUNDS {
        println!("round {round}");
        let page = alone("timings", Options::default(), async |page| lecture(page).await).await?;
        println!("  the lecture  {page}");
        println!("  Napkin       {}", python(&xtask::dist(), "ours").await?);
        if let Some(folder) = &pyodide {
            println!("  Pyodide      {}", python(folder, "pyodides").await?);
        }
    }
    pyodide.map_or(Ok(()), |folder| Ok(fs::remove_dir_all(folder)?))
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

/// From the address to the first text and to a page that answers, from `Run` to live values, and a key each step.
async fn lecture(page: &Page) -> Result<Value> {
    page.go("").await?;
    let script = "const frame = () => new Promise(requestAnimationFrame);
        while (!document.documentElement.dataset.live) await frame();
        const answers = performance.now();
        const readable = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
        const start = performance.now();
        document.querySelector('[data-do=run]').click();
        while (document.getElementById('news').textContent !== 'It has run.') await frame();
        const live = performance.now() - start;
        const steps = [];
        for (let step = 0; step < 1000; step++) {
            const start = performance.now();
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key: step < 500 ? 'l' : 'h', bubbles: true}));
            document.body.offsetHeight;
            steps.push(performance.now() - start);
        }
        steps.sort((a, b) => a - b);
        return {readable, answers, live, step: steps[500], slowest_step: steps.at(-1)};";
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
