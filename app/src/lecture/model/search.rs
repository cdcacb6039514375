//! What a reader looks for: titles, prose and code.

use std::collections::HashSet;

use napkin_trace::trace::Json;

use super::lecture::Lecture;
use super::outline::Part;
use super::source::Source;

/// A place that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The step that it leads to.
    pub step: usize,
    /// The part that it is in, by number, and its title.
    pub part: usize,
    pub title: String,
    /// What was found, with some of what is around it.
    pub excerpt: String,
}

/// More are of no use to anybody.
const MOST: usize = 30;

/// Where all words of a text occur: titles first, then prose, then code, each in the order of the lecture. Without words,
/// the contents.
pub fn search(lecture: &Lecture, words: &str) -> Vec<Hit> {
    let words: Vec<String> = folded(words).split_whitespace().map(str::to_owned).collect();
    let has_all = |title: &str| words.iter().all(|word| folded(title).contains(word));
    let parts = lecture.parts.iter().enumerate().skip(1).filter(|(_, part)| has_all(&part.title));
    let titles = parts.map(|(part, Part { title, .. })| {
        let (step, title) = (lecture.first_stop(Some(part)), title.clone());
        Hit { step, part, title, excerpt: String::new() }
    });
    if words.is_empty() {
        return titles.collect();
    }
    let mut seen: HashSet<(&str, u32)> = HashSet::new();
    let lines = lecture.trace.steps.iter().enumerate().filter_map(|(number, step)| {
        let place = step.stack.last()?;
        let (source, line) = (lecture.source(&place.path)?, lecture.line(place));
        if seen.contains(&(&*place.path, line)) {
            return None;
        }
        let prose: Vec<String> = step.renderings.iter().flat_map(|it| texts(&it.data)).collect();
        let is_prose = !prose.is_empty() && source.is_call(line);
        // Where a part has no lines, other parts stand in place of its code.
        let is_shown = if is_prose { lecture.is_inside(number) } else { lecture.progress(number).lines > 0 };
        if !is_shown {
            return None;
        }
        seen.insert((&place.path, line));
        let text = if is_prose {
            unmarked(&prose.join(" "))
        } else {
            let (first, last) = source.statement(line);
            (first..=last).map(|line| undirected(source, line)).collect::<Vec<_>>().join(" ")
        };
        let (excerpt, part) = (excerpt(&text, &words)?, lecture.part_at(number));
        let title = lecture.parts.get(part).map_or(&place.path, |part| &part.title).clone();
        Some((is_prose, Hit { step: number, part, title, excerpt }))
    });
    let (prose, code): (Vec<_>, Vec<_>) = lines.partition(|(is_prose, _)| *is_prose);
    titles.chain(prose.into_iter().chain(code).map(|(_, hit)| hit)).take(MOST).collect()
}

/// Prose without the commonest marks of Markdown. A star between two spaces, or two letters, is a product.
fn unmarked(text: &str) -> String {
    let text: Vec<char> = text.replace("**", "").replace(['`', '#'], "").chars().collect();
    let is_mark = |at: usize| {
        let before = at.checked_sub(1).map_or(' ', |at| text[at]);
        let after = text.get(at + 1).copied().unwrap_or(' ');
        let begins = before.is_whitespace() || "(“\"".contains(before);
        let ends = after.is_whitespace() || ")”\".,;:!?".contains(after);
        text[at] == '*' && begins != ends
    };
    (0..text.len()).filter(|at| !is_mark(*at)).map(|at| text[at]).collect()
}

fn texts(data: &Json) -> Vec<String> {
    match data {
        Json::String(text) => vec![text.clone()],
        Json::Array(items) => items.iter().flat_map(texts).collect(),
        // An answer is found by whoever gives it.
        Json::Object(items) => items.iter().filter(|it| it.0 != "why").flat_map(|it| texts(it.1)).collect(),
        _ => Vec::new(),
    }
}

/// A line of code without what it says to the page.
fn undirected(source: &Source, line: u32) -> &str {
    let end = source.shown(line).last().map_or(0, |(_, place)| place.end);
    source.line(line)[..end].trim()
}

/// In small letters, letter by letter, so that places agree.
fn folded(text: &str) -> String {
    text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect()
}

/// What is around the first of the words, if all of them are there.
fn excerpt(text: &str, words: &[String]) -> Option<String> {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = folded(&plain);
    let plain: Vec<char> = plain.chars().collect();
    if !words.iter().all(|word| lower.contains(word.as_str())) {
        return None;
    }
    let at = lower.find(words.first()?.as_str()).map_or(0, |at| lower[..at].chars().count());
    let (from, to) = (at.saturating_sub(40), (at + 80).min(plain.len()));
    let cut: String = plain[from..to].iter().collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < plain.len() { "…" } else { "" });
    Some(format!("{before}{}{after}", cut.trim()))
}
