//! Parameters: named values of a cell that the reader can change.

use crate::signals::RwSignal;
use leptos::prelude::*;

use super::{Choice, ChoiceRule, NumberRule, Outline, Read, State, SwitchRule, TextRule, Value};

/// A parameter; a copy is the same parameter.
pub struct Param<T: Value> {
    signal: RwSignal<T>,
    rule: T::Rule,
}

impl<T: Value> Clone for Param<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Value> Copy for Param<T> {}

impl<T: Value> Param<T> {
    /// The value; tracked.
    #[must_use]
    pub fn get(self) -> T {
        self.signal.get()
    }

    /// The value; not tracked.
    #[must_use]
    pub fn get_untracked(self) -> T {
        self.signal.get_untracked()
    }

    /// Sets a value that keeps to the rule.
    pub fn set(self, value: T) {
        if self.signal.with_untracked(|old| *old != value) {
            self.signal.set(value);
        }
    }

    /// The rule that values keep to.
    #[must_use]
    pub fn rule(self) -> T::Rule {
        self.rule
    }

    /// The value as text; tracked.
    #[must_use]
    pub fn text(self) -> String {
        self.signal.with(|value| value.write(self.rule))
    }

    /// Takes what a person typed. Where it breaks the rule the value stays and the sentence says why;
    /// where it lies beyond the range the nearest allowed value is taken.
    pub fn read(self, text: &str) -> Read<()> {
        match T::read(text, self.rule) {
            Read::Good(value) => {
                self.set(value);
                Read::Good(())
            }
            Read::Clamped(value, sentence) => {
                self.set(value);
                Read::Clamped((), sentence)
            }
            Read::Bad(sentence) => Read::Bad(sentence),
        }
    }
}

/// Takes a text as a parameter's value.
type ReadText = Box<dyn Fn(&str) -> Read<()> + Send + Sync>;

/// A parameter as the state knows it.
pub(super) struct Entry {
    pub(super) cell: usize,
    pub(super) key: &'static str,
    default: String,
    text: Box<dyn Fn() -> String + Send + Sync>,
    read: ReadText,
}

impl Entry {
    pub(super) fn text(&self) -> String {
        (self.text)()
    }

    /// Takes a text; the sentence that says what is wrong with it, if anything is.
    pub(super) fn set(&self, text: &str) -> Option<String> {
        match (self.read)(text) {
            Read::Good(()) => None,
            Read::Clamped((), sentence) | Read::Bad(sentence) => Some(sentence),
        }
    }

    /// What the parameter is at a step unless the reader changes it.
    pub(super) fn baseline(&self, outline: Outline, step: usize) -> &str {
        outline.sets(step, self.key).unwrap_or(&self.default)
    }
}

/// What a cell's component gets: its own part of the state.
#[derive(Clone, Copy)]
pub struct CellContext {
    state: State,
    cell: usize,
}

impl CellContext {
    /// The part of the cell with that index.
    #[must_use]
    pub fn new(state: State, cell: usize) -> Self {
        Self { state, cell }
    }

    /// The step; tracked.
    #[must_use]
    pub fn step(self) -> usize {
        self.state.step(self.cell)
    }

    /// The cell's name in addresses.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.state.outline(self.cell).map_or("", |outline| outline.id)
    }

    /// The part that the step lights; tracked.
    #[must_use]
    pub fn part(self) -> &'static str {
        let step = self.step();
        self.state.outline(self.cell).and_then(|outline| outline.steps.get(step)).map_or("", |step| step.part)
    }

    /// Whether the step lights that part; tracked.
    #[must_use]
    pub fn lights(self, part: &str) -> bool {
        self.part() == part
    }

    /// A number. `key` names it in addresses; all parameters are made while the page is first built.
    #[must_use]
    pub fn number(self, key: &'static str, default: f64, rule: NumberRule) -> Param<f64> {
        self.param(key, default, rule)
    }

    /// A choice; the default is an index into the rule's options.
    #[must_use]
    pub fn choice(self, key: &'static str, default: usize, rule: ChoiceRule) -> Param<Choice> {
        self.param(key, Choice(default), rule)
    }

    /// A switch.
    #[must_use]
    pub fn switch(self, key: &'static str, default: bool, rule: SwitchRule) -> Param<bool> {
        self.param(key, default, rule)
    }

    /// A text with a check.
    #[must_use]
    pub fn text(self, key: &'static str, default: &str, rule: TextRule) -> Param<String> {
        self.param(key, default.to_owned(), rule)
    }

    fn param<T: Value>(self, key: &'static str, default: T, rule: T::Rule) -> Param<T> {
        let default_text = default.write(rule);
        let param = Param { signal: RwSignal::new(default), rule };
        let entry = Entry {
            cell: self.cell,
            key,
            default: default_text,
            text: Box::new(move || param.text()),
            read: Box::new(move |text| param.read(text)),
        };
        self.state.entries.update_value(|entries| entries.push(entry));
        self.state.set_step_value(self.cell, key);
        param
    }
}

/// The context of the cell that is being built.
#[must_use]
pub fn use_cell() -> CellContext {
    expect_context()
}
