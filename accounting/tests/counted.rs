//! A record beside the closed forms: what agrees says 0, what does not says by how much. That steps that have run agree
//! is a test of the engine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::calc::count::{
    Held, LINEAR, Operation, Point, Record, Stage, TRANSFORMER, data, spec,
};
use napkin_accounting::calc::{Areas, Body, Calculator, Cell, Inputs, Sheet};

fn operation(stage: Stage, part: &str, name: &str, flops: u64) -> Operation {
    let (part, name) = (part.to_owned(), name.to_owned());
    Operation { stage, part, name, calls: 1, flops, read_bytes: 8, written_bytes: 4 }
}

/// The default step of the deep linear model: 2 points, width 4, 2 layers, AdamW.
fn record() -> Record {
    let held = |gradients, activations| Held {
        parameters: 144,
        gradients,
        optimizer_state: 288,
        activations,
        ..Held::default()
    };
    let point = |at, stage, operation: &str, held| Point {
        at,
        stage,
        part: "layers".to_owned(),
        operation: operation.to_owned(),
        held,
    };
    Record {
        parameters: 36,
        operations: vec![
            operation(Stage::Forward, "layers", "mm", 128),
            operation(Stage::Forward, "head", "mm", 16),
            operation(Stage::Forward, "loss", "mse_loss", 0),
            operation(Stage::Backward, "head", "mm (dX)", 16),
            operation(Stage::Backward, "head", "mm (dW)", 16),
            operation(Stage::Backward, "layers", "mm (dX)", 64),
            operation(Stage::Backward, "layers", "mm (dW)", 128),
            operation(Stage::Optimizer, "", "adamw", 0),
        ],
        peak_bytes: 620,
        at_peak: held(144, 44),
        highest: held(144, 72),
        timeline: vec![
            point(0, Stage::Forward, "", held(0, 0)),
            point(3, Stage::Forward, "mm", held(0, 72)),
            point(7, Stage::Backward, "mm (dX)", held(144, 44)),
            point(9, Stage::Optimizer, "adamw", held(144, 0)),
        ],
        ..Record::default()
    }
}

fn inputs(calculator: &Calculator, record: Option<&Record>) -> Inputs {
    let Some(record) = record else { return Inputs::default() };
    let spec = spec(calculator.id, &Inputs::default()).unwrap();
    Inputs::default().with_data(calculator.id, data(&spec, &serde_json::to_string(record).unwrap()))
}

fn answer(record: Option<&Record>) -> Sheet {
    LINEAR.answer(&inputs(&LINEAR, record)).unwrap()
}

/// The rows of a table, as people read them.
fn rows(sheet: &Sheet, id: &str) -> Vec<(String, Vec<String>)> {
    let Body::Table(table) = &sheet.parts.iter().find(|part| part.id == id).unwrap().body else {
        panic!("{id} is no table")
    };
    let cell = |cell: &Cell| match cell {
        Cell::Figure(figure) => figure.exact(),
        Cell::Formula(figure) => figure.equation(),
        Cell::Text(text) => text.clone(),
    };
    table.rows.iter().map(|row| (row.label.clone(), row.cells.iter().map(cell).collect())).collect()
}

fn areas(sheet: &Sheet) -> &Areas {
    let found = sheet.parts.iter().find_map(|part| match &part.body {
        Body::Areas(areas) => Some(areas),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn what_agrees_is_0_off() {
    let without = answer(None);
    assert!(rows(&without, "products").iter().all(|(_, cells)| cells.len() == 1));
    assert!(!without.parts.iter().any(|part| part.id == "timeline"));
    let sheet = answer(Some(&record()));
    for (label, cells) in rows(&sheet, "products") {
        assert_eq!((&cells[0], cells[2].as_str()), (&cells[1], "0"), "{label}");
    }
    let held = rows(&sheet, "memory");
    let off = |label: &str| held.iter().find(|(of, _)| of == label).unwrap().1[2].clone();
    for label in ["parameters", "gradients", "optimizer state", "= activations of this engine"] {
        assert_eq!(off(label), "0", "{label}");
    }
    assert_eq!(off("together at the peak"), "−20 B");
}

#[test]
fn what_differs_says_by_how_much() {
    let mut record = record();
    record.operations[0].flops += 5;
    record.operations[5].flops -= 4;
    record.operations.push(operation(Stage::Forward, "other", "bmm", 7));
    record.highest.gradients += 1000;
    let sheet = answer(Some(&record));
    let products = rows(&sheet, "products");
    let off = |label: &str| products.iter().find(|(of, _)| of == label).unwrap().1[2].clone();
    assert_eq!(off("layers, forward"), "+5 FLOP");
    assert_eq!(off("layers, dX"), "−4 FLOP");
    assert_eq!(off("products that the formula does not know"), "+7 FLOP");
    assert_eq!(off("training step"), "+8 FLOP");
    assert!(
        rows(&sheet, "memory").iter().any(|(label, cells)| label == "gradients" && cells[2] == "+1,000 B")
    );
}

#[test]
fn memory_over_time_is_stacked_by_purpose_and_banded_by_stage() {
    let sheet = answer(Some(&record()));
    let areas = areas(&sheet);
    assert_eq!(areas.times, [0.0, 3.0, 7.0, 9.0]);
    let labels: Vec<&str> = areas.layers.iter().map(|layer| layer.label.as_str()).collect();
    assert_eq!(labels, ["parameters", "optimizer state", "gradients", "activations"]);
    let bands: Vec<_> = areas.bands.iter().map(|band| (band.label.as_str(), band.start, band.end)).collect();
    assert_eq!(bands, [("forward", 0.0, 7.0), ("backward", 7.0, 9.0), ("optimizer", 9.0, 10.0)]);
    assert_eq!(areas.total(2), 620.0);
    assert_eq!(areas.causes[2], "layers: mm (dX)");
    assert_eq!(areas.limit.as_ref().unwrap().name, "step_bytes");
    let block = sheet.to_blocks().into_iter().find(|block| block.title == "Memory over the step").unwrap();
    let backward = ["backward", "144 B", "288 B", "144 B", "44 B", "620 B", "layers: mm (dX)"];
    assert_eq!(block.rows[1], backward);
}

#[test]
fn a_record_survives_json_and_an_empty_one_is_no_fault() {
    let record = record();
    let text = serde_json::to_string(&record).unwrap();
    assert!(text.contains(r#""stage":"forward""#), "{text}");
    assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    for calculator in [&LINEAR, &TRANSFORMER] {
        calculator.answer(&inputs(calculator, Some(&Record::default()))).unwrap();
        let broken = Inputs::default().with_data(calculator.id, "{\"parameters\": -1}".to_owned());
        let message = calculator.answer(&broken).err().unwrap().to_string();
        assert!(message.contains("counted step"), "{message}");
    }
}

#[test]
fn a_record_of_another_step_stands_beside_nothing() {
    let other = inputs(&LINEAR, Some(&record())).with(&napkin_accounting::calc::fields::LINEAR_DIM, "5");
    let sheet = LINEAR.answer(&other).unwrap();
    assert!(rows(&sheet, "products").iter().all(|(_, cells)| cells.len() == 1));
    assert!(sheet.remarks.iter().any(|remark| remark.text.starts_with("Another step was counted.")));
}

#[test]
fn muon_multiplies_matrices_as_they_lie_wider_than_tall() {
    let inputs = Inputs::default().with(&napkin_accounting::calc::fields::COUNT_OPTIMIZER, "muon");
    let sheet = TRANSFORMER.answer(&inputs).unwrap();
    let figures = sheet.figures();
    let muon = figures.iter().find(|figure| figure.name == "muon_flop").unwrap();
    // Of each of 2 blocks 3d × d, d × d, 4d × d and d × 4d: 5 · (14 + 6 + 18 + 18) · d³ with d = 64.
    assert_eq!(muon.value.to_whole(), Some(2 * 5 * 56 * 64_u128.pow(3)));
}
