//! Lines of Python in colours.

use napkin_accounting::escaped;
use napkin_trace::notebook::as_ipython;
use napkin_trace::trace::StackElement;

use super::model::{Kind, Lecture, Source, is_typed};

/// Lines of the function of a place, as HTML, with their numbers as the editor counts them.
pub fn html_of(
    lecture: &Lecture,
    place: &StackElement,
    (first, last): (u32, u32),
    is_raw: bool,
) -> Vec<(u32, String)> {
    let Some(source) = lecture.source(&place.path) else { return Vec::new() };
    let function = source.function(&place.function_name, first);
    let base = function.map_or(0, |function| {
        let def = source.line(function.def);
        let header = def.len() - def.trim_start().len();
        // Where a title stands for the line of `def`, the body begins at the margin.
        let is_part = lecture.parts.iter().any(|part| part.function == function.name);
        if is_part && !is_raw && first > function.def { header + 4 } else { header }
    });
    let before = function.map_or(0, |function| lecture.lines_before(&place.path, function));
    let is_own = function.is_some_and(|it| is_typed(&place.path, &it.name));
    let html = |line: u32| {
        let typed = as_ipython(source.line(line)).filter(|_| is_own && !is_raw);
        typed.map_or_else(|| line_html(source, line, base, is_raw), |typed| escaped(typed.trim_start()))
    };
    (first..=last).map(|line| (line.saturating_sub(before), html(line))).collect()
}

/// A function of a file, as HTML, with its lines' numbers as the editor counts them.
pub fn html_of_function(lecture: &Lecture, path: &str, name: &str, first: u32) -> Vec<(u32, String)> {
    let Some(source) = lecture.source(path) else { return Vec::new() };
    let Some(function) = source.functions.iter().find(|it| it.first == first && it.name == name) else {
        return Vec::new();
    };
    let before = lecture.lines_before(path, function);
    (first..=function.last).map(|line| (line - before, line_html(source, line, 0, false))).collect()
}

/// A line as HTML, without the first `base` columns of its indentation; with its directives only if `is_raw`. Its text
/// is escaped: all markup is ours. One string for a line, since a cell has hundreds of tokens that never change.
fn line_html(source: &Source, number: u32, base: usize, is_raw: bool) -> String {
    let text = source.line(number);
    let tokens = if is_raw { source.tokens(number).to_vec() } else { source.shown(number) };
    // A string goes on at the beginning of its line, wherever its function stands.
    let mut at = base.min(text.len() - text.trim_start_matches([' ', '\t']).len());
    let mut html = String::new();
    for (kind, place) in tokens {
        if place.start > at {
            html += &escaped(&text[at..place.start]);
        }
        let token = escaped(&text[place.start.max(at)..place.end]);
        html += &match kind {
            Kind::Plain => token,
            Kind::Keyword => format!("<span class=\"k\">{token}</span>"),
            Kind::Call => format!("<span class=\"f\">{token}</span>"),
            Kind::Text => format!("<span class=\"s\">{token}</span>"),
            Kind::Number => format!("<span class=\"n\">{token}</span>"),
            Kind::Comment => format!("<span class=\"c\">{token}</span>"),
            Kind::Decorator => format!("<span class=\"d\">{token}</span>"),
        };
        at = place.end;
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_never_cut_inside_a_character() {
        let source = Source::new("def f():\n    \"\"\"A\n\u{3000}\u{3000}wide\n    \"\"\"\n");
        let lines: Vec<String> = (1..=4).map(|line| line_html(&source, line, 4, true)).collect();
        assert!(lines[2].contains("\u{3000}\u{3000}wide"), "{lines:?}");
        assert!(lines[1].starts_with("<span"), "the indentation is left out: {lines:?}");
    }
}
