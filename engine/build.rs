//! Takes comments and indentation out of `shaders/*.wgsl`: a browser has to load the shaders with the worker. Lines
//! keep their numbers, which messages tell.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new("../shaders");
    println!("cargo:rerun-if-changed={}", folder.display());
    let out =
        env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|_| path.extension().is_some_and(|end| end == "wgsl"))
        else {
            continue;
        };
        let text = fs::read_to_string(&path)?;
        fs::write(out.join(name), text.lines().map(|line| bare(line) + "\n").collect::<String>())?;
    }
    Ok(())
}

/// A line without what only people read.
fn bare(line: &str) -> String {
    let code = line.split("//").next().unwrap_or_default();
    code.trim().to_owned()
}
