//! The cell around the reader's step, to take away: as Markdown, as a table, as data.

use napkin_notebook::trace::{Json, Rendering, Value};

use crate::json;
use crate::lecture::Variable;
use crate::listing::{State, listing};
use crate::reader::Reader;

/// A form that a cell is taken away in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Prose, code and values.
    Markdown,
    /// Function, line, name, type and value of what is shown.
    Csv,
    /// The same with shapes and dtypes.
    Json,
    /// A script that runs under PyTorch; the worker writes it.
    Script,
    /// What the page shows of it; a module of the page draws it.
    Picture,
}

impl Form {
    /// All, as the page names them.
    pub const ALL: [(&str, &str, Self); 6] = [
        ("md", "Markdown", Self::Markdown),
        ("csv", "CSV", Self::Csv),
        ("json", "JSON", Self::Json),
        ("py", "PyTorch script", Self::Script),
        ("svg", "Picture (SVG)", Self::Picture),
        ("png", "Picture (PNG)", Self::Picture),
    ];

    /// By the ending of its files.
    #[must_use]
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, ..)| *known == id).map(|(.., form)| form)
    }
}

struct Shown<'a> {
    function: &'a str,
    line: u32,
    name: &'a str,
    value: &'a Value,
}

impl Reader {
    /// File and function of the cell around the step.
    #[must_use]
    pub fn cell(&self) -> Option<(&str, &str)> {
        let course = &self.lecture.course;
        let call = self.lecture.around(self.step).last().map(|entry| entry.call);
        let call = course.calls.get(call.or_else(|| course.call(self.step))?)?;
        Some((&call.path, &call.function))
    }

    /// The text of a file that the cell is taken away as; scripts and pictures are made by others.
    #[must_use]
    pub fn export(&self, form: Form) -> Option<String> {
        match form {
            Form::Markdown => Some(self.markdown()),
            Form::Csv => Some(self.csv()),
            Form::Json => Some(self.data()),
            Form::Script | Form::Picture => None,
        }
    }

    /// What the cell has shown, without what a question still locks.
    fn shown(&self) -> Vec<Shown<'_>> {
        let course = &self.lecture.course;
        let call = self.lecture.around(self.step).last().map(|entry| entry.call);
        let Some(call) = call.or_else(|| course.call(self.step)).and_then(|call| course.calls.get(call))
        else {
            return Vec::new();
        };
        let mut shown = Vec::new();
        for step in (call.first..=call.last).filter_map(|step| self.lecture.step(step)) {
            let Some(place) = step.stack.last() else { continue };
            let (function, line) = (place.function_name.as_str(), place.line_number);
            for (name, value) in &step.env.0 {
                if let Some(value) = value.as_ref().filter(|_| !self.is_locked(place, line, name)) {
                    shown.push(Shown { function, line, name, value });
                }
            }
        }
        shown
    }

    fn csv(&self) -> String {
        let mut out = "function,line,name,type,value\r\n".to_owned();
        for Shown { function, line, name, value } in self.shown() {
            let cells = [function, &line.to_string(), name, &value.kind, &words(&value.contents)].map(cell);
            out.push_str(&cells.join(","));
            out.push_str("\r\n");
        }
        out
    }

    fn data(&self) -> String {
        let one = |Shown { function, line, name, value }: Shown| -> Json {
            let shape = value.shape.as_deref().map_or(Json::Null, |shape| {
                shape.iter().map(|size| Json::Int(i64::try_from(*size).unwrap_or(i64::MAX))).collect()
            });
            let dtype = value.dtype.as_deref().map_or(Json::Null, Json::from);
            let fields = [
                ("function", function.into()),
                ("line", Json::Int(line.into())),
                ("name", name.into()),
                ("type", value.kind.as_str().into()),
                ("dtype", dtype),
                ("shape", shape),
                ("contents", value.contents.clone()),
            ];
            fields.into_iter().collect()
        };
        json::write(&self.shown().into_iter().map(one).collect::<Json>())
    }

    fn markdown(&self) -> String {
        let around = self.lecture.around(self.step);
        let call = around.last().map(|entry| entry.call);
        let step = call.and_then(|call| self.lecture.course.own_until(call, usize::MAX).last().copied());
        let step = step.unwrap_or(self.step);
        let Some(place) = self.lecture.place(step) else { return String::new() };
        let source = self.lecture.source(&place.path);
        let title = around.last().map_or(place.function_name.as_str(), |entry| entry.title.as_str());
        let (mut out, mut code) = (format!("# {title}\n\n"), String::new());
        let prose = |it: &&Rendering| it.kind == "markdown";
        for statement in listing(&self.lecture, step, false) {
            let texts: Vec<&str> =
                statement.drawings.iter().copied().filter(prose).filter_map(|it| it.data.text()).collect();
            if texts.is_empty() {
                for line in statement.first..=statement.last {
                    code.push_str(source.map_or("", |source| source.line(line)));
                    code.push('\n');
                }
                let is_run = statement.state == State::Passed || statement.state == State::Current;
                for Variable { name, value, line } in statement.values.iter().filter(|_| is_run) {
                    if !self.is_locked(place, *line, name) {
                        code.push_str(&format!("    # {name} = {}\n", words(&value.contents)));
                    }
                }
            } else {
                fence(&mut code, &mut out);
                out.push_str(texts.join("\n").trim());
                out.push_str("\n\n");
            }
        }
        fence(&mut code, &mut out);
        out
    }
}

/// Puts code between fences, if there is any.
fn fence(code: &mut String, out: &mut String) {
    let text = std::mem::take(code);
    if !text.trim().is_empty() {
        out.push_str(&format!("```python\n{}\n```\n\n", text.trim_end().trim_start_matches('\n')));
    }
}

fn words(contents: &Json) -> String {
    contents.text().map_or_else(|| json::write(contents), str::to_owned)
}

/// A cell of a table.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
