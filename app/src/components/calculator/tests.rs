//! What typing does to assumptions and answers, and that every calculator renders.

use std::collections::BTreeSet;

use leptos::prelude::*;
use napkin_accounting::calc::machine::MACHINE_DATA;
use napkin_accounting::calc::{CALCULATORS, OF_RECORDS, calculator};

use super::answer_section::{FORMS, files};
use super::calculators::field;
use super::control::FieldState;
use super::*;
use crate::state::{Hydration, Values};

const MACHINE: &str = include_str!("../../../../accounting/tests/asked/machine.json");

fn texts(pairs: &[(&str, &str)]) -> Texts {
    pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

/// Calculators about training, with their places in a page.
struct Page {
    state: Calculators,
    groups: Vec<Group>,
    _owner: Owner,
}

impl Page {
    fn new(start: &[(&str, &str)], places: &[&str]) -> Self {
        let owner = Owner::new();
        owner.set();
        let state = Calculators::provide(texts(start));
        let groups =
            places.iter().map(|id| Group::new((*id).to_owned(), vec![calculator(id).unwrap()])).collect();
        Self { state, groups, _owner: owner }
    }

    fn training() -> Self {
        Self::new(&[], &["time", "reality", "size"])
    }

    fn group(&self, id: &str) -> Group {
        *self.groups.iter().find(|group| group.id() == id).unwrap()
    }

    fn exact(&self, id: &str) -> Vec<String> {
        let sheet = self.state.sheet(id).unwrap();
        sheet.figures().into_iter().map(|figure| figure.exact()).collect()
    }

    fn type_text(&self, key: &str, text: &str) -> bool {
        self.state.type_text(field(key).unwrap(), text)
    }

    fn assumed(&self, key: &str) -> String {
        self.state.texts.with(|texts| texts.get(key).cloned().unwrap_or_default())
    }

    fn control(&self, key: &str) -> FieldState {
        let group = self.group("time");
        FieldState::of(field(key).unwrap(), group.shown(), &group.members())
    }

    fn sentence(&self, id: &str) -> String {
        self.group(id).sentence().unwrap_or_default()
    }
}

#[test]
fn every_calculator_renders_is_exported_and_derives_its_numbers() {
    let owner = Owner::new();
    owner.set();
    crate::page::Announcer::provide();
    crate::page::Live::provide(crate::live::here(), || unreachable!("they are here"));
    let (state, derivations) = (Calculators::provide(Texts::new()), Derivations::provide());
    state.give("machine", MACHINE_DATA, MACHINE.to_owned());
    let mut ids = BTreeSet::new();
    for calculator in CALCULATORS.iter().chain(OF_RECORDS) {
        let id = calculator.id;
        let html = view! { <Calculator id/> }.to_html();
        for field in calculator.fields {
            let keys = [format!("data-field=\"{}\"", field.key), format!("data-pick=\"{}\"", field.key)];
            assert!(keys.iter().any(|key| html.contains(key)), "{id} has no {}", field.key);
        }
        assert!(!html.contains("NaN") && !html.contains("undefined"), "{html}");
        assert!(html.contains("figure-short") || html.contains("cell-value"), "{id}");
        for id in html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(ids.insert(id.to_owned()), "{id} is there twice");
        }
        let sheet = state.sheet(id).unwrap();
        for (_, extension) in FORMS {
            let exported = files(calculator, &state.inputs(), &sheet, extension);
            assert!(exported.len() == 1 || extension == "svg", "{id}: not one file");
            for (name, text) in exported {
                assert!(name.ends_with(&format!(".{extension}")) && text.len() > 40, "{name}: {text}");
            }
        }
        for index in 0..sheet.figures().len() {
            derivations.shown.set(state.answer(id).map(|answer| (answer, index)));
            let html = view! { <DerivationDialog/> }.to_html();
            assert!(html.contains("<math") && html.contains("Copy Python"), "{id}: {html}");
        }
    }
    derivations.shown.set(state.answer("time").map(|answer| (answer, 999)));
    assert!(!view! { <DerivationDialog/> }.to_html().contains("<math"));
}

#[test]
fn what_the_catalogue_has_for_a_line_is_in_sight() {
    let owner = Owner::new();
    owner.set();
    crate::page::Announcer::provide();
    let state = Calculators::provide(Texts::new());
    let shown = |id: &'static str| view! { <Calculator id/> }.to_html();
    assert!(shown("parallel").contains(r#"<option value="ethernet-400g">"#));
    assert!(state.set("under", "h100-sxm"));
    let html = shown("machine");
    assert!(html.contains(r#"<option value="h100-sxm, b200-sxm">"#), "one more");
    assert!(!html.contains(r#"value="h100-sxm, h100-sxm""#), "once each");
}

#[test]
fn a_change_says_what_it_moves() {
    let page = Page::training();
    assert_eq!(page.sentence("time"), "");
    assert!(page.type_text("mfu", "0.4"));
    assert_eq!(page.sentence("time"), "MFU 0.5 → 0.4 moves 5 figures here.");
    let moved = page.state.moved("time");
    assert_eq!(moved.len(), 5, "the work of the training is the same");
    assert_eq!(moved[0], (0, "143.9 days".to_owned()));
    assert!(page.sentence("reality").starts_with("MFU 0.5 → 0.4 moves "), "{}", page.sentence("reality"));
    assert_eq!(page.sentence("size"), "", "it is no assumption there");

    // Several at once, as an address changes them.
    page.state.replace(texts(&[("gpus", "2048"), ("sparse", "on")]));
    let sentence = page.sentence("time");
    for words in ["GPUs 1024 → 2048", "Sparse peak off → on", "MFU 0.4 → 0.5", " move 5 figures here"] {
        assert!(sentence.contains(words), "{words}: {sentence}");
    }
    assert!(page.type_text("gib", "on"));
    assert!(page.state.moved("time").is_empty(), "no calculator that does not ask for it");
}

#[test]
fn another_hand_moves_what_stands_in_a_field() {
    let page = Page::training();
    assert!(!page.type_text("mfu", "half"));
    assert!(page.state.set("mfu", "0.3"));
    assert_eq!((page.control("mfu").text.as_str(), page.control("mfu").problem), ("0.3", None));
    assert!(page.type_text("mfu", "0.30"));
    assert!(page.state.set("mfu", "0.3"), "which is what it is");
    assert_eq!(page.control("mfu").text, "0.30", "it stays as it was typed");
    assert!(!page.state.set("mfu", "70") && !page.state.set("no-such-field", "1"));
    assert_eq!(page.state.text("mfu").as_deref(), Some("0.30"));
    assert!(page.state.set("mfu", "0.5"));
    assert_eq!(page.assumed("mfu"), "");
}

#[test]
fn the_start_is_where_one_comes_back_to() {
    let page = Page::new(&[("params", "8B"), ("mfu", "0.4")], &["time"]);
    let (group, start) = (page.group("time"), page.exact("time"));
    assert!(!page.state.is_changed(&group.members()));
    assert!(page.type_text("mfu", "0.5") && page.type_text("gpus", "8") && !page.type_text("price", "much"));
    assert!(page.state.is_changed(&group.members()));
    page.state.reset(&group.members());
    assert_eq!((page.exact("time"), page.control("price").problem), (start, None));
    assert!(!page.state.is_changed(&group.members()));
}

#[test]
fn the_same_number_in_other_words_is_no_change() {
    let owner = Owner::new();
    owner.set();
    let values = Values::provide();
    let state = Calculators::provide(texts(&[("params", "70B"), ("mfu", "0.5")])).in_address("cell");
    let group = Group::new("cell-time".to_owned(), vec![calculator("time").unwrap()]);
    let is_changed = || state.is_changed(&group.members());
    // As the sliders of a lecture move them, and are reset.
    for (key, there, back, text) in
        [("params", "8e9", "70e9", "70B"), ("mfu", "0.4", "0.5", "0.5"), ("gpus", "8", "1_024", "1024")]
    {
        assert!(state.set(key, there) && is_changed(), "{key}");
        assert!(state.set(key, back) && !is_changed(), "{key}");
        assert_eq!((state.text(key).as_deref(), values.query().as_str()), (Some(text), ""));
        // As a hand types them.
        let field = field(key).unwrap();
        assert!(state.type_text(field, there) && is_changed(), "{key}");
        assert!(state.type_text(field, back) && !is_changed(), "{key}");
        assert_eq!(values.query(), "");
        assert_eq!(FieldState::of(field, state, &group.members()).text, back, "it stays as it was typed");
    }
}

#[test]
fn a_model_without_known_tokens_is_computed_with_those_of_the_field() {
    let page = Page::training();
    let hint = |key: &str| page.control(key).given_text();
    page.state.choose(field("model").unwrap(), "gpt-2");
    assert_eq!(page.state.answer("time").unwrap().get().problem, None);
    assert_eq!((page.control("tokens").text.as_str(), hint("tokens")), ("15T", None));
    assert_eq!(hint("params").as_deref(), Some("124.4 M params"));
    assert!(!page.type_text("tokens", ""));
    let sentence = "Training tokens is missing: it takes a number such as 15T.";
    assert_eq!(page.control("tokens").problem.as_deref(), Some(sentence));

    page.state.choose(field("model").unwrap(), "llama-3.1-8b");
    assert_eq!(hint("tokens").as_deref(), Some("15 T tokens"));
    // What an earlier answer said is no figure of this model.
    page.state.replace(texts(&[("model", "gpt-2"), ("dtype", "fp4")]));
    assert!(page.state.answer("time").unwrap().get().problem.is_some());
    assert_eq!(hint("params"), None);
}

#[test]
fn a_record_of_ones_own_stays_as_typed_and_is_compact_in_links() {
    let page = Page::training();
    let config = r#"{"model_type": "llama", "vocab_size": 1000, "hidden_size": 64, "intermediate_size": 172,
        "num_hidden_layers": 2, "num_attention_heads": 4, "bos_token_id": 1}"#;
    assert!(page.type_text("model", config));
    assert_eq!(page.assumed("model"), config.replace([' ', '\n'], ""));
    assert_eq!(page.control("model").text, config);
    assert!(!page.type_text("model", "{\"model_type\": \"llama\"}"));
    page.state.choose(field("model").unwrap(), "");
    assert_eq!((page.assumed("model").as_str(), page.control("model").is_custom), ("", false));
}

#[test]
fn a_select_shows_what_an_address_calls_by_another_name() {
    for (key, text, id) in
        [("dtype", "torch.bfloat16", "bf16"), ("gpu", "H100-SXM", "h100-sxm"), ("dtype", "x", "")]
    {
        let option = wording::option(field(key).unwrap(), text);
        assert_eq!(option.map_or("", |(id, _)| id), id, "{text}");
    }
}

#[test]
fn a_command_prints_the_same_in_a_terminal() {
    let texts = texts(&[("mfu", "0.4"), ("sparse", "on"), ("gpu", "{\"id\":\"it's\"}")]);
    let command = |id: &str| wording::command(calculator(id).unwrap(), &texts);
    assert_eq!(command("time"), r#"napkin calc time --gpu '{"id":"it'\''s"}' --sparse --mfu 0.4"#);
    // What runs something has a command of its own.
    assert_eq!(command("machine"), "napkin roofline");
    assert_eq!(command("count-linear"), "napkin count linear");
}

#[test]
fn the_address_tells_what_is_not_as_at_the_start() {
    let owner = Owner::new();
    owner.set();
    let values = Values::provide();
    let shared = Calculators::provide(Texts::new()).in_address(SHARED);
    let cell = Calculators::provide(texts(&[("mfu", "0.4"), ("gpus", "lots")])).in_address("cell");
    assert_eq!(cell.start(), texts(&[("mfu", "0.4")]), "what cannot be read is left out");
    Group::new("cell-time".to_owned(), vec![calculator("time").unwrap()]);
    // The group is the cell's, whose calculators are the last in the context.
    assert!(shared.set("mfu", "0.3") && cell.set("mfu", "0.5") && cell.set("gpus", "8"));
    assert_eq!(values.query(), "?v=3&calc.mfu=0.3&cell.gpus=8&cell.mfu");
    assert!(shared.set("mfu", "0.5") && cell.set("mfu", "0.4"));
    assert_eq!(values.query(), "?v=3&cell.gpus=8");

    values.take("?calc.gpus=2048&calc.mfu=70&calc.nothing=1&cell.mfu=&cell.shape=3x4");
    shared.follow_address();
    cell.follow_address();
    assert_eq!(shared.texts.get(), texts(&[("gpus", "2048")]));
    assert_eq!(cell.texts.get(), Texts::new());
    assert_eq!(values.query(), "?v=3&calc.gpus=2048&cell.mfu&cell.shape=3x4");
    let notices = values.notices.get();
    assert!(
        notices.len() == 2 && notices[0].starts_with("MFU ") && notices[1].contains("nothing"),
        "{notices:?}"
    );
}

#[test]
fn html_is_taken_over_as_it_was_written_whatever_has_changed_since() {
    let owner = Owner::new();
    owner.set();
    crate::page::Announcer::provide();
    let state = Calculators::provide(Texts::new());
    let render = || view! { <Calculator id="time"/> }.to_html();
    let written = render();
    assert!(state.set("mfu", "0.4"));
    assert_ne!(render(), written);
    let hydration = Hydration::provide();
    assert_eq!(render(), written);
    let group = Group::new("time".to_owned(), vec![calculator("time").unwrap()]);
    let text = || FieldState::of(field("mfu").unwrap(), group.shown(), &group.members()).text;
    assert_eq!(text(), "0.5");
    hydration.finish();
    assert_eq!(text(), "0.4");
}
