//! Every value that a reader has changed, by its key.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::{moved, query};

/// The version of the addresses that this page writes.
const VERSION: &str = "3";

/// What the address says; a copy is the same. Keys with a dot (`strides.shape`) are values, the others belong to the
/// page itself: `step`, `embed`, `device`.
#[derive(Clone, Copy, Default)]
pub struct Values {
    texts: RwSignal<BTreeMap<String, String>>,
    /// What the reader should know about the address, until it has been read.
    pub notices: RwSignal<Vec<String>>,
    /// How often a new entry of the browser's history was asked for.
    pub(super) entries: RwSignal<u32>,
    /// Notified when the values have been read from the address: at load, and as the reader goes back or forward.
    pub arrivals: RwSignal<()>,
}

impl Values {
    /// No changed value at all, in the context of the page.
    pub fn provide() -> Self {
        let values = Self::default();
        provide_context(values);
        values
    }

    /// The text of a value that is not its default, or what the address says of the page itself; tracked.
    pub fn text(self, key: &str) -> Option<String> {
        self.texts.read().get(key).cloned()
    }

    /// Sets a value. `None` removes the key, which stands for the default.
    pub fn set(self, key: &str, text: Option<String>) {
        if self.texts.read_untracked().get(key) != text.as_ref() {
            self.texts.update(|texts| match text {
                Some(text) => drop(texts.insert(key.to_owned(), text)),
                None => drop(texts.remove(key)),
            });
        }
    }

    /// What is changed of the values whose keys begin with `prefix`, by the rest of their keys; tracked.
    pub fn group(self, prefix: &str) -> Vec<(String, String)> {
        let of = |(key, text): (&String, &String)| Some((key.strip_prefix(prefix)?.to_owned(), text.clone()));
        self.texts.read().iter().filter_map(of).collect()
    }

    /// Makes what is changed now a new entry of the browser's history; without it the entry is replaced.
    pub fn push(self) {
        self.entries.update(|entries| *entries += 1);
    }

    /// Tells the reader something, once.
    pub fn notice(self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.notices.read_untracked().contains(&sentence) {
            self.notices.update(|notices| notices.push(sentence));
        }
    }

    /// The query that says all this; tracked.
    pub fn query(self) -> String {
        self.query_without("")
    }

    /// The same without one key; tracked.
    pub fn query_without(self, key: &str) -> String {
        let texts = self.texts.read();
        let pairs =
            texts.iter().map(|(key, text)| (key.as_str(), text.as_str())).filter(|(known, _)| *known != key);
        let (values, page): (Vec<_>, Vec<_>) = pairs.partition(|(key, _)| key.contains('.'));
        if values.is_empty() && page.is_empty() {
            return String::new();
        }
        query::write([("v", VERSION)].into_iter().chain(page).chain(values))
    }

    /// Takes what a query says in place of everything. Keys that nobody has asked for yet are kept: what asks for them
    /// may come into sight later.
    pub fn take(self, query: &str) {
        // Of a key that is there twice the first counts.
        let pairs = moved::renewed(query::read(query)).into_iter().rev();
        let mut texts: BTreeMap<String, String> = pairs.collect();
        let version = texts.remove("v");
        // Older ones say what they say in words that are still understood.
        let unknown = version.filter(|version| !matches!(version.as_str(), "1" | "2" | VERSION));
        let notice = unknown.map(|version| {
            format!(
                "This address has version {version:?}; the page knows version {VERSION} and reads it as that."
            )
        });
        self.notices.set(notice.into_iter().collect());
        self.texts.set(texts);
        self.arrivals.notify();
    }
}

/// The values of the page.
pub fn use_values() -> Values {
    expect_context()
}
