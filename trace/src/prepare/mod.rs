//! What whoever makes a trace reads and checks for whoever shows it.

mod markdown;
mod mathml;

use napkin_accounting::calc::{Inputs, Naming, calculator, start_texts};

use crate::trace::{Drawing, Json, Question, Rendering};

/// Reads the Markdown of a rendering and checks what it asks a calculator; the trace keeps what comes of it.
///
/// # Errors
/// A sentence, if a calculator is unknown or refuses its options; it is in the rendering, too.
pub fn prepare(rendering: &mut Rendering) -> Result<(), String> {
    let mut checked = Ok(());
    rendering.prepared = match rendering.drawing() {
        Some(Drawing::Markdown(text)) => markdown::tree(&text),
        Some(Drawing::Card(card)) => {
            let whys = card.choices.into_iter().map(|choice| choice.why);
            std::iter::once(card.text).chain(whys).map(|text| markdown::tree(&text)).collect()
        }
        Some(Drawing::Calculator(question)) => {
            checked = check(&question.which, &question);
            Json::Null
        }
        Some(Drawing::Count(question)) => {
            checked = check(&format!("count-{}", question.which), &question);
            Json::Null
        }
        _ => Json::Null,
    };
    if let Err(error) = &checked {
        rendering.prepared = serde_json::json!({ "error": error });
    }
    checked
}

/// Whether a calculator is one, and takes what it is given.
fn check(id: &str, question: &Question) -> Result<(), String> {
    let answer = || {
        let texts = start_texts(id, &question.options)?;
        calculator(id).map_or(Ok(()), |one| one.answer(&Inputs::new(Naming::Option, texts)).map(drop))
    };
    answer().map_err(|error: napkin_accounting::Error| error.to_string())
}
