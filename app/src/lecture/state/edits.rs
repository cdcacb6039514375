//! What a reader writes in place of the lecture's functions, and what stood there before.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::*;
use napkin_trace::python::{CellName, Edit, put};
use napkin_trace::trace::Map;
use serde::{Deserialize, Serialize};

use super::super::model::{Lecture, MODULE, function_key};
use super::{LectureState, SLIDERS, slider_key};
use crate::components::Verdict;

/// Of one function no more are kept.
const MOST_VERSIONS: usize = 30;

/// What stood in place of a function once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at_ms: f64,
    /// Whether it ran to its end.
    pub ran: bool,
}

/// What the reader has changed, to be brought back after it was taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub edits: BTreeMap<String, String>,
    /// By their keys in addresses.
    pub sliders: Vec<(String, String)>,
}

/// The file and the name of a function, by its key.
pub fn named(key: &str) -> CellName {
    let (path, function) = key.rsplit_once(':').unwrap_or(("", key));
    CellName { path: path.to_owned(), function: function.to_owned() }
}

/// First and last line of a function, or of the whole file for what is outside of all.
fn lines(lecture: &Lecture, path: &str, function: &str) -> Option<(u32, u32)> {
    let source = lecture.source(path)?;
    if function == MODULE {
        return Some((1, source.len()));
    }
    let found = source.functions.iter().find(|it| it.name == function);
    found.map(|it| (it.first, it.last))
}

fn text_of(lecture: &Lecture, path: &str, function: &str) -> Option<String> {
    let (first, last) = lines(lecture, path, function)?;
    Some(lecture.source(path)?.text(first, last))
}

impl LectureState {
    /// A function as the reader sees it, or a whole file by the name of what is outside of all functions: as written, or as
    /// the lecture has it, with the numbers of its sliders; tracked.
    pub fn code(self, path: &str, function: &str) -> Option<String> {
        let edited = self.edits.with(|edits| edits.get(&function_key(path, function)).cloned());
        edited.or_else(|| self.code_with_numbers(path, function))
    }

    fn code_with_numbers(self, path: &str, function: &str) -> Option<String> {
        let original = self.original.get();
        let (first, _) = lines(&original, path, function)?;
        let text = text_of(&original, path, function)?;
        let all = original.trace.sliders.get(path).into_iter().flatten();
        let own = all.filter(|slider| function == MODULE || slider.function_name == function);
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        for slider in own {
            let number = self.setting(path, slider);
            let line = slider.line_number.checked_sub(first).and_then(|at| lines.get_mut(at as usize));
            if let Some(line) = line
                && number != slider.value
                && let Some((name, rest)) = line.split_once('=')
            {
                *line = format!("{name}={}", rest.replacen(&slider.value, &number, 1));
            }
        }
        Some(lines.join("\n"))
    }

    /// The function as the lecture has it; tracked.
    pub fn original_code(self, path: &str, function: &str) -> Option<String> {
        self.original.with(|original| text_of(original, path, function))
    }

    /// Takes what the reader has written in place of a function; numbers of its sliders are part of it.
    pub fn edit(self, path: &str, function: &str, text: String) {
        let original = self.original.get_untracked();
        for slider in original.trace.sliders.get(path).into_iter().flatten() {
            if function == MODULE || slider.function_name == function {
                self.values.set(&slider_key(&original, path, slider), None);
            }
        }
        let is_original = text_of(&original, path, function).as_ref() == Some(&text);
        let key = function_key(path, function);
        if self.edits.with_untracked(|edits| edits.get(&key).is_none_or(|known| *known != text)) {
            self.edits.update(|edits| match is_original {
                true => drop(edits.remove(&key)),
                false => drop(edits.insert(key, text)),
            });
        }
    }

    /// Puts a text in place of what the reader has written, which stays among the versions; the original if none is given.
    pub fn put_back(self, path: &str, function: &str, text: Option<String>) {
        let key = function_key(path, function);
        if let Some(now) = self.edits.with_untracked(|edits| edits.get(&key).cloned()) {
            self.keep_version(&key, now, false);
        }
        match text.or_else(|| untrack(|| self.original_code(path, function))) {
            Some(text) => self.edit(path, function, text),
            None => self.edits.update(|edits| drop(edits.remove(&key))),
        }
    }

    /// Keeps what stands in place of a function, or says of what is kept whether it ran.
    pub fn keep_version(self, key: &str, text: String, ran: bool) {
        let since = web_time::SystemTime::now().duration_since(web_time::UNIX_EPOCH);
        let at_ms = since.map_or(0.0, |since| since.as_secs_f64() * 1e3);
        self.versions.update(|all| {
            let versions = all.entry(key.to_owned()).or_default();
            match versions.last_mut() {
                Some(last) if last.text == text => last.ran |= ran,
                _ => versions.push(Version { text, at_ms, ran }),
            }
            let extra = versions.len().saturating_sub(MOST_VERSIONS);
            versions.drain(..extra);
        });
    }

    /// The lecture's own code of a function has run, where that has other versions: the last one that ran is that.
    pub fn note_originals_that_ran(self, has_run: impl Fn(&CellName) -> bool) {
        let edited = self.edits.get_untracked();
        let last = self.versions.with_untracked(|all| {
            let others = all.iter().filter(|(key, _)| !edited.contains_key(*key) && has_run(&named(key)));
            let last = |versions: &[Version]| versions.iter().rfind(|it| it.ran).map(|it| it.text.clone());
            others.filter_map(|(key, versions)| Some((key.clone(), last(versions)?))).collect::<Vec<_>>()
        });
        for (key, last) in last {
            let CellName { path, function } = named(&key);
            if let Some(text) = untrack(|| self.original_code(&path, &function)).filter(|text| *text != last)
            {
                self.keep_version(&key, text, true);
            }
        }
    }

    /// What ran last in place of a function, other than what stands there now; nothing if it was the original.
    pub fn last_that_ran(self, path: &str, function: &str) -> Option<String> {
        let now = untrack(|| self.code(path, function));
        self.versions.with_untracked(|all| {
            let versions = all.get(&function_key(path, function))?.iter().rev();
            versions.filter(|it| it.ran).map(|it| it.text.clone()).find(|text| Some(text) != now.as_ref())
        })
    }

    /// Takes back some of what the reader has changed; what is shown follows.
    pub fn take_back(self, change: &Change) {
        for (key, _) in &change.sliders {
            self.values.set(key, None);
        }
        for (key, text) in &change.edits {
            self.keep_version(key, text.clone(), false);
        }
        self.edits.update(|edits| edits.retain(|key, _| !change.edits.contains_key(key)));
    }

    /// Brings back what was taken back, where nothing else stands by now.
    pub fn bring_back(self, change: Change) {
        self.edits.update(|edits| {
            for (key, text) in change.edits {
                edits.entry(key).or_insert(text);
            }
        });
        for (key, text) in change.sliders {
            if untrack(|| self.values.text(&key)).is_none() {
                self.values.set(&key, Some(text));
            }
        }
    }

    /// What the worker puts into the lecture's files. Of what cannot be read, `good` says what could before.
    pub fn edits_of_program(self, good: &BTreeMap<String, String>) -> Vec<Edit> {
        let original = self.original.get();
        let edit = |(key, text): (&String, &String)| {
            let cell = named(key);
            let lines = lines(&original, &cell.path, &cell.function)?;
            let is_cell = original.parts.iter().any(|part| part.is_of(&cell.path, &cell.function));
            let good = good.get(key).filter(|good| *good != text).cloned();
            Some(Edit { cell, is_cell, lines, text: text.clone(), good })
        };
        self.edits.with(|edits| edits.iter().filter_map(edit).collect())
    }

    /// The files of the lecture with what the reader has written, but for what is `unread`: there stands what could be read
    /// before.
    pub fn files_with(self, edits: &[Edit], unread: &BTreeSet<CellName>) -> Map<String> {
        let mut files = self.original.with_untracked(|original| original.trace.files.clone());
        put(&mut files, edits, |edit| match unread.contains(&edit.cell) {
            true => edit.good.as_deref(),
            false => Some(&edit.text),
        });
        files
    }

    /// A change in words: the cells whose code it is, the exercises that it solves, and the sliders.
    pub fn in_words(self, change: &Change) -> Vec<String> {
        let lecture = self.original.get_untracked();
        let guesses = self.guesses.get_untracked();
        let title = |key: &String| {
            let CellName { path, function } = named(key);
            match lecture.parts.iter().find(|part| part.is_of(&path, &function)) {
                Some(part) => format!("Your code of “{}”", part.title),
                None => {
                    let is_solved = guesses.get(&function).is_some_and(|it| it.verdict == Verdict::Right);
                    format!("Your {} of {function}", if is_solved { "solution" } else { "code" })
                }
            }
        };
        let slider =
            |(key, text): &(String, String)| format!("{} = {text}", key.strip_prefix(SLIDERS).unwrap_or(key));
        change.edits.keys().map(title).chain(change.sliders.iter().map(slider)).collect()
    }
}
