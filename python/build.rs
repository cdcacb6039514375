//! Compiles our modules, and what is taken from Python's own library.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rustpython_compiler::core::frozen::{FrozenCodeObject, FrozenLib, FrozenModule};
use rustpython_compiler::{CompileOpts, Mode, compile};

/// Modules that work unchanged over our `os`, and that lectures or tracebacks import; packages end in a slash.
const MODULES: &[&str] = &[
    "__future__.py",
    "_collections_abc.py",
    "_py_warnings.py",
    "_weakrefset.py",
    "abc.py",
    "bisect.py",
    "collections/",
    "contextlib.py",
    "copy.py",
    "copyreg.py",
    "enum.py",
    "functools.py",
    "genericpath.py",
    "io.py",
    "json/__init__.py",
    "json/decoder.py",
    "json/encoder.py",
    "json/scanner.py",
    "keyword.py",
    "linecache.py",
    "operator.py",
    "posixpath.py",
    "random.py",
    "re/",
    "reprlib.py",
    "stat.py",
    "textwrap.py",
    "token.py",
    "traceback.py",
    "types.py",
    "warnings.py",
    "weakref.py",
];

/// Other modules of Python's own and of ours, a line each: in the page they are files, which are fetched when they are
/// imported.
const FETCHED: &str = include_str!("fetched.txt");

/// Has the table of what is outside, which `_outside` makes its sentences of.
const SCOPE: &str = "../docs/scope.md";

/// A module's name and its bytecode.
type Module = (String, FrozenModule<Vec<u8>>);

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=lib");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=fetched.txt");
    println!("cargo:rerun-if-changed={SCOPE}");
    let table = format!("TABLE = {:?}", outside(&fs::read_to_string(SCOPE)?));
    let in_page = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    let (fetched, frozen) = if in_page { (FETCHED, "") } else { ("", FETCHED) };
    let paths = format!("PATHS = {fetched:?}.split()");
    let mut modules = vec![compiled("_scope", &table, false)?, compiled("_paths", &paths, false)?];
    let ours = Path::new("lib");
    let theirs = frozen.lines().filter(|path| !ours.join(path).exists());
    for name in MODULES.iter().copied().chain(theirs) {
        freeze(Path::new(rustpython_pylib::LIB_PATH), Path::new(name), &mut modules)?;
    }
    freeze(ours, Path::new(""), &mut modules)?;
    let named = |path: &str| {
        let name = path.trim_end_matches(".py").replace('/', ".");
        name.strip_suffix(".__init__").map_or(name.clone(), str::to_owned)
    };
    let fetched: Vec<String> = fetched.lines().map(named).collect();
    modules.retain(|(name, _)| !fetched.contains(name));
    let modules = modules.iter().map(|(name, module)| (name.as_str(), module.clone()));
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    Ok(fs::write(out.join("library.bin"), FrozenLib::encode(modules).bytes)?)
}

/// In an order of their own, so that the same library is the same bytes.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Compiles a file, or those in a folder. The module's name is its path below `root`.
fn freeze(root: &Path, path: &Path, modules: &mut Vec<Module>) -> Result<(), Box<dyn Error>> {
    let file = root.join(path);
    if file.is_dir() {
        return sorted(&file)?.iter().try_for_each(|inner| freeze(root, inner.strip_prefix(root)?, modules));
    }
    if path.extension().is_some_and(|end| end == "py") {
        let name =
            path.with_extension("").iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(".");
        let package = name.strip_suffix(".__init__");
        modules.push(compiled(package.unwrap_or(&name), &fs::read_to_string(file)?, package.is_some())?);
    }
    Ok(())
}

fn compiled(name: &str, source: &str, is_package: bool) -> Result<Module, Box<dyn Error>> {
    // Columns are for carets under lines of text, and of these modules there is no text. `python -OO` leaves docstrings and
    // assertions out.
    let options = CompileOpts { debug_ranges: false, optimize: 2, ..CompileOpts::default() };
    let code = compile(source, Mode::Exec, name, options).map_err(|error| format!("{name}: {error}"))?;
    Ok((name.to_owned(), FrozenModule { code: FrozenCodeObject::encode(&code), package: is_package }))
}

/// The rows of the table of what is outside, without what makes them one in Markdown.
fn outside(page: &str) -> String {
    let rows = page.lines().skip_while(|line| *line != "## What is outside");
    let rows = rows.filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    rows.map(|row| row.replace('`', "")).collect::<Vec<_>>().join("\n")
}
