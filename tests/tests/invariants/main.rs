//! The invariants of ARCHITECTURE.md, checked on the source tree.

mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Packages and what they may name, beside what cargo metadata calls "dependencies".
struct Package {
    name: String,
    dependencies: Vec<Value>,
}

impl Package {
    /// Names of everything it depends on for itself: tests may compare with whatever they like.
    fn needs(&self) -> BTreeSet<&str> {
        let own = self.dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
        own.filter_map(|dependency| dependency["name"].as_str()).collect()
    }
}

fn packages() -> Result<Vec<Package>> {
    let output = xtask::process::cargo()
        .args(["metadata", "--no-deps", "--locked", "--format-version", "1"])
        .output()
        .context("cannot run cargo metadata")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    packages
        .iter()
        .map(|package| {
            let name = package["name"].as_str().context("a package without a name")?.to_owned();
            let dependencies = package["dependencies"].as_array().context("no dependencies")?.clone();
            Ok(Package { name, dependencies })
        })
        .collect()
}

/// Every file of the checkout whose name ends so, as a path below its root.
fn files(ends: &[&str]) -> Result<Vec<PathBuf>> {
    let root = xtask::root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", "dist", "node_modules", ".git", "__pycache__"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if ends.iter().any(|end| path.to_string_lossy().ends_with(end)) {
                found.push(path.strip_prefix(&root)?.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(xtask::root().join(file)).with_context(|| file.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether Rust source uses a crate: in a path or in a `use`.
fn uses(source: &str, krate: &str) -> bool {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let (path, import) = (format!("{krate}::"), format!("use {krate}"));
    code.into_iter().any(|line| {
        let before = |at: usize| line[..at].chars().next_back();
        let whole = |at: usize| !before(at).is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
        line.match_indices(&path).any(|(at, _)| whole(at)) || line.trim_start().starts_with(&import)
    })
}

#[test]
fn crates_know_only_whom_they_may() -> Result<()> {
    let ours = |package: &Package| {
        let names = package.needs().into_iter().map(str::to_owned);
        names.filter(|name| name.starts_with("napkin")).collect::<BTreeSet<_>>()
    };
    for package in packages()? {
        let may: &[&str] = match package.name.as_str() {
            "napkin-accounting" | "napkin-engine" | "napkin-trace" | "napkin-site" => &[],
            "xtask" | "napkin-tests" => &["napkin-site"],
            "napkin-charts" => &["napkin-accounting"],
            // The site's own text, natively.
            "napkin-app" => {
                &["napkin-accounting", "napkin-charts", "napkin-engine", "napkin-site", "napkin-trace"]
            }
            "napkin-prose" => &["napkin-trace"],
            "napkin-worker" => &["napkin-engine", "napkin-trace"],
            "napkin-python" => &["napkin-engine", "napkin-trace"],
            "napkin-export" => &["napkin-trace", "napkin-python"],
            "napkin-python-worker" => &["napkin-engine", "napkin-export", "napkin-trace", "napkin-python"],
            "napkin" => &[
                "napkin-accounting",
                "napkin-charts",
                "napkin-engine",
                "napkin-export",
                "napkin-site",
                "napkin-trace",
                "napkin-python",
            ],
            name => panic!("{name} is not in ARCHITECTURE.md's code map: say there whom it may know"),
        };
        let may: BTreeSet<String> = may.iter().map(|&name| name.to_owned()).collect();
        let known = ours(&package);
        assert!(known.is_subset(&may), "{} knows {known:?}, and may know {may:?}", package.name);
    }
    Ok(())
}

#[test]
fn only_the_engine_depends_on_wgpu_and_only_the_app_on_leptos() -> Result<()> {
    for package in packages()? {
        let owners: [(&str, &[&str]); 4] = [
            ("wgpu", &["napkin-engine"]),
            ("leptos", &["napkin-app"]),
            ("web-sys", &["napkin-app", "napkin-worker", "napkin-python-worker"]),
            // Exports read programs with its parser; xtask copies the part of Python's library that the page fetches.
            ("rustpython", &["napkin-export", "napkin-python", "xtask"]),
        ];
        for (krate, may) in owners {
            let named: Vec<_> = package.needs().into_iter().filter(|name| name.starts_with(krate)).collect();
            assert!(
                named.is_empty() || may.contains(&package.name.as_str()),
                "{} depends on {named:?}, which only {may:?} may",
                package.name
            );
        }
    }
    Ok(())
}

/// Leptos is the one way that pages are made, and serde_json the one way that JSON is read.
#[test]
fn there_is_one_framework_and_one_reader_of_json() -> Result<()> {
    let others = [
        "askama",
        "dioxus",
        "handlebars",
        "html-escape",
        "htmlescape",
        "json",
        "markup",
        "maud",
        "miniserde",
        "nanoserde",
        "simd-json",
        "sycamore",
        "tera",
        "tinyjson",
        "yew",
    ];
    for package in packages()? {
        let named: Vec<_> = package.needs().into_iter().filter(|name| others.contains(name)).collect();
        assert!(named.is_empty(), "{} depends on {named:?}", package.name);
    }
    let gone = [
        "app/patch",
        "app/reader",
        "app/sheets",
        "app/view",
        "app/src/cells",
        "app/src/dom",
        "app/src/signals.rs",
        "app/src/widgets",
        "drawings",
        "notebook",
        "xtask/src/rustc.rs",
    ];
    for path in gone {
        assert!(!xtask::root().join(path).exists(), "{path} is there again");
    }
    // Its macro, its elements and its signals are used as they are.
    for file in files(&[".rs"])?.iter().filter(|file| file.starts_with("app/src")) {
        let text = read(file)?;
        for own in ["macro_rules! view", "proc_macro", "struct Signal", "struct RwSignal"] {
            assert!(!text.contains(own), "{} has a {own:?} of its own", file.display());
        }
    }
    Ok(())
}

#[test]
fn the_modules_of_the_site_are_page_prose_workers_and_python() -> Result<()> {
    let list = read(Path::new("index.html"))?;
    let bins = list.split("data-bin=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let bins: Vec<_> = bins.collect();
    assert_eq!(bins, ["napkin-app", "prose", "worker", "worker-relaxed", "python"]);
    Ok(())
}

#[test]
fn sources_name_a_crate_only_where_it_belongs() -> Result<()> {
    let homes =
        [("wgpu", "engine/src/gpu"), ("rustpython_vm", "python"), ("leptos", "app"), ("web_sys", "app")];
    let sources = files(&[".rs"])?;
    for (krate, home) in homes {
        // This file names them all.
        let others =
            sources.iter().filter(|file| !file.starts_with(home) && !file.ends_with("invariants/main.rs"));
        for file in others {
            assert!(!uses(&read(file)?, krate), "{} names {krate}; only {home} may", file.display());
        }
    }
    Ok(())
}

#[test]
fn the_page_thread_has_no_backend() -> Result<()> {
    let packages = packages()?;
    let app = packages.iter().find(|package| package.name == "napkin-app").context("no napkin-app")?;
    let engine = app.dependencies.iter().find(|dependency| dependency["name"] == "napkin-engine");
    let engine = engine.context("the page does not use the engine")?;
    assert_eq!(engine["uses_default_features"], false);
    assert_eq!(engine["features"], serde_json::json!([]), "backends belong to the worker");
    Ok(())
}

#[test]
fn every_shader_has_a_twin() -> Result<()> {
    let twins = files(&[".rs"])?;
    let twins = twins.iter().filter(|file| file.starts_with("engine/src/twin"));
    let twins = twins.map(|file| read(file)).collect::<Result<Vec<_>>>()?.concat();
    let shaders = files(&[".wgsl"])?;
    assert!(!shaders.is_empty());
    for shader in shaders {
        let source = read(&shader)?;
        // A file without an entry point is a part of others, and reaches the tests through them.
        if !source.contains("@compute") {
            continue;
        }
        let name = shader.file_stem().context("a shader without a name")?.to_string_lossy().into_owned();
        assert!(
            twins.contains(&format!("fn {name}")),
            "{name} has no function of its name in engine/src/twin"
        );
    }
    Ok(())
}

#[test]
fn nothing_names_a_folder_of_one_machine() -> Result<()> {
    let folders =
        [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("../sha", "red")];
    for file in files(&[".rs", ".toml", ".md", ".wgsl", ".json", ".html", ".css", ".js", ".yml", ".ci/run"])?
    {
        let text = read(&file)?;
        for folder in folders {
            assert!(!text.contains(folder), "{} names {folder}", file.display());
        }
    }
    Ok(())
}

#[test]
fn files_have_fewer_than_500_lines() -> Result<()> {
    for file in files(&[".rs", ".wgsl", ".py"])?.into_iter().filter(|file| !file.starts_with("patches")) {
        let lines = read(&file)?.lines().count();
        assert!(lines < 500, "{} has {lines} lines: it has more than one subject", file.display());
    }
    Ok(())
}

/// Where each lecture has to stand: in the pages, and where tests look at all lectures.
#[test]
fn every_lecture_is_a_page_and_is_tested() -> Result<()> {
    let lists = [
        "app/src/page/header.rs",
        "app/tests/drawings.rs",
        "cli/tests/terminal/run.rs",
        "export/tests/exports.rs",
        "python/tests/lectures/golden.json",
        "tests/src/page.rs",
        "tests/tests/e2e/walk.rs",
    ];
    let main = "if __name__ == \"__main__\":";
    for file in files(&[".py"])?.into_iter().filter(|file| file.starts_with("public/lectures")) {
        let Some(name) = file.file_stem().filter(|_| read(&file).is_ok_and(|text| text.contains(main)))
        else {
            continue;
        };
        let name = name.to_string_lossy();
        for list in lists {
            let is_there = read(Path::new(list))?.contains(&format!("\"{name}"));
            assert!(is_there, "{} is a lecture, and {list} knows nothing of it", file.display());
        }
    }
    // The first page is the site's own; the others are listed.
    let (header, listed) = (read(Path::new("app/src/page/header.rs"))?, read(Path::new("index.html"))?);
    for page in header.split('"').filter(|text| text.ends_with(".html")) {
        let is_listed = listed.contains(&format!("target/prerender/{page}"));
        assert!(is_listed, "{page} is a page, and index.html does not list it");
    }
    Ok(())
}

#[test]
fn docs_authoring_names_every_drawing() -> Result<()> {
    let (library, doc) = (read(Path::new("python/lib/napkin.py"))?, read(Path::new("docs/authoring.md"))?);
    let (_, drawings) = library.split_once("class _Show:").context("napkin.py has no drawings")?;
    for name in drawings.split("    def ").skip(1).filter_map(|rest| rest.split('(').next()) {
        assert!(doc.contains(&format!("`show.{name}(")), "docs/authoring.md lacks show.{name}");
    }
    Ok(())
}

#[test]
fn workspace_lints_hold_in_every_crate() -> Result<()> {
    // What stands in place of others' crates is in no workspace.
    for file in files(&["Cargo.toml"])?.into_iter().filter(|file| !file.starts_with("patches")) {
        let text = read(&file)?;
        let inherits = text.contains("[lints]\nworkspace = true");
        assert!(inherits || text.contains("[workspace.lints"), "{} sets its own lints", file.display());
    }
    Ok(())
}

#[test]
fn the_detector_of_names_works() {
    assert!(uses("use wgpu::Device;", "wgpu"));
    assert!(uses("    let x: &wgpu::Buffer;", "wgpu"));
    assert!(!uses("// wgpu::Buffer", "wgpu"));
    assert!(!uses("crate::wgpu::x; my_wgpu::y", "wgpu"));
}
