//! What stands in a field while it is not (yet) the value: half-typed, or against the rule.

use leptos::prelude::*;

use crate::state::{Param, Read, Value};

/// The text of a field for a parameter; a copy is the same draft.
pub struct Draft<T: Value> {
    param: Param<T>,
    /// What was typed, and the value's text that it led to: another value means another hand moved it.
    typed: RwSignal<Option<(String, String)>>,
    message: RwSignal<Option<(String, String)>>,
}

impl<T: Value> Clone for Draft<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Value> Copy for Draft<T> {}

impl<T: Value> Draft<T> {
    /// A field that shows the parameter.
    #[must_use]
    pub fn new(param: Param<T>) -> Self {
        Self { param, typed: RwSignal::new(None), message: RwSignal::new(None) }
    }

    /// What the field shows; tracked.
    #[must_use]
    pub fn text(self) -> String {
        let value = self.param.text();
        self.typed.with(|typed| match typed {
            Some((text, led_to)) if *led_to == value => text.clone(),
            _ => value,
        })
    }

    /// What is wrong with it, if anything; tracked.
    #[must_use]
    pub fn message(self) -> Option<String> {
        let value = self.param.text();
        self.message.with(|message| {
            message.as_ref().filter(|(_, led_to)| *led_to == value).map(|(sentence, _)| sentence.clone())
        })
    }

    /// The reader typed: the value follows where the text keeps to the rule.
    pub fn type_text(self, text: String) {
        let sentence = self.param.read(&text).err();
        let value = untrack(|| self.param.text());
        self.message.set(sentence.map(|sentence| (sentence, value.clone())));
        self.typed.set(Some((text, value)));
    }

    /// The reader leaves the field: a text that was understood gives way to the value as it is written.
    pub fn settle(self) {
        let is_bad = self.typed.with_untracked(|typed| {
            typed.as_ref().is_some_and(|(text, _)| matches!(T::read(text, self.param.rule()), Read::Bad(_)))
        });
        if !is_bad {
            self.typed.set(None);
        }
    }
}
