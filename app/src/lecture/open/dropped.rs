//! Files that a reader brings, with those of folders.

use std::pin::Pin;

use js_sys::{Array, Promise};
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry,
};

/// Of more files nobody looks for a lecture.
const MOST_FILES: usize = 2_000;

/// A file and where it lay, below the folder that was brought.
#[derive(Debug, Clone)]
pub struct Brought {
    pub path: String,
    pub file: File,
}

/// What was chosen in a dialog.
pub fn chosen(files: &FileList) -> Vec<Brought> {
    (0..files.length())
        .filter_map(|at| files.get(at))
        .map(|file| Brought { path: file.name(), file })
        .collect()
}

/// What a drop is about to bring. A browser forgets it when the event is over: this takes hold of it at once.
pub fn dropped(data: &DataTransfer) -> Pin<Box<dyn Future<Output = Result<Vec<Brought>, String>>>> {
    let items = data.items();
    let entry = |at| items.get(at)?.webkit_get_as_entry().ok().flatten();
    let entries: Vec<FileSystemEntry> = (0..items.length()).filter_map(entry).collect();
    let files = data.files().map(|files| chosen(&files)).unwrap_or_default();
    Box::pin(async move {
        // Most drops have no folder.
        if !entries.iter().any(FileSystemEntry::is_directory) {
            return Ok(files);
        }
        within(entries).await
    })
}

/// All files of these entries and of what is in them; nothing whose name begins with a dot.
async fn within(entries: Vec<FileSystemEntry>) -> Result<Vec<Brought>, String> {
    let root = match entries.as_slice() {
        [one] if one.is_directory() => format!("{}/", one.full_path().trim_start_matches('/')),
        _ => String::new(),
    };
    let mut waiting = entries;
    let mut found = Vec::new();
    while let Some(entry) = waiting.pop() {
        let path = entry.full_path().trim_start_matches('/').to_owned();
        let unread = |_: JsValue| format!("{path} cannot be read.");
        if entry.name().starts_with('.') || entry.name() == "__pycache__" {
            continue;
        }
        if let Some(folder) = entry.dyn_ref::<FileSystemDirectoryEntry>().filter(|_| entry.is_directory()) {
            let reader = folder.create_reader();
            // A reader gives them by the hundred.
            loop {
                let some = some_of(&reader).await.map_err(unread)?;
                if some.length() == 0 {
                    break;
                }
                waiting.extend(some.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
            }
        } else {
            let entry: &FileSystemFileEntry = entry.unchecked_ref();
            let file = file_of(entry).await.map_err(unread)?;
            let path = path.strip_prefix(&root).unwrap_or(&path).to_owned();
            found.push(Brought { path, file });
        }
        if found.len() > MOST_FILES {
            return Err(format!(
                "This folder has more than {MOST_FILES} files: drop the one with the lecture."
            ));
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// A promise of what one of two callbacks is given.
fn promise(ask: impl FnOnce(&js_sys::Function, &js_sys::Function)) -> Promise {
    let mut ask = Some(ask);
    Promise::new(&mut |resolve, reject| {
        if let Some(ask) = ask.take() {
            ask(&resolve, &reject);
        }
    })
}

async fn some_of(reader: &FileSystemDirectoryReader) -> Result<Array, JsValue> {
    let asked = promise(|resolve, reject| {
        let _ = reader.read_entries_with_callback_and_callback(resolve, reject);
    });
    asked.await?.dyn_into()
}

async fn file_of(entry: &FileSystemFileEntry) -> Result<File, JsValue> {
    promise(|resolve, reject| entry.file_with_callback_and_callback(resolve, reject)).await?.dyn_into()
}
