//! The invariants of ARCHITECTURE.md, checked on the source tree.

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
            "napkin-accounting" | "napkin-charts" | "napkin-notebook" | "napkin-engine" | "napkin-patch"
            | "napkin-view" | "xtask" => &[],
            "napkin-app" => &[
                "napkin-accounting",
                "napkin-engine",
                "napkin-notebook",
                "napkin-patch",
                "napkin-sheets",
                "napkin-view",
            ],
            "napkin-sheets" => &["napkin-accounting", "napkin-charts", "napkin-notebook", "napkin-patch"],
            "napkin-worker" => &["napkin-engine", "napkin-notebook"],
            "napkin-python" => &["napkin-engine", "napkin-notebook"],
            "napkin-drawings" => &["napkin-accounting", "napkin-charts", "napkin-engine", "napkin-notebook"],
            "napkin-reader" => &["napkin-accounting", "napkin-drawings", "napkin-notebook", "napkin-patch"],
            "napkin-python-worker" => {
                &["napkin-drawings", "napkin-engine", "napkin-notebook", "napkin-python"]
            }
            "napkin" => &[
                "napkin-accounting",
                "napkin-charts",
                "napkin-drawings",
                "napkin-engine",
                "napkin-notebook",
                "napkin-python",
            ],
            "napkin-tests" => &["napkin-accounting", "napkin-engine", "napkin-notebook"],
            name => panic!("{name} is not in ARCHITECTURE.md's code map: say there whom it may know"),
        };
        let may: BTreeSet<String> = may.iter().map(|&name| name.to_owned()).collect();
        let known = ours(&package);
        assert!(known.is_subset(&may), "{} knows {known:?}, and may know {may:?}", package.name);
    }
    Ok(())
}

#[test]
fn only_the_engine_depends_on_wgpu_and_only_the_app_on_the_browser() -> Result<()> {
    for package in packages()? {
        let owners: [(&str, &[&str]); 5] = [
            ("wgpu", &["napkin-engine"]),
            ("leptos", &["napkin-app"]),
            ("plotters", &["napkin-worker"]),
            (
                "web-sys",
                &[
                    "napkin-app",
                    "napkin-sheets",
                    "napkin-worker",
                    "napkin-patch",
                    "napkin-reader",
                    "napkin-python-worker",
                ],
            ),
            ("rustpython", &["napkin-python"]),
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

#[test]
fn sources_name_a_crate_only_where_it_belongs() -> Result<()> {
    let homes = [
        ("wgpu", "engine/src/gpu"),
        ("rustpython_vm", "python"),
        ("leptos", "app"),
        ("plotters", "app/worker"),
        ("plotters_canvas", "app/worker"),
        ("web_sys", "app"),
    ];
    let sources = files(&[".rs"])?;
    for (krate, home) in homes {
        // This file names them all.
        let others = sources.iter().filter(|file| !file.starts_with(home) && !file.ends_with("house.rs"));
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
fn the_page_knows_its_calculators_only_where_it_is_built() -> Result<()> {
    let packages = packages()?;
    let app = packages.iter().find(|package| package.name == "napkin-app").context("no napkin-app")?;
    for name in ["napkin-sheets", "napkin-charts", "serde_json"] {
        let targets = app.dependencies.iter().filter(|dependency| dependency["name"] == name);
        for dependency in targets {
            let native = r#"cfg(not(target_arch = "wasm32"))"#;
            assert_eq!(dependency["target"], native, "{name} would be in the page's wasm");
        }
    }
    // What would bring the catalogues and their reader along.
    for file in files(&[".rs"])?.iter().filter(|file| file.starts_with("app/src")) {
        let text = read(file)?;
        for part in ["calc", "hardware", "models", "catalogue", "runs"] {
            let path = format!("napkin_accounting::{part}");
            // Fields are data.
            let text = text
                .replace("napkin_accounting::calc::fields", "")
                .replace("napkin_accounting::calc::Field;", "");
            assert!(!text.contains(&path), "{} names {path}", file.display());
        }
    }
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
fn workspace_lints_hold_in_every_crate() -> Result<()> {
    for file in files(&["Cargo.toml"])? {
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
