//! Compiles our modules, and what is taken from Python's own library.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rustpython_compiler::core::frozen::{FrozenCodeObject, FrozenLib, FrozenModule};
use rustpython_compiler::core::marshal::serialize_code;
use rustpython_compiler::{CompileOpts, Mode, compile};

/// Modules that work unchanged over our `os`; packages end in a slash.
const MODULES: &[&str] = &[
    "__future__.py",
    "_ast_unparse.py",
    "_collections_abc.py",
    "_colorize.py",
    "_compat_pickle.py",
    "_py_warnings.py",
    "_pydatetime.py",
    "_weakrefset.py",
    "abc.py",
    "annotationlib.py",
    "argparse.py",
    "ast.py",
    "bisect.py",
    "codeop.py",
    "collections/",
    "contextlib.py",
    "copy.py",
    "copyreg.py",
    "dataclasses.py",
    "datetime.py",
    "difflib.py",
    "enum.py",
    "fnmatch.py",
    "functools.py",
    "genericpath.py",
    "heapq.py",
    "inspect.py",
    "io.py",
    "json/",
    "keyword.py",
    "linecache.py",
    "numbers.py",
    "operator.py",
    "pickle.py",
    "posixpath.py",
    "pprint.py",
    "random.py",
    "re/",
    "reprlib.py",
    "stat.py",
    "string/",
    "textwrap.py",
    "timeit.py",
    "token.py",
    "traceback.py",
    "types.py",
    "typing.py",
    "warnings.py",
    "weakref.py",
];

/// Has the table of what is outside, which `_outside` makes its sentences of.
const SCOPE: &str = "../docs/scope.md";

/// A module's name, its bytecode, and whether it is a package.
type Module = (String, Vec<u8>, bool);

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=lib");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={SCOPE}");
    let table = format!("TABLE = {:?}", outside(&fs::read_to_string(SCOPE)?));
    let mut modules = vec![compiled("_scope", &table, false)?];
    for name in MODULES {
        freeze(&Path::new(rustpython_pylib::LIB_PATH).join(name), "", &mut modules)?;
    }
    for path in sorted(Path::new("lib"))? {
        freeze(&path, "", &mut modules)?;
    }
    let modules = modules.iter().map(|(name, bytes, package)| {
        (
            name.as_str(),
            FrozenModule { code: FrozenCodeObject { bytes: bytes.as_slice() }, package: *package },
        )
    });
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    Ok(fs::write(out.join("library.bin"), FrozenLib::encode(modules).bytes)?)
}

/// In an order of their own, so that the same library is the same bytes.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn freeze(path: &Path, package: &str, modules: &mut Vec<Module>) -> Result<(), Box<dyn Error>> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_package = stem == "__init__";
    let name = match package {
        _ if is_package => package.to_owned(),
        "" => stem.into_owned(),
        package => format!("{package}.{stem}"),
    };
    if path.is_dir() {
        return sorted(path)?.iter().try_for_each(|inner| freeze(inner, &name, modules));
    }
    if path.extension().is_some_and(|end| end == "py") {
        modules.push(compiled(&name, &fs::read_to_string(path)?, is_package)?);
    }
    Ok(())
}

fn compiled(name: &str, source: &str, is_package: bool) -> Result<Module, Box<dyn Error>> {
    // Columns are for carets under lines of text, and of these modules there is no text. `python -OO` leaves docstrings and
    // assertions out.
    let options = CompileOpts { debug_ranges: false, optimize: 2, ..CompileOpts::default() };
    let code = compile(source, Mode::Exec, name, options).map_err(|error| format!("{name}: {error}"))?;
    let mut bytes = Vec::new();
    serialize_code(&mut bytes, &code);
    Ok((name.to_owned(), stored(&bytes), is_package))
}

/// The rows of the table of what is outside, without what makes them one in Markdown.
fn outside(page: &str) -> String {
    let rows = page.lines().skip_while(|line| *line != "## What is outside");
    let rows = rows.filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    rows.map(|row| row.replace('`', "")).collect::<Vec<_>>().join("\n")
}

/// Bytes as a block of LZ4, which modules are read from, that holds them as they are: a host's own compression then does
/// a third better.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut block = (bytes.len() as u32).to_le_bytes().to_vec();
    block.push((bytes.len().min(15) as u8) << 4);
    if let Some(rest) = bytes.len().checked_sub(15) {
        block.resize(block.len() + rest / 255, 255);
        block.push((rest % 255) as u8);
    }
    block.extend_from_slice(bytes);
    block
}
