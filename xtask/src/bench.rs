//! `cargo xtask bench`: the tables of docs/performance.md. What others are compared with is fetched into the user's cache
//! folder, in versions that are pinned here and in docs/compare.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde_json::Value;

use crate::tools::{npm, python};
use crate::{process, size, steps};

/// A table of docs/performance.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// Products in the page, beside TensorFlow.js, onnxruntime-web and jax-js in the same Chromium
    PageProducts,
    /// Training steps in the page, beside TensorFlow.js and jax-js in the same Chromium
    PageTraining,
    /// The lecture's page, and Python in it beside Pyodide
    Page,
    /// Products on the CPU, beside NumPy
    Products,
    /// A training step on the CPU, beside PyTorch eager
    Training,
    /// Products on the GPU, beside PyTorch where that has the same one
    Gpu,
    /// Every kernel for products on the GPU, be it a program
    Kernels,
    /// What this machine reaches
    Machine,
    /// How long the site and the tests take where the project has never been
    SetUp,
    /// How large the site's modules are
    Size,
    /// Every mistake of a learner's that the tests know, typed into the page
    Mistakes,
}

/// What products and steps are compared with.
const NUMPY: &[&str] = &["numpy==2.4.6"];
const PYTORCH: &[&str] = &["torch==2.15.0"];

/// Makes a table, and prints it. Both sides of a comparison are measured in turns, so often.
///
/// # Errors
/// When something that it needs is missing, or a measurement fails.
pub fn run(table: Table, rounds: u32) -> Result<()> {
    ensure!(rounds > 0, "--rounds is 0; it must be at least 1");
    match table {
        Table::PageProducts => peers("products", rounds),
        Table::PageTraining => peers("training", rounds),
        Table::Page => {
            let pyodide = compared()?.join("pyodide");
            show(in_browser("timings")?.arg(pyodide))
        }
        Table::Products => products(rounds),
        Table::Training => training(rounds),
        Table::Gpu => gpu(rounds),
        Table::Kernels => {
            let example = ["run", "--quiet", "--profile", "native", "--package", "napkin-engine"];
            let args = ["--example", "kernels", "--", "float32", "256", "512"];
            show(process::cargo().args(example).args(args))
        }
        Table::Machine => show(napkin().args(["info", "--measure"])),
        Table::SetUp => set_up(),
        Table::Size => size::check().map(drop),
        Table::Mistakes => {
            let mut command = process::cargo();
            command.args([
                "test",
                "--quiet",
                "--package",
                "napkin-tests",
                "--test",
                "e2e",
                "mistakes::every",
            ]);
            show(command.args(["--", "--ignored", "--nocapture"]))
        }
    }
}

/// Packages of npm that the page is compared with.
fn compared() -> Result<PathBuf> {
    npm::installed(&crate::root().join("docs/compare/npm"))
}

/// A program of tests/ that measures the built site in Chromium.
fn in_browser(program: &str) -> Result<Command> {
    if !crate::dist().join("index.html").is_file() {
        bail!("there is no page in {}: run `cargo xtask build` first", crate::dist().display());
    }
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--package", "napkin-tests", "--bin", program, "--"]);
    Ok(command)
}

fn peers(work: &str, rounds: u32) -> Result<()> {
    show(in_browser("peers")?.arg(work).arg(compared()?).arg(rounds.to_string()))
}

/// The terminal program as it is installed.
fn napkin() -> Command {
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--profile", "native", "--package", "napkin", "--"]);
    command
}

/// A script of docs/compare under a Python that has those packages, with OpenBLAS' own choice of kernels.
fn script(packages: &[&str], name: &str) -> Result<Command> {
    let mut command = Command::new(python::with(packages)?);
    command.arg(crate::root().join("docs/compare").join(name));
    command.env_remove("OPENBLAS_CORETYPE").env_remove("OPENBLAS_L2_SIZE");
    Ok(command)
}

/// One thread, and all.
fn thread_counts() -> Result<Vec<usize>> {
    let mut counts = vec![1, available_parallelism().context("how many cores there are")?.get()];
    counts.dedup();
    Ok(counts)
}

fn products(rounds: u32) -> Result<()> {
    for threads in thread_counts()? {
        let count = threads.to_string();
        let mut numpy = script(NUMPY, "products.py")?;
        numpy.args(["--n", "128,256,512,1024"]).env("OPENBLAS_NUM_THREADS", &count);
        let mut ours = napkin();
        ours.args([
            "bench",
            "matmul",
            "--device",
            "cpu",
            "--n",
            "128,256,512,1024",
            "--dtype",
            "f32",
            "--json",
        ]);
        ours.env("RAYON_NUM_THREADS", &count);
        let title = format!("GFLOP/s on the CPU, threads: {threads}");
        beside(&title, "NumPy", "gflop_per_sec", rounds, &mut numpy, &mut ours)?;
    }
    Ok(())
}

fn training(rounds: u32) -> Result<()> {
    for threads in thread_counts()? {
        let count = threads.to_string();
        let mut pytorch = script(PYTORCH, "transformer_step.py")?;
        pytorch.args(["--threads", &count, "--steps", "10"]);
        let mut ours = napkin();
        ours.args(["bench", "step", "--device", "cpu", "--steps", "12", "--json"]);
        ours.env("RAYON_NUM_THREADS", &count);
        let title = format!("Milliseconds of a training step on the CPU, threads: {threads}");
        beside(&title, "PyTorch", "median_ms", rounds, &mut pytorch, &mut ours)?;
    }
    Ok(())
}

fn gpu(rounds: u32) -> Result<()> {
    let sizes = ["--n", "256,512,1024,2048,4096,8192", "--dtype", "f32,f16"];
    let mut pytorch = script(PYTORCH, "products.py")?;
    pytorch.args(["--device", "cuda"]).args(sizes);
    let mut ours = napkin();
    ours.args(["bench", "matmul", "--device", "gpu", "--json"]).args(sizes);
    beside("GFLOP/s on the GPU", "PyTorch", "gflop_per_sec", rounds, &mut pytorch, &mut ours)
}

/// Builds the site and runs all tests in a clone of what is committed, with nothing compiled and nothing fetched.
fn set_up() -> Result<()> {
    let folder = crate::target().join("set-up");
    if folder.is_dir() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let clone = folder.join("napkin");
    process::run(Command::new("git").args(["clone", "--quiet"]).arg(crate::root()).arg(&clone))?;
    for task in [&["build", "--local"][..], &["test"]] {
        let mut command = process::cargo();
        command.arg("xtask").args(task).current_dir(&clone);
        command.env("CARGO_TARGET_DIR", clone.join("target")).env("CARGO_HOME", folder.join("cargo"));
        command.env("XDG_CACHE_HOME", folder.join("cache"));
        show(&mut command)?;
    }
    Ok(())
}

/// Lets a program print where the reader looks.
fn show(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", process::line(command)))?;
    ensure!(status.success(), "`{}` failed", process::line(command));
    Ok(())
}

/// A figure of each product or step, by what it is of.
type Figures = Vec<(String, f64)>;

/// What a program says in JSON: one object, or a list of them.
fn figures(command: &mut Command, figure: &str) -> Result<Figures> {
    let what = process::line(command);
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start `{what}`"))?;
    ensure!(output.status.success(), "`{what}` failed");
    let said: Value = serde_json::from_slice(&output.stdout).with_context(|| format!("`{what}`"))?;
    Ok(read(&said, figure))
}

fn read(said: &Value, figure: &str) -> Figures {
    let rows = said.as_array().map_or(std::slice::from_ref(said), Vec::as_slice);
    let name = |row: &Value| match (&row["n"], &row["dtype"]) {
        (Value::Null, _) => "step".to_owned(),
        (n, dtype) => format!("{n} {}", dtype.as_str().unwrap_or_default()),
    };
    rows.iter().filter_map(|row| Some((name(row), row[figure].as_f64()?))).collect()
}

/// Runs both in turns, and prints the figures of each round, and ours by theirs. Where the other has none, it has no GPU.
fn beside(
    title: &str,
    name: &str,
    figure: &str,
    rounds: u32,
    theirs: &mut Command,
    ours: &mut Command,
) -> Result<()> {
    let mut all = Vec::new();
    for _ in 0..rounds {
        all.push([figures(theirs, figure)?, figures(ours, figure)?]);
    }
    steps::say(&format!("\n{title}\n\n{}", table(name, &all)));
    Ok(())
}

fn table(name: &str, rounds: &[[Figures; 2]]) -> String {
    let mut lines = vec![format!("| | {name} | **Napkin** | ours / {name} |\n|---|---|---|---|")];
    let of = |figures: &Figures, row: &str| figures.iter().find(|(name, _)| name == row).map(|(_, it)| *it);
    for (row, _) in rounds.iter().take(1).flat_map(|[_, ours]| ours) {
        let join = |figure: &dyn Fn(&[Figures; 2]) -> Option<f64>, digits: usize| {
            let figures = rounds.iter().map(|round| match figure(round) {
                Some(figure) => format!("{figure:.digits$}"),
                None => "–".to_owned(),
            });
            figures.collect::<Vec<_>>().join(" / ")
        };
        let theirs = join(&|[theirs, _]| of(theirs, row), 1);
        let ours = join(&|[_, ours]| of(ours, row), 1);
        let ratio = join(&|[theirs, ours]| Some(of(ours, row)? / of(theirs, row)?), 2);
        lines.push(format!("| {row} | {theirs} | **{ours}** | {ratio} |"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn docs_performance_has_every_table_by_its_name() {
        let doc = fs::read_to_string(crate::root().join("docs/performance.md")).unwrap();
        for table in Table::value_variants() {
            let command = format!("`cargo xtask bench {}`", table.to_possible_value().unwrap().get_name());
            assert!(doc.contains(&command), "docs/performance.md does not say {command}");
        }
    }

    #[test]
    fn figures_of_both_sides_stand_side_by_side() {
        let product = |n, dtype, speed| json!({"n": n, "dtype": dtype, "gflop_per_sec": speed});
        let ours = read(&json!([product(64, "f32", 20.0), product(64, "f16", 5.0)]), "gflop_per_sec");
        let theirs = read(&json!([product(64, "f32", 10.0)]), "gflop_per_sec");
        let again = [theirs.clone(), ours.clone()];
        let lines = "| | NumPy | **Napkin** | ours / NumPy |\n|---|---|---|---|\n\
                     | 64 f32 | 10.0 / 10.0 | **20.0 / 20.0** | 2.00 / 2.00 |\n\
                     | 64 f16 | – / – | **5.0 / 5.0** | – / – |";
        assert_eq!(table("NumPy", &[[theirs, ours], again]), lines);
        assert_eq!(read(&json!({"median_ms": 2.5}), "median_ms"), [("step".to_owned(), 2.5)]);
    }
}
