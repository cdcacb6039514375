//! What a reader looks for: titles, prose and code.

use napkin_notebook::trace::Json;

use crate::contents::Entry;
use crate::lecture::Lecture;

/// A place that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Where it leads.
    pub step: usize,
    /// The cell that it is in.
    pub title: String,
    /// What was found, with some of what is around it.
    pub excerpt: String,
}

/// More are of no use to anybody.
const MOST: usize = 30;
/// Characters on each side of what was found.
const AROUND: usize = 40;

/// Where all words of a text occur: titles first, then prose and code in the order of the lecture. Without words, the
/// contents.
#[must_use]
pub fn search(lecture: &Lecture, words: &str) -> Vec<Hit> {
    let words: Vec<String> = folded(words).split_whitespace().map(str::to_owned).collect();
    let mut hits = Vec::new();
    for entry in &lecture.contents {
        titles(lecture, entry, &words, &mut hits);
    }
    if words.is_empty() {
        return hits;
    }
    let mut seen: Vec<(&str, u32)> = Vec::new();
    for (number, step) in lecture.trace.steps.iter().enumerate() {
        if hits.len() >= MOST {
            break;
        }
        let Some(place) = step.stack.last() else { continue };
        let title = || {
            // What stands outside of every function has the name of its file.
            let own = if place.function_name == "<module>" { &place.path } else { &place.function_name };
            lecture.around(number).last().map_or_else(|| own.clone(), |it| it.title.clone())
        };
        let mut push = |text: &str| {
            if let Some(excerpt) = excerpt(text, &words) {
                hits.push(Hit { step: number, title: title(), excerpt });
            }
        };
        let line = lecture.line(place);
        if seen.contains(&(&place.path, line)) {
            continue;
        }
        seen.push((&place.path, line));
        let prose: Vec<String> = step.renderings.iter().flat_map(|it| texts(&it.data)).collect();
        let source = lecture.source(&place.path);
        if prose.is_empty() || !source.is_some_and(|source| source.is_call(line)) {
            let (first, last) = source.map_or((line, line), |source| source.statement(line));
            let code = (first..=last).map(|line| source.map_or("", |source| undirected(source.line(line))));
            push(&code.collect::<Vec<_>>().join(" "));
        } else {
            push(&unmarked(&prose.join(" ")));
        }
    }
    hits.truncate(MOST);
    hits
}

fn titles(lecture: &Lecture, entry: &Entry, words: &[String], hits: &mut Vec<Hit>) {
    let title = folded(&entry.title);
    if words.iter().all(|word| title.contains(word)) {
        let step = lecture.course.landing(entry.call);
        hits.push(Hit { step, title: entry.title.clone(), excerpt: String::new() });
    }
    entry.cells.iter().for_each(|cell| titles(lecture, cell, words, hits));
}

fn texts(data: &Json) -> Vec<String> {
    match data {
        Json::Text(text) => vec![text.clone()],
        Json::List(items) => items.iter().flat_map(texts).collect(),
        Json::Object(items) => items.0.iter().flat_map(|(_, item)| texts(item)).collect(),
        _ => Vec::new(),
    }
}

/// A line of code without what it says to the page.
fn undirected(line: &str) -> &str {
    line.split("# @").next().unwrap_or(line).trim()
}

/// Prose without the marks of Markdown: stars, but for those between two words or two blanks, back-ticks, and what begins
/// a heading.
fn unmarked(text: &str) -> String {
    let letters: Vec<char> = text.chars().filter(|&c| c != '`').collect();
    let near = |at: Option<usize>| at.and_then(|at| letters.get(at)).copied().unwrap_or(' ');
    let is_kept = |at: usize, c: char| {
        let (before, after) = (near(at.checked_sub(1)), near(Some(at + 1)));
        let are_both = |rule: fn(char) -> bool| rule(before) && rule(after);
        match c {
            '*' => are_both(char::is_alphanumeric) || are_both(char::is_whitespace),
            '#' => after != '#' && after != ' ',
            _ => true,
        }
    };
    letters.iter().enumerate().filter(|&(at, &c)| is_kept(at, c)).map(|(_, &c)| c).collect()
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
    let (from, to) = (at.saturating_sub(AROUND), (at + 2 * AROUND).min(plain.len()));
    let cut: String = plain[from..to].iter().collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < plain.len() { "…" } else { "" });
    Some(format!("{before}{}{after}", cut.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_found_without_its_marks() {
        let marked = "## Why **bytes** *matter*: `a*b`, 2 * 3 and *two words*. # Next";
        assert_eq!(unmarked(marked).trim(), "Why bytes matter: a*b, 2 * 3 and two words.  Next");
        let words = vec!["matter".to_owned()];
        assert_eq!(excerpt(&unmarked("So *much* matters."), &words).as_deref(), Some("So much matters."));
    }
}
