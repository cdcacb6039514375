//! Tables in which a formula and a count stand side by side.

use super::record::{Held, Operation, Point, Record, Stage};
use crate::calc::{Areas, Band, Cell, Figure, Layer, Sheet, Table};
use crate::{Bytes, Derived, Expr, Flop, Input, Number, Provenance, Quantity, Result, Source, Unit, format};

/// Which of the products that a product becomes in training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Forward,
    /// The gradient of the left factor.
    Dx,
    /// The gradient of the right one.
    Dw,
    /// Forward again, for a checkpoint.
    Again,
}

/// Where a component's products are counted: the part of the model, and whether they are those of batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) part: &'static str,
    pub(super) is_batched: bool,
}

/// Products of a component.
pub(super) struct Product {
    pub(super) component: &'static str,
    pub(super) role: Role,
    pub(super) place: Place,
    pub(super) formula: Derived<Flop>,
}

impl Product {
    fn label(&self) -> String {
        let role = match self.role {
            Role::Forward => "forward",
            Role::Dx => "dX",
            Role::Dw => "dW",
            Role::Again => "forward again",
        };
        format!("{}, {role}", self.component)
    }

    fn is(&self, operation: &Operation) -> bool {
        let has_role = match (operation.stage, self.role) {
            (Stage::Forward, Role::Forward) | (Stage::Again, Role::Again) => true,
            (Stage::Backward, Role::Dx) => operation.name.ends_with("(dX)"),
            (Stage::Backward, Role::Dw) => operation.name.ends_with("(dW)"),
            _ => false,
        };
        has_role
            && operation.part == self.place.part
            && operation.name.starts_with("bmm") == self.place.is_batched
    }
}

/// Heads of a table with counted columns, where there are any.
fn columns<'a>(heads: &[&'a str], counted: &[&'a str], record: Option<&Record>) -> Vec<&'a str> {
    let counted = if record.is_some() { counted } else { &[] };
    [heads, counted].concat()
}

/// A formula, and what was counted beside it.
fn beside<Q: Quantity>(formula: &Derived<Q>, counted: Option<u64>) -> Result<Vec<Cell>> {
    let mut cells = vec![Cell::from(formula)];
    if let Some(counted) = counted {
        cells.extend([Cell::Figure(figure::<Q>(counted)?), off::<Q>(formula.value, counted).into()]);
    }
    Ok(cells)
}

/// A number that a ledger has counted.
pub(super) fn counted<Q: Quantity>(value: u64) -> Result<Derived<Q>> {
    let [name, input] = if Q::UNIT == Unit::FLOP {
        ["counted_flop", "ledger_flop"]
    } else {
        ["counted_bytes", "ledger_bytes"]
    };
    let title = "counted while a step ran";
    let ledger = Input {
        name: input,
        symbol: "n",
        title: title.to_owned(),
        value: value.into(),
        unit: Q::UNIT,
        sources: vec![Source::cite("the ledger of the engine, from the shapes that ran")],
        mark: None,
        provenance: Some(Provenance::Computed),
    };
    Derived::new(name, "n_c", title, Expr::input(ledger)?, &[])
}

fn figure<Q: Quantity>(value: u64) -> Result<Figure> {
    Ok(counted::<Q>(value)?.into())
}

/// How far a count is from the formula: "0", or the difference with its sign.
fn off<Q: Quantity>(formula: Number, counted: u64) -> String {
    let counted = Number::from(counted);
    let told = |sign: &str, by: Option<Number>| {
        by.map_or_else(String::new, |by| format!("{sign}{}", format::exact(by, Q::UNIT)))
    };
    match counted.minus(formula) {
        _ if counted == formula => "0".to_owned(),
        Some(more) if more.to_f64() > 0.0 => told("+", Some(more)),
        _ => told("−", formula.minus(counted)),
    }
}

/// Products component by component, then all of them, then what an optimizer multiplies.
pub(super) fn products(
    products: &[Product],
    step: &Derived<Flop>,
    muon: Option<&Derived<Flop>>,
    record: Option<&Record>,
) -> Result<Table> {
    let mut table = Table::new(&columns(&["products", "formula"], &["counted", "off"], record));
    let sum = |pick: &dyn Fn(&Operation) -> bool| {
        record.map(|record| record.operations.iter().filter(|&o| pick(o)).map(|o| o.flops).sum::<u64>())
    };
    for product in products {
        table.row(product.label(), beside(&product.formula, sum(&|o| product.is(o)))?);
    }
    let others = |o: &Operation| o.stage != Stage::Optimizer && !products.iter().any(|product| product.is(o));
    if let Some(others @ 1..) = sum(&others) {
        let none = Derived::<Flop>::new(
            "other_flop",
            "C_other",
            "products that the formula does not know",
            Expr::constant(0.0, Unit::FLOP),
            &[],
        )?;
        table.row(none.title.to_string(), beside(&none, Some(others))?);
    }
    table.total("training step", beside(step, sum(&|o| o.stage != Stage::Optimizer))?);
    if let Some(muon) = muon {
        table.row(muon.title.to_string(), beside(muon, sum(&|o| o.stage == Stage::Optimizer))?);
    }
    Ok(table)
}

/// The FLOPs of a record without those of the optimizer.
pub(super) fn step_flop(record: &Record) -> Result<Derived<Flop>> {
    let step = record.operations.iter().filter(|o| o.stage != Stage::Optimizer);
    counted(step.map(|o| o.flops).sum())
}

/// What formulas say of memory.
pub(super) struct Memory {
    pub(super) parameters: Derived<Bytes>,
    /// Where products are in half precision.
    pub(super) copies: Option<Derived<Bytes>>,
    pub(super) gradients: Derived<Bytes>,
    pub(super) state: Derived<Bytes>,
    /// Activations by the closed form.
    pub(super) activations: Derived<Bytes>,
    /// What of it the engine does not keep, and what it keeps besides.
    pub(super) less: Vec<Derived<Bytes>>,
    pub(super) more: Vec<Derived<Bytes>>,
    /// What the engine keeps.
    pub(super) kept: Derived<Bytes>,
}

impl Memory {
    /// Parameters, their copy, gradients, optimizer state and activations.
    pub(super) fn total(&self) -> Result<Derived<Bytes>> {
        let sum = self.parameters.expr() + &self.gradients + &self.state + &self.activations;
        let sum = self.copies.iter().fold(sum, |sum, copies| sum + copies);
        Derived::new("step_bytes", "M", "memory of a step at its peak", sum, &[])
    }

    /// By what memory is held for: the most at any time, and what it was when most was held together.
    pub(super) fn table(&self, total: &Derived<Bytes>, record: Option<&Record>) -> Result<Table> {
        let mut table =
            Table::new(&columns(&["held for", "formula"], &["most counted", "off", "at the peak"], record));
        let row = |formula: &Derived<Bytes>, of: fn(&Held) -> u64| -> Result<Vec<Cell>> {
            let mut cells = beside(formula, record.map(|record| of(&record.highest)))?;
            if let Some(record) = record {
                cells.push(Cell::Figure(figure::<Bytes>(of(&record.at_peak))?));
            }
            Ok(cells)
        };
        let only = |formula: Cell| -> Vec<Cell> {
            let rest = if record.is_some() { 3 } else { 0 };
            std::iter::once(formula).chain(std::iter::repeat_n(Cell::from(""), rest)).collect()
        };
        table.row("parameters", row(&self.parameters, |held| held.parameters)?);
        if let Some(copies) = &self.copies {
            table.row("copy of the parameters", row(copies, |held| held.copies)?);
        }
        table.row("gradients", row(&self.gradients, |held| held.gradients)?);
        table.row("optimizer state", row(&self.state, |held| held.optimizer_state)?);
        table.row("activations", only((&self.activations).into()));
        if let Some(record) = record {
            for (name, of) in
                [("data", (|held| held.data) as fn(&Held) -> u64), ("temporary", |held| held.temporary)]
            {
                let [most, peak] = [&record.highest, &record.at_peak].map(|held| figure::<Bytes>(of(held)));
                table.row(name, vec!["–".into(), Cell::Figure(most?), "–".into(), Cell::Figure(peak?)]);
            }
        }
        let mut all = beside(total, record.map(|record| record.peak_bytes))?;
        if let Some(record) = record {
            all.push(Cell::Figure(figure::<Bytes>(record.peak_bytes)?));
        }
        table.total("together at the peak", all);
        // The sum is that of closed forms; what this engine keeps of activations is beside it, and not in it.
        for (sign, part) in
            self.less.iter().map(|part| ("−", part)).chain(self.more.iter().map(|part| ("+", part)))
        {
            table.row(format!("{sign} {}", part.title), only(part.into()));
        }
        table.row("= activations of this engine", row(&self.kept, |held| held.activations)?);
        Ok(table)
    }
}

/// What else a record has: memory over time, every operation, gradients beside differences.
pub(super) fn with_record(mut sheet: Sheet, peak: &Derived<Bytes>, record: &Record) -> Sheet {
    sheet = sheet
        .with("timeline", "Memory over the step", timeline(record, peak.clone().into()))
        .with("operations", "Operation by operation", operations(record))
        .with("gradients", "Gradients beside finite differences", gradients(record));
    sheet.note(
        "Gradients come up during the backward pass: at the peak not all of them are there yet, unless an earlier \
         micro-batch has left them.",
    );
    sheet
}

fn timeline(record: &Record, peak: Figure) -> Areas {
    let points = &record.timeline;
    let purposes = Held::default().by_purpose();
    let layers = purposes.iter().enumerate().map(|(i, (label, _))| Layer {
        label: (*label).to_owned(),
        values: points.iter().map(|point| point.held.by_purpose()[i].1 as f64).collect(),
    });
    let end = points.last().map_or(0.0, |last| (last.at + 1) as f64);
    let mut bands: Vec<Band> = Vec::new();
    for stretch in points.chunk_by(|a, b| a.stage == b.stage) {
        let (Some(first), label) = (stretch.first(), stretch[0].stage.label().to_owned()) else { continue };
        let start = first.at as f64;
        if let Some(before) = bands.last_mut() {
            before.end = start;
        }
        bands.push(Band { label, start, end });
    }
    let cause = |point: &Point| match (point.part.as_str(), point.operation.as_str()) {
        ("", operation) => operation.to_owned(),
        (part, operation) => format!("{part}: {operation}"),
    };
    Areas {
        times: points.iter().map(|point| point.at as f64).collect(),
        layers: layers.filter(|layer| layer.values.iter().any(|&value| value > 0.0)).collect(),
        bands,
        causes: points.iter().map(cause).collect(),
        unit: Unit::BYTE,
        limit: Some(peak),
    }
}

fn operations(record: &Record) -> Table {
    let mut table = Table::new(&["operation", "when", "part", "calls", "FLOPs", "read", "written"]);
    for operation in &record.operations {
        let bytes = |bytes: u64| Cell::from(format::short(bytes, Unit::BYTE));
        table.row(
            operation.name.clone(),
            vec![
                operation.stage.label().into(),
                operation.part.as_str().into(),
                operation.calls.to_string().into(),
                format::short(operation.flops, Unit::FLOP).into(),
                bytes(operation.read_bytes),
                bytes(operation.written_bytes),
            ],
        );
    }
    table
}

fn gradients(record: &Record) -> Table {
    let mut table = Table::new(&["parameter", "gradient", "difference", "relative error"]);
    let number = |value: f64| Cell::from(format::short(value, Unit::NONE));
    for of in &record.gradients {
        let error = of.relative_error();
        let label = format!("{}[{}]", of.parameter, of.element);
        table.row(label, vec![number(of.gradient), number(of.difference), format!("{error:.1e}").into()]);
    }
    table.total("worst", vec!["".into(), "".into(), format!("{:.1e}", record.worst_error).into()]);
    table
}
