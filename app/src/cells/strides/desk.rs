//! What the parts of the cell share: the program, what it leads to, and where the reader points.

use crate::signals::{Memo, RwSignal};
use leptos::prelude::*;

use super::model::{Model, Tensor, unravel};
use super::program::{
    FIRST, Write, read_shape, read_value, read_views, read_writes, write_views, write_writes,
};
use crate::state::{CellContext, Param, Read, TextRule};

/// Names for new views, in order.
const NAMES: [&str; 8] = ["y", "z", "w", "v", "u", "t", "s", "r"];

/// Where the pointer or the focus is.
#[derive(Debug, Clone, PartialEq)]
pub enum Point {
    /// At an element of a tensor.
    Tensor(String, Vec<usize>),
    /// At an element of a storage.
    Storage(usize, usize),
}

/// The desk; a copy is the same one.
#[derive(Clone, Copy)]
pub struct Desk {
    /// Sizes of `x`.
    pub shape: Param<String>,
    views: Param<String>,
    writes: Param<String>,
    /// The tensor that the operations act on.
    active: Param<String>,
    at: Param<String>,
    /// Where the reader points, while pointing.
    pub point: RwSignal<Option<Point>>,
    /// What the program leads to; nothing only if `x` cannot be laid out at all.
    pub model: Memo<Option<Model>>,
    /// Storage and element that are lit.
    pub lit: Memo<Option<(usize, usize)>>,
}

fn no_check(_: &str) -> Result<(), String> {
    Ok(())
}

impl Desk {
    /// The desk of the cell that is being built.
    pub fn new(cell: CellContext) -> Self {
        let rule = |label, check| TextRule { label, check };
        let shape = cell.text("shape", "4, 4", rule("Shape of x", |text| read_shape(text).map(drop)));
        let views = cell.text("views", "", rule("Views", |text| read_views(text).map(drop)));
        let writes = cell.text("writes", "", rule("Writes", |text| read_writes(text).map(drop)));
        let active = cell.text("look", FIRST, rule("Tensor", no_check));
        let at = cell.text("at", "1, 2", rule("Element", |text| read_shape(text).map(drop)));
        let model = Memo::new(move || {
            let shape = read_shape(&shape.get()).ok()?;
            let views = read_views(&views.get()).ok()?;
            Model::run(&shape, &views, &read_writes(&writes.get()).ok()?).ok()
        });
        let desk = Self {
            shape,
            views,
            writes,
            active,
            at,
            point: RwSignal::new(None),
            model,
            lit: Memo::new(|| None),
        };
        Self { lit: Memo::new(move || desk.find_lit()), ..desk }
    }

    /// The tensor that the operations act on; tracked.
    pub fn active(self) -> Option<Tensor> {
        let name = self.active.get();
        self.model.with(|model| {
            let model = model.as_ref()?;
            model.tensor(&name).or_else(|| model.tensors.first()).cloned()
        })
    }

    /// Its name; tracked.
    pub fn active_name(self) -> String {
        self.active().map_or_else(|| FIRST.to_owned(), |tensor| tensor.name)
    }

    /// Makes a tensor the one that operations act on.
    pub fn activate(self, name: &str) {
        self.active.set(name.to_owned());
    }

    /// Keeps the element that the reader chose.
    pub fn choose(self, name: &str, index: &[usize]) {
        self.activate(name);
        self.at.set(super::program::tuple(index).replace(",)", ")").trim_matches(['(', ')']).to_owned());
    }

    /// The element that is pointed at, else the chosen one: tensor and index; tracked.
    pub fn target(self) -> Option<(Tensor, Vec<usize>)> {
        match self.point.get() {
            Some(Point::Tensor(name, index)) => {
                let tensor = self.model.with(|model| model.as_ref()?.tensor(&name).cloned())?;
                tensor.has(&index).then_some((tensor, index))
            }
            Some(Point::Storage(storage, element)) => {
                let tensor = self.active().filter(|tensor| tensor.storage == storage)?;
                // As far as grids are drawn, and then some.
                let at = tensor.layout.storage_indices().take(5000).position(|at| at == element)?;
                let index = unravel(at, tensor.layout.shape());
                Some((tensor, index))
            }
            None => self.chosen(),
        }
    }

    /// The element that the reader chose: tensor and index; tracked.
    pub fn chosen(self) -> Option<(Tensor, Vec<usize>)> {
        let tensor = self.active()?;
        let index = read_shape(&self.at.get()).unwrap_or_default();
        tensor.has(&index).then_some((tensor, index))
    }

    fn find_lit(self) -> Option<(usize, usize)> {
        match self.point.get() {
            Some(Point::Storage(storage, element)) => Some((storage, element)),
            _ => self.target().map(|(tensor, index)| (tensor.storage, tensor.layout.storage_index(&index))),
        }
    }

    /// What makes the active view, as typed; nothing for `x` itself. Tracked.
    pub fn source(self) -> String {
        let active = self.active.get();
        self.pairs()
            .into_iter()
            .find(|(name, _)| *name == active)
            .map_or_else(String::new, |(_, source)| source)
    }

    /// What the next new view is called; tracked.
    pub fn next_name(self) -> &'static str {
        let pairs = self.pairs();
        NAMES.into_iter().find(|name| pairs.iter().all(|(have, _)| have != name)).unwrap_or("q")
    }

    /// Takes an expression for the active view; while `x` is active, for a new one.
    pub fn read_source(self, source: &str) -> Read<()> {
        let source = source.trim();
        let (active, mut pairs) = untrack(|| (self.active_name(), self.pairs()));
        let name = match pairs.iter_mut().find(|(name, _)| *name == active) {
            Some((name, old)) => {
                source.clone_into(old);
                name.clone()
            }
            None => {
                let name = untrack(|| self.next_name()).to_owned();
                pairs.push((name.clone(), source.to_owned()));
                name
            }
        };
        if source.contains([';', '\n']) {
            return Read::Bad("An expression has no semicolons.".to_owned());
        }
        let outcome = self.views.read(&write_views(&pairs));
        if outcome == Read::Good(()) {
            self.active.set(name);
        }
        outcome
    }

    /// Starts a new view of the active tensor.
    pub fn add_view(self) -> Read<()> {
        let base = untrack(|| self.active_name());
        self.activate(FIRST);
        let outcome = self.read_source(&base);
        if outcome != Read::Good(()) {
            self.activate(&base);
        }
        outcome
    }

    /// Appends an operation to the active view, or to `x` as a new view.
    pub fn append(self, operation: &str) -> Read<()> {
        let (name, source) = untrack(|| (self.active_name(), self.source()));
        let base = if source.is_empty() { name } else { source };
        self.read_source(&format!("{base}{operation}"))
    }

    /// Takes the last operation of the active view away.
    pub fn undo(self) {
        let Some(last) = untrack(|| self.last_operation()) else { return };
        let source = untrack(|| self.source());
        // What remains was an expression before the operation came.
        let _ = self.read_source(source.strip_suffix(&last).unwrap_or(&source));
    }

    /// The last operation of the active view, as typed; tracked.
    pub fn last_operation(self) -> Option<String> {
        let active = self.active.get();
        let views = read_views(&self.views.get()).ok()?;
        let view = views.into_iter().find(|view| view.name == active)?;
        view.expr.ops.last().map(|(_, text)| text.clone())
    }

    /// Removes a view; those made from it are made from what it was made from.
    pub fn remove(self, name: &str) {
        let mut pairs = untrack(|| self.pairs());
        let Some(at) = pairs.iter().position(|(have, _)| have == name) else { return };
        let (_, source) = pairs.remove(at);
        for (_, later) in &mut pairs[at..] {
            let base: String = later.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            if base == name {
                *later = format!("{source}{}", &later[base.len()..]);
            }
        }
        if self.views.read(&write_views(&pairs)) == Read::Good(()) && self.active.get_untracked() == name {
            self.activate(FIRST);
        }
    }

    fn pairs(self) -> Vec<(String, String)> {
        let views = read_views(&self.views.get()).unwrap_or_default();
        views.into_iter().map(|view| (view.name, view.source)).collect()
    }

    /// Writes what was typed to the chosen element.
    pub fn write(self, text: &str) -> Read<()> {
        let value = match read_value(text) {
            Ok(value) => value,
            Err(sentence) => return Read::Bad(sentence),
        };
        let Some((tensor, index)) = untrack(|| self.chosen()) else {
            return Read::Bad("No element is chosen to write to.".to_owned());
        };
        let element = (tensor.storage, tensor.layout.storage_index(&index));
        let mut writes = read_writes(&self.writes.get_untracked()).unwrap_or_default();
        // The last write to an element is the one that counts.
        self.model.with_untracked(|model| {
            writes.retain(|write| {
                let old = model.as_ref().and_then(|model| model.tensor(&write.name));
                old.filter(|old| old.has(&write.index))
                    .is_some_and(|old| (old.storage, old.layout.storage_index(&write.index)) != element)
            });
        });
        writes.push(Write { name: tensor.name, index, value });
        self.writes.read(&write_writes(&writes))
    }

    /// Whether anything has been written; tracked.
    pub fn has_writes(self) -> bool {
        !self.writes.get().is_empty()
    }

    /// Takes all writes back.
    pub fn forget_writes(self) {
        self.writes.set(String::new());
    }
}
