//! Chooses what is taken from Python's own library.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Modules that work unchanged over our `os`; packages end in a slash.
const MODULES: &[&str] = &[
    "__future__.py",
    "_ast_unparse.py",
    "_collections_abc.py",
    "_colorize.py",
    "_py_warnings.py",
    "_pydatetime.py",
    "_pydecimal.py",
    "_strptime.py",
    "_weakrefset.py",
    "abc.py",
    "annotationlib.py",
    "argparse.py",
    "ast.py",
    "bisect.py",
    "calendar.py",
    "codeop.py",
    "collections/",
    "colorsys.py",
    "contextlib.py",
    "contextvars.py",
    "copy.py",
    "dataclasses.py",
    "datetime.py",
    "decimal.py",
    "difflib.py",
    "enum.py",
    "fnmatch.py",
    "fractions.py",
    "functools.py",
    "genericpath.py",
    "graphlib.py",
    "heapq.py",
    "inspect.py",
    "io.py",
    "json/",
    "keyword.py",
    "linecache.py",
    "numbers.py",
    "operator.py",
    "posixpath.py",
    "pprint.py",
    "random.py",
    "re/",
    "reprlib.py",
    "stat.py",
    "statistics.py",
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

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::copy(from, to).map(drop)
}

fn main() -> io::Result<()> {
    // What is in lib/ is compiled into the crate, too.
    println!("cargo:rerun-if-changed=lib");
    println!("cargo:rerun-if-changed=build.rs");
    let library = Path::new(rustpython_pylib::LIB_PATH);
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let chosen = out.join("library");
    if chosen.exists() {
        fs::remove_dir_all(&chosen)?;
    }
    fs::create_dir_all(&chosen)?;
    for name in MODULES {
        copy(&library.join(name), &chosen.join(name.trim_end_matches('/')))?;
    }
    // The path counts from the file that has the macro.
    let freeze =
        "rustpython_derive::py_freeze!(dir = \"library\", crate_name = \"rustpython_vm::compiler::core\")";
    fs::write(out.join("library.rs"), freeze)
}
