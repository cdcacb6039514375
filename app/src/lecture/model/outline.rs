//! What a lecture consists of: its sections and their cells, each a call of a function.

use napkin_trace::notebook::{is_cell, is_notebook};
use napkin_trace::trace::Step;

use super::call_tree::Call;
use super::lecture::Lecture;
use super::source::{MODULE, function_key, is_typed};

/// A part of a lecture: all of it, a section, or a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub title: String,
    /// The call that it is.
    pub call: usize,
    pub path: String,
    pub function: String,
    /// Its name in addresses, unique among the parts.
    pub anchor: String,
    /// The part that it belongs to; none for the whole lecture.
    pub parent: Option<usize>,
    /// Its own parts, in order.
    pub children: Vec<usize>,
}

impl Part {
    /// Whether it is a cell: a part without parts.
    pub fn is_cell(&self) -> bool {
        self.children.is_empty()
    }

    /// Whether it is a call of that function.
    pub fn is_of(&self, path: &str, function: &str) -> bool {
        self.function == function && self.path == path
    }
}

/// Names that the page has for its own elements, whole or before `-title`.
const TAKEN: [&str; 7] = ["main", "search", "hits", "app", "help", "open", "derivation"];

/// All parts in the order in which they are read, the whole lecture first: what `main()` calls, or the outermost
/// function if it has another name, or else the program itself.
pub fn outline(lecture: &Lecture) -> Vec<Part> {
    let calls = &lecture.calls.calls;
    let first = |is_it: &dyn Fn(usize, &Call) -> bool| (0..calls.len()).find(|at| is_it(*at, &calls[*at]));
    let titled = || {
        let call = first(&|at, call| call.caller.is_some() && title(lecture, at).is_some())?;
        calls[call].caller
    };
    let root = first(&|_, call| call.function == "main")
        .or_else(titled)
        // A program whose functions are only helpers is read from its first line.
        .or_else(|| first(&|_, call| call.caller.is_some() && !call.made.is_empty()))
        .or_else(|| first(&|_, call| !call.runs.is_empty()));
    let mut parts = Vec::new();
    if let Some(root) = root {
        add(lecture, &mut parts, root, None);
    }
    // The whole lecture is no element of its own, unless it is one cell.
    let of_elements = parts.iter_mut().filter(|part| part.parent.is_some() || part.is_cell());
    for part in of_elements.filter(|part| TAKEN.contains(&&*part.anchor)) {
        part.anchor.insert_str(0, "part-");
    }
    parts
}

/// The title of a call's function, if it has a docstring, or had one before a reader edited it.
fn title(lecture: &Lecture, call: usize) -> Option<&String> {
    let own = || lecture.function(lecture.call_place(call)?)?.title.as_ref();
    let Call { path, function, .. } = &lecture.calls.calls[call];
    own().or_else(|| lecture.titles.get(&function_key(path, function)))
}

/// What a call is called whose function has no title: by its name, and in a notebook also by the heading right above it.
fn name(lecture: &Lecture, call: usize) -> String {
    let Call { path, function, first, .. } = &lecture.calls.calls[call];
    if function == MODULE {
        return "The program".to_owned();
    }
    let mut name = function.replace('_', " ");
    if is_typed(path, function) {
        let is_between = |step: &&Step| step.stack.last().is_some_and(|place| !is_cell(&place.function_name));
        let above = lecture.trace.steps[..*first].iter().rev().take_while(is_between);
        let mut lines =
            above.flat_map(|step| step.renderings.first()?.data.as_str()).flat_map(|text| text.lines().rev());
        let is_heading = |line: &&str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
        if let Some(heading) = lines.find(is_heading) {
            name = format!("{name}: {}", heading.trim_matches(['#', ' ']));
        }
    }
    name
}

/// Adds a call with its own parts. The deepest are cells: the parts of a section, which is one of the whole lecture.
fn add(lecture: &Lecture, parts: &mut Vec<Part>, call: usize, parent: Option<usize>) -> usize {
    let Call { path, function, .. } = &lecture.calls.calls[call];
    let index = parts.len();
    let same = parts.iter().filter(|part| part.function == *function).count();
    parts.push(Part {
        title: title(lecture, call).cloned().unwrap_or_else(|| name(lecture, call)),
        call,
        path: path.clone(),
        function: function.clone(),
        anchor: if same == 0 { function.clone() } else { format!("{function}-{}", same + 1) },
        parent,
        children: Vec::new(),
    });
    let may_have_parts = parent.is_none_or(|parent| parts[parent].parent.is_none());
    if may_have_parts && function != MODULE {
        let called = called(lecture, call, parts[0].call);
        parts[index].children =
            called.into_iter().map(|child| add(lecture, parts, child, Some(index))).collect();
    }
    index
}

/// What a call calls, each function once. Where one of them has a title, those without are helpers, and so are those of
/// other files than the lecture's own, if that has parts itself.
fn called(lecture: &Lecture, caller: usize, root: usize) -> Vec<usize> {
    let calls = &lecture.calls.calls;
    let mut found: Vec<usize> = Vec::new();
    for &number in &calls[caller].made {
        let Call { path, function, .. } = &calls[number];
        let is_same = |known: &usize| calls[*known].function == *function && calls[*known].path == *path;
        if !function.starts_with('<') && !found.iter().any(is_same) {
            found.push(number);
        }
    }
    let is_titled = |call: &usize| title(lecture, *call).is_some();
    if is_notebook(&calls[root].path) {
        // Each cell of a notebook is one; most have no title.
        found.retain(|call| is_cell(&calls[*call].function));
    } else if found.iter().any(is_titled) || is_titled(&caller) {
        // Of a cell only what has a title is a part.
        found.retain(is_titled);
    } else {
        // Of a section without titles, as lectures of others have them, all is shown.
        let is_at_home = |call: &usize| calls[*call].path == calls[root].path;
        let has_parts = calls[root].made.iter().any(is_at_home);
        found.retain(|call| !has_parts || is_at_home(call));
    }
    found
}
