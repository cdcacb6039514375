//! All calculators of the page over one set of assumptions.

use std::collections::BTreeMap;

use napkin_accounting::calc::{CALCULATORS, Calculator, Field, Inputs, Kind, Naming, OF_RECORDS, Sheet};
use napkin_accounting::{Error, Number, Unit, format};

use crate::moves::{Change, Moved, moved};
use crate::{derivation, export, own, words};

/// What was typed, by field; an absent one has its default.
pub type Texts = BTreeMap<String, String>;

/// A cell of the page.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its id in addresses and anchors.
    pub id: String,
    /// Its name in a sentence.
    pub name: String,
    /// What it shows; they share their fields.
    pub calculators: Vec<&'static Calculator>,
    /// The part that the step lights: `inputs`, a calculator's id, or that of a part of an answer.
    pub lit: String,
}

/// Widths of charts, in CSS pixels.
const NARROWEST: f64 = 240.0;
const WIDEST: f64 = 900.0;
const USUAL: f64 = 640.0;

/// All calculators of the page.
#[derive(Debug)]
pub struct Book {
    pub(crate) cells: Vec<Cell>,
    pub(crate) texts: Texts,
    /// What calculators have from elsewhere, as JSON.
    data: Texts,
    drafts: Vec<(&'static str, Draft)>,
    answers: Vec<(&'static str, Answer)>,
    pub(crate) change: Option<Change>,
    pub(crate) width: f64,
}

impl Default for Book {
    fn default() -> Self {
        Self {
            cells: Vec::new(),
            texts: Texts::new(),
            data: Texts::new(),
            drafts: Vec::new(),
            answers: Vec::new(),
            change: None,
            width: USUAL,
        }
    }
}

/// What stands in a field while it is not (yet) the assumption.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// What the assumption was then: another one means that another hand moved it.
    led_to: String,
    pub(crate) problem: Option<String>,
    is_own: bool,
}

/// The last answer of a calculator.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The last that there was.
    pub(crate) sheet: Option<Sheet>,
    /// Why there is no newer one.
    pub(crate) problem: Option<Error>,
    /// What its figures were before the last change.
    pub(crate) moved: Moved,
}

/// The field of that key; of several for one assumption the first.
fn field(key: &str) -> Option<&'static Field> {
    CALCULATORS
        .iter()
        .chain(OF_RECORDS)
        .flat_map(|calculator| calculator.fields)
        .copied()
        .find(|field| field.key == key)
}

impl Cell {
    /// A cell with the calculators of those ids; others are left out.
    #[must_use]
    pub fn new(id: &str, name: &str, calculators: &[&str]) -> Self {
        let found = calculators.iter().filter_map(|id| napkin_accounting::calc::calculator(id)).collect();
        Self { id: id.to_owned(), name: name.to_owned(), calculators: found, lit: String::new() }
    }

    /// What its calculators ask for, each field with the first that asks for it.
    pub(crate) fn groups(&self) -> Vec<(&'static Calculator, Vec<&'static Field>)> {
        let mut groups: Vec<(&'static Calculator, Vec<&'static Field>)> = Vec::new();
        for calculator in &self.calculators {
            let is_new = |field: &&&Field| {
                !groups.iter().flat_map(|(_, fields)| fields).any(|known| known.key == field.key)
            };
            let fields: Vec<&'static Field> = calculator.fields.iter().filter(is_new).copied().collect();
            if !fields.is_empty() {
                groups.push((calculator, fields));
            }
        }
        groups
    }

    /// What its calculators ask for, each once.
    #[must_use]
    pub fn fields(&self) -> Vec<&'static Field> {
        self.groups().into_iter().flat_map(|(_, fields)| fields).collect()
    }
}

impl Book {
    /// Adds a cell and answers it.
    pub fn add(&mut self, cell: Cell) {
        self.cells.retain(|known| known.id != cell.id);
        let inputs = self.all_inputs();
        for calculator in &cell.calculators {
            self.renew(calculator, &inputs);
        }
        self.cells.push(cell);
    }

    /// All cells, in the order in which they were added.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Lights a part of a cell.
    pub fn light(&mut self, id: &str, part: &str) {
        if let Some(cell) = self.cells.iter_mut().find(|cell| cell.id == id) {
            part.clone_into(&mut cell.lit);
        }
    }

    /// Computes with these texts, which changed in the cell `from`. What cannot be read is left out and returned:
    /// names, and sentences that say why.
    pub fn take(&mut self, texts: Texts, from: &str) -> Vec<(String, String)> {
        let mut refused = Vec::new();
        let mut good = Texts::new();
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            match field(&name) {
                None => refused.push((name.clone(), format!("There is no assumption called {name:?}"))),
                Some(field) => match alone(field, &text).check(field) {
                    Ok(()) => drop(good.insert(name, text)),
                    Err(error) => refused.push((name, error.to_string())),
                },
            }
        }
        if good == self.texts {
            return refused;
        }
        let changed: Vec<&Field> = self
            .cells
            .iter()
            .flat_map(Cell::fields)
            .filter(|field| good.get(field.key) != self.texts.get(field.key))
            .collect();
        let words_of =
            |book: &Self| changed.iter().map(|field| book.value_in_words(field)).collect::<Vec<_>>();
        let before = words_of(self);
        self.texts = good;
        let texts = &self.texts;
        self.drafts.retain(|(name, draft)| texts.get(*name).map_or("", String::as_str) == draft.led_to);
        let inputs = self.all_inputs();
        for (id, answer) in &mut self.answers {
            let calculator = napkin_accounting::calc::calculator(id);
            let asks = |field: &Field| changed.iter().any(|changed| changed.key == field.key);
            answer.moved.clear();
            if let Some(calculator) = calculator.filter(|one| one.fields.iter().any(|field| asks(field))) {
                answer.renew(calculator, &inputs);
            }
        }
        let mut values: Vec<(&'static str, String, String)> = Vec::new();
        for ((field, before), after) in changed.iter().zip(before).zip(words_of(self)) {
            if !values.iter().any(|(label, ..)| *label == field.label) {
                values.push((field.label, before, after));
            }
        }
        self.change = Some(Change { from: from.to_owned(), values });
        refused
    }

    /// Computes a calculator with what it has from elsewhere, by key, as JSON; an empty text is nothing.
    pub fn take_data(&mut self, id: &str, data: impl IntoIterator<Item = (String, String)>) {
        for (key, json) in data {
            if json.is_empty() {
                self.data.remove(&key);
            } else {
                self.data.insert(key, json);
            }
        }
        let inputs = self.all_inputs();
        if let Some(calculator) = napkin_accounting::calc::calculator(id) {
            self.renew(calculator, &inputs);
        }
    }

    /// The step that a calculator asks for, as JSON for whoever runs it; none where a field cannot be read.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<String> {
        napkin_accounting::calc::count::spec(id, &self.inputs()).ok()
    }

    /// The reader typed into a field. Returns the text to take as the assumption, if it can be read; what cannot
    /// stands in the field with the reason below it, and everything else as it was.
    pub fn type_text(&mut self, name: &str, text: &str) -> Option<String> {
        let field = field(name)?;
        let is_own = self.is_own(field);
        let state = own::compact(field, text).unwrap_or_else(|| text.trim().to_owned());
        let problem = if state.is_empty() && (field.default.is_empty() || self.follows(field)) && !is_own {
            None
        } else {
            alone(field, &state).check(field).err().map(|error| error.to_string())
        };
        let is_good = problem.is_none();
        // What is assumed anyway need not be said.
        let is_default = state == field.default && !self.follows(field);
        let state = if is_default { String::new() } else { state };
        let led_to = if is_good { state.clone() } else { self.state(field).to_owned() };
        self.put(field, Some(Draft { text: text.to_owned(), led_to, problem, is_own }));
        is_good.then_some(state)
    }

    /// The reader chose from a list. Returns the text to take as the assumption; for `own` the field takes a record.
    pub fn choose(&mut self, name: &str, id: &str) -> Option<String> {
        let field = field(name)?;
        if id != own::ID {
            self.put(field, None);
            return Some(if id == field.default { String::new() } else { id.to_owned() });
        }
        let led_to = self.state(field).to_owned();
        let text = own::example(field, self.inputs().text(field));
        self.put(field, Some(Draft { text, led_to, problem: None, is_own: true }));
        None
    }

    /// The value of a slider's step, as a person would type it.
    #[must_use]
    pub fn slid(&self, name: &str, tick: u32) -> Option<String> {
        let Kind::Number(range) = field(name)?.kind else { return None };
        let slider = range.slider?;
        Some(format::typed(slider.scale.value_at(tick, slider.min, slider.max)))
    }

    /// The fields of a cell that the reader has changed.
    #[must_use]
    pub fn changed(&self, id: &str) -> Vec<&'static str> {
        let fields = self.cells.iter().filter(|cell| cell.id == id).flat_map(Cell::fields);
        let is_changed =
            |name: &str| self.texts.contains_key(name) || self.drafts.iter().any(|(key, _)| *key == name);
        fields.map(|field| field.key).filter(|name| is_changed(name)).collect()
    }

    /// Lets go of what stands in the fields of a cell and is no assumption.
    pub fn forget_drafts(&mut self, id: &str) {
        let names = self.changed(id);
        self.drafts.retain(|(key, _)| !names.contains(key));
    }

    /// How a number comes about, for the dialog; `key` is what its button carries.
    #[must_use]
    pub fn derivation(&self, key: &str) -> Option<String> {
        Some(derivation::dialog(key, self.figure(key)?).into_string())
    }

    /// The number behind a button.
    pub(crate) fn figure(&self, key: &str) -> Option<&napkin_accounting::calc::Figure> {
        let (id, index) = key.split_once(':')?;
        let sheet = self.answer_of(id)?.sheet.as_ref()?;
        sheet.figures().get(index.parse::<usize>().ok()?).copied()
    }

    /// The answer of a calculator in a form to take away.
    #[must_use]
    pub fn exports(&self, id: &str, form: export::Form) -> Vec<export::Export> {
        let calculator = napkin_accounting::calc::calculator(id);
        let found = calculator.and_then(|one| Some((one, self.answer_of(one.id)?.sheet.as_ref()?)));
        found.map_or_else(Vec::new, |(calculator, sheet)| {
            export::exports(calculator, &self.all_inputs(), sheet, form)
        })
    }

    /// Draws charts for so many CSS pixels.
    pub fn set_width(&mut self, width: f64) {
        self.width = width.clamp(NARROWEST, WIDEST);
    }

    /// What stands in a field while it is not the assumption.
    pub(crate) fn draft(&self, field: &Field) -> Option<&Draft> {
        self.drafts.iter().find(|(key, _)| *key == field.key).map(|(_, draft)| draft)
    }

    fn put(&mut self, field: &'static Field, draft: Option<Draft>) {
        self.drafts.retain(|(key, _)| *key != field.key);
        self.drafts.extend(draft.map(|draft| (field.key, draft)));
    }

    /// The last answer of a calculator.
    pub(crate) fn answer_of(&self, id: &str) -> Option<&Answer> {
        self.answers.iter().find(|(known, _)| *known == id).map(|(_, answer)| answer)
    }

    fn renew(&mut self, calculator: &'static Calculator, inputs: &Inputs) {
        let at = self.answers.iter().position(|(id, _)| *id == calculator.id).unwrap_or_else(|| {
            self.answers.push((calculator.id, Answer::default()));
            self.answers.len() - 1
        });
        self.answers[at].1.renew(calculator, inputs);
    }

    pub(crate) fn inputs(&self) -> Inputs {
        Inputs::new(Naming::Label, self.texts.clone())
    }

    /// With what calculators have from elsewhere, too.
    fn all_inputs(&self) -> Inputs {
        self.data.iter().fold(self.inputs(), |inputs, (key, json)| inputs.with_data(key, json.clone()))
    }

    /// The assumption as it stands in the address; empty for the default.
    pub(crate) fn state(&self, field: &Field) -> &str {
        self.texts.get(field.key).map_or("", String::as_str)
    }

    pub(crate) fn is_own(&self, field: &Field) -> bool {
        self.draft(field).is_some_and(|draft| draft.is_own) || self.state(field).starts_with('{')
    }

    /// The value that a field has by another's doing, as the parameters by the model's, where it has no text.
    pub(crate) fn given_by_others(&self, field: &Field) -> Option<(Number, Unit)> {
        let Kind::Number(range) = field.kind else { return None };
        if field.python.is_empty() || !self.inputs().text(field).is_empty() {
            return None;
        }
        // Other calculators may mean something else by the same name.
        let asked = self.cells.iter().flat_map(|cell| &cell.calculators);
        let asked = asked.filter(|calculator| calculator.fields.iter().any(|other| other.key == field.key));
        let sheets = asked.filter_map(|calculator| self.answer_of(calculator.id)?.sheet.as_ref());
        let used = sheets.flat_map(Sheet::figures).find_map(|figure| words::value_of(figure, field.python));
        used.filter(|(_, unit)| *unit == range.unit)
    }

    /// Whether another field gives this one its value once its text is gone.
    fn follows(&self, field: &Field) -> bool {
        let mut texts = self.texts.clone();
        texts.remove(field.key);
        if texts.is_empty() {
            return false;
        }
        let mut book = Self { texts, cells: self.cells.clone(), ..Self::default() };
        let inputs = book.inputs();
        for calculator in self.cells.iter().flat_map(|cell| &cell.calculators) {
            if calculator.fields.iter().any(|other| other.key == field.key) {
                book.renew(calculator, &inputs);
            }
        }
        book.given_by_others(field).is_some()
    }

    fn value_in_words(&self, field: &Field) -> String {
        match self.given_by_others(field) {
            Some((value, unit)) => format::short(value, unit),
            None => words::value(field, self.inputs().text(field)),
        }
    }

    /// What the calculators of a cell have to say about a field that can be read, but not be used with the others.
    pub(crate) fn problem_at(&self, cell: &Cell, field: &Field) -> Option<String> {
        let answers = cell.calculators.iter().filter_map(|calculator| self.answer_of(calculator.id));
        let problem =
            answers.filter_map(|answer| answer.problem.as_ref()).find(|error| is_about(error, field));
        problem.map(ToString::to_string)
    }

    /// The command that prints the answer of a calculator in a terminal.
    #[must_use]
    pub fn command(&self, id: &str) -> Option<String> {
        napkin_accounting::calc::calculator(id).map(|calculator| words::command(calculator, &self.texts))
    }
}

impl Answer {
    fn renew(&mut self, calculator: &Calculator, inputs: &Inputs) {
        match calculator.answer(inputs) {
            Ok(sheet) => {
                self.moved = self.sheet.as_ref().map_or_else(Moved::new, |before| moved(before, &sheet));
                self.sheet = Some(sheet);
                self.problem = None;
            }
            Err(error) => {
                self.moved = Moved::new();
                self.problem = Some(error);
            }
        }
    }
}

/// Only that text, for reading it by itself.
fn alone(field: &Field, text: &str) -> Inputs {
    Inputs::new(Naming::Label, Texts::new()).with(field, text)
}

pub(crate) fn is_about(error: &Error, about: &Field) -> bool {
    match error {
        Error::Input { field, .. } | Error::Missing { field, .. } | Error::Named { field, .. } => {
            field == about.label
        }
        _ => false,
    }
}
