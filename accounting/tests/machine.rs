//! A machine's roofline from a record of what was measured.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::calc::machine::{MACHINE_DATA, OPERATIONS_DATA, peak};
use napkin_accounting::calc::mfu::{Card, MFU};
use napkin_accounting::calc::{Body, Document, Heat, Inputs, Naming, Roofline, Sheet, calculator};
use napkin_accounting::{Error, Provenance, Result};

const RECORD: &str = include_str!("asked/machine.json");

fn inputs(under: &str, record: &str) -> Inputs {
    let texts = [("under".to_owned(), under.to_owned())].into();
    Inputs::new(Naming::Option, texts).with_data(MACHINE_DATA, record.to_owned())
}

fn answer(inputs: &Inputs) -> Result<Sheet, Error> {
    calculator("machine").unwrap().answer(inputs)
}

fn roofline(sheet: &Sheet) -> &Roofline {
    let drawn = sheet.parts.iter().find_map(|part| match &part.body {
        Body::Roofline(roofline) => Some(roofline),
        _ => None,
    });
    drawn.unwrap()
}

fn heat(sheet: &Sheet) -> &Heat {
    let drawn = sheet.parts.iter().find_map(|part| match &part.body {
        Body::Heat(heat) => Some(heat),
        _ => None,
    });
    drawn.unwrap()
}

#[test]
fn peak_bandwidth_and_ridge_are_the_best_that_were_measured() {
    let sheet = answer(&inputs("", RECORD)).unwrap();
    let figures: Vec<f64> = sheet.figures().iter().take(3).map(|figure| figure.value.to_f64()).collect();
    // The vectors of four, by the device's own clock; reading.
    assert_eq!(figures, [2e11, 64.0 * f64::from(1 << 28), 2e11 / (64.0 * f64::from(1 << 28))]);
    let roofs = &roofline(&sheet).roofs;
    assert_eq!(roofs.len(), 2);
    assert!(roofs.iter().all(|roof| roof.is_measured));
    assert_eq!(roofs[1].peak_flop_per_sec, 4e11);
}

#[test]
fn what_has_no_peak_of_its_own_is_compared_with_float32() {
    let of = |dtype| peak(RECORD, dtype).unwrap().unwrap().quantity.value();
    assert_eq!((of("float32"), of("float16"), of("float8_e4m3fn")), (2e11, 4e11, 2e11));
    assert!(peak("{}", "float32").is_err());
}

#[test]
fn a_figure_says_where_it_is_from() {
    let sheet = answer(&inputs("", RECORD)).unwrap();
    let of = |sheet: &Sheet, name: &str| {
        let figure = sheet.figures().into_iter().find(|figure| figure.name == name).unwrap().clone();
        figure.provenance()
    };
    for (name, provenance) in [
        ("peak_flop_per_sec", Provenance::Measured),
        ("memory_bytes_per_sec", Provenance::Measured),
        ("operation_secs", Provenance::Measured),
        ("ridge_flop_per_byte", Provenance::Computed),
        ("mfu", Provenance::Computed),
    ] {
        assert_eq!(of(&sheet, name), provenance, "{name}");
    }
    let texts = std::collections::BTreeMap::new();
    let reality = calculator("reality").unwrap().answer(&Inputs::new(Naming::Label, texts)).unwrap();
    assert_eq!(of(&reality, "gpu_hours"), Provenance::Computed);
    assert_eq!(of(&reality, "reported_hours"), Provenance::Quoted);
    let text = reality.headline().unwrap().to_text();
    assert!(text.contains("H100 SXM 80 GB, quoted"), "{text}");
}

#[test]
fn mfu_is_also_of_the_measured_peak_and_goes_onto_a_card() {
    let texts =
        [("dtype".to_owned(), "fp16".to_owned()), ("tokens-per-sec".to_owned(), "10".to_owned())].into();
    let inputs = Inputs::new(Naming::Label, texts);
    let mfu = |inputs: &Inputs, name: &str| {
        let sheet = MFU.answer(inputs).unwrap();
        let found =
            sheet.figures().into_iter().find(|figure| figure.name == name).map(|it| it.value.to_f64());
        (found, Card::new(inputs, &sheet, "2026-11-25").unwrap())
    };
    assert_eq!(mfu(&inputs, "measured_mfu").0, None);
    let promised = mfu(&inputs, "mfu").0.unwrap();
    let (measured, card) = mfu(&inputs.with_data(MACHINE_DATA, RECORD.to_owned()), "measured_mfu");
    // The record's peak in float16, where the data sheet has 989.5 TFLOP/s.
    assert!((measured.unwrap() / (promised * 989.5e12 / 4e11) - 1.0).abs() < 1e-12);
    let text = card.to_markdown();
    for part in [
        "**MFU ",
        "`u = A / (P·G)`",
        "- ● u = ",
        "- ❝ P = 989.5 TFLOP/s/GPU, dense fp16 peak of one NVIDIA H100 SXM 80 GB",
        ": measured on your device",
        "- v = 10 token/s, tokens",
        ": given",
        "what is counted: products, with attention's scores",
        "2026-11-25",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn operations_lie_where_they_were_measured() {
    let sheet = answer(&inputs("", RECORD)).unwrap();
    let points = &roofline(&sheet).points;
    // Sorting computes nothing that is counted: it has no place on a roofline.
    assert_eq!(points.len(), 2);
    assert_eq!((points[0].intensity_flop_per_byte, points[0].flop_per_sec), (0.125, 1000.0 / 1e-6));
    assert_eq!(points[1].flop_per_sec, 2.0 * 256f64.powi(3) / 1e-4);
    let more = r#"[{"expression": "gelu(10)", "dtype": "float16", "shape": [10], "measured":
        {"flop": 0, "bytes": 40, "fence": {"median_secs": 1e-6}, "timestamp": null}}]"#;
    let sheet = answer(&inputs("", RECORD).with_data(OPERATIONS_DATA, more.to_owned())).unwrap();
    assert_eq!(roofline(&sheet).points[2].intensity_flop_per_byte, 50.0 / 40.0);
}

#[test]
fn mfu_by_shape_and_dtype_may_exceed_one_and_is_explained() {
    let sheet = answer(&inputs("", RECORD)).unwrap();
    let heat = heat(&sheet);
    assert_eq!(heat.columns, ["64", "256", "1×256×512"]);
    let shares: Vec<Vec<Option<f64>>> = heat
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| cell.as_ref().map(|figure| figure.value.to_f64())).collect())
        .collect();
    let share = |n: f64, secs: f64| Some(2.0 * n.powi(3) / secs / 2e11);
    let thin = Some(2.0 * 256.0 * 512.0 / 1e-4 / 2e11);
    assert_eq!(shares[0], [share(64.0, 1e-5), share(256.0, 1e-4), thin]);
    // What has no peak of its own is computed in float32.
    assert_eq!(shares[1], [None, share(256.0, 2e-4), None]);
    assert!(shares[0][1].unwrap() > 1.0);
    assert!(
        sheet.remarks.iter().any(|remark| remark.text.starts_with("An MFU above 1")),
        "{:?}",
        sheet.remarks
    );
    assert!(sheet.remarks.iter().any(|remark| remark.text.contains("acts as a GPU")));
    assert!(sheet.remarks.iter().any(|remark| remark.text.contains("they take too long")));
}

#[test]
fn promised_roofs_lie_under_the_measured_ones() {
    let sheet = answer(&inputs("h100-sxm, rtx-4090", RECORD)).unwrap();
    let roofs = &roofline(&sheet).roofs;
    assert_eq!(roofs.len(), 4);
    assert_eq!(roofs[2].peak_flop_per_sec, 989.5e12);
    assert!(!roofs[2].is_measured && roofs[3].label.contains("4090"));
    // Also before anything was measured.
    let texts = [("under".to_owned(), "h100-sxm".to_owned())].into();
    let sheet = answer(&Inputs::new(Naming::Label, texts)).unwrap();
    assert_eq!(roofline(&sheet).roofs.len(), 1);
}

#[test]
fn a_record_that_is_none_is_refused_in_a_sentence() {
    for (under, record, words) in [
        ("", "{", "record cannot be read"),
        ("", "[]", "record cannot be read"),
        ("", &RECORD.replace("napkin-machine-1", "napkin-machine-9"), "napkin-machine-9"),
        ("", &RECORD.replace("\"median_secs\": 0.0025", "\"median_secs\": -1"), "finite and not negative"),
        ("h1000", RECORD, "h1000"),
    ] {
        let error = answer(&inputs(under, record)).err().unwrap_or_else(|| panic!("{words}")).to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn its_document_is_one_object() {
    let inputs = inputs("h100-sxm", RECORD);
    let sheet = answer(&inputs).unwrap();
    let document = Document { calculator: calculator("machine").unwrap(), inputs: &inputs, sheet: &sheet };
    let json: serde_json::Value = serde_json::from_str(&serde_json::to_string(&document).unwrap()).unwrap();
    assert_eq!(json["value"], 2e11);
    assert_eq!(json["roofline"]["roofs"][0]["is_measured"], true);
    assert!(json["tables"]["operations"].as_array().is_some_and(|rows| rows.len() == 3));
}
