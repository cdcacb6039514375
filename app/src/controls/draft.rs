//! What stands in a field while it is not (yet) the value: half-typed, or against the rule.

use leptos::prelude::*;

use crate::state::{Param, Value};

/// The text of a field; a copy is the same draft.
#[derive(Clone, Copy)]
pub struct Draft {
    /// The value as it is written.
    value: Signal<String>,
    read: Callback<String, Result<Option<String>, String>>,
    typed: RwSignal<Typed>,
}

/// What was typed last.
#[derive(Clone, Default)]
struct Typed {
    /// Nothing once it has given way to the value.
    text: Option<String>,
    /// What is wrong with it.
    message: Option<String>,
    is_bad: bool,
    /// The value right after typing. If it is another now, a slider or a link has changed it, and the text is dropped.
    led_to: String,
}

impl Draft {
    /// A field that shows `value` and gives what is typed to `read`, which says what is wrong with it, or what should be
    /// known about what it made of it.
    pub fn new(
        value: Signal<String>,
        read: impl Fn(&str) -> Result<Option<String>, String> + Send + Sync + 'static,
    ) -> Self {
        let read = Callback::new(move |text: String| read(&text));
        Self { value, read, typed: RwSignal::default() }
    }

    pub fn of<T: Value>(param: Param<T>) -> Self {
        Self::new(Signal::derive(move || param.text()), move |text| param.read(text))
    }

    /// What was typed, while the value is what it led to; tracked.
    fn typed(self) -> Typed {
        let typed = self.typed.get();
        if typed.led_to == self.value.get() { typed } else { Typed::default() }
    }

    /// What the field shows; tracked.
    pub fn text(self) -> String {
        self.typed().text.unwrap_or_else(|| self.value.get())
    }

    /// What is wrong with it, if anything; tracked.
    pub fn message(self) -> Option<String> {
        self.typed().message
    }

    /// The reader typed: the value follows where the text keeps to the rule.
    pub fn type_text(self, text: String) {
        let (is_bad, message) = match self.read.run(text.clone()) {
            Ok(note) => (false, note),
            Err(sentence) => (true, Some(sentence)),
        };
        self.typed.set(Typed { text: Some(text), message, is_bad, led_to: self.value.get_untracked() });
    }

    /// The reader leaves the field: a text that was understood gives way to the value as it is written.
    pub fn settle(self) {
        if !self.typed.read_untracked().is_bad {
            self.typed.update(|typed| typed.text = None);
        }
    }
}
