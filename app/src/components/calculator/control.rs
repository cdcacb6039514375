//! A field of calculators as it stands in the page, and typing into it.

use leptos::prelude::*;
use napkin_accounting::calc::{Calculator, Field, Inputs};
use napkin_accounting::{Number, Unit, format};

use super::calculators::Calculators;
use super::group::Group;
use super::{custom_record, wording};
use crate::page::{Announcer, use_announcer};

/// How a field stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FieldState {
    pub(super) text: String,
    pub(super) assumed: String,
    given: Option<(Number, Unit)>,
    pub(super) problem: Option<String>,
    pub(super) is_custom: bool,
}

impl FieldState {
    /// A field of some calculators as it stands; tracked.
    pub(super) fn of(field: &'static Field, state: Calculators, members: &[&'static Calculator]) -> Self {
        let draft = state.drafts.with(|drafts| drafts.get(field.key).cloned());
        let given = state.given(field, members);
        let assumed = state.inputs().text(field).to_owned();
        let is_custom = assumed.starts_with('{');
        let text = match &draft {
            Some(draft) => draft.text.clone(),
            None if given.is_some() => String::new(),
            None if is_custom => custom_record::spread(&assumed),
            None => assumed.clone(),
        };
        let mut answers = members.iter().filter_map(|calculator| state.answer(calculator.id));
        let disagreement = || {
            answers.find_map(|answer| {
                let problem = answer.with(|answer| answer.problem.clone())?;
                wording::is_about(&problem, field).then(|| problem.to_string())
            })
        };
        let problem = draft.and_then(|draft| draft.problem).or_else(disagreement);
        let problem = problem.map(|problem| format!("{problem}."));
        Self { text, assumed, given, problem, is_custom }
    }

    pub(super) fn given_text(&self) -> Option<String> {
        self.given.map(|(value, unit)| format::short(value, unit))
    }

    /// Where its slider stands: at the assumption, whatever is being typed.
    pub(super) fn number(&self, field: &Field) -> f64 {
        let assumed = || Inputs::default().with(field, &self.assumed).number(field).ok();
        self.given.map(|(value, _)| value).or_else(assumed).map_or(f64::NAN, Number::to_f64)
    }
}

/// A field in the page; a copy is the same.
#[derive(Clone, Copy)]
pub(super) struct Control {
    pub(super) field: &'static Field,
    pub(super) group: Group,
    pub(super) state: Memo<FieldState>,
    announcer: Announcer,
}

impl Control {
    pub(super) fn new(field: &'static Field, group: Group) -> Self {
        let state = Memo::new(move |_| FieldState::of(field, group.shown(), &group.members()));
        Self { field, group, state, announcer: use_announcer() }
    }

    pub(super) fn id(self) -> String {
        format!("{}-{}", self.group.id(), self.field.key)
    }

    pub(super) fn message_id(self) -> String {
        format!("{}-message", self.id())
    }

    /// Whether it cannot be used as it is; tracked.
    pub(super) fn is_bad(self) -> bool {
        self.state.with(|state| state.problem.is_some())
    }

    pub(super) fn type_text(self, text: &str) {
        if self.group.calculators.type_text(self.field, text)
            && let Some(words) = untrack(|| self.group.sentence())
        {
            self.announcer.say(words);
        }
    }
}
