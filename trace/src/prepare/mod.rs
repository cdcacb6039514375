//! What whoever makes a trace reads and checks for whoever shows it.

mod markdown;
mod mathml;
mod terms;

use napkin_accounting::calc::{Inputs, Naming, calculator, start_texts};

use crate::trace::{Drawing, Json, Question, Rendering};

/// Reads the Markdown of a rendering and checks what it asks a calculator; the trace keeps what comes of it.
///
/// # Errors
/// A sentence, if a calculator is unknown or refuses its options; it is in the rendering, too.
pub fn prepare(rendering: &mut Rendering) -> Result<(), String> {
    let prepared = match rendering.drawing() {
        Some(Drawing::Markdown(text)) => Ok(markdown::tree(&text)),
        Some(Drawing::Card(card)) => {
            let whys = card.choices.into_iter().map(|choice| choice.why);
            Ok(std::iter::once(card.text).chain(whys).map(|text| markdown::tree(&text)).collect())
        }
        Some(Drawing::Calculator(question)) => check(&question.which, &question),
        Some(Drawing::Count(question)) => check(&format!("count-{}", question.which), &question),
        _ => Ok(Json::Null),
    };
    rendering.prepared = prepared.clone().unwrap_or_else(|error| serde_json::json!({ "error": error }));
    prepared.map(drop)
}

/// Whether a calculator is one, and takes what it is given: then there is nothing to say.
fn check(id: &str, question: &Question) -> Result<Json, String> {
    let answer = || {
        let texts = start_texts(id, &question.options)?;
        calculator(id).map(|one| one.answer(&Inputs::new(Naming::Option, texts))).transpose()
    };
    answer().map(|_| Json::Null).map_err(|error: napkin_accounting::Error| error.to_string())
}
