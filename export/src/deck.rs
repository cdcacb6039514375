//! The questions of a lecture as notes for Anki: <https://docs.ankiweb.net/importing/text-files.html>.

use std::collections::{BTreeMap, BTreeSet};

use napkin_python::Source;
use napkin_trace::trace::{Card, Choice, Drawing, Json, Rendering, StackElement, Trace};
use ruff_python_parser::parse_module;

use crate::file::{code_until, function, title};
use crate::markdown::written;
use crate::script::cells;

/// A note; fields are HTML.
struct Note {
    /// `check`, `slip`, `predict` or `remember`.
    kind: &'static str,
    front: String,
    back: String,
}

/// A file for *File → Import*: the guid of each note, its front, its back, its tags. A guid is made of the cell's name and a
/// number, so that a note is updated where its sentences have changed.
pub(crate) fn deck(trace: &Trace, main: &str) -> String {
    let lecture = main.trim_end_matches(".py");
    let name = trace.files.get(main).and_then(|text| title(parse_module(text).ok()?.suite()));
    let name = name.as_deref().and_then(|name| name.split(':').next()).unwrap_or(lecture);
    let mut out = format!(
        "#separator:tab\n#html:true\n#notetype:Basic\n#deck:{}\n#columns:guid\tFront\tBack\tTags\n#guid column:1\n#tags column:4\n",
        name.replace(['\t', '\n'], " ")
    );
    let mut counts = BTreeMap::new();
    for (cell, Note { kind, front, back }) in notes(trace, main) {
        let count = counts.entry((cell.clone(), kind)).or_insert(0);
        *count += 1;
        let guid = format!("{lecture}/{cell}/{kind}-{count}");
        // Spaces part tags.
        let tag = lecture.replace(char::is_whitespace, "_");
        let fields = [guid, front, back, format!("napkin::{tag}::{cell} napkin::{kind}")];
        out += &(fields.map(|field| field_of(&field)).join("\t") + "\n");
    }
    out
}

/// A field in quotes, which may have several lines.
fn field_of(text: &str) -> String {
    format!("\"{}\"", text.replace('\t', " ").replace('"', "\"\""))
}

/// The notes with the cells that they are of, in the order of the lecture.
fn notes(trace: &Trace, main: &str) -> Vec<(String, Note)> {
    let files: Vec<_> = trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let parts: BTreeMap<(String, String), String> = cells(&files, main)
        .into_iter()
        .filter_map(|(path, name)| {
            let title = title(&function(&parse_module(trace.files.get(&path)?).ok()?, &name)?.body)?;
            Some(((path, name), title))
        })
        .collect();
    let sources: Vec<_> = files.iter().map(|(path, text)| (*path, Source::new((*text).to_owned()))).collect();
    let (mut notes, mut known) = (Vec::new(), BTreeSet::new());
    for step in &trace.steps {
        let part = |it: &StackElement| parts.get_key_value(&(it.path.clone(), it.function_name.clone()));
        let Some(((_, cell), title)) = step.stack.iter().rev().find_map(part) else { continue };
        let predicted = step.stack.last().and_then(|place| {
            let (_, source) = sources.iter().find(|(path, _)| *path == place.path)?;
            let lines = place.line_number..=place.end_line_number.unwrap_or(place.line_number);
            let mut asked = source.predictions.iter();
            let asked = asked
                .find(|it| it.function_name == place.function_name && lines.contains(&it.line_number))?;
            let value = step.env.get(&asked.name).or_else(|| step.changed.get(&asked.name))?.as_ref()?;
            let choices = list(asked.choices.iter().map(|choice| escaped(choice)));
            let code = code_until(&place.path, &source.text, &place.function_name, asked.line_number)?;
            Some(Note {
                kind: "predict",
                front: format!("<pre>{}</pre><p>{}</p>{choices}", escaped(&code), escaped(&asked.question)),
                back: format!("<p><code>{} = {}</code></p>", asked.name, escaped(&written(value))),
            })
        });
        let drawn = step.renderings.iter().filter_map(|rendering| card(rendering, title));
        for note in predicted.into_iter().chain(drawn) {
            // What a loop asks again is asked once.
            if known.insert((cell.clone(), note.front.clone())) {
                notes.push((cell.clone(), note));
            }
        }
    }
    notes
}

/// What a card asks. What is to be remembered answers the title of its cell.
fn card(rendering: &Rendering, title: &str) -> Option<Note> {
    let Some(Drawing::Card(Card { head, text, choices, function: None })) = rendering.drawing() else {
        return None;
    };
    let prose = |at: usize, text: &str| match rendering.prepared.get(at) {
        Some(tree) => html(tree),
        None => format!("<p>{}</p>", escaped(text)),
    };
    let text = prose(0, &text);
    let whys: Vec<String> =
        choices.iter().enumerate().map(|(at, choice)| prose(at + 1, &choice.why)).collect();
    let whys = whys.iter().zip(&choices);
    Some(match choices.as_slice() {
        [] if head == "Remember" => {
            Note { kind: "remember", front: format!("<p>{}</p>", escaped(title)), back: text }
        }
        [] => return None,
        [_] => Note {
            kind: "slip",
            front: format!("<p><b>{}</b></p>{text}", escaped(&head)),
            back: whys.map(|(why, _)| why.as_str()).collect(),
        },
        _ => {
            let is_right = |choice: &Choice| choice.is_right == Some(true);
            let (right, wrong): (Vec<_>, Vec<_>) = whys.partition(|(_, choice)| is_right(choice));
            let line = |mark: &str, (why, choice): (&String, &Choice)| {
                format!("<p><{mark}>{}</{mark}></p>{why}", escaped(&choice.text))
            };
            let right: String = right.into_iter().map(|it| line("b", it)).collect();
            let wrong: String = wrong.into_iter().map(|it| line("i", it)).collect();
            let offered = list(choices.iter().map(|choice| escaped(&choice.text)));
            Note {
                kind: "check",
                front: format!("{text}{offered}"),
                back: format!("{right}<hr><p>What is tempting about the others:</p>{wrong}"),
            }
        }
    })
}

fn list(choices: impl Iterator<Item = String>) -> String {
    let items: String = choices.map(|choice| format!("<li>{choice}</li>")).collect();
    if items.is_empty() { items } else { format!("<ul>{items}</ul>") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A tree of prose, as whoever made the trace has read it.
fn html(tree: &Json) -> String {
    let Json::Array(items) = tree else { return tree.as_str().map(escaped).unwrap_or_default() };
    let Some((name, rest)) = items.split_first() else { return String::new() };
    let name = name.as_str().unwrap_or_default();
    let given = rest.first().and_then(Json::as_object).into_iter().flatten();
    let given = given.filter_map(|(name, value)| Some(format!(" {name}=\"{}\"", escaped(value.as_str()?))));
    let (given, inner): (String, String) = (given.collect(), rest.iter().map(html).collect());
    match name {
        // A term is explained on the page.
        "" | "dfn" => inner,
        "br" | "hr" => format!("<{name}>"),
        _ => format!("<{name}{given}>{inner}</{name}>"),
    }
}
