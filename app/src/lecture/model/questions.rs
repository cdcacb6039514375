//! What the reader is asked before it is shown, and how good the answer is.

use napkin_trace::trace::{Card, Drawing, Json, Map, Prediction, StackElement, Value};

use super::lecture::Lecture;
use super::source::MODULE;
use crate::components::Verdict;

/// A question that has an answer in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// `function.name`: what its answer is kept by.
    pub id: String,
    pub path: String,
    pub prediction: Prediction,
    /// The right answer, as a reader would write it.
    pub answer: String,
}

/// What a reader can answer or solve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What is kept of it is kept by: the id of a question, the text of a card, the function of an exercise.
    pub id: String,
    /// The part that it is in, by number.
    pub part: usize,
    /// The file of an exercise.
    pub exercise: Option<String>,
    /// What is asked, and the same as a tree of prose.
    pub text: String,
    pub tree: Json,
}

/// The most by which the number may be off to be right.
const TENTH: f64 = 0.1;

impl Question {
    /// Whether it is asked in the function of a place.
    pub fn is_in(&self, place: &StackElement) -> bool {
        let own = match self.prediction.function_name.as_str() {
            "" => MODULE,
            name => name,
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
        let guess = number(guess).ok_or_else(|| match guess {
            "" => "Write a number: 72, 1.5e9 or 70B".to_owned(),
            _ => format!("“{guess}” is not a number: write 72, 1.5e9 or 70B"),
        })?;
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

/// A number as people write it: `1e9`, `1 000`, `1_000`, `70B`.
pub fn number(text: &str) -> Option<f64> {
    let text = text.replace(|c: char| c.is_whitespace() || c == '_' || c == ',', "");
    let suffixes = [("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("B", 1e9), ("T", 1e12)];
    let scaled = suffixes.into_iter().find_map(|(suffix, scale)| Some((text.strip_suffix(suffix)?, scale)));
    let (digits, scale) = scaled.unwrap_or((&text, 1.0));
    digits.parse::<f64>().ok().map(|number| number * scale).filter(|number| number.is_finite())
}

/// The questions that can be asked: whose variable the trace shows, and one of whose choices is right. Where a line has
/// failed, the answer is that of `before`.
pub fn questions(lecture: &Lecture, before: &[Question]) -> Vec<Question> {
    let all = lecture.trace.predictions.iter().flat_map(|(path, all)| all.iter().map(move |it| (path, it)));
    let question = |(path, prediction): (&String, &Prediction)| {
        let Prediction { line_number: line, function_name, name, choices, .. } = prediction;
        let (first, last) = lecture.source(path).map_or((*line, *line), |source| source.statement(*line));
        let value = lecture.trace.steps.iter().find_map(|step| {
            let place = step.stack.last()?;
            let is_there = (first..=last).contains(&place.line_number) && place.path == *path;
            let value = if is_there { step.env.get(name).or_else(|| step.changed.get(name)) } else { None };
            value?.as_ref()
        });
        let id = if function_name.is_empty() { name.clone() } else { format!("{function_name}.{name}") };
        let known = || before.iter().find(|it| it.id == id && it.path == *path).map(|it| it.answer.clone());
        let answer = match value {
            Some(value) => right(value, choices)?,
            // What a reader has deleted is asked no more.
            None => known()
                .filter(|_| lecture.source(path).is_some_and(|it| it.line(*line).contains("@predict")))?,
        };
        Some(Question { id, path: path.clone(), prediction: prediction.clone(), answer })
    };
    all.filter_map(question).collect()
}

/// All that can be answered or solved, in no order.
pub fn tasks(lecture: &Lecture) -> Vec<Task> {
    let asked = lecture.questions.iter().filter_map(|Question { id, path, prediction, .. }| {
        let part = lecture.parts.iter().position(|part| part.is_of(path, &prediction.function_name))?;
        let text = prediction.question.clone();
        Some(Task { id: id.clone(), part, exercise: None, text, tree: Json::Null })
    });
    let cards = drawn_cards(lecture).filter_map(|(step, Card { text, choices, function, .. }, prepared)| {
        let is_asked = choices.iter().any(|it| it.is_right == Some(true));
        let exercise = function.as_ref().and_then(|_| Some(lecture.place(step)?.path.clone()));
        let id = function.or_else(|| is_asked.then(|| text.clone()))?;
        let tree = prepared.get(0).cloned().unwrap_or_default();
        Some(Task { id, part: lecture.part_at(step), exercise, text, tree })
    });
    asked.chain(cards).collect()
}

/// The cards of a part, with their prose as trees: of one that a loop draws again, the last.
pub fn cards(lecture: &Lecture, part: usize) -> Vec<(Card, Json)> {
    let drawn = drawn_cards(lecture).filter(|(step, ..)| lecture.part_at(*step) == part);
    let by_text: Map<_> =
        drawn.map(|(_, card, prepared)| (card.text.clone(), (card, prepared.clone()))).collect();
    by_text.into_values().collect()
}

/// What a lecture notes for whoever speaks on a part, with its prose as a tree: of a note that a loop draws again, one.
pub fn notes_of(lecture: &Lecture, part: usize) -> Vec<(String, Json)> {
    let steps = lecture.trace.steps.iter().enumerate().filter(|(step, _)| lecture.part_at(*step) == part);
    let notes = steps.flat_map(|(_, step)| &step.renderings).filter(|it| it.kind == "note");
    let notes: Map<_> =
        notes.filter_map(|it| Some((it.data.as_str()?.to_owned(), it.prepared.clone()))).collect();
    notes.into_iter().collect()
}

/// Cards with the steps that drew them.
fn drawn_cards(lecture: &Lecture) -> impl Iterator<Item = (usize, Card, &Json)> {
    let steps = lecture.trace.steps.iter().enumerate();
    let drawn = steps.flat_map(|(number, step)| step.renderings.iter().map(move |it| (number, it)));
    drawn.filter(|(_, it)| it.kind == "card").filter_map(|(number, rendering)| match rendering.drawing()? {
        Drawing::Card(card) => Some((number, card, &rendering.prepared)),
        _ => None,
    })
}

/// The right answer: of choices that which reads as the value does.
fn right(value: &Value, choices: &[String]) -> Option<String> {
    let written = match &value.contents {
        Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
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
