//! Answers as files.

use napkin_accounting::calc::{Calculator, Document, Inputs, Sheet, to_markdown};

use crate::drawing;

/// In which form an answer is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Assumptions, tables, remarks and the derivation.
    Markdown,
    /// Every result with all digits.
    Csv,
    /// One object, as the terminal prints it.
    Json,
    /// The charts.
    Svg,
}

/// The width of a chart that is a file.
const WIDTH: f64 = 760.0;

/// A file to save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// Its name.
    pub name: String,
    /// Its type.
    pub mime: &'static str,
    /// What it holds.
    pub text: String,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Markdown, Self::Csv, Self::Json, Self::Svg];

    /// Its name in the page, which is the end of a file's name too.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Svg => "svg",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Svg => "SVG",
        }
    }

    const fn mime(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
            Self::Svg => "image/svg+xml",
        }
    }
}

/// The files of an answer: one, but for charts, of which each is a file.
pub(crate) fn exports(calculator: &Calculator, inputs: &Inputs, sheet: &Sheet, form: Form) -> Vec<Export> {
    let file = |name: &str, text| Export {
        name: format!("napkin-{}{name}.{}", calculator.id, form.id()),
        mime: form.mime(),
        text,
    };
    let text = match form {
        Form::Markdown => to_markdown(calculator, inputs, sheet),
        Form::Csv => sheet.to_csv(),
        Form::Json => {
            serde_json::to_string_pretty(&Document { calculator, inputs, sheet }).unwrap_or_default()
        }
        Form::Svg => {
            let charts = sheet.parts.iter().filter_map(|part| {
                Some(file(&format!("-{}", part.id), drawing::drawing(calculator.id, part, WIDTH)?))
            });
            return charts.collect();
        }
    };
    vec![file("", text)]
}
