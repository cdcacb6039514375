//! The assumptions that calculators share, and their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use napkin_accounting::calc::{CALCULATORS, Calculator, Field, Inputs, Kind, Naming, OF_RECORDS, Sheet};
use napkin_accounting::{Error, Number, Unit, calc, format};

use super::changes::{Change, Moved, moved};
use super::{custom_record, wording};
use crate::state::{Values, use_values};

/// What the keys of assumptions begin with that all tools share. No other keys begin so.
pub const SHARED: &str = "calc";

pub type Texts = BTreeMap<String, String>;

/// Calculators over one set of assumptions; a copy is the same. On the page of all tools one serves all calculators, in
/// a lecture each cell has its own.
#[derive(Clone, Copy, Default)]
pub struct Calculators {
    /// What is assumed, where it is not the default.
    pub(super) texts: RwSignal<Texts>,
    start: StoredValue<Texts>,
    /// What stands in fields while it is not (yet) the assumption.
    pub(super) drafts: RwSignal<BTreeMap<&'static str, Draft>>,
    /// What was measured or counted elsewhere as JSON, by calculator and key.
    records: RwSignal<BTreeMap<(&'static str, &'static str), String>>,
    pub(super) change: RwSignal<Option<Change>>,
    /// Those that are shown in the page, by the ids of their places.
    pub(super) shown: RwSignal<BTreeMap<String, Vec<&'static Calculator>>>,
    /// The values of the page, and what the keys of the assumptions begin with there.
    address: StoredValue<Option<(Values, String)>>,
    answers: StoredValue<BTreeMap<&'static str, Memo<Answer>>>,
}

#[derive(Debug, Clone)]
pub struct Answer {
    /// The last that there was.
    pub sheet: Option<Arc<Sheet>>,
    /// Why there is no newer one.
    pub problem: Option<Error>,
}

/// What stands in a field while it is not (yet) the assumption.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) text: String,
    /// What the assumption was then: another one means that another hand moved it.
    led_to: String,
    pub(super) problem: Option<String>,
}

fn all() -> impl Iterator<Item = &'static Calculator> {
    CALCULATORS.iter().chain(OF_RECORDS)
}

/// The field of that key; of several for one assumption the first.
pub(super) fn field(key: &str) -> Option<&'static Field> {
    all().flat_map(|calculator| calculator.fields).copied().find(|field| field.key == key)
}

impl Calculators {
    /// Calculators that begin with these texts, by the fields' keys, and else with the defaults, in the context. Texts
    /// that cannot be read are left out.
    pub fn provide(start: Texts) -> Self {
        let calculators = Self::new(start);
        provide_context(calculators);
        calculators
    }

    pub(super) fn new(start: Texts) -> Self {
        let (start, _) = readable(start);
        let calculators =
            Self { texts: RwSignal::new(start.clone()), start: StoredValue::new(start), ..Self::default() };
        let answers = all().map(|calculator| (calculator.id, calculators.answer_of(calculator)));
        calculators.answers.set_value(answers.collect());
        calculators
    }

    fn answer_of(self, calculator: &'static Calculator) -> Memo<Answer> {
        // Only what it asks for: another assumption than its own is no reason for another answer.
        let question = Memo::new(move |_| {
            let mut texts = self.texts.get();
            texts.retain(|key, _| calculator.fields.iter().any(|field| field.key == key));
            let mut records = self.records.get();
            records.retain(|(id, _), _| *id == calculator.id);
            (texts, records)
        });
        let answer = move |before: Option<&Answer>| {
            let (texts, records) = question.get();
            let inputs = Inputs::new(Naming::Label, texts);
            let inputs =
                records.into_iter().fold(inputs, |inputs, ((_, key), json)| inputs.with_data(key, json));
            match calculator.answer(&inputs) {
                Ok(sheet) => Answer { sheet: Some(Arc::new(sheet)), problem: None },
                Err(error) => {
                    Answer { sheet: before.and_then(|before| before.sheet.clone()), problem: Some(error) }
                }
            }
        };
        // Answers are not compared: the question before has told whether there is a new one.
        Memo::new_with_compare(answer, |_, _| true)
    }

    pub fn answer(self, id: &str) -> Option<Memo<Answer>> {
        self.answers.with_value(|answers| answers.get(id).copied())
    }

    pub fn sheet(self, id: &str) -> Option<Arc<Sheet>> {
        self.answer(id)?.with(|answer| answer.sheet.clone())
    }

    /// The text of a field: what is assumed, or its default; tracked.
    pub fn text(self, key: &str) -> Option<String> {
        field(key).map(|field| self.inputs().text(field).to_owned())
    }

    /// Assumes that text, unless it cannot be read. Returns whether it could. What means the same number as the text
    /// that is assumed leaves it as it is written.
    pub fn set(self, key: &str, text: &str) -> bool {
        let Some(field) = field(key) else { return false };
        let text = custom_record::compact(text).unwrap_or_else(|| text.trim().to_owned());
        if !text.is_empty() && problem(field, &text).is_some() {
            return false;
        }
        let before = untrack(|| self.inputs().text(field).to_owned());
        if !is_same(field, &text, &before) {
            self.drafts.update(|drafts| drop(drafts.remove(field.key)));
            self.assume(field, self.normal(field, text));
        }
        true
    }

    pub fn start(self) -> Texts {
        self.start.get_value()
    }

    pub(super) fn is_untouched(self) -> bool {
        self.change.with_untracked(Option::is_none)
            && self.drafts.with_untracked(BTreeMap::is_empty)
            && self.records.with_untracked(BTreeMap::is_empty)
    }

    /// What a calculator has from elsewhere under a key, as JSON; an empty text is nothing.
    pub fn give(self, calculator: &'static str, key: &'static str, json: String) {
        self.records.update(|records| {
            records.insert((calculator, key), json);
            records.retain(|_, json| !json.is_empty());
        });
        // Another record is no assumption that has moved anything.
        self.change.update(|change| drop(change.as_mut().map(|change| change.moved.remove(calculator))));
    }

    /// The step that a calculator wants counted, as JSON for whoever runs it; none where a field cannot be read.
    pub fn step(self, calculator: &str) -> Option<String> {
        calc::count::spec(calculator, &untrack(|| self.inputs())).ok()
    }

    /// Makes the fields of these calculators what they were at first.
    pub(super) fn reset(self, calculators: &[&'static Calculator]) {
        let fields = || calculators.iter().flat_map(|calculator| calculator.fields);
        let is_theirs = |key: &str| fields().any(|field| field.key == key);
        let mut texts = self.texts.get_untracked();
        texts.retain(|key, _| !is_theirs(key));
        texts.extend(self.start().into_iter().filter(|(key, _)| is_theirs(key)));
        self.drafts.update(|drafts| drafts.retain(|key, _| !is_theirs(key)));
        self.replace(texts);
    }

    /// Whether a field of these calculators is not as it was at first; tracked.
    pub(super) fn is_changed(self, calculators: &[&'static Calculator]) -> bool {
        let (texts, start, drafts) = (self.texts.get(), self.start(), self.drafts.get());
        let mut fields = calculators.iter().flat_map(|calculator| calculator.fields);
        fields.any(|field| {
            let draft = drafts.get(field.key);
            texts.get(field.key) != start.get(field.key) || draft.is_some_and(|draft| draft.problem.is_some())
        })
    }

    /// The reader typed into a field. What cannot be read stands in the field with the reason below it, and everything
    /// else is as it was. Returns whether it could be read.
    pub(super) fn type_text(self, field: &'static Field, text: &str) -> bool {
        untrack(|| {
            let is_custom = self.assumed(field).starts_with('{');
            let wanted = custom_record::compact(text).unwrap_or_else(|| text.trim().to_owned());
            let may_be_empty = (field.default.is_empty() || self.follows(field)) && !is_custom;
            let problem = if wanted.is_empty() && may_be_empty { None } else { problem(field, &wanted) };
            let wanted = self.normal(field, wanted);
            let is_good = problem.is_none();
            let led_to = if is_good { wanted.clone() } else { self.assumed(field) };
            let draft = Draft { text: text.to_owned(), led_to, problem };
            self.drafts.update(|drafts| drop(drafts.insert(field.key, draft)));
            if is_good {
                self.assume(field, wanted);
            }
            is_good
        })
    }

    /// The reader chose from a list of records; [`custom_record::ID`] is one in JSON that the reader can change.
    pub(super) fn choose(self, field: &'static Field, id: &str) {
        let text = match id {
            custom_record::ID => custom_record::example(field, untrack(|| self.inputs()).text(field)),
            id => id.to_owned(),
        };
        self.drafts.update(|drafts| drop(drafts.remove(field.key)));
        self.assume(field, self.normal(field, text));
    }

    /// All assumptions; tracked.
    pub fn inputs(self) -> Inputs {
        Inputs::new(Naming::Label, self.texts.get())
    }

    /// The value that another field gives this one, as a model gives its parameters, where nobody has typed one and there
    /// is an answer; tracked.
    /// Other calculators than these may mean something else by the same name.
    pub(super) fn given(self, field: &Field, among: &[&'static Calculator]) -> Option<(Number, Unit)> {
        let Kind::Number(range) = field.kind else { return None };
        if field.python.is_empty() || !self.inputs().text(field).is_empty() {
            return None;
        }
        let asked =
            among.iter().filter(|calculator| calculator.fields.iter().any(|one| one.key == field.key));
        let answers = asked.filter_map(|calculator| Some(self.answer(calculator.id)?.get()));
        let sheets = answers.filter(|answer| answer.problem.is_none()).filter_map(|answer| answer.sheet);
        let mut found = sheets.filter_map(|sheet| {
            sheet.figures().into_iter().find_map(|figure| wording::number_in(figure, field.python))
        });
        found.next().filter(|(_, unit)| *unit == range.unit)
    }

    pub(super) fn moved(self, id: &str) -> Moved {
        self.change.with(|change| change.as_ref()?.moved.get(id).cloned()).unwrap_or_default()
    }

    /// The text of an assumption that is not the default, otherwise nothing; tracked.
    fn assumed(self, field: &Field) -> String {
        self.texts.with(|texts| texts.get(field.key).cloned().unwrap_or_default())
    }

    /// What is the same as at the start is written as it was there. A default need not be said, unless another field gives
    /// the value where nothing is said.
    fn normal(self, field: &Field, text: String) -> String {
        match self.start.with_value(|start| start.get(field.key).cloned()) {
            Some(start) if is_same(field, &text, &start) => start,
            _ if is_same(field, &text, field.default) && !self.follows(field) => String::new(),
            _ => text,
        }
    }

    /// Whether another field gives this one its value once its text is gone.
    fn follows(self, field: &Field) -> bool {
        let mut texts = self.texts.get_untracked();
        texts.remove(field.key);
        !field.default.is_empty() && Inputs::new(Naming::Label, texts).text(field).is_empty()
    }

    fn assume(self, field: &Field, text: String) {
        let mut texts = self.texts.get_untracked();
        if text.is_empty() {
            texts.remove(field.key);
        } else {
            texts.insert(field.key.to_owned(), text);
        }
        self.replace(texts);
    }

    /// Takes texts that can be read.
    pub(super) fn replace(self, texts: Texts) {
        let before = self.texts.get_untracked();
        if texts == before {
            return;
        }
        untrack(|| {
            let mut labels = BTreeSet::new();
            let mut changed = self.fields_in_page();
            changed
                .retain(|field| texts.get(field.key) != before.get(field.key) && labels.insert(field.label));
            let words = || changed.iter().map(|field| self.value_in_words(field)).collect::<Vec<_>>();
            let calculators = self.calculators_in_page();
            let sheets = || calculators.iter().map(|one| self.sheet(one.id)).collect::<Vec<_>>();
            let (words_before, sheets_before) = (words(), sheets());
            // What another hand has moved stands in its field no longer.
            self.drafts.update(|drafts| {
                drafts.retain(|key, draft| texts.get(*key).map_or("", String::as_str) == draft.led_to);
            });
            self.texts.set(texts);
            self.tell_address();
            let values = changed.iter().zip(words_before).zip(words());
            let pairs = calculators.iter().zip(sheets_before.into_iter().zip(sheets()));
            let moved = pairs.filter_map(|(one, (before, after))| {
                Some((one.id, moved(before.as_ref()?, after.as_ref()?)))
            });
            self.change.set(Some(Change {
                values: values
                    .map(|((field, before), after)| (field.key, field.label, before, after))
                    .collect(),
                moved: moved.collect(),
            }));
        });
    }

    /// Keeps the assumptions that are not as at the start in the page's [`Values`], under `prefix.NAME`, and follows them
    /// there.
    pub fn in_address(self, prefix: &str) -> Self {
        self.address.set_value(Some((use_values(), format!("{prefix}."))));
        Effect::new(move || self.follow_address());
        self
    }

    /// Assumes what the address says, and the default for all else. What cannot be read in it is as at the start, and is
    /// put right there; tracked.
    pub(super) fn follow_address(self) {
        let Some((values, prefix)) = self.address.get_value() else { return };
        let start = self.start();
        let told = values.group(&prefix).into_iter().filter(|(key, _)| self.is_in_address(key, &prefix));
        let (mut good, refused) = readable(start.clone().into_iter().chain(told).collect());
        for (key, sentence) in refused {
            values.set(&format!("{prefix}{key}"), None);
            values.notice(format!("{sentence}."));
            good.extend(start.get(&key).map(|text| (key, text.clone())));
        }
        self.replace(good);
    }

    /// Writes what has changed since the start into the address.
    fn tell_address(self) {
        let Some((values, prefix)) = self.address.get_value() else { return };
        let (texts, start) = (self.texts.get_untracked(), self.start());
        let told = values.group(&prefix);
        let known = told.iter().map(|(key, _)| key).filter(|key| self.is_in_address(key, &prefix));
        let keys: BTreeSet<&String> = known.chain(texts.keys()).chain(start.keys()).collect();
        for key in keys {
            let (text, first) = (texts.get(key), start.get(key));
            // An empty text is the field's own default, where that is not what was there at the start.
            let changed = (text != first).then(|| text.cloned().unwrap_or_default());
            values.set(&format!("{prefix}{key}"), changed);
        }
    }

    /// Whether a key belongs to the calculators and not to another component of the same cell.
    fn is_in_address(self, key: &str, prefix: &str) -> bool {
        prefix.strip_suffix('.') == Some(SHARED) || self.fields_in_page().iter().any(|field| field.key == key)
    }

    fn calculators_in_page(self) -> Vec<&'static Calculator> {
        self.shown.with(|shown| shown.values().flatten().copied().collect())
    }

    /// Their fields, each once; tracked.
    fn fields_in_page(self) -> Vec<&'static Field> {
        let mut keys = BTreeSet::new();
        let calculators = self.calculators_in_page();
        let fields = calculators.iter().flat_map(|calculator| calculator.fields).copied();
        fields.filter(|field| keys.insert(field.key)).collect()
    }

    fn value_in_words(self, field: &Field) -> String {
        match self.given(field, &self.calculators_in_page()) {
            Some((value, unit)) => format::short(value, unit),
            None => wording::value(field, self.inputs().text(field)),
        }
    }
}

pub fn use_calculators() -> Calculators {
    expect_context()
}

/// The texts that can be read, and sentences about the others by key.
fn readable(texts: Texts) -> (Texts, Vec<(String, String)>) {
    let mut good = Texts::new();
    let mut refused = Vec::new();
    for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        let problem = match field(&key) {
            None => Some(format!("There is no assumption called {key:?}")),
            Some(field) => problem(field, &text),
        };
        match problem {
            None => drop(good.insert(key, text)),
            Some(problem) => refused.push((key, problem)),
        }
    }
    (good, refused)
}

fn problem(field: &Field, text: &str) -> Option<String> {
    alone(field, text).check(field).err().map(|error| error.to_string())
}

/// Whether two texts are one, or the same number.
fn is_same(field: &Field, one: &str, other: &str) -> bool {
    let number = |text| alone(field, text).number(field).ok();
    one == other || number(one).is_some_and(|one| Some(one) == number(other))
}

/// Only that text, for reading it by itself.
fn alone(field: &Field, text: &str) -> Inputs {
    Inputs::new(Naming::Label, Texts::new()).with(field, text)
}
