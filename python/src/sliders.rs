//! Programs with other numbers on their sliders.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::files::{self, Files};
use crate::trace::Source;

/// The text of a program, and by their paths those of the modules beside it ([`Options::modules`](crate::Options)), with
/// other numbers: `name` or `function.name`, and what is assigned. Wherever a slider of that name is, it is set.
///
/// # Errors
/// With a sentence if neither the program nor what it imports has such a slider, or the number is not on it.
pub fn with_sliders(
    source: &str,
    path: &str,
    files: &dyn Files,
    settings: &[(String, String)],
) -> Result<(String, BTreeMap<String, String>), String> {
    let main = Source::new(source.to_owned());
    let mut found = vec![0; settings.len()];
    let text = main.set(settings, &mut found)?;
    let mut names: Vec<String> = main.slider_names().collect();
    let mut modules = BTreeMap::new();
    // A program alone is the usual case, and needs no look at files.
    let mut imports = if settings.is_empty() { Vec::new() } else { main.imports };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    while let Some(import) = imports.pop() {
        let Some((path, text)) = module(&import, folder, files) else { continue };
        if let Entry::Vacant(new) = modules.entry(path) {
            let module = Source::new(text);
            names.extend(module.slider_names());
            new.insert(module.set(settings, &mut found)?);
            imports.extend(module.imports);
        }
    }
    match settings.iter().zip(found).find(|(_, found)| *found == 0) {
        None => Ok((text, modules)),
        Some(((name, _), _)) => {
            let names = if names.is_empty() { "there are none".to_owned() } else { names.join(", ") };
            Err(format!("no slider is called {name}; the sliders: {names}"))
        }
    }
}

/// Path and text of a module, where `_file_imports.py` finds it.
fn module(name: &str, folder: &str, files: &dyn Files) -> Option<(String, String)> {
    let stem = name.replace('.', "/");
    let stem = if folder.is_empty() { stem } else { format!("{folder}/{stem}") };
    [format!("{stem}/__init__.py"), format!("{stem}.py")].into_iter().find_map(|path| {
        let Ok(files::Entry::File(bytes)) = files.entry(&path) else { return None };
        let mut text = vec![0; usize::try_from(bytes).ok()?];
        let read = files.read(&path, 0, &mut text).ok()?;
        text.truncate(read);
        Some((path, String::from_utf8(text).ok()?))
    })
}
