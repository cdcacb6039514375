//! Options of a calculator as a program names them, such as `show.calculator("time", params="70B")`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{CALCULATORS, Calculator, Inputs, Naming, OF_RECORDS, calculator};
use crate::{Error, Result};

/// The texts that options put into the fields of a calculator that can answer with them, by the fields' keys. Options are called as in the
/// terminal, with underscores for hyphens if the caller's language has no hyphens in names.
///
/// # Errors
/// A sentence about an unknown calculator or option, a value that is none, or one that the calculator refuses.
pub fn start_texts(id: &str, options: &Map<String, Value>) -> Result<BTreeMap<String, String>> {
    let calculator = calculator(id).ok_or_else(|| unknown("calculator", id, &ids()))?;
    let texts = options.iter().map(|(name, value)| start_text(calculator, name, value));
    let texts: BTreeMap<String, String> = texts.collect::<Result<_>>()?;
    calculator.answer(&Inputs::new(Naming::Option, texts.clone()))?;
    Ok(texts)
}

fn start_text(calculator: &Calculator, name: &str, value: &Value) -> Result<(String, String)> {
    let option = name.replace('_', "-");
    let field = calculator.field(&option).ok_or_else(|| {
        unknown("option", &option, &calculator.fields.iter().map(|field| field.name).collect::<Vec<_>>())
    })?;
    let text = match value {
        Value::Bool(is_on) => if *is_on { "on" } else { "off" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        other => {
            return Err(Error::input(
                &format!("--{option}"),
                "a number, a text, True or False",
                &other.to_string(),
            ));
        }
    };
    Ok((field.key.to_owned(), text))
}

fn ids() -> Vec<&'static str> {
    CALCULATORS.iter().chain(OF_RECORDS).map(|calculator| calculator.id).collect()
}

fn unknown(kind: &'static str, got: &str, known: &[&str]) -> Error {
    Error::Unknown { kind, got: format!("{got:?}"), known: format!("known are {}", known.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(id: &str, options: &Value) -> Result<BTreeMap<String, String>> {
        start_texts(id, options.as_object().unwrap())
    }

    #[test]
    fn options_become_texts_of_fields() {
        let options = json!({"params": "70B", "gpus": 1024.0, "sparse": true, "mfu": 0.5, "tokens": 15e12});
        let time = texts("time", &options).unwrap();
        let inputs = Inputs::new(Naming::Label, time.clone());
        for field in calculator("time").unwrap().fields.iter().filter(|field| time.contains_key(field.key)) {
            assert_eq!(inputs.check(field), Ok(()), "{}: {}", field.key, time[field.key]);
        }
        assert_eq!((time["params"].as_str(), time["sparse"].as_str()), ("70B", "on"));
        assert_eq!(texts("kv", &json!({"dtype": "fp8", "seq_len": 8192})).unwrap()["cache-dtype"], "fp8");
    }

    #[test]
    fn what_there_is_not_is_said() {
        let sentence = |id, options| texts(id, &options).unwrap_err().to_string();
        assert!(sentence("nothing", json!({})).contains("time, size"));
        assert!(sentence("time", json!({"bananas": 1})).contains("\"bananas\"; known are model, params"));
        assert!(sentence("time", json!({"gpus": [8]})).contains("--gpus must be a number"));
    }
}
