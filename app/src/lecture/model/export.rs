//! A cell as a file: as Markdown, as a table, as data.

use napkin_accounting::calc::csv_line;
use napkin_trace::trace::{Drawing, Json, Rendering, StackElement, Value};
use serde::Serialize;

use super::call_tree::Call;
use super::lecture::Lecture;
use super::listing::{State, listing};
use crate::components::plain;

/// A value that a line has shown.
#[derive(Serialize)]
struct Shown<'a> {
    function: &'a str,
    line: u32,
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    dtype: Option<&'a str>,
    shape: Option<&'a [usize]>,
    contents: &'a Json,
}

/// Whether a question about a value is still open: by its place, line and name.
type IsLocked<'a> = &'a dyn Fn(&StackElement, u32, &str) -> bool;

/// What the cell `part` has shown, without what is locked.
fn shown<'a>(lecture: &'a Lecture, part: usize, is_locked: IsLocked) -> Vec<Shown<'a>> {
    let Some(part) = lecture.parts.get(part) else { return Vec::new() };
    let Call { first, last, .. } = lecture.calls.calls[part.call];
    let mut shown = Vec::new();
    for step in &lecture.trace.steps[first..=last] {
        let Some(place) = step.stack.last() else { continue };
        let (function, line) = (place.function_name.as_str(), place.line_number);
        for (name, value) in &step.env {
            let Some(value) = value.as_ref().filter(|_| !is_locked(place, line, name)) else { continue };
            let Value { kind, contents, dtype, shape, .. } = value;
            let (dtype, shape) = (dtype.as_deref(), shape.as_deref());
            shown.push(Shown { function, line, name, kind, dtype, shape, contents });
        }
    }
    shown
}

/// The values of a cell as a table.
pub fn csv(lecture: &Lecture, part: usize, is_locked: IsLocked) -> String {
    let mut out = csv_line(&["function", "line", "name", "type", "value"]);
    for Shown { function, line, name, kind, contents, .. } in shown(lecture, part, is_locked) {
        out += &csv_line(&[function, &line.to_string(), name, kind, &plain(contents)]);
    }
    out
}

/// The values of a cell as data.
pub fn json(lecture: &Lecture, part: usize, is_locked: IsLocked) -> String {
    serde_json::to_string_pretty(&shown(lecture, part, is_locked)).unwrap_or_default()
}

/// What a drawing says in Markdown, without answers.
fn prose(rendering: &Rendering) -> Option<String> {
    match rendering.drawing()? {
        Drawing::Markdown(text) => Some(text),
        Drawing::Card(card) => {
            let choices = card.choices.iter().map(|choice| format!("\n- {}", choice.text));
            Some(format!("**{}.** {}\n{}", card.head, card.text, choices.collect::<String>()))
        }
        // What the file itself has would be as long as it.
        Drawing::Image(address) if address.starts_with("data:") => Some("(a picture)".to_owned()),
        Drawing::Image(address) => Some(format!("![](<{address}>)")),
        Drawing::Link(title) => {
            let to = &rendering.external_link;
            let text = |name: &str| to.get(name).and_then(Json::as_str);
            let address = to.as_str().or_else(|| text("url"))?;
            Some(format!("[{}](<{address}>)", title.as_deref().or_else(|| text("title")).unwrap_or(address)))
        }
        _ => None,
    }
}

/// A cell as prose and code with its values in comments.
pub fn markdown(lecture: &Lecture, part: usize, is_locked: IsLocked) -> String {
    let Some(part) = lecture.parts.get(part) else { return String::new() };
    let Some(place) = lecture.call_place(part.call) else { return String::new() };
    let source = lecture.source(&place.path);
    let (mut out, mut code) = (format!("# {}\n\n", part.title), String::new());
    for statement in listing(lecture, part.call, None, false) {
        let (first, last) = statement.lines;
        let texts: Vec<String> = statement.drawings.iter().filter_map(prose).collect();
        if !texts.is_empty() {
            if statement.is_prose() || !is_locked(place, first, "") {
                out += &format!("{}{}\n\n", fenced(&std::mem::take(&mut code)), texts.join("\n").trim());
            }
            continue;
        }
        code += &source.map_or_else(String::new, |source| source.text(first, last) + "\n");
        let values = statement.values.iter().filter(|_| statement.state == State::Passed);
        for variable in values.filter(|it| !is_locked(place, it.line, &it.name)) {
            code += &format!("    # {} = {}\n", variable.name, plain(&variable.value.contents));
        }
    }
    out + &fenced(&code)
}

/// Code between fences, if there is any.
fn fenced(code: &str) -> String {
    match code.trim_end().trim_start_matches('\n') {
        "" => String::new(),
        code => format!("```python\n{code}\n```\n\n"),
    }
}
