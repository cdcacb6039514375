//! Answers of calculators, as they are before a reader changes anything.

use std::collections::BTreeMap;

use napkin_accounting::calc::{Body, Calculator, Field, Inputs, Kind, Naming, Sheet, calculator};
use napkin_accounting::{Derivation, Input, Source, format};
use napkin_notebook::trace::Json;

use super::mathml;
use crate::number::Python;

/// Calculators and the cells of the workbench that hold them.
const HOMES: [(&str, &str); 16] = [
    ("time", "time"),
    ("size", "size"),
    ("reality", "reality"),
    ("optimal", "optimal"),
    ("tensor", "tensor"),
    ("matmul", "flops"),
    ("roofline", "roofline"),
    ("backward", "backward"),
    ("params", "transformer"),
    ("flops", "transformer"),
    ("memory", "memory"),
    ("linear", "memory"),
    ("kv", "kv"),
    ("parallel", "parallel"),
    ("count-linear", "count"),
    ("count-transformer", "count"),
];

/// Results beside the first.
const MOST_FIGURES: usize = 6;

/// # Errors
/// A sentence that names the calculator, or the option and the rule.
pub(super) fn answer(kind: &str, data: &Json) -> Result<Json, String> {
    let which = data.get("which").and_then(Json::text).unwrap_or_default();
    let id = if kind == "count" { format!("count-{which}") } else { which.to_owned() };
    let home = HOMES.iter().find(|(known, _)| *known == id);
    let (calculator, (_, cell)) =
        calculator(&id).zip(home).ok_or_else(|| format!("there is no calculator {which:?}"))?;
    let texts = read(calculator, data.get("options").map_or(&[][..], Json::entries))?;
    let query = texts.iter().map(|(field, text)| (format!("calc.{}", field.key), Json::from(text.as_str())));
    let query = Json::Object(napkin_notebook::trace::Map(query.collect()));
    let command =
        texts.iter().fold(calculator.command().to_owned(), |line, (field, text)| match field.kind {
            Kind::Switch if text == "on" => format!("{line} --{}", field.name),
            Kind::Switch => line,
            _ => format!("{line} --{} {text}", field.name),
        });
    let keys: BTreeMap<String, String> =
        texts.into_iter().map(|(field, text)| (field.key.to_owned(), text)).collect();
    let sheet = calculator.answer(&Inputs::new(Naming::Option, keys)).map_err(|error| error.to_string())?;
    let remarks = sheet.remarks.iter().map(|remark| Json::from(remark.text.as_str())).collect();
    Ok([
        ("title", calculator.title.into()),
        ("cell", (*cell).into()),
        ("query", query),
        ("command", command.into()),
        ("figures", figures(&sheet)),
        ("remarks", remarks),
        ("steps", sheet.headline().map(|headline| steps(headline)).unwrap_or_default()),
    ]
    .into_iter()
    .collect())
}

/// The texts that are typed into the fields.
fn read(
    calculator: &Calculator,
    options: &[(String, Json)],
) -> Result<Vec<(&'static Field, String)>, String> {
    let one = |(name, value): &(String, Json)| {
        let name = name.replace('_', "-");
        let is_it = |field: &&&Field| field.name == name || field.aliases.contains(&name.as_str());
        let field = calculator.fields.iter().find(is_it).copied();
        let field = field.ok_or_else(|| format!("{} has no option --{name}", calculator.id))?;
        let text = match value {
            Json::Bool(flag) => if *flag { "on" } else { "off" }.to_owned(),
            Json::Int(value) => value.to_string(),
            Json::Float(value) => Python::Float(*value).exact(),
            Json::Text(text) => text.clone(),
            _ => return Err(format!("--{name} must be a number, a text, True or False")),
        };
        Ok((field, text))
    };
    options.iter().map(one).collect()
}

/// The first result, and those that stand beside it by themselves.
fn figures(sheet: &Sheet) -> Json {
    let beside = sheet.parts.iter().filter_map(|part| match &part.body {
        Body::Figures(figures) => Some(figures),
        _ => None,
    });
    let headline = sheet.headline();
    let mut names: Vec<&str> = Vec::new();
    let all = headline.into_iter().chain(beside.flatten()).filter(|figure| {
        let is_new = !names.contains(&figure.name);
        names.push(figure.name);
        is_new
    });
    all.take(MOST_FIGURES)
        .map(|figure| {
            let entries = [
                ("title", Json::from(&*figure.title)),
                ("short", figure.short().into()),
                ("exact", figure.exact().into()),
            ];
            entries.into_iter().collect::<Json>()
        })
        .collect()
}

/// Every step to a number, with what it is given there first.
fn steps(of: &Derivation) -> Json {
    let mut told: Vec<&str> = Vec::new();
    let step = |step: &Derivation| {
        let new: Vec<&Input> =
            step.inputs().into_iter().filter(|input| !told.contains(&input.name)).collect();
        told.extend(new.iter().map(|input| input.name));
        let given = |input: &&Input| {
            Json::from(format!("{} = {}", input.title, format::full(input.value, input.unit)))
        };
        let sources = step.sources.iter().chain(new.iter().flat_map(|input| &input.sources));
        let entries = [
            ("title", Json::from(&*step.title)),
            ("math", mathml::read(&step.to_mathml()).unwrap_or_default()),
            ("given", new.iter().map(given).collect()),
            ("sources", sources.map(cited).collect()),
        ];
        entries.into_iter().collect::<Json>()
    };
    of.in_order().into_iter().map(step).collect()
}

fn cited(source: &Source) -> Json {
    let title = Json::from(source.title.as_str());
    if source.url.is_empty() {
        return title;
    }
    let address = [("href", Json::from(source.url.as_str()))].into_iter().collect();
    [Json::from("a"), address, title].into_iter().collect()
}
