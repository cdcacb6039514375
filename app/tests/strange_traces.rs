//! Traces and notebooks that are damaged at random: a sentence or a page, and never a panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use leptos::prelude::*;
use napkin_app::lecture::Lecture;
use napkin_app::{App, live};
use napkin_trace::notebook::{self, is_notebook};
use napkin_trace::prepare::prepare;
use napkin_trace::trace::read;
use serde_json::{Value as Json, json};

const ROUNDS: usize = 800;

/// Numbers that are not random twice: xorshift64 by George Marsaglia (2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// The place of each value within another, as JSON pointers.
fn places(of: &Json, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match of {
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(number, it)| places(it, &format!("{at}/{number}"), all));
        }
        Json::Object(fields) => {
            for (name, it) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                places(it, &format!("{at}/{name}"), all);
            }
        }
        _ => {}
    }
}

/// What nobody would write.
fn strange(random: &mut Random) -> Json {
    let all = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!(4_294_967_296_u64),
        json!(0),
        json!(""),
        json!("$\\frac{"),
        json!("a\u{0}\u{202e}b"),
        json!("__main__"),
        json!([]),
        json!({}),
        json!([[[[]]]]),
        json!({"type": "torch.Tensor", "shape": [1_000_000, 0, 3], "contents": [1], "stride": [7]}),
        json!({"type": "list", "contents": {"a": 1}}),
    ];
    all[random.below(all.len())].clone()
}

fn damaged(trace: &Json, random: &mut Random) -> String {
    let mut trace = trace.clone();
    for _ in 0..=random.below(2) {
        let mut all = Vec::new();
        places(&trace, "", &mut all);
        let [from, to] = [(); 2].map(|()| all[random.below(all.len())].clone());
        let new = match random.below(3) {
            0 => trace.pointer(&from).cloned().unwrap_or_default(),
            _ => strange(random),
        };
        if let Some(place) = trace.pointer_mut(&to) {
            *place = new;
        }
    }
    let mut text = trace.to_string();
    if random.below(10) == 0 {
        let end = text.floor_char_boundary(random.below(text.len()));
        text.truncate(end);
    }
    text
}

/// Reads a trace or a notebook as the page does, and draws all of it.
fn shown(name: &str, text: &str) -> Result<usize, String> {
    let mut trace = if is_notebook(name) { notebook::read(text, name) } else { read(text) }?;
    trace.steps.iter_mut().flat_map(|step| &mut step.renderings).for_each(prepare);
    let lecture = Arc::new(Lecture::of_trace(trace)?);
    let view = || {
        view! { <App page="a".to_owned() lecture=Some(lecture) parts=live::here() is_written=true /> }
            .to_html()
    };
    Ok(Owner::new().with(view).len())
}

#[test]
fn a_damaged_trace_is_a_sentence_or_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases");
    let mut random = Random(7);
    for name in
        ["trace-plain-values.json", "trace-typed-values.json", "lecture_edtrace.trace.json", "dots.ipynb"]
    {
        // The forerunner's numbers that are not finite are no JSON.
        let text = fs::read_to_string(folder.join(name)).unwrap().replace("NaN", "null");
        let trace: Json = serde_json::from_str(&text).unwrap();
        let (mut pages, mut sentences) = (0, 0);
        for _ in 0..ROUNDS / 4 {
            let text = damaged(&trace, &mut random);
            match catch_unwind(AssertUnwindSafe(|| shown(name, &text))) {
                Ok(Ok(bytes)) => pages += usize::from(bytes > 0),
                Ok(Err(why)) => {
                    assert!(!why.is_empty() && !why.ends_with('.') && !why.contains('\n'), "{why:?}");
                    sentences += 1;
                }
                Err(_) => panic!("{name} panics on {text}"),
            }
        }
        assert!(pages > ROUNDS / 16 && sentences > 0, "{name}: {pages} pages, {sentences} sentences");
    }
}
