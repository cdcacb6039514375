//! What the calculators assume. An assumption belongs to no cell: all calculators that ask for it share it. Here it
//! is a text by its name; what it means is known to the module that computes with it.

use super::{Outline, State};

/// What the keys of assumptions begin with, in addresses and in steps.
pub(super) const PREFIX: &str = "calc.";

/// The name of an assumption, if the key is one's.
pub(super) fn name(key: &str) -> Option<&str> {
    key.strip_prefix(PREFIX)
}

/// Adds a pair where its name belongs; the few there are need no sorting, whose code is large.
fn insert(all: &mut Vec<(String, String)>, name: String, text: String) {
    let at = all.iter().position(|(of, _)| *of > name).unwrap_or(all.len());
    all.insert(at, (name, text));
}

impl Outline {
    /// The assumptions that a step makes.
    fn assumes(self, step: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
        let set = self.steps.get(step).map_or(&[][..], |step| step.set);
        set.iter().filter_map(|(key, text)| Some((name(key)?, *text)))
    }
}

impl State {
    /// Names and texts of all assumptions that are not the default; tracked.
    #[must_use]
    pub fn assumptions(self) -> Vec<(String, String)> {
        self.assumptions.get()
    }

    /// The text of an assumption that is not the default; tracked.
    #[must_use]
    pub fn assumption(self, name: &str) -> Option<String> {
        self.assumptions.with(|all| all.iter().find(|(of, _)| of == name).map(|(_, text)| text.clone()))
    }

    /// Makes an assumption; an empty text is the default.
    pub fn assume(self, name: &str, text: String) {
        let mut all = self.assumptions.get_untracked();
        let before = all.iter().position(|(known, _)| known == name).map(|at| all.remove(at).1);
        if before.as_deref().unwrap_or_default() == text {
            return;
        }
        if !text.is_empty() {
            insert(&mut all, name.to_owned(), text);
        }
        self.assumptions.set(all);
    }

    /// Makes an assumption what the current step makes it: its text cannot be read.
    pub fn refuse(self, name: &str) {
        let cell = self.cell.get_untracked();
        let step = self.step_untracked(cell);
        let made = self.outline(cell).and_then(|outline| outline.assumes(step).find(|(of, _)| *of == name));
        self.assume(name, made.map_or_else(String::new, |(_, text)| text.to_owned()));
    }

    /// Makes the assumptions that a cell's steps make what this step makes them.
    pub(super) fn assume_as_step(self, outline: Outline, step: usize) {
        for (name, _) in (0..outline.steps.len()).flat_map(|other| outline.assumes(other)) {
            let made = outline.assumes(step).find(|(of, _)| *of == name);
            self.assume(name, made.map_or_else(String::new, |(_, text)| text.to_owned()));
        }
    }

    /// What is not as the current step makes it, for the address; tracked. A default that the step changes is empty.
    pub(super) fn told_assumptions(self, outline: Outline, step: usize) -> Vec<(String, String)> {
        let mut told = self.assumptions.get();
        for (name, made) in outline.assumes(step) {
            match told.iter().position(|(of, _)| of == name) {
                Some(at) if told[at].1 == made => drop(told.remove(at)),
                Some(_) => {}
                None => told.push((name.to_owned(), String::new())),
            }
        }
        told
    }

    /// Takes the assumptions out of the pairs of an address; what it does not name is as the step makes it.
    pub(super) fn take_assumptions(
        self,
        outline: Option<Outline>,
        step: usize,
        pairs: &mut Vec<(String, String)>,
    ) {
        let mut all: Vec<(String, String)> = Vec::new();
        pairs.retain(|(key, text)| {
            let Some(name) = name(key) else { return true };
            if !all.iter().any(|(of, _)| of == name) {
                insert(&mut all, name.to_owned(), text.clone());
            }
            false
        });
        for (name, text) in outline.iter().flat_map(|outline| outline.assumes(step)) {
            if !all.iter().any(|(of, _)| of == name) {
                insert(&mut all, name.to_owned(), text.to_owned());
            }
        }
        all.retain(|(_, text)| !text.is_empty());
        self.assumptions.set(all);
    }
}
