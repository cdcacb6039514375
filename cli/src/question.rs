//! A calculator of accounting as a command: its fields are the options, so that the page and the terminal ask for the same,
//! and its answer is printed in the form that was asked for.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum, value_parser};
use napkin_accounting::calc::{
    Calculator, Choice, Document, Field, Inputs, Kind, Naming, RemarkKind, Sheet, fields, to_markdown,
};
use napkin_accounting::{Derivation, Error};
use serde::Serialize;

use crate::failure::Failure;
use crate::output;

/// A calculator with what was typed for it.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) calculator: &'static Calculator,
    texts: BTreeMap<String, String>,
    /// Fields that were typed by another name.
    spelt: Vec<(&'static Field, &'static str)>,
    config: Option<PathBuf>,
    of: Option<String>,
    explain: Option<Explain>,
    form: Form,
}

/// An answer with whatever else belongs to it.
#[derive(Serialize)]
struct Answer<'a, More> {
    #[serde(flatten)]
    document: Document<'a>,
    #[serde(flatten)]
    more: Option<More>,
}

/// How a derivation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Explain {
    Text,
    Markdown,
    Tex,
    Mathml,
    Python,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Tables,
    Json,
    Markdown,
    Csv,
}

const FORMS: [(&str, &str, Form); 3] = [
    ("json", "Print one JSON object: value, unit, inputs, derivation, sources, every result", Form::Json),
    ("markdown", "Print Markdown, with the derivation in TeX", Form::Markdown),
    ("csv", "Print every result with all digits, separated by commas", Form::Csv),
];

impl Question {
    /// What was typed after that command.
    pub(crate) fn new(calculator: &'static Calculator, matches: &ArgMatches) -> Self {
        let mut texts = BTreeMap::new();
        for field in calculator.fields {
            let text = match field.kind {
                Kind::Switch => matches.get_flag(field.name).then(|| "on".to_owned()),
                _ => matches.get_one::<String>(field.name).cloned(),
            };
            texts.extend(text.map(|text| (field.key.to_owned(), text)));
        }
        let has_config = calculator.fields.iter().any(|field| matches!(field.kind, Kind::Model));
        let python = matches.get_flag("python").then_some(Explain::Python);
        let form =
            FORMS.iter().find(|(name, _, _)| matches.get_flag(name)).map_or(Form::Tables, |form| form.2);
        let spelt = calculator.fields.iter().filter(|field| texts.contains_key(field.key));
        let spelt = spelt.filter_map(|field| Some((*field, alias(field)?))).collect();
        Self {
            calculator,
            texts,
            spelt,
            config: if has_config { matches.get_one::<PathBuf>("config").cloned() } else { None },
            of: matches.get_one::<String>("of").cloned(),
            explain: matches.get_one::<Explain>("explain").copied().or(python),
            form,
        }
    }

    /// As accounting reads it.
    pub(crate) fn inputs(&self) -> Result<Inputs, Failure> {
        let (mut texts, mut spelt) = (self.texts.clone(), self.spelt.clone());
        if let Some(path) = &self.config {
            let model = self.calculator.fields.iter().find(|field| matches!(field.kind, Kind::Model));
            let model = model.copied().unwrap_or(&fields::MODEL);
            texts.insert(model.key.to_owned(), read_config(path)?);
            spelt.push((model, "config"));
        }
        let inputs = Inputs::new(Naming::Option, texts);
        Ok(spelt.into_iter().fold(inputs, |inputs, (field, option)| inputs.spelt(field, option)))
    }

    /// Prints the answer, remarks to standard error; `more` belongs to the JSON object.
    pub(crate) fn print(
        &self,
        inputs: &Inputs,
        sheet: &Sheet,
        more: Option<impl Serialize>,
    ) -> Result<(), Failure> {
        let chosen = match &self.of {
            None => sheet.headline(),
            Some(name) => {
                Some(sheet.figures().into_iter().find(|figure| figure.name == name).ok_or_else(|| {
                    let names: Vec<&str> = sheet.figures().iter().map(|figure| figure.name).collect();
                    Error::input("--of", format!("one of {}", names.join(", ")), name)
                })?)
            }
        };
        let assumed = inputs.assumed(self.calculator);
        if !assumed.is_empty() {
            let assumed: Vec<String> =
                assumed.iter().map(|field| format!("--{} {}", field.name, field.default)).collect();
            output::note(&format!("note: assumed {}", assumed.join(", ")));
        }
        remark(sheet);
        let explained = self.explain.zip(chosen).map(|(how, figure)| explain(how, figure));
        let text = match (self.form, explained) {
            (Form::Json, _) => {
                let document = Document { calculator: self.calculator, inputs, sheet };
                return output::print_json(&Answer { document, more });
            }
            (Form::Markdown, _) => to_markdown(self.calculator, inputs, sheet),
            (Form::Csv, _) => sheet.to_csv(),
            (Form::Tables, Some(explained)) if self.explain != Some(Explain::Text) => explained + "\n",
            (Form::Tables, explained) => {
                tables(sheet) + &explained.map_or_else(String::new, |explained| format!("\n{explained}\n"))
            }
        };
        output::print(&text)
    }
}

/// An answer for people: its remarks on standard error, the tables as text.
pub(crate) fn tell(sheet: &Sheet) -> String {
    remark(sheet);
    tables(sheet)
}

fn remark(sheet: &Sheet) {
    for remark in &sheet.remarks {
        let word = if remark.kind == RemarkKind::Warning { "warning" } else { "note" };
        output::note(&format!("{word}: {}", remark.text));
    }
}

fn tables(sheet: &Sheet) -> String {
    let mut text = String::new();
    for block in sheet.to_blocks() {
        if !text.is_empty() {
            text += "\n";
        }
        if !block.title.is_empty() {
            text += &format!("{}\n", block.title);
        }
        let columns: Vec<&str> = block.columns.iter().map(String::as_str).collect();
        text += &output::table(&columns, &block.rows);
    }
    text
}

fn explain(how: Explain, figure: &Derivation) -> String {
    match how {
        Explain::Text => figure.to_text(),
        Explain::Markdown => figure.to_markdown(),
        Explain::Tex => figure.to_tex(),
        Explain::Mathml => {
            let steps = figure.in_order();
            steps.iter().map(|step| step.to_mathml()).collect::<Vec<_>>().join("\n")
        }
        Explain::Python => figure.to_python(),
    }
}

fn read_config(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("--config: cannot read {}: {error}", path.display())))?;
    // Some editors begin a file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}').trim().to_owned();
    if text.starts_with('{') {
        return Ok(text);
    }
    Err(Failure::Usage(format!("--config: {} is no JSON object", path.display())))
}

/// By which of its other names a field was typed, which clap does not tell.
fn alias(field: &Field) -> Option<&'static str> {
    let args: Vec<String> = std::env::args_os().filter_map(|arg| arg.into_string().ok()).collect();
    let options = || args.iter().filter_map(|arg| arg.strip_prefix("--")?.split('=').next());
    field.aliases.iter().find(|name| options().any(|option| option == **name)).copied()
}

/// Choices for completion; accounting reads what was typed, and says what is wrong.
#[derive(Clone)]
struct Offered(&'static [Choice]);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|choice| PossibleValue::new(choice.id))))
    }
}

/// The command that asks for a calculator's fields.
pub(crate) fn command_of(name: &'static str, calculator: &'static Calculator) -> Command {
    let about = format!("{}\n\nExample: {}", calculator.about, calculator.example);
    let mut command = Command::new(name).about(calculator.about).long_about(about);
    command = command.args(calculator.fields.iter().map(|field| option_of(field)));
    if calculator.fields.iter().any(|field| matches!(field.kind, Kind::Model)) {
        command = command.arg(
            Arg::new("config")
                .long("config")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with(fields::MODEL.name)
                .help("Take the model from a Hugging Face config.json"),
        );
    }
    command = command
        .arg(
            Arg::new("explain")
                .long("explain")
                .value_name("FORM")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("text")
                .value_parser(value_parser!(Explain))
                .help("Show the derivation with all sources: text, markdown, tex, mathml or python"),
        )
        .arg(
            Arg::new("python")
                .long("python")
                .action(ArgAction::SetTrue)
                .conflicts_with("explain")
                .help("Print Python that computes the same digits"),
        )
        .arg(
            Arg::new("of")
                .long("of")
                .value_name("RESULT")
                .help("The result to derive, by its name in --json; the first unless told otherwise"),
        );
    command.args(FORMS.map(|(name, help, _)| {
        let others = FORMS.iter().map(|(other, _, _)| *other).filter(move |other| *other != name);
        let arg = Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
        let arg = arg.conflicts_with_all(["python", "explain"]);
        others.fold(arg, Arg::conflicts_with)
    }))
}

fn option_of(field: &'static Field) -> Arg {
    let mut help = field.help.to_owned();
    if let Some(first) = help.get(..1) {
        help = first.to_uppercase() + &help[1..];
    }
    let arg = Arg::new(field.name).long(field.name).visible_aliases(field.aliases.iter().copied());
    let arg = match field.kind {
        Kind::Switch => return arg.help(help).action(ArgAction::SetTrue),
        Kind::Choice(choices) => {
            let ids: Vec<&str> = choices.iter().map(|choice| choice.id).collect();
            help += &format!(": {}", ids.join(", "));
            arg.value_parser(Offered(choices)).hide_possible_values(true).allow_hyphen_values(true)
        }
        _ => arg.allow_hyphen_values(true),
    };
    if !field.default.is_empty() {
        help += &format!(" [{}]", field.default);
    }
    arg.help(help).value_name(value_name(field.kind))
}

fn value_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Number(_) => "NUMBER",
        Kind::Choice(_) | Kind::Text | Kind::Switch => "WHICH",
        Kind::Device | Kind::Devices | Kind::Model | Kind::Link => "ID",
        _ => "VALUE",
    }
}
