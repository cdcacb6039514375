//! What a function of a program can come to: its own text, and that of every definition whose name leads there.
//!
//! It is read off the text, by names: more than what runs, never less, unless a program looks names up by themselves. What
//! does that, or changes what others see, has no reach.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use napkin_trace::notebook::{is_cell, is_notebook};
use napkin_trace::python::CellName;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::parse_module;
use ruff_source_file::{LineIndex, LineRanges};
use ruff_text_size::{Ranged, TextRange};

use crate::notebook;

/// Who has these names in its hands may change or read what is not its own.
const FAR: [&str; 16] = [
    "globals",
    "exec",
    "eval",
    "setattr",
    "delattr",
    "vars",
    "importlib",
    "__import__",
    "__dict__",
    "sys",
    "inspect",
    "set_printoptions",
    "set_default_dtype",
    "set_num_threads",
    "seterr",
    "setrecursionlimit",
];

/// A definition of a file, as it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The file.
    pub path: String,
    /// What it defines.
    pub name: String,
    /// All its lines.
    pub text: String,
    /// Its lines, counted from 1.
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A definition and what it names.
struct Known {
    definition: Definition,
    names: BTreeSet<String>,
    /// Of what something is assigned or deleted.
    changed: BTreeSet<String>,
    is_far: bool,
}

/// `from module import name as bound`; without a name, the module itself.
#[derive(Clone)]
pub(crate) struct Import {
    pub(crate) bound: String,
    module: String,
    name: Option<String>,
}

/// What a file defines.
#[derive(Default)]
pub(super) struct File {
    known: Vec<Known>,
    /// The definitions, here or elsewhere, of which some statement here changes an attribute or an element.
    changed: BTreeSet<String>,
    imports: Vec<Import>,
    /// What each function calls by a statement of its own, and has a docstring.
    calls: BTreeMap<String, Vec<String>>,
    documented: BTreeSet<String>,
    /// Functions that take nothing.
    bare: BTreeSet<String>,
}

/// The files of a program, by what they define.
pub struct Program {
    files: BTreeMap<String, Rc<File>>,
    /// Functions that are cells even without a docstring.
    untitled: Vec<CellName>,
}

impl Program {
    /// Files by path and text; what is not Python defines nothing.
    pub fn new<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        Self::of(files.map(|(path, text)| (path.to_owned(), Rc::new(File::new(path, text)))).collect())
    }

    /// Files by path that have been read.
    pub(super) fn of(files: BTreeMap<String, Rc<File>>) -> Self {
        Self { files, untitled: Vec::new() }
    }

    /// The same where these functions are cells even if they have no docstring.
    pub(crate) fn with_cells(self, untitled: Vec<CellName>) -> Self {
        Self { untitled, ..self }
    }

    /// Whether a cell can run before its time: it takes nothing, and all that it can come to is known. One of a notebook
    /// needs what those before it have left.
    pub(super) fn is_alone(&self, path: &str, function: &str) -> bool {
        self.files.get(path).is_some_and(|file| file.bare.contains(function))
            && !is_notebook(path)
            && self.reach(path, function).is_some()
    }

    /// The functions that a page has titles for, by path and name: those with a docstring that `main` calls, and those
    /// that these call.
    pub fn cells(&self, main: &str) -> Vec<(String, String)> {
        let mut cells = Vec::new();
        for section in self.called(main, "main") {
            let inner = self.called(&section.0, &section.1);
            cells.push(section);
            cells.extend(inner);
        }
        cells
    }

    /// `main`, and the sections whose cells are called one by one.
    pub(crate) fn callers_of_cells(&self, main: &str) -> Vec<CellName> {
        let sections = self.called(main, "main").into_iter();
        let sections = sections.filter(|(path, name)| !self.called(path, name).is_empty());
        // What calls no cells ends at its first error.
        let main = (main.to_owned(), "main".to_owned());
        let all =
            Some(main).filter(|(path, name)| !self.called(path, name).is_empty()).into_iter().chain(sections);
        all.map(|(path, function)| CellName { path, function }).collect()
    }

    fn called(&self, path: &str, function: &str) -> Vec<(String, String)> {
        let calls = self.files.get(path).and_then(|file| file.calls.get(function));
        let places = calls.into_iter().flatten().filter_map(|name| self.find(path, name));
        places
            .filter(|(path, name)| {
                self.files.get(path).is_some_and(|file| file.documented.contains(name))
                    || (is_notebook(path) && is_cell(name))
                    || self.untitled.iter().any(|it| it.path == *path && it.function == *name)
            })
            .collect()
    }

    /// Where a name of a file is defined.
    pub fn find(&self, path: &str, name: &str) -> Option<(String, String)> {
        let file = self.files.get(path)?;
        for import in file.imports.iter().filter(|import| import.bound == name) {
            if let (Some(path), Some(name)) = (self.path(&import.module), &import.name) {
                return Some((path, name.clone()));
            }
        }
        let is_here = file.known.iter().any(|known| known.definition.name == name);
        is_here.then(|| (path.to_owned(), name.to_owned()))
    }

    /// The program's file of a module.
    fn path(&self, module: &str) -> Option<String> {
        let stem = module.replace('.', "/");
        [format!("{stem}.py"), format!("{stem}/__init__.py")]
            .into_iter()
            .find(|path| self.files.contains_key(path))
    }

    /// Whether a module is one of the program's files.
    pub fn has(&self, module: &str) -> bool {
        self.path(module).is_some()
    }

    /// Definitions in an order in which they can be made: those of a file after those of the files that it imports.
    pub fn in_order(&self, mut definitions: Vec<Definition>) -> Vec<Definition> {
        let mut order = Vec::new();
        for path in self.files.keys() {
            self.visit(path, &mut order, &mut BTreeSet::new());
        }
        let place = |it: &Definition| (order.iter().position(|path| *path == it.path), it.first);
        definitions.sort_by_key(place);
        definitions
    }

    fn visit(&self, path: &str, order: &mut Vec<String>, seen: &mut BTreeSet<String>) {
        if order.iter().any(|known| known == path) || !seen.insert(path.to_owned()) {
            return;
        }
        let imports = self.files.get(path).map(|file| file.imports.as_slice()).unwrap_or_default();
        for path in imports.iter().filter_map(|import| self.path(&import.module)) {
            self.visit(&path, order, seen);
        }
        order.push(path.to_owned());
    }

    /// The definitions that a function may come to, itself among them, in the order of files and lines; none if it cannot be
    /// told.
    pub fn reach(&self, path: &str, function: &str) -> Option<Vec<Definition>> {
        let is_changed = |name: &String| self.files.values().any(|file| file.changed.contains(name));
        let mut reached: BTreeMap<(String, u32, String), Definition> = BTreeMap::new();
        let mut open = vec![(path.to_owned(), function.to_owned())];
        while let Some((path, name)) = open.pop() {
            let file = self.files.get(&path)?;
            for known in file.known.iter().filter(|known| known.definition.name == name) {
                let definition = &known.definition;
                if known.is_far || is_changed(&name) {
                    return None;
                }
                let key = (path.clone(), definition.first, name.clone());
                if reached.insert(key, definition.clone()).is_some() {
                    continue;
                }
                for name in &known.names {
                    open.push((path.clone(), name.clone()));
                }
            }
            for import in file.imports.iter().filter(|import| import.bound == name) {
                if let Some(path) = self.path(&import.module) {
                    // Of a module as a whole, anything may be used.
                    open.push((path, import.name.clone()?));
                }
            }
        }
        Some(reached.into_values().collect())
    }
}

impl File {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let readable = is_notebook(path).then(|| notebook::readable(text, |_, _, _| ()));
        let text = readable.as_deref().unwrap_or(text);
        let mut file = Self::default();
        let Ok(parsed) = parse_module(text) else { return file };
        let lines = LineIndex::from_source_text(text);
        let line = |at| u32::try_from(lines.line_index(at).get()).unwrap_or(u32::MAX);
        for statement in parsed.suite() {
            let mut names = Names::default();
            names.visit_stmt(statement);
            let bound: Vec<String> = match statement {
                Stmt::FunctionDef(function) => {
                    let name = function.name.to_string();
                    let called = function.body.iter().filter_map(called).collect();
                    file.calls.insert(name.clone(), called);
                    if is_documented(&function.body) {
                        file.documented.insert(name.clone());
                    }
                    if function.parameters.is_empty() {
                        file.bare.insert(name.clone());
                    }
                    vec![name]
                }
                Stmt::ClassDef(class) => vec![class.name.to_string()],
                Stmt::Import(_) | Stmt::ImportFrom(_) => {
                    names.imports.iter().map(|import| import.bound.clone()).collect()
                }
                _ => {
                    // What is no constant may change while the program runs.
                    names.is_far |= !matches!(statement, Stmt::Assign(it) if it.value.is_literal_expr());
                    names.stored.iter().cloned().collect()
                }
            };
            let (first, last) = (line(statement.start()), line(statement.end()));
            let range = match statement {
                // A directive behind the last line is part of it.
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {
                    TextRange::new(statement.start(), text.line_end(statement.end()))
                }
                _ => statement.range(),
            };
            for name in bound {
                let (path, text) = (path.to_owned(), text[range].to_owned());
                let definition = Definition { path, name, text, first, last };
                let Names { loaded: names, changed, is_far, .. } = names.clone();
                file.known.push(Known { definition, names, changed, is_far });
            }
            file.imports.append(&mut names.imports);
        }
        let shared: BTreeSet<String> = file.known.iter().map(|known| known.definition.name.clone()).collect();
        for known in &mut file.known {
            let changed: BTreeSet<_> = known.changed.intersection(&shared).cloned().collect();
            known.is_far |= !changed.is_empty();
            file.changed.extend(changed);
        }
        let renamed = file.imports.iter().filter(|import| file.changed.contains(&import.bound));
        let renamed: Vec<_> = renamed.filter_map(|import| import.name.clone()).collect();
        file.changed.extend(renamed);
        file
    }
}

/// Whether a body begins with a text.
fn is_documented(body: &[Stmt]) -> bool {
    matches!(body.first(), Some(Stmt::Expr(it)) if it.value.is_string_literal_expr())
}

/// The function that a statement does nothing but call: `f()`, `x = f()` and `return f()`.
pub(crate) fn called(statement: &Stmt) -> Option<String> {
    let value = match statement {
        Stmt::Expr(it) => &it.value,
        Stmt::Assign(it) => &it.value,
        Stmt::Return(it) => it.value.as_ref()?,
        _ => return None,
    };
    let Expr::Call(call) = &**value else { return None };
    call.func.as_name_expr().map(|name| name.id.to_string())
}

/// The names in a statement.
#[derive(Default, Clone)]
pub(crate) struct Names {
    pub(crate) loaded: BTreeSet<String>,
    pub(crate) stored: BTreeSet<String>,
    /// Of whose attributes or elements something is assigned or deleted.
    changed: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    is_far: bool,
}

impl<'a> Visitor<'a> for Names {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Global(_) => self.is_far = true,
            Stmt::Import(it) => {
                for alias in &it.names {
                    let module = alias.name.to_string();
                    let first = module.split('.').next().unwrap_or_default().to_owned();
                    let bound = alias.asname.as_ref().map_or(first, ToString::to_string);
                    self.imports.push(Import { bound, module, name: None });
                }
            }
            Stmt::ImportFrom(it) => {
                let module = it.module.as_ref().map(ToString::to_string).unwrap_or_default();
                for alias in &it.names {
                    let name = alias.name.to_string();
                    // What a relative import or a star brings cannot be told from here.
                    self.is_far |= it.level > 0 || name == "*";
                    let bound = alias.asname.as_ref().map_or_else(|| name.clone(), ToString::to_string);
                    self.imports.push(Import { bound, module: module.clone(), name: Some(name) });
                }
            }
            _ => walk_stmt(self, statement),
        }
        let far = |import: &Import| FAR.contains(&import.module.as_str());
        self.is_far |= self.imports.iter().any(far);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.is_far |= FAR.contains(&name.id.as_str());
                let names = if name.ctx.is_load() { &mut self.loaded } else { &mut self.stored };
                names.insert(name.id.to_string());
            }
            Expr::Attribute(it) => {
                self.is_far |= FAR.contains(&it.attr.as_str());
                if !it.ctx.is_load() {
                    self.changed.extend(root(&it.value));
                }
            }
            Expr::Subscript(it) if !it.ctx.is_load() => self.changed.extend(root(&it.value)),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The names that statements read, and those that they assign.
pub fn names(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut names = Names::default();
    if let Ok(parsed) = parse_module(text) {
        parsed.suite().iter().for_each(|statement| names.visit_stmt(statement));
    }
    (names.loaded, names.stored)
}

/// `x` of `x.a[0].b`
fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(it) => root(&it.value),
        Expr::Subscript(it) => root(&it.value),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const MAIN: &str = r#"
from parts import helper, elsewhere, by_width, Width as Wide, WIDTH
import torch

LIMIT = 3
seen = []

def main():
    section()
    notes = alone(2)
    elsewhere()

def section():
    """One"""
    first()
    second()

def first():
    """First"""
    return helper(LIMIT)

def second():
    """Second"""
    seen.append(1)

def alone(n):
    """Alone"""
    return torch.zeros(n, WIDTH)  # @inspect n

def writes():
    seen[0] = 1

def names_itself(n):
    return names_itself(n - 1)

def sets():
    Wide.width = 8

def reads():
    return by_width()
"#;
    const PARTS: &str = "WIDTH = 4\ndef helper(n):\n    return Thing(n)\nclass Thing:\n    def __init__(self, n): self.n = n\ndef elsewhere():\n    'Elsewhere'\nclass Width:\n    width = 4\ndef by_width():\n    return Width.width\n";

    fn program() -> Program {
        Program::new([("main.py", MAIN), ("parts.py", PARTS)].into_iter())
    }

    #[test]
    fn a_reach_is_what_names_lead_to() {
        let names = |function: &str| {
            let reach = program().reach("main.py", function)?;
            Some(reach.into_iter().map(|it| format!("{}:{}", it.path, it.name)).collect::<Vec<_>>().join(" "))
        };
        for (function, expected) in [
            ("first", Some("main.py:helper main.py:LIMIT main.py:first parts.py:helper parts.py:Thing")),
            ("alone", Some("main.py:WIDTH main.py:torch main.py:alone parts.py:WIDTH")),
            ("names_itself", Some("main.py:names_itself")),
            // What changes while the program runs is in nobody's reach.
            ("second", None),
            ("section", None),
            ("writes", None),
            ("sets", None),
            // Another function changes a class of another file.
            ("reads", None),
        ] {
            assert_eq!(names(function).as_deref(), expected, "{function}");
        }
    }

    #[test]
    fn a_definition_has_the_directive_of_its_last_line() {
        let reach = program().reach("main.py", "alone").unwrap();
        let alone = reach.into_iter().find(|it| it.name == "alone").unwrap();
        assert!(alone.text.ends_with("WIDTH)  # @inspect n"), "{}", alone.text);
    }

    #[test]
    fn cells_are_what_a_page_has_titles_for() {
        let cells = program().cells("main.py");
        let names: Vec<&str> = cells.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["section", "first", "second", "alone", "elsewhere"]);
    }
}
