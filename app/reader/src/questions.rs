//! What the reader is asked before it is shown, and how good the answer is.

use napkin_accounting::decimal;
use napkin_notebook::trace::{Json, Map, Prediction, StackElement, Trace, Value};

use crate::source::Source;

/// A question that has an answer in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// `function.name`: what its answer is kept by.
    pub id: String,
    /// The file.
    pub path: String,
    /// What is asked, about what.
    pub prediction: Prediction,
    /// The right answer, as a reader would write it.
    pub answer: String,
}

/// How good a guess is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The right choice, or the number to within a tenth.
    Right,
    /// A number of the right order of magnitude: off by less than ten times.
    Near,
    /// Neither.
    Wrong,
    /// The reader asked to be shown.
    Shown,
}

impl Verdict {
    const ALL: [(Self, &'static str); 4] =
        [(Self::Right, "right"), (Self::Near, "near"), (Self::Wrong, "wrong"), (Self::Shown, "shown")];

    /// What it is kept as.
    #[must_use]
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, id)| id)
    }

    /// What was kept.
    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == id).map(|(verdict, _)| *verdict)
    }
}

/// The most by which the number may be off to be right.
const TENTH: f64 = 0.1;

impl Question {
    /// Whether it is asked in the function of a place.
    #[must_use]
    pub fn is_in(&self, place: &StackElement) -> bool {
        let own = if self.prediction.function_name.is_empty() {
            "<module>"
        } else {
            &self.prediction.function_name
        };
        self.path == place.path && own == place.function_name
    }

    /// Judges a guess.
    ///
    /// # Errors
    /// With a sentence, if a number is asked for and the guess is none.
    pub fn judge(&self, guess: &str) -> Result<Verdict, String> {
        if !self.prediction.choices.is_empty() {
            let is_right = guess == self.answer;
            return Ok(if is_right { Verdict::Right } else { Verdict::Wrong });
        }
        let guess =
            number(guess).ok_or_else(|| format!("“{guess}” is not a number: write 72, 1.5e9 or 70B"))?;
        let answer = number(&self.answer).unwrap_or(f64::NAN);
        let ratio = guess / answer;
        Ok(if guess == answer || (ratio - 1.0).abs() <= TENTH {
            Verdict::Right
        } else if ratio > 0.1 && ratio < 10.0 {
            Verdict::Near
        } else {
            Verdict::Wrong
        })
    }
}

/// A number as people write it: `1e9`, `1 000`, `70B`.
#[must_use]
pub fn number(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let (digits, scale) = match text.chars().last()? {
        'k' | 'K' => (&text[..text.len() - 1], 1e3),
        'M' => (&text[..text.len() - 1], 1e6),
        'G' | 'B' => (&text[..text.len() - 1], 1e9),
        'T' => (&text[..text.len() - 1], 1e12),
        _ => (&text[..], 1.0),
    };
    decimal::read(digits).map(|number| number * scale).filter(|number| number.is_finite())
}

/// The questions that can be asked: whose variable the trace shows, and one of whose choices is right.
pub(crate) fn questions(trace: &Trace, sources: &Map<Source>) -> Vec<Question> {
    let mut found = Vec::new();
    for (path, predictions) in &trace.predictions.0 {
        for prediction in predictions {
            let value = answer(trace, path, prediction, sources.get(path));
            let Some(answer) = value.and_then(|value| right(value, &prediction.choices)) else { continue };
            let function = &prediction.function_name;
            let id = if function.is_empty() {
                prediction.name.clone()
            } else {
                format!("{function}.{}", prediction.name)
            };
            found.push(Question { id, path: path.clone(), prediction: prediction.clone(), answer });
        }
    }
    found
}

fn answer<'a>(
    trace: &'a Trace,
    path: &str,
    prediction: &Prediction,
    source: Option<&Source>,
) -> Option<&'a Value> {
    trace.steps.iter().find_map(|step| {
        let place = step.stack.last().filter(|place| place.path == path)?;
        let line = source.map_or(place.line_number, |source| source.statement(place.line_number).0);
        let is_there =
            line == source.map_or(prediction.line_number, |it| it.statement(prediction.line_number).0);
        let value = || step.env.get(&prediction.name).or_else(|| step.changed.get(&prediction.name));
        is_there.then(value)??.as_ref()
    })
}

/// The right answer: of choices that which reads as the value does.
fn right(value: &Value, choices: &[String]) -> Option<String> {
    let written = match &value.contents {
        Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Json::Int(whole) => whole.to_string(),
        Json::Float(real) => decimal::shortest(*real),
        Json::Text(text) => text.clone(),
        _ => return None,
    };
    if choices.is_empty() {
        return number(&written).map(|_| written);
    }
    let is_same = |choice: &&String| {
        let numbers = number(choice).zip(number(&written));
        **choice == written || numbers.is_some_and(|(choice, value)| choice == value)
    };
    choices.iter().find(is_same).cloned()
}
