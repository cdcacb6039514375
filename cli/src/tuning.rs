//! Remembering which matmul kernel is the fastest on an adapter, in the user's cache folder.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use napkin_engine::gpu::Gpu;

use crate::output;

/// Takes over what an earlier run found. Without a file, kernels are measured again.
pub(crate) fn recall(gpu: &Gpu) {
    if let Some(text) = path(gpu).and_then(|path| fs::read_to_string(path).ok()) {
        gpu.load_tuning(&text);
    }
}

/// Keeps what this run found. If that fails the next run only takes longer, so it is a note.
pub(crate) fn remember(gpu: &Gpu) {
    let Some(path) = path(gpu) else { return };
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    // Written aside and renamed, so that a run beside this one never reads half a file.
    let aside = path.with_extension(std::process::id().to_string());
    let written =
        folder.and_then(|()| fs::write(&aside, gpu.tuning())).and_then(|()| fs::rename(&aside, &path));
    if let Err(error) = written {
        output::note(&format!("note: cannot remember the fastest kernels in {}: {error}", path.display()));
    }
}

/// One file per adapter and driver; what is in it names them again.
fn path(gpu: &Gpu) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    gpu.info().tuning_key().hash(&mut hasher);
    Some(cache_folder()?.join("napkin").join("tuning").join(format!("{:016x}.txt", hasher.finish())))
}

fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(|| {
        Some(folder("HOME")?.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    })
}
