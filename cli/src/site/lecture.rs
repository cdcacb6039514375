//! A lecture of a lecturer's own: a program with the modules that it imports, or a trace, with its pictures.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use napkin_python::imports;
use napkin_site::document::slug;
use napkin_trace::notebook::{self, is_notebook};
use napkin_trace::prepare::prepare;
use napkin_trace::trace::{Map, Trace, check_places, read};

use crate::failure::Failure;

/// What a page shows as a picture.
const PICTURES: [&str; 8] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp"];

/// What is in a program that runs by itself.
const MAINS: [&str; 2] = ["def main(", "__main__"];

/// Where it lies.
pub(super) struct Lecture {
    pub(super) file: PathBuf,
    folder: PathBuf,
    /// What it is called in addresses.
    pub(super) name: String,
}

impl Lecture {
    /// That of a path: a file, or the only one in a folder.
    pub(super) fn at(path: &Path) -> Result<Self, Failure> {
        let file = if path.is_dir() { only_one(path)? } else { path.to_path_buf() };
        let failed = |why: String| Failure::Work(format!("{}: {why}", file.display()));
        if !["py", "ipynb", "json"].iter().any(|end| has_ending(&file, end)) {
            return Err(failed(
                "a lecture is a program that ends in .py, a notebook that ends in .ipynb, or a trace that ends in .json".to_owned(),
            ));
        }
        let file = fs::canonicalize(&file).map_err(|error| failed(error.to_string()))?;
        let folder = file.parent().unwrap_or(Path::new("/")).to_path_buf();
        let name = slug(&file.file_stem().unwrap_or_default().to_string_lossy());
        Ok(Self { file, folder, name })
    }

    /// Whether it is a program.
    pub(super) fn is_program(&self) -> bool {
        has_ending(&self.file, "py")
    }

    /// A program's own files by their paths in its folder: first itself, then the modules that it imports and that are there.
    pub(super) fn files(&self) -> Result<Map<String>, Failure> {
        let mut files = Map::default();
        let main = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = self.text(&main)?;
        let mut wanted = imports(&text);
        files.insert(main, text);
        let mut seen = BTreeSet::new();
        while let Some(module) = wanted.pop() {
            if !seen.insert(module.clone()) {
                continue;
            }
            let parts: Vec<&str> = module.split('.').collect();
            for depth in 1..=parts.len() {
                let stem = parts[..depth].join("/");
                for path in [format!("{stem}.py"), format!("{stem}/__init__.py")] {
                    if !files.contains_key(&path) && self.folder.join(&path).is_file() {
                        let text = self.text(&path)?;
                        wanted.extend(imports(&text));
                        files.insert(path, text);
                    }
                }
            }
        }
        Ok(files)
    }

    fn text(&self, path: &str) -> Result<String, Failure> {
        let path = self.folder.join(path);
        fs::read_to_string(&path).map_err(|error| Failure::Work(format!("{}: {error}", path.display())))
    }

    /// What the page shows at first: of a program its files, which the page runs; of a trace all that was recorded.
    pub(super) fn unrun(&self) -> Result<Trace, Failure> {
        if self.is_program() {
            return Ok(Trace { files: self.files()?, ..Trace::default() });
        }
        let failed = |why| Failure::Work(format!("{}: {why}", self.file.display()));
        let text = fs::read_to_string(&self.file).map_err(|error| failed(error.to_string()))?;
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let mut trace =
            if is_notebook(&name) { notebook::read(&text, &name) } else { read(&text) }.map_err(failed)?;
        check_places(&trace).map_err(failed)?;
        trace.steps.iter_mut().flat_map(|step| &mut step.renderings).for_each(prepare);
        Ok(trace)
    }

    /// The file beside it that an address means, if it is a picture in its folder.
    pub(super) fn picture(&self, path: &str) -> Option<PathBuf> {
        let relative = Path::new(path);
        let is_inside =
            relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let is_picture = PICTURES.iter().any(|end| has_ending(relative, end));
        Some(self.folder.join(relative)).filter(|file| is_inside && is_picture && file.is_file())
    }
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case(wanted))
}

/// The lecture of a folder: its one notebook, or its one program that runs by itself, or its one program or trace.
fn only_one(folder: &Path) -> Result<PathBuf, Failure> {
    let failed = |why: String| Failure::Work(format!("{}: {why}", folder.display()));
    let entries = fs::read_dir(folder).map_err(|error| failed(error.to_string()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let ending = |end| paths.iter().filter(move |path| has_ending(path, end)).collect::<Vec<_>>();
    let runs = |path: &&&PathBuf| {
        fs::read_to_string(path).is_ok_and(|text| MAINS.iter().any(|main| text.contains(main)))
    };
    let programs = ending("py");
    let mains: Vec<&PathBuf> = programs.iter().filter(runs).copied().collect();
    let found =
        [ending("ipynb"), mains, programs, ending("json")].into_iter().find(|found| !found.is_empty());
    match found.unwrap_or_default().as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(failed("there is no lecture in this folder: no .py, no .ipynb and no .json".to_owned())),
        several => {
            let names = several.iter().take(5).filter_map(|path| Some(path.file_name()?.to_string_lossy()));
            Err(failed(format!("which of these is the lecture? {}", names.collect::<Vec<_>>().join(", "))))
        }
    }
}
