//! What the parts of the explorer share: the program, what it leads to, and where the reader points.

use leptos::prelude::*;
use napkin_trace::trace::Map;

use super::model::{Model, Tensor, unravel};
use super::program::{
    FIRST, MAX_VIEWS, Statement, Write, check_names, read_shape, read_value, read_views, read_writes, stored,
    write_views, write_writes,
};
use crate::components::number::join;
use crate::state::{Param, Scope, TextRule, use_scope};

const NAMES: [&str; 8] = ["y", "z", "w", "v", "u", "t", "s", "r"];

/// As far as grids are drawn, and then some.
pub const MOST_DRAWN: usize = 5000;

#[derive(Debug, Clone, PartialEq)]
pub enum Point {
    Tensor(String, Vec<usize>),
    Storage((usize, usize)),
}

/// The explorer; a copy is the same one.
#[derive(Clone, Copy)]
pub struct Explorer {
    pub scope: Scope,
    /// Whether `x` counts its elements and has a shape that the reader may change.
    pub is_counting: bool,
    pub shape: Param<String>,
    views: Param<String>,
    pub writes: Param<String>,
    active: Param<String>,
    at: Param<String>,
    pub point: RwSignal<Option<Point>>,
    pub model: Memo<Model>,
    pub lit: Memo<Option<(usize, usize)>>,
}

/// An index as the field and the address have it; that of a scalar has no numbers.
fn index_text(index: &[usize]) -> String {
    if index.is_empty() { "()".to_owned() } else { join(index) }
}

impl Explorer {
    /// The explorer of the component that is being made: of an `x` that counts its elements without a `start`.
    pub fn new(start: Option<Model>) -> Self {
        let scope = use_scope();
        let text = |name, default: &str, label, check| {
            scope.param(name, default.to_owned(), TextRule { label, check })
        };
        let shape = text("shape", "4, 4", "Shape of x", |text| read_shape(text).map(drop));
        let views = text("views", "", "Views", |text| read_views(text).map(drop));
        let writes = text("writes", "", "Writes", |text| read_writes(text).map(drop));
        let first = start.as_ref().and_then(|start| start.tensors.first());
        let (name, at) = match first {
            Some(tensor) => (tensor.name.as_str(), index_text(&vec![0; tensor.layout.rank()])),
            None => (FIRST, "1, 2".to_owned()),
        };
        let active = text("look", name, "Tensor", |_| Ok(()));
        let at = text("at", &at, "Element", |text| read_shape(text).map(drop));
        let is_counting = start.is_none();
        let model = Memo::new(move |_| {
            let counting = || Model::counting(&read_shape(&shape.get()).ok()?).ok();
            let start = start.clone().or_else(counting).unwrap_or_default();
            let (views, writes) = (read_views(&views.get()), read_writes(&writes.get()));
            start.run(&views.unwrap_or_default(), &writes.unwrap_or_default())
        });
        let point = RwSignal::new(None);
        let lit = Memo::new(|_| None);
        let explorer = Self { scope, is_counting, shape, views, writes, active, at, point, model, lit };
        let lit = Memo::new(move |_| match explorer.point.get() {
            Some(Point::Storage(place)) => Some(place),
            _ => explorer.target().map(|(tensor, index)| tensor.place(&index)),
        });
        Self { lit, ..explorer }
    }

    /// The tensor that the operations act on; tracked.
    pub fn active(self) -> Option<Tensor> {
        let model = self.model.read();
        model.tensor(&self.active.get()).or(model.tensors.first()).cloned()
    }

    pub fn active_name(self) -> String {
        self.active().map(|tensor| tensor.name).unwrap_or_default()
    }

    pub fn activate(self, name: &str) {
        self.active.set(name.to_owned());
    }

    pub fn choose(self, name: &str, index: &[usize]) {
        self.activate(name);
        self.at.set(index_text(index));
    }

    /// The element that is pointed at, else the chosen one: tensor and index; tracked.
    pub fn target(self) -> Option<(Tensor, Vec<usize>)> {
        match self.point.get() {
            Some(Point::Tensor(name, index)) => {
                let tensor = self.model.read().tensor(&name)?.clone();
                tensor.has(&index).then_some((tensor, index))
            }
            Some(Point::Storage((storage, element))) => {
                let tensor = self.active().filter(|tensor| tensor.storage == storage)?;
                let at = tensor.layout.storage_indices().take(MOST_DRAWN).position(|at| at == element)?;
                let index = unravel(at, tensor.layout.shape());
                Some((tensor, index))
            }
            None => self.chosen(),
        }
    }

    pub fn chosen(self) -> Option<(Tensor, Vec<usize>)> {
        let tensor = self.active()?;
        let index = read_shape(&self.at.get()).unwrap_or_default();
        tensor.has(&index).then_some((tensor, index))
    }

    fn views(self) -> Vec<Statement> {
        read_views(&self.views.get()).unwrap_or_default()
    }

    /// The view that operations act on, if they act on one; tracked.
    fn active_view(self) -> Option<Statement> {
        let active = self.active.get();
        self.views().into_iter().find(|view| view.name == active)
    }

    /// What makes the active view, as typed; nothing for what everything began with. Tracked.
    pub fn source(self) -> String {
        self.active_view().map(|view| view.source).unwrap_or_default()
    }

    pub fn last_operation(self) -> Option<String> {
        self.active_view()?.expr.ops.pop().map(|(_, text)| text)
    }

    pub fn next_name(self) -> &'static str {
        let model = self.model.read();
        NAMES.into_iter().find(|name| model.tensor(name).is_none()).unwrap_or("q")
    }

    /// Whether there is a view to make another of, and room for it; tracked.
    pub fn has_room(self) -> bool {
        self.active_view().is_some() && self.views().len() < MAX_VIEWS
    }

    /// Takes an expression for the active view; while that is none, for a new one.
    pub fn read_source(self, source: &str) -> Result<(), String> {
        let view = untrack(|| self.active_view());
        let name = view.map_or_else(|| untrack(|| self.next_name()).to_owned(), |view| view.name);
        self.make(name, source)
    }

    pub fn add_view(self) -> Result<(), String> {
        let (next, active) = untrack(|| (self.next_name(), self.active_name()));
        self.make(next.to_owned(), &active)
    }

    /// Makes the view of that name, or makes it anew, and activates it.
    fn make(self, name: String, source: &str) -> Result<(), String> {
        let source = source.trim();
        if source.contains([';', '\n']) {
            return Err("An expression has no semicolons.".to_owned());
        }
        let (views, model) = (untrack(|| self.views()), self.model.get_untracked());
        let bases = model.tensors.into_iter().filter(|it| it.base.is_none()).map(|it| it.name);
        let mut sources: Map<String> = views.into_iter().map(|view| (view.name, view.source)).collect();
        sources.insert(name.clone(), source.to_owned());
        let text = write_views(&sources);
        check_names(bases.collect(), &read_views(&text)?)?;
        self.views.set(text);
        self.active.set(name);
        Ok(())
    }

    /// Appends an operation to the active view, or to what everything began with as a new view.
    pub fn append(self, operation: &str) -> Result<(), String> {
        let (name, source) = untrack(|| (self.active_name(), self.source()));
        let base = if source.is_empty() { name } else { source };
        self.read_source(&format!("{base}{operation}"))
    }

    pub fn undo(self) {
        let (last, source) = untrack(|| (self.last_operation(), self.source()));
        if let Some(start) = last.and_then(|last| source.strip_suffix(&last)) {
            // What remains was an expression before the operation came.
            let _ = self.read_source(start);
        }
    }

    /// Removes a view; those made from it are made from what it was made from.
    pub fn remove(self, name: &str) {
        let mut views = untrack(|| self.views());
        let Some(at) = views.iter().position(|view| view.name == name) else { return };
        let removed = views.remove(at);
        let sources = views.into_iter().map(|view| match view.source.strip_prefix(name) {
            Some(operations) if view.expr.name == name => {
                (view.name, format!("{}{operations}", removed.source))
            }
            _ => (view.name, view.source),
        });
        self.views.set(write_views(&sources.collect()));
        // The first tensor is none that was made.
        let first = self.model.with_untracked(|model| model.tensors.first().map(|it| it.name.clone()));
        if let Some(first) = first.filter(|_| self.active.get_untracked() == name) {
            self.activate(&first);
        }
    }

    pub fn write(self, text: &str) -> Result<(), String> {
        let value = read_value(text)?;
        let (tensor, index) = untrack(|| self.chosen()).ok_or("No element is chosen to write to.")?;
        if let Some(format) = tensor.dtype.format().filter(|_| !stored(tensor.dtype, value).is_finite()) {
            let (most, name) = (format.info().max, tensor.dtype.name());
            return Err(format!("The value must be at most {most:.1e}, the largest {name}; not {text}."));
        }
        let mut writes = read_writes(&self.writes.get_untracked()).unwrap_or_default();
        // The last write to an element is the one that counts.
        let model = self.model.get_untracked();
        writes.retain(|write| {
            let old = model.tensor(&write.name).filter(|old| old.has(&write.index));
            old.is_some_and(|old| old.place(&write.index) != tensor.place(&index))
        });
        writes.push(Write { name: tensor.name, index, value });
        self.writes.set(write_writes(&writes));
        Ok(())
    }
}
