//! Building the site into dist/, of what index.html lists: modules are compiled, get their JavaScript and, for a host, go
//! through wasm-opt; pages and other files are copied. Trunk reads the same list.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::steps::{Step, step};
use napkin_site::offline;

use crate::{lectures, prerender, process, split, tools, unused};

/// Whom the site is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// For reading on this machine: compiled fast.
    Here,
    /// For a host: small and fast, which takes minutes.
    Host,
    /// The same for the tests, linted as it is compiled.
    Tests,
}

/// What the pages are called as a step, and about how many seconds they take on two cores.
const PAGES: (&str, u64) = ("pages", 2);

/// About how many seconds a module takes on two cores, compiled fast and small.
const MODULE_SECS: [u64; 2] = [120, 200];

/// Builds the site. `app` gives the app compiled natively, which writes the pages: [`prerender::app`] compiles it.
///
/// # Errors
/// When something is missing or does not compile, or a lecture for a host has changed since it ran.
pub fn build(whom: For, app: impl FnOnce() -> Result<PathBuf> + Send) -> Result<()> {
    write(whom, app, |_| true)?;
    // Last, since it lists everything that is there.
    offline::write(&crate::dist())
}

/// The steps of [`build`].
///
/// # Errors
/// When index.html cannot be read.
pub fn steps(whom: For) -> Result<Vec<Step>> {
    let list = list()?;
    let modules = links(&list).filter_map(|link| {
        let bin = link.get("data-bin")?;
        Some((name_of(whom, bin), MODULE_SECS[usize::from(whom != For::Here)]))
    });
    // The tests compile the app with all else that runs natively.
    let app = (whom != For::Tests).then_some(prerender::APP);
    let pages = app.into_iter().chain([PAGES]).map(|(name, secs)| (name.to_owned(), secs));
    Ok(pages.chain(modules).collect())
}

/// What compiling a module is called as a step.
fn name_of(whom: For, bin: &str) -> String {
    format!("{bin} to {}", if whom == For::Here { "wasm" } else { "small wasm" })
}

/// Whether a module is the page's own. The others are workers, which the page asks for when somebody needs them.
fn is_page(link: &Link<'_>) -> bool {
    link.get("data-type") == Some("main")
}

/// Builds what the site for this machine needs to be read: all but [`workers`].
///
/// # Errors
/// As [`build`].
pub fn readable() -> Result<()> {
    write(For::Here, prerender::app, is_page)
}

/// Adds the rest to [`readable`].
///
/// # Errors
/// As [`build`].
pub fn workers() -> Result<()> {
    let list = list()?;
    let modules = links(&list).filter(|link| link.get("rel") == Some("rust"));
    for link in modules.filter(|link| !is_page(link)) {
        copy(&module(For::Here, &link)?, &crate::dist())?;
    }
    offline::write(&crate::dist())
}

/// Writes the site, with the modules that are wanted.
fn write(
    whom: For,
    app: impl FnOnce() -> Result<PathBuf> + Send,
    is_wanted: impl Fn(&Link<'_>) -> bool,
) -> Result<()> {
    tools::wasm_target()?;
    let changed = lectures::changed(&lectures::folder())?.join(", ");
    if !changed.is_empty() && whom != For::Here {
        bail!(
            "{changed} changed since the trace beside it was written; `cargo xtask lectures` runs it and writes that"
        );
    }
    let list = list()?;
    let (modules, files): (Vec<_>, Vec<_>) = links(&list).partition(|link| link.get("rel") == Some("rust"));
    // What runs here and what runs in the browser share nothing: one compiles where the other waits for its last crate.
    let modules: Vec<PathBuf> = std::thread::scope(|scope| {
        let pages = scope.spawn(|| {
            let app = app()?;
            step(PAGES.0, || prerender::everything(&app))
        });
        let modules = modules.iter().filter(|link| is_wanted(link));
        let modules = modules.map(|link| module(whom, link)).collect::<Result<_>>();
        pages.join().map_err(|_| anyhow!("the pages could not be written"))??;
        modules
    })?;
    let dist = crate::dist();
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
    }
    for folder in modules {
        copy(&folder, &dist)?;
    }
    for link in files {
        let from = crate::root().join(link.need("href")?);
        copy(&from, &dist.join(from.file_name().context("a link to no file")?))?;
    }
    tools::packages(&dist)
}

fn list() -> Result<String> {
    fs::read_to_string(crate::root().join("index.html")).context("cannot read index.html")
}

fn links(list: &str) -> impl Iterator<Item = Link<'_>> {
    list.lines().filter(|line| line.contains("data-trunk")).map(Link)
}

/// A line of index.html.
struct Link<'a>(&'a str);

impl<'a> Link<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        let (_, rest) = self.0.split_once(&format!(" {name}=\""))?;
        Some(rest.split_once('"')?.0)
    }

    fn need(&self, name: &str) -> Result<&'a str> {
        self.get(name).with_context(|| format!("index.html: no {name} in {}", self.0))
    }
}

/// Compiles a module; the folder that it and its JavaScript are in.
fn module(whom: For, link: &Link<'_>) -> Result<PathBuf> {
    let bin = link.need("data-bin")?;
    step(&name_of(whom, bin), || compiled(whom, link, bin))
}

fn compiled(whom: For, link: &Link<'_>, bin: &str) -> Result<PathBuf> {
    let small = link.get("data-cargo-profile").unwrap_or("release");
    let profile = if whom == For::Here { "local" } else { small };
    // Whoever reads on this machine waits for the compiler, not for bytes.
    let is_parted = is_page(link) && whom != For::Here;
    let mut build = process::cargo();
    build.args(["rustc", "--quiet", "--locked", "--target", crate::WASM, "--profile", profile, "--bin", bin]);
    build.args(["--manifest-path", link.need("href")?]);
    let features = link.get("data-cargo-features").into_iter().chain(is_parted.then_some(split::FEATURE));
    build.args(features.flat_map(|features| ["--features", features]));
    build.args(process::without_paths());
    if whom == For::Tests {
        process::lint(&mut build);
    }
    if is_parted {
        build.args(["--", split::LINK]);
    }
    process::run(&mut build)?;
    let compiled = crate::target().join(crate::WASM).join(profile).join(format!("{bin}.wasm"));
    let folder = crate::target().join("site").join(profile).join(bin);
    let module = folder.join(format!("{bin}_bg.wasm"));
    let written = |file: &Path| fs::metadata(file).and_then(|it| it.modified());
    let sources = [compiled.clone(), crate::root().join("index.html")];
    let is_older = |made| sources.iter().all(|file| written(file).is_ok_and(|source| source <= made));
    if written(&module).is_ok_and(is_older) {
        return Ok(folder);
    }
    // The marker of a whole folder is the module itself, which comes last and in one step.
    let _ = fs::remove_dir_all(&folder);
    let mut bindgen = Bindgen::new();
    let mut others = Vec::new();
    if is_parted {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let parted = split::part(&compiled, bin, &folder)?;
        // The other modules are linked to the table of functions.
        bindgen.input_bytes(bin, unused::emptied(&parted.main)?).keep_lld_exports(true);
        others = parted.others;
        for module in &others {
            let bytes = unused::emptied(module)?;
            fs::write(module, bytes).with_context(|| format!("cannot write {}", module.display()))?;
        }
    } else {
        bindgen.input_path(&compiled);
    }
    bindgen.web(true)?.typescript(false).omit_default_module_path(false);
    bindgen.keep_debug(false).remove_producers_section(true);
    bindgen.generate(&folder).with_context(|| format!("wasm-bindgen cannot read {}", compiled.display()))?;
    if whom != For::Here {
        for module in others.iter().chain([&module]) {
            shrink(link, module)?;
        }
    }
    Ok(folder)
}

/// Has wasm-opt make a module smaller, in one step.
fn shrink(link: &Link<'_>, module: &Path) -> Result<()> {
    let [large, small] = ["large.wasm", "small.wasm"].map(|name| module.with_file_name(name));
    fs::rename(module, &large).with_context(|| format!("cannot rename {}", module.display()))?;
    let mut shrink = Command::new(tools::wasm_opt()?);
    shrink.arg(format!("-O{}", link.need("data-wasm-opt")?));
    shrink.args(link.need("data-wasm-opt-params")?.split_whitespace());
    process::run(shrink.arg(&large).arg("-o").arg(&small))?;
    fs::remove_file(&large).with_context(|| format!("cannot remove {}", large.display()))?;
    fs::rename(&small, module).with_context(|| format!("cannot rename {}", small.display()))
}

/// Copies a file, or what is in a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
        for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if from.is_file() {
        // The server may be asked for it at any time: it is there whole or not at all.
        let part = to.with_added_extension("part");
        fs::copy(from, &part).with_context(|| format!("cannot copy {}", from.display()))?;
        fs::rename(&part, to).with_context(|| format!("cannot write {}", to.display()))?;
    } else {
        bail!("{}, which index.html lists, is not there", from.display());
    }
    Ok(())
}
