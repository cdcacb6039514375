//! Parameters: named values that a reader can change.

use leptos::prelude::*;

use super::{Value, Values, use_hydrated, use_values};

/// A parameter; a copy is the same parameter. What it is stands in [`Values`] alone, where links and the history change
/// it too.
pub struct Param<T: Value> {
    value: Memo<T>,
    /// Its text in [`Values`].
    address_text: Memo<Option<String>>,
    pub rule: T::Rule,
    values: Values,
    key: StoredValue<String>,
    /// As text.
    default: StoredValue<String>,
}

impl<T: Value> Clone for Param<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Value> Copy for Param<T> {}

impl<T: Value> Param<T> {
    /// The value; tracked.
    pub fn get(self) -> T {
        self.value.get()
    }

    /// The value; not tracked.
    pub fn get_untracked(self) -> T {
        self.value.get_untracked()
    }

    /// Sets a value that keeps to the rule.
    pub fn set(self, value: T) {
        let text = value.write(self.rule);
        let is_default = self.default.with_value(|default| *default == text);
        self.key.with_value(|key| self.values.set(key, (!is_default).then_some(text)));
    }

    /// An id for its control, unique on the page.
    pub fn id(self) -> String {
        self.key.with_value(|key| key.replace('.', "-"))
    }

    /// The value as text; tracked.
    pub fn text(self) -> String {
        self.value.with(|value| value.write(self.rule))
    }

    /// Takes what a person typed. Where it breaks the rule the value stays and the sentence says why;
    /// where it lies beyond the range the nearest allowed value is taken, and a sentence says so.
    pub fn read(self, text: &str) -> Result<Option<String>, String> {
        let (value, note) = T::read(text, self.rule)?;
        self.set(value);
        Ok(note)
    }

    /// Puts right what an address says against the rule, and tells the reader.
    fn check(self) {
        let Some(text) = self.address_text.get() else { return };
        let sentence = match T::read(&text, self.rule) {
            Ok((_, None)) => return,
            Ok((value, Some(sentence))) => {
                self.set(value);
                sentence
            }
            Err(sentence) => {
                self.key.with_value(|key| self.values.set(key, None));
                sentence
            }
        };
        self.values.notice(sentence);
    }
}

/// Values of one component: `shape` of the scope `strides` is `strides.shape` in addresses. A copy is the same scope.
#[derive(Clone, Copy)]
pub struct Scope(StoredValue<String>);

impl Scope {
    /// A scope for a [`Provider`](leptos::context::Provider): what is inside makes its values in it.
    pub fn new(prefix: impl Into<String>) -> Self {
        Self(StoredValue::new(prefix.into()))
    }

    /// What the ids of its elements begin with.
    pub fn prefix(self) -> String {
        self.0.get_value()
    }

    /// An id for an element of this scope, unique on the page.
    pub fn id(self, name: &str) -> String {
        self.0.with_value(|prefix| format!("{prefix}-{name}"))
    }

    /// A parameter of the component that is being made; `name` is how addresses call it within the scope.
    pub fn param<T: Value>(self, name: &str, default: T, rule: T::Rule) -> Param<T> {
        let (values, hydrated) = (use_values(), use_hydrated());
        let key = StoredValue::new(self.0.with_value(|prefix| format!("{prefix}.{name}")));
        let text = StoredValue::new(default.write(rule));
        let address_text = Memo::new(move |_| key.with_value(|key| values.text(key)));
        let value = Memo::new(move |_| {
            let text = hydrated.get().then(|| address_text.get()).flatten();
            let read = text.and_then(|text| T::read(&text, rule).ok());
            read.map_or_else(|| default.clone(), |(value, _)| value)
        });
        let param = Param { value, address_text, rule, values, key, default: text };
        Effect::new(move || param.check());
        param
    }
}

/// The scope of the component that is being made.
pub fn use_scope() -> Scope {
    expect_context()
}

#[cfg(test)]
mod tests {
    use napkin_accounting::Count;

    use super::*;
    use crate::state::{NumberRule, Scale, TextRule};

    const SIZE: NumberRule = NumberRule::of::<Count>("Size", 1.0, 1024.0, Scale::Doubling(1));

    fn with_page(test: impl FnOnce(Values, Scope)) {
        Owner::new().with(|| {
            let values = Values::provide();
            test(values, Scope::new("one"));
        });
    }

    fn check(text: &str) -> Result<(), String> {
        if text.is_empty() { Err("Text is empty.".to_owned()) } else { Ok(()) }
    }

    #[test]
    fn only_what_is_not_the_default_is_in_the_query() {
        with_page(|values, scope| {
            let n = scope.param("n", 8.0, SIZE);
            let free = scope.param("free", "x".to_owned(), TextRule { label: "Text", check });
            assert_eq!(values.query(), "");
            n.set(32.0);
            free.set("a b".to_owned());
            values.set("bench", Some(String::new()));
            assert_eq!(values.query(), "?v=3&bench&one.free=a+b&one.n=32");
            n.set(8.0);
            assert_eq!((n.get(), values.query().as_str()), (8.0, "?v=3&bench&one.free=a+b"));
        });
    }

    #[test]
    fn a_query_brings_its_values_back_also_to_whoever_asks_later() {
        with_page(|values, scope| {
            let n = scope.param("n", 8.0, SIZE);
            n.set(16.0);
            let query = "?v=3&lecture=a&step=4&calc.gpus=8&one.free=a+b&one.n=32";
            values.take(query);
            assert_eq!((n.get(), values.query().as_str()), (32.0, query));
            assert_eq!(scope.param("free", "x".to_owned(), TextRule { label: "Text", check }).get(), "a b");
            assert_eq!(values.group("calc."), [("gpus".to_owned(), "8".to_owned())]);
            assert_eq!(values.text("step").as_deref(), Some("4"));
            assert!(values.notices.get().is_empty());
            values.take("");
            assert_eq!(n.get(), 8.0);
        });
    }

    #[test]
    fn what_is_wrong_with_a_query_is_said_and_put_right() {
        for (query, words, now) in [
            ("?v=9", "version", 8.0),
            ("?one.n=4096", "at most 1024", 1024.0),
            ("?one.n=0", "Size", 8.0),
            ("?one.n=1e400", "Size", 8.0),
        ] {
            with_page(|values, scope| {
                let n = scope.param("n", 8.0, SIZE);
                values.take(query);
                assert_eq!(n.get(), now, "{query}");
                n.check();
                let notices = values.notices.get();
                assert!(notices.len() == 1 && notices[0].contains(words), "{query}: {notices:?}");
                assert_eq!(n.get(), now, "{query}");
                let wanted = if now == 8.0 { "" } else { "?v=3&one.n=1024" };
                assert_eq!(values.query(), wanted, "{query}");
            });
        }
    }

    #[test]
    fn html_is_taken_over_with_the_defaults_it_was_written_with() {
        Owner::new().with(|| {
            let values = Values::provide();
            let hydration = crate::state::Hydration::provide();
            values.take("?one.n=32");
            let n = Scope::new("one").param("n", 8.0, SIZE);
            assert_eq!(n.get(), 8.0);
            hydration.finish();
            assert_eq!(n.get(), 32.0);
        });
    }
}
