//! A cell as a script that runs by itself under PyTorch and prints what the cell shows.

use std::collections::BTreeSet;
use std::fmt::Write;

use napkin_python::{Definition, Program, Source, bodies};
use napkin_trace::trace::{Json, REST, Step, Trace, Value};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange, TextSize};

/// What draws: PyTorch knows nothing of it.
const NOTEBOOK: &str = "napkin";
/// Its calls beside those of `show`.
const CALLS: [&str; 6] = ["check", "exercise", "remember", "slip", "text", "try_this"];

/// The script of a function of a program. `files` are pairs of path and text as in a trace, `arguments` the names of its
/// parameters and what was given for them, as Python writes it.
///
/// # Errors
/// With a sentence if there is no such function, or it cannot stand by itself.
pub fn script(
    files: &[(&str, &str)],
    path: &str,
    function: &str,
    arguments: &[(String, String)],
) -> Result<String, String> {
    check_names(files.iter().copied())?;
    // What only draws is gone before it is asked what a function needs: so no script has the solution of an exercise.
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, printing(text))).collect();
    let program = Program::new(files.iter().map(|(path, text)| (*path, text.as_str())));
    let reach = program.reach(path, function).ok_or_else(|| {
        format!("{function} does not stand by itself: it uses what the rest of the program may change")
    })?;
    if reach.is_empty() {
        return Err(format!("{path} defines no function {function}"));
    }
    let (mut imports, mut rest) = (BTreeSet::new(), Vec::new());
    for definition in program.in_order(reach) {
        match import(&definition, &program) {
            Some(lines) => imports.extend(lines),
            None => rest.push(definition),
        }
    }
    // A line that renames stands behind what it renames.
    let (renames, imports): (Vec<String>, Vec<String>) =
        imports.into_iter().partition(|line| !line.contains("import "));
    for (at, definition) in rest.iter().enumerate() {
        if let Some(other) =
            rest[..at].iter().find(|other| other.name == definition.name && *other != definition)
        {
            return Err(format!("{} and {} both define {}", other.path, definition.path, other.name));
        }
    }
    let imports = if imports.is_empty() { None } else { Some(imports.join("\n")) };
    let texts: Vec<String> = imports.into_iter().chain(rest.into_iter().map(|it| it.text)).collect();
    let mut script = joined(&texts) + "\n";
    for line in &renames {
        let _ = writeln!(script, "\n{line}");
    }
    let given: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let _ = write!(script, "\n\nif __name__ == \"__main__\":\n    {function}({})\n", given.join(", "));
    Ok(script)
}

/// Definitions one below the other: lines close together, what is longer apart.
pub(crate) fn joined(texts: &[String]) -> String {
    let mut out = String::new();
    for (at, text) in texts.iter().enumerate() {
        let is_short = |text: &String| !text.contains('\n');
        let is_close = at > 0 && is_short(text) && is_short(&texts[at - 1]);
        out += if at == 0 {
            ""
        } else if is_close {
            "\n"
        } else {
            "\n\n\n"
        };
        out += text;
    }
    out
}

/// The functions of a lecture that a page has titles for, by path and name.
#[must_use]
pub fn cells(files: &[(&str, &str)], main: &str) -> Vec<(String, String)> {
    Program::new(files.iter().copied()).cells(main)
}

/// What a function was called with when it was traced first, as Python writes it.
///
/// # Errors
/// With a sentence if it was not called, or took what is no plain value.
pub fn arguments(trace: &Trace, path: &str, function: &str) -> Result<Vec<(String, String)>, String> {
    let is_there = |step: &&Step| {
        step.stack.last().is_some_and(|place| place.path == path && place.function_name == function)
    };
    let Some(step) = trace.steps.iter().find(is_there) else {
        let within = if trace.truncated { " within the steps that a trace holds" } else { "" };
        return Err(format!("{function} in {path} did not run{within}"));
    };
    let given = step.changed.iter().map(|(name, value)| {
        let literal = value.as_ref().and_then(literal);
        let literal = literal.ok_or_else(|| {
            format!("{function} takes {name} from another cell: it is no number and no whole text that a script could begin with")
        })?;
        Ok((name.clone(), literal))
    });
    given.collect()
}

pub(crate) fn literal(value: &Value) -> Option<String> {
    Some(match (value.kind.as_str(), &value.contents) {
        // The trace has the beginning of it.
        (_, Json::String(text)) if text.ends_with(REST) => return None,
        ("NoneType", _) => "None".to_owned(),
        ("bool", Json::Bool(true)) => "True".to_owned(),
        ("bool", Json::Bool(false)) => "False".to_owned(),
        ("int", Json::Number(value)) => value.to_string(),
        ("int", Json::String(digits)) => digits.clone(),
        ("float", Json::Number(value)) => format!("{:?}", value.as_f64()?),
        ("float", Json::String(name)) => format!("float(\"{name}\")"),
        // JSON's texts are Python's, too.
        ("str", Json::String(text)) => Json::from(text.as_str()).to_string(),
        _ => return None,
    })
}

/// The lines in the place of an import: none for what draws, and for what is written out.
pub(crate) fn import(definition: &Definition, program: &Program) -> Option<Vec<String>> {
    let parsed = parse_module(&definition.text).ok()?;
    match parsed.suite().as_slice() {
        [Stmt::Import(_)] => Some(vec![definition.text.clone()]),
        [Stmt::ImportFrom(it)] => {
            let module = it.module.as_ref().map(ToString::to_string).unwrap_or_default();
            if module == NOTEBOOK {
                return Some(Vec::new());
            }
            if !program.has(&module) {
                return Some(vec![definition.text.clone()]);
            }
            let renamed = it.names.iter().filter_map(|alias| {
                let bound = alias.asname.as_ref().filter(|bound| bound.as_str() == definition.name)?;
                Some(format!("{bound} = {}", alias.name))
            });
            Some(renamed.collect())
        }
        _ => None,
    }
}

/// A change of a text.
struct Change {
    range: TextRange,
    text: String,
}

/// A text without what draws and without directives; what these ask to show is printed.
pub(crate) fn printing(text: &str) -> String {
    undirected(text, true)
}

/// The same, where `prints` says whether anything is printed.
pub(crate) fn undirected(text: &str, prints: bool) -> String {
    let Ok(parsed) = parse_module(text) else { return text.to_owned() };
    let source = Source::new(text.to_owned());
    let mut changes = Vec::new();
    visit(parsed.suite(), text, prints.then_some(&source), &mut changes);
    for token in parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Comment) {
        if let Some(at) = Source::directive(&text[token.range()]) {
            let before = &text[..token.start().to_usize() + at];
            let kept = before.trim_end_matches(['#', ' ', '\t']);
            let start = TextSize::try_from(kept.len()).unwrap_or(token.start());
            changes.push(Change { range: TextRange::new(start, token.end()), text: String::new() });
        }
    }
    // Whatever lies within another change goes with it; of those at one place the later one stands behind.
    changes.sort_by_key(|change| (change.range.start(), std::cmp::Reverse(change.range.end())));
    let (mut out, mut at) = (String::new(), TextSize::new(0));
    for Change { range, text: new } in changes {
        if range.start() < at {
            continue;
        }
        out += &text[TextRange::new(at, range.start())];
        out += &new;
        at = range.end();
    }
    out += &text[at.to_usize()..];
    out.truncate(out.trim_end().len());
    out
}

fn visit(body: &[Stmt], text: &str, source: Option<&Source>, changes: &mut Vec<Change>) {
    let is_empty = body.iter().all(draws);
    for (at, statement) in body.iter().enumerate() {
        let line_start = text[..statement.start().to_usize()].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[statement.end().to_usize()..]
            .find('\n')
            .map_or(text.len(), |at| statement.end().to_usize() + at);
        let range = |from: usize, to: usize| match (TextSize::try_from(from), TextSize::try_from(to)) {
            (Ok(from), Ok(to)) => TextRange::new(from, to),
            _ => statement.range(),
        };
        if draws(statement) {
            let (before, after) = (
                &text[line_start..statement.start().to_usize()],
                &text[statement.end().to_usize()..line_end],
            );
            if !before.trim().is_empty() || !matches!(after.trim_start().as_bytes(), [] | [b'#', ..]) {
                // Another statement stands on its line, and stays.
                changes.push(Change { range: statement.range(), text: "pass".to_owned() });
                continue;
            }
            let indent = &text[line_start..statement.start().to_usize()];
            // One line keeps a body from being none.
            let new = if is_empty && at == 0 { format!("{indent}pass\n") } else { String::new() };
            let whole = range(line_start, text.len().min(line_end + 1));
            changes.push(Change { range: whole, text: new });
            continue;
        }
        let inner = bodies(statement);
        if inner.is_empty() {
            let line = text[..statement.start().to_usize()].matches('\n').count() + 1;
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let shown = source.map(|source| source.inspected(line)).unwrap_or_default();
            let indent = &text[line_start..statement.start().to_usize()];
            let prints: String =
                shown.iter().map(|name| format!("\n{indent}print(\"{name} =\", {name})")).collect();
            if !prints.is_empty() && indent.trim().is_empty() {
                // Behind the line, or before what leaves it.
                let (place, prints) = if statement.is_return_stmt() {
                    (line_start, prints[1..].to_owned() + "\n")
                } else {
                    (line_end, prints)
                };
                changes.push(Change { range: range(place, place), text: prints });
            }
        }
        for body in inner {
            visit(body, text, source, changes);
        }
    }
}

/// `text(…)`, `check(…)`, `show.plot(…)`
pub(crate) fn draws(statement: &Stmt) -> bool {
    let Stmt::Expr(it) = statement else { return false };
    let Expr::Call(call) = &*it.value else { return false };
    match &*call.func {
        Expr::Name(name) => CALLS.contains(&name.id.as_str()),
        Expr::Attribute(it) => it.value.as_name_expr().is_some_and(|name| name.id.as_str() == "show"),
        _ => false,
    }
}

/// Refuses what would be taken for drawing, or for none.
pub(crate) fn check_names<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), String> {
    for (path, text) in files {
        let Ok(parsed) = parse_module(text) else { continue };
        for statement in parsed.suite() {
            let name = match statement {
                Stmt::FunctionDef(it) => Some(it.name.as_str()),
                Stmt::ClassDef(it) => Some(it.name.as_str()),
                Stmt::Import(it) if it.names.iter().any(|alias| alias.name.as_str() == NOTEBOOK) => {
                    return Err(format!("{path} imports {NOTEBOOK} whole: import what draws by its name"));
                }
                Stmt::ImportFrom(it) if it.module.as_ref().is_some_and(|module| module == NOTEBOOK) => {
                    if let Some(alias) = it.names.iter().find(|alias| alias.asname.is_some()) {
                        return Err(format!("{path} gives {} of {NOTEBOOK} another name", alias.name));
                    }
                    None
                }
                _ => None,
            };
            if let Some(name) = name.filter(|name| CALLS.contains(name) || *name == "show") {
                return Err(format!(
                    "{path} defines {name}, which is what a lecture draws with: give it another name"
                ));
            }
        }
    }
    Ok(())
}
