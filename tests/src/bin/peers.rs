//! The page beside other libraries in the same Chromium: `cargo xtask bench page-products` and `page-training`.
//!
//! Arguments: `products` or `training`, the folder node_modules of docs/compare/npm, and the rounds. In each round every
//! library has a fresh browser, one after the other.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use napkin_site::server::StaticServer;
use napkin_tests::{Options, Page, alone, mulberry32};
use serde::Deserialize;
use serde_json::json;

/// Folders with what a library publishes, and their names on the site that the libraries run on.
const LIBRARIES: [(&str, &str); 5] = [
    ("@jax-js/jax/dist", "jax"),
    ("@tensorflow/tfjs/dist", "tfjs"),
    ("@tensorflow/tfjs-backend-wasm/dist", "tfjs-backend-wasm"),
    ("@tensorflow/tfjs-backend-webgpu/dist", "tfjs-backend-webgpu"),
    ("onnxruntime-web/dist", "onnxruntime-web"),
];

const HARNESS: [(&str, &str); 6] = [
    ("index.html", include_str!("peers/index.html")),
    ("jax.js", include_str!("peers/jax.js")),
    ("models.js", include_str!("peers/models.js")),
    ("ort.js", include_str!("peers/ort.js")),
    ("peers.js", include_str!("peers/peers.js")),
    ("tfjs.js", include_str!("peers/tfjs.js")),
];

/// What is measured.
#[derive(Clone, Copy, PartialEq)]
enum Work {
    Products,
    Training,
}

impl Work {
    /// Sizes of products, or models.
    fn cases(self) -> &'static [&'static str] {
        match self {
            Self::Products => &["64", "128", "256", "512"],
            Self::Training => &["linear", "mlp", "gpt"],
        }
    }

    /// The scripts of the others, with their names; Napkin is the last.
    fn libraries(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Products => {
                &[("tfjs", "TensorFlow.js"), ("ort", "onnxruntime-web"), ("jax", "jax-js"), OURS]
            }
            Self::Training => &[("tfjs", "TensorFlow.js"), ("jax", "jax-js"), OURS],
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Products => "GFLOP/s",
            Self::Training => "steps per second",
        }
    }

    fn speed(self, case: &str, ms: f64) -> Result<f64> {
        Ok(match self {
            Self::Products => 2.0 * case.parse::<f64>()?.powi(3) / ms / 1e6,
            Self::Training => 1e3 / ms,
        })
    }

    fn script(self, is_ours: bool) -> &'static str {
        match (self, is_ours) {
            (Self::Products, true) => {
                "const [, device, n] = arguments;
                 let ms = [], last;
                 for (let sample = 0; sample < 10; sample++) {
                     last = await window.__bench_matmul(Number(n), device, {seedA: 1, seedB: 2});
                     ms.push(last.ms);
                 }
                 return {ms: ms.slice(1), values: Array.from(last.c)};"
            }
            (Self::Training, true) => {
                "const [, device, model] = arguments;
                 const {ms, losses} = await window.__bench_step(model, device);
                 return {ms, values: losses};"
            }
            (Self::Products, false) => {
                "const [library, device, n] = arguments;
                 return await window.product(library, device === 'cpu' ? 'wasm' : 'webgpu', Number(n));"
            }
            (Self::Training, false) => {
                "const [library, device, model] = arguments;
                 return await window.training(library, device === 'cpu' ? 'wasm' : 'webgpu', model);"
            }
        }
    }
}

const OURS: (&str, &str) = ("napkin", "**Napkin**");

/// Milliseconds of each sample, and the product or the losses.
#[derive(Deserialize)]
struct Measured {
    ms: Vec<f64>,
    values: Vec<f64>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [work, folder, rounds] = arguments.as_slice() else {
        bail!("usage: peers products|training NODE_MODULES ROUNDS; `cargo xtask bench` gives all three");
    };
    let work = match work.as_str() {
        "products" => Work::Products,
        "training" => Work::Training,
        other => bail!("{other}: products or training can be measured"),
    };
    let rounds: u32 = rounds.parse().with_context(|| format!("{rounds} rounds"))?;
    let site = site(Path::new(folder))?;
    let (others, ours) = (StaticServer::start(&site, "/", 0)?, StaticServer::start(&xtask::dist(), "/", 0)?);
    let mut losses = BTreeMap::new();
    for device in ["cpu", "gpu"] {
        let libraries = work.libraries();
        // For each case, each library's speeds.
        let mut speeds = vec![vec![Vec::new(); libraries.len()]; work.cases().len()];
        for _ in 0..rounds {
            for (column, (library, name)) in libraries.iter().enumerate() {
                let address = match *library {
                    "napkin" => format!("{}tools.html?bench", ours.address()),
                    _ => others.address().to_owned(),
                };
                for (row, case) in work.cases().iter().enumerate() {
                    let measured = measure(&address, work, library, device, case).await;
                    let Measured { mut ms, values } = measured.with_context(|| format!("{name}, {case}"))?;
                    let checked = match work {
                        Work::Products => is_right(case.parse()?, &values),
                        Work::Training => agree(&mut losses, case, &values),
                    };
                    checked.with_context(|| format!("{name}, {case}"))?;
                    ms.sort_by(f64::total_cmp);
                    speeds[row][column].push(work.speed(case, ms[ms.len() / 2])?);
                }
            }
        }
        println!("\n{}, on the {device}:\n\n{}", work.unit(), table(work, &speeds));
    }
    fs::remove_dir_all(site)?;
    Ok(())
}

/// One case in a fresh browser.
async fn measure(address: &str, work: Work, library: &str, device: &str, case: &str) -> Result<Measured> {
    alone("peers", Options::default(), async |page: &Page| {
        page.driver().goto(address).await?;
        page.until("what is measured", async || {
            let script = "return !!(window.isReady ?? window.__bench_step);";
            Ok((page.run(script, vec![]).await? == true).then_some(()))
        })
        .await?;
        let arguments = vec![json!(library), json!(device), json!(case)];
        let measured = page.run_async(work.script(library == OURS.0), arguments).await?;
        Ok(serde_json::from_value(measured)?)
    })
    .await
}

/// A site of the libraries, as they are published, and what measures them.
fn site(modules: &Path) -> Result<PathBuf> {
    let site = env::temp_dir().join(format!("napkin-peers-{}", std::process::id()));
    for (folder, name) in LIBRARIES {
        let (from, to) = (modules.join(folder), site.join(name));
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))? {
            let path = entry?.path();
            let is_wanted =
                path.extension().is_some_and(|it| ["js", "mjs", "wasm"].iter().any(|end| it == *end));
            if let Some(name) = path.file_name().filter(|_| is_wanted) {
                fs::copy(&path, to.join(name))?;
            }
        }
    }
    for (name, text) in HARNESS {
        fs::write(site.join(name), text)?;
    }
    Ok(site)
}

/// Whether losses are those of whoever was first to train that model, within a thousandth.
fn agree(first: &mut BTreeMap<&str, Vec<f64>>, model: &'static str, losses: &[f64]) -> Result<()> {
    ensure!(losses.len() == 10, "{} losses", losses.len());
    let first = first.entry(model).or_insert_with(|| losses.to_vec());
    let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-3 * b.abs();
    ensure!(losses.iter().zip(&*first).all(is_close), "the losses are {losses:?}, another's are {first:?}");
    Ok(())
}

/// Whether a product is that of the seeds 1 and 2, by float64.
fn is_right(n: usize, values: &[f64]) -> Result<()> {
    ensure!(values.len() == n * n, "{} elements", values.len());
    let [a, b] = [1, 2].map(|seed| mulberry32(n * n, seed));
    let (mut worst, mut largest) = (0.0f64, 0.0f64);
    for (row, got) in values.chunks_exact(n).enumerate() {
        let mut want = vec![0.0; n];
        for (k, &left) in a[row * n..][..n].iter().enumerate() {
            for (sum, &right) in want.iter_mut().zip(&b[k * n..][..n]) {
                *sum += f64::from(left) * f64::from(right);
            }
        }
        for (got, want) in got.iter().zip(want) {
            worst = worst.max((got - want).abs());
            largest = largest.max(want.abs());
        }
    }
    ensure!(worst <= 1e-5 * largest, "a product is {:.1e} off", worst / largest);
    Ok(())
}

/// In Markdown: a line for each case, with a figure for each round.
fn table(work: Work, speeds: &[Vec<Vec<f64>>]) -> String {
    let names: Vec<_> = work.libraries().iter().map(|(_, name)| *name).collect();
    let mut lines = vec![format!("| | {} | ours / fastest |", names.join(" | "))];
    lines.push(format!("|{}", "---|".repeat(names.len() + 2)));
    let figures = |values: Vec<f64>, digits: usize| {
        values.iter().map(|value| format!("{value:.digits$}")).collect::<Vec<_>>().join(" / ")
    };
    for (case, row) in work.cases().iter().zip(speeds) {
        let Some((ours, others)) = row.split_last() else { continue };
        let fastest = |round: usize| others.iter().map(|speeds| speeds[round]).fold(0.0, f64::max);
        let ratios = ours.iter().enumerate().map(|(round, speed)| speed / fastest(round)).collect();
        let cells: Vec<_> = row.iter().map(|speeds| figures(speeds.clone(), 1)).collect();
        lines.push(format!("| {case} | {} | {} |", cells.join(" | "), figures(ratios, 2)));
    }
    lines.join("\n")
}
