//! What the reader can change, and how it is told in the address: cell, step, and every value that is
//! not what the step makes it.

mod address;
mod assumptions;
mod moved;
mod param;
pub mod query;
mod value;

use crate::signals::{RwSignal, StoredValue};
use leptos::prelude::*;

pub use address::{connect, link};
pub use param::{CellContext, Param, use_cell};
pub use value::{Choice, ChoiceRule, NumberRule, Read, Scale, SwitchRule, TextRule, Value, plain};

use param::Entry;

/// The version of the addresses that this page writes.
const VERSION: &str = "2";

/// One step of a cell.
#[derive(Debug)]
pub struct Step {
    /// A few words, `written!`.
    pub title: &'static str,
    /// A sentence or two, `written!`; `code` and *emphasis* are marked.
    pub text: &'static str,
    /// Which part of the cell is lit; may be empty.
    pub part: &'static str,
    /// What the step makes of the cell's parameters: key and text. A parameter that any step of a cell
    /// sets belongs to the steps: where a step does not name it, it has its default.
    pub set: &'static [(&'static str, &'static str)],
}

/// What the state has to know of a cell.
#[derive(Debug, Clone, Copy)]
pub struct Outline {
    /// Its name in addresses and anchors.
    pub id: &'static str,
    /// Its steps; at least one.
    pub steps: &'static [Step],
}

impl Outline {
    fn owns(self, key: &str) -> bool {
        self.steps.iter().any(|step| step.set.iter().any(|(set, _)| *set == key))
    }

    /// What step `step` makes of `key`, if it names it.
    fn sets(self, step: usize, key: &str) -> Option<&'static str> {
        self.steps.get(step)?.set.iter().find(|(set, _)| *set == key).map(|(_, text)| *text)
    }
}

/// The handle to all of it; a copy is the same state.
#[derive(Clone, Copy)]
pub struct State {
    outlines: StoredValue<Vec<Outline>>,
    entries: StoredValue<Vec<Entry>>,
    /// Names and texts of what calculators assume, where that is not their default.
    assumptions: RwSignal<Vec<(String, String)>>,
    cell: RwSignal<usize>,
    steps: StoredValue<Vec<RwSignal<usize>>>,
    notices: RwSignal<Vec<String>>,
    step_taken: StoredValue<bool>,
}

impl State {
    /// A state with every cell at its first step, in the context of the page.
    pub fn provide(outlines: &[Outline]) -> Self {
        let state = Self {
            outlines: StoredValue::new(outlines.to_vec()),
            entries: StoredValue::new(Vec::new()),
            assumptions: RwSignal::new(Vec::new()),
            cell: RwSignal::new(0),
            steps: StoredValue::new(outlines.iter().map(|_| RwSignal::new(0)).collect()),
            notices: RwSignal::new(Vec::new()),
            step_taken: StoredValue::new(false),
        };
        provide_context(state);
        state
    }

    /// The cell that keys act on; tracked.
    #[must_use]
    pub fn cell(self) -> usize {
        self.cell.get()
    }

    /// Makes a cell the one that keys act on; the reader came by it.
    pub fn pass_cell(self, cell: usize) {
        if cell < self.outlines.with_value(Vec::len) && self.cell.get_untracked() != cell {
            self.cell.set(cell);
        }
    }

    /// Goes to a cell, as a new entry of the browser's history.
    pub fn go_to_cell(self, cell: usize) {
        self.step_taken.set_value(true);
        self.pass_cell(cell);
    }

    /// Whether the reader has gone to another step or cell since the last call.
    fn take_step_taken(self) -> bool {
        self.step_taken.update_value(std::mem::take)
    }

    /// Outlines of all cells, in order.
    #[must_use]
    pub fn outlines(self) -> Vec<Outline> {
        self.outlines.get_value()
    }

    /// The step of a cell; tracked.
    #[must_use]
    pub fn step(self, cell: usize) -> usize {
        self.steps.with_value(|steps| steps.get(cell).map_or(0, |step| step.get()))
    }

    /// The step of a cell; not tracked.
    #[must_use]
    pub fn step_untracked(self, cell: usize) -> usize {
        self.step_signal(cell).get_untracked()
    }

    /// Goes to a step of a cell, as a new entry of the browser's history; does nothing beyond the ends.
    pub fn go_to_step(self, cell: usize, step: usize) {
        let Some(outline) = self.outline(cell).filter(|outline| step < outline.steps.len()) else { return };
        self.go_to_cell(cell);
        self.step_signal(cell).set(step);
        self.entries.with_value(|entries| {
            for entry in entries.iter().filter(|entry| entry.cell == cell && outline.owns(entry.key)) {
                entry.set(entry.baseline(outline, step));
            }
        });
        self.assume_as_step(outline, step);
    }

    /// What the reader should know about the address that the page was opened with; tracked.
    #[must_use]
    pub fn notices(self) -> Vec<String> {
        self.notices.get()
    }

    /// Tells the reader something about the state.
    pub fn notify(self, sentence: String) {
        self.notices.update(|notices| notices.push(sentence));
    }

    /// The reader has read them.
    pub fn dismiss_notices(self) {
        self.notices.update(Vec::clear);
    }

    /// Gives a new parameter what the first step makes of it.
    fn set_step_value(self, cell: usize, key: &str) {
        let Some(outline) = self.outline(cell) else { return };
        self.entries.with_value(|entries| {
            if let Some(entry) = entries.iter().find(|entry| entry.cell == cell && entry.key == key) {
                entry.set(entry.baseline(outline, 0));
            }
        });
    }

    fn outline(self, cell: usize) -> Option<Outline> {
        self.outlines.with_value(|outlines| outlines.get(cell).copied())
    }

    fn step_signal(self, cell: usize) -> RwSignal<usize> {
        self.steps.with_value(|steps| steps[cell])
    }

    /// The pairs of a query that are not the state's.
    fn others_of(self, text: &str) -> Vec<(String, String)> {
        let outlines = self.outlines();
        let is_ours = |key: &str| {
            ["v", "cell", "step"].contains(&key)
                || assumptions::name(key).is_some()
                || outlines.iter().any(|outline| key.split('.').next() == Some(outline.id))
        };
        query::read(text).into_iter().filter(|(key, _)| !is_ours(key)).collect()
    }

    /// The query of this state, after the pairs of `others`; tracked.
    #[must_use]
    pub fn query(self, others: &[(String, String)]) -> String {
        let current = self.cell.get();
        let mut pairs: Vec<(String, String)> = others.to_vec();
        let mut push = |key: &str, value: String| pairs.push((key.to_owned(), value));
        self.outlines.with_value(|outlines| {
            let Some(outline) = outlines.get(current) else { return };
            push("v", VERSION.to_owned());
            push("cell", outline.id.to_owned());
            push("step", self.step(current).to_string());
            for (cell, outline) in outlines.iter().enumerate() {
                if cell != current && self.step(cell) != 0 {
                    push(&format!("{}.step", outline.id), self.step(cell).to_string());
                }
            }
            self.entries.with_value(|entries| {
                for entry in entries {
                    let (outline, text) = (outlines[entry.cell], entry.text());
                    if text != entry.baseline(outline, self.step(entry.cell)) {
                        push(&format!("{}.{}", outline.id, entry.key), text);
                    }
                }
            });
            for (name, text) in self.told_assumptions(*outline, self.step(current)) {
                push(&format!("{}{name}", assumptions::PREFIX), text);
            }
        });
        query::write(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())))
    }

    /// Takes the state that a query tells; what it does not name is as its step makes it. Whatever is
    /// wrong with it becomes a notice. Returns the pairs that are not the state's.
    pub fn apply(self, text: &str) -> Vec<(String, String)> {
        let outlines = self.outlines.get_value();
        let mut pairs = moved::renewed(query::read(text), &outlines);
        let mut notices = Vec::new();
        let mut take = |key: &str| {
            let at = pairs.iter().position(|(have, _)| have == key)?;
            Some(pairs.remove(at).1)
        };
        if let Some(version) = take("v").filter(|version| version != VERSION) {
            notices.push(format!(
                "This address has version {version:?}; the page knows version {VERSION} and reads it as that."
            ));
        }
        let cell = match take("cell") {
            None => 0,
            Some(id) => outlines.iter().position(|outline| outline.id == id).unwrap_or_else(|| {
                notices.push(format!("There is no cell {id:?}; this is the first one."));
                0
            }),
        };
        for (other, outline) in outlines.iter().enumerate() {
            let own = take(&format!("{}.step", outline.id));
            let named = if other == cell { take("step").or(own) } else { own };
            let last = outline.steps.len().saturating_sub(1);
            let step = match named.as_deref().map(str::parse::<usize>) {
                None => 0,
                Some(Ok(step)) if step <= last => step,
                Some(Ok(step)) => {
                    notices.push(format!("Step {step} was asked for; the last step is {last}."));
                    last
                }
                Some(Err(_)) => {
                    let step = named.unwrap_or_default();
                    notices.push(format!("A step is a number from 0 to {last}, not {step:?}."));
                    0
                }
            };
            self.step_signal(other).set(step);
        }
        self.entries.with_value(|entries| {
            for entry in entries {
                let outline = outlines[entry.cell];
                entry.set(entry.baseline(outline, self.step_signal(entry.cell).get_untracked()));
                let named = take(&format!("{}.{}", outline.id, entry.key));
                notices.extend(named.and_then(|text| entry.set(&text)));
            }
        });
        let step = self.step_signal(cell).get_untracked();
        self.take_assumptions(outlines.get(cell).copied(), step, &mut pairs);
        let others = self.others_of(text);
        for (key, _) in pairs.iter().filter(|pair| !others.contains(pair)) {
            notices.push(format!("The address names {key:?}, which this page does not have."));
        }
        self.cell.set(cell);
        self.notices.set(notices);
        others
    }
}

#[cfg(test)]
mod tests;
