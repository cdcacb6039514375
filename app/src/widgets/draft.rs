//! What stands in a field while it is not (yet) the value: half-typed, or against the rule.

use crate::signals::{RwSignal, Signal, StoredValue};

use crate::state::{Param, Read, Value};

type ReadText = Box<dyn Fn(&str) -> Read<()> + Send + Sync>;

/// The text of a field; a copy is the same draft.
#[derive(Clone, Copy)]
pub struct Draft {
    /// The value as it is written.
    value: Signal<String>,
    read: StoredValue<ReadText>,
    /// What was typed, and the value that it led to: another value means that another hand moved it.
    typed: RwSignal<Option<(String, String)>>,
    message: RwSignal<Option<(String, String)>>,
    is_bad: StoredValue<bool>,
}

impl Draft {
    /// A field that shows `value` and gives what is typed to `read`.
    pub fn new(value: Signal<String>, read: impl Fn(&str) -> Read<()> + Send + Sync + 'static) -> Self {
        Self {
            value,
            read: StoredValue::new(Box::new(read)),
            typed: RwSignal::new(None),
            message: RwSignal::new(None),
            is_bad: StoredValue::new(false),
        }
    }

    /// A field for a parameter.
    #[must_use]
    pub fn of<T: Value>(param: Param<T>) -> Self {
        Self::new(Signal::derive(move || param.text()), move |text| param.read(text))
    }

    /// What the field shows; tracked.
    #[must_use]
    pub fn text(self) -> String {
        let value = self.value.get();
        self.typed.with(|typed| match typed {
            Some((text, led_to)) if *led_to == value => text.clone(),
            _ => value,
        })
    }

    /// What is wrong with it, if anything; tracked.
    #[must_use]
    pub fn message(self) -> Option<String> {
        let value = self.value.get();
        self.message.with(|message| {
            message.as_ref().filter(|(_, led_to)| *led_to == value).map(|(sentence, _)| sentence.clone())
        })
    }

    /// The reader typed: the value follows where the text keeps to the rule.
    pub fn type_text(self, text: String) {
        let outcome = self.read.with_value(|read| read(&text));
        let value = self.value.get_untracked();
        self.is_bad.set_value(matches!(outcome, Read::Bad(_)));
        self.message.set(match outcome {
            Read::Good(()) => None,
            Read::Clamped((), sentence) | Read::Bad(sentence) => Some((sentence, value.clone())),
        });
        self.typed.set(Some((text, value)));
    }

    /// The reader leaves the field: a text that was understood gives way to the value as it is written.
    pub fn settle(self) {
        if !self.is_bad.get_value() {
            self.typed.set(None);
        }
    }
}
