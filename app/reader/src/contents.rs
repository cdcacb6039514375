//! What a lecture consists of.

use crate::course::{Call, Course};

/// A part of a lecture, with those that it consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub title: String,
    /// The call that it is.
    pub call: usize,
    /// Its file and function: what an address of it hangs on.
    pub function: String,
    /// The cells of a section.
    pub cells: Vec<Entry>,
}

/// The sections that `main()` calls, or the outermost function if it has another name, and their cells. `title` gives
/// the title of a call's function, if it has a docstring.
#[must_use]
pub fn contents(course: &Course, title: impl Fn(usize) -> Option<String>) -> Vec<Entry> {
    let is_main = |call: &usize| course.calls[*call].function == "main";
    let all = 0..course.calls.len();
    let main =
        all.clone().find(is_main).or_else(|| all.clone().find(|call| course.calls[*call].caller.is_some()));
    let Some(main) = main else { return Vec::new() };
    let path = course.calls[main].path.as_str();
    let is_part = |call: &&Call| call.caller == Some(main) && call.path == path;
    let home = course.calls.iter().find(is_part).map(|_| path);
    called(course, main, &title, home, 2)
}

/// What a call calls, each function once. Where one of them has a title, those without are helpers, and so are those of
/// other files than the lecture's own, if that has parts itself.
fn called(
    course: &Course,
    caller: usize,
    title: &impl Fn(usize) -> Option<String>,
    home: Option<&str>,
    levels: usize,
) -> Vec<Entry> {
    if levels == 0 {
        return Vec::new();
    }
    let mut entries: Vec<(Entry, bool)> = Vec::new();
    for (number, call) in course.calls.iter().enumerate().filter(|(_, call)| call.caller == Some(caller)) {
        let is_known = |(entry, _): &(Entry, bool)| {
            let known = &course.calls[entry.call];
            known.function == call.function && known.path == call.path
        };
        if call.function.starts_with('<') || entries.iter().any(is_known) {
            continue;
        }
        let own = title(number);
        let is_titled = own.is_some();
        let entry = Entry {
            title: own.unwrap_or_else(|| call.function.replace('_', " ")),
            call: number,
            function: call.function.clone(),
            cells: called(course, number, title, home, levels - 1),
        };
        entries.push((entry, is_titled));
    }
    // Of a section without titles, as lectures of others have them, all is shown; of a cell only what has a title is.
    let any_titled = entries.iter().any(|(_, is_titled)| *is_titled);
    let is_untitled_cell = title(caller).is_some() && !any_titled;
    let is_at_home = |entry: &Entry| home.is_none_or(|home| course.calls[entry.call].path == home);
    let is_shown = |entry: &Entry| !any_titled && !is_untitled_cell && is_at_home(entry);
    entries
        .into_iter()
        .filter(|(entry, is_titled)| *is_titled || is_shown(entry))
        .map(|(entry, _)| entry)
        .collect()
}
