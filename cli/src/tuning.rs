//! Remembering which matmul kernels are right and fast on an adapter, in the user's cache folder.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

use napkin_engine::gpu::{Gpu, GpuInfo, Record};

use crate::output;

/// Takes over what an earlier run found, and keeps what this one finds. Without a file, kernels are checked and measured
/// again.
pub(crate) fn recall(gpu: &Gpu) {
    let Some(path) = path(gpu.info()) else { return };
    if let Ok(text) = fs::read_to_string(&path) {
        gpu.load_tuning(&text);
    }
    let (info, is_noted) = (gpu.info().clone(), Cell::new(false));
    gpu.keep_tuning(move |text| {
        // A run beside this one may have found out something meanwhile.
        let both = record(&info).zip(Record::from_text(text, &info)).map(|(old, new)| old.updated(new));
        let text = both.map_or_else(|| text.to_owned(), |record| record.to_text(&info));
        // If that fails the next run only takes longer, so it is a note, and one is enough.
        if let Err(error) = write(&path, &text)
            && !is_noted.replace(true)
        {
            output::note(&format!("note: cannot remember the kernels in {}: {error}", path.display()));
        }
    });
}

/// What earlier runs have found out about an adapter.
pub(crate) fn record(info: &GpuInfo) -> Option<Record> {
    Record::from_text(&fs::read_to_string(path(info)?).ok()?, info)
}

/// Written aside and renamed, so that a run beside this one never reads half a file.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    output::replace(path, text)
}

/// One file per adapter and driver; what is in it names them again.
pub(crate) fn path(info: &GpuInfo) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    info.tuning_key().hash(&mut hasher);
    Some(cache_folder()?.join("napkin").join("tuning").join(format!("{:016x}.txt", hasher.finish())))
}

fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(|| {
        Some(folder("HOME")?.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    })
}
