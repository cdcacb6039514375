//! The calculators' cells as HTML, and what typing does to them.

use napkin_accounting::calc::CALCULATORS;
use napkin_accounting::calc::machine::{MACHINE_DATA, OPERATIONS_DATA};
use napkin_sheets::{Book, Cell, Form, Texts};

fn book() -> Book {
    let mut book = Book::default();
    book.add(Cell::new("time", "Training time", &["time"]));
    book.add(Cell::new("reality", "Reality", &["reality"]));
    book.add(Cell::new("size", "Largest model", &["size"]));
    book
}

/// A book with all that calculators have from elsewhere.
fn measured() -> Book {
    let mut book = Book::default();
    let machine = include_str!("../../../accounting/tests/asked/machine.json");
    book.take_data("machine", [(MACHINE_DATA.to_owned(), machine.to_owned())]);
    book
}

fn texts(pairs: &[(&str, &str)]) -> Texts {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The texts of every element with that class.
fn texts_of(html: &str, class: &str) -> Vec<String> {
    let start = format!("class=\"{class}\"");
    let pieces = html.split(&start).skip(1);
    pieces
        .map(|piece| {
            let inside = piece.split_once('>').map_or("", |(_, inside)| inside);
            inside.split('<').next().unwrap_or_default().to_owned()
        })
        .collect()
}

/// The message below a field of the cell about training time.
fn message(book: &Book, key: &str) -> String {
    let html = book.html("time");
    let start = format!("id=\"time-{key}-message\" role=\"status\">");
    html.split_once(&start).and_then(|(_, rest)| rest.split('<').next()).unwrap_or("no such field").to_owned()
}

#[test]
fn a_cell_shows_what_the_lecture_reaches() {
    let html = book().html("time");
    let exact = texts_of(&html, "figure-exact");
    assert_eq!(exact[0], "143.92659381842682 days");
    assert_eq!(exact[2], "6,300,000,000,000,000,000,000,000 FLOP");
    assert_eq!(exact[3], "43,772,313,600,000,000,000,000 FLOP/day");
    assert!(texts_of(&html, "figure-short").contains(&"3.537 M GPU-hours".to_owned()));
    assert!(html.contains("<math") && html.contains("aria-label=\"Training time\""), "{html}");
}

#[test]
fn every_calculator_is_a_cell() {
    let mut book = Book::default();
    for calculator in CALCULATORS {
        book.add(Cell::new(calculator.id, calculator.title, &[calculator.id]));
        let html = book.html(calculator.id);
        for field in calculator.fields {
            let keys = [format!("data-field=\"{}\"", field.key), format!("data-pick=\"{}\"", field.key)];
            assert!(keys.iter().any(|key| html.contains(key)), "{} has no {}", calculator.id, field.key);
        }
        // Whatever the others compute under the same names, a default stands in its field.
        assert!(!html.contains("unless you type another") || html.contains("Memory of a device"), "{html}");
        for tag in ["section", "div", "table", "button", "details", "svg", "math", "select", "fieldset"] {
            let opened =
                html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag} in {}", calculator.id);
        }
        assert!(!html.contains("NaN") && !html.contains("undefined"), "{html}");
    }
    let all: Vec<String> = CALCULATORS.iter().map(|calculator| book.html(calculator.id)).collect();
    let ids =
        all.iter().flat_map(|html| html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()));
    let mut ids: Vec<&str> = ids.collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id is there twice");
}

#[test]
fn a_change_says_what_it_moves_and_where() {
    let mut book = book();
    assert_eq!(book.take(texts(&[("mfu", "0.4")]), "time"), []);
    let html = book.html("time");
    assert!(html.contains("<strong>MFU 0.5 → 0.4</strong> moves 5 figures here and "), "{html}");
    assert!(html.contains("in <a href=\"#reality\""), "{html}");
    assert!(texts_of(&html, "figure-was").contains(&"was 143.9 days".to_owned()), "{html}");
    assert_eq!(html.matches("is-moved").count(), 5, "the work of the training is the same");
    let html = book.html("reality");
    assert!(html.contains("changed in <a href=\"#time\""), "{html}");
    assert!(!book.html("size").contains("MFU"), "nothing has moved there");
    // Several at once, as a step changes them.
    book.take(texts(&[("gpus", "2048"), ("sparse", "on")]), "size");
    let html = book.html("time");
    for words in ["GPUs 1024 → 2048", "Sparse peak off → on", "MFU 0.4 → 0.5", " move 5 figures here"] {
        assert!(html.contains(words), "{words}: {html}");
    }
    book.take(texts(&[("gpus", "2048"), ("sparse", "on"), ("pue", "1.2")]), "time");
    assert!(book.html("time").contains("moves no figure here"), "1.2 is what it was");
}

#[test]
fn what_is_typed_is_an_assumption_only_if_it_can_be_read() {
    let mut book = book();
    let before = texts_of(&book.html("time"), "figure-exact");
    for bad in ["", "0", "-1", "nothing", "NaN", "1e400", "11"] {
        assert_eq!(book.type_text("mfu", bad), None, "{bad:?}");
        assert!(message(&book, "mfu").starts_with("MFU "), "{bad:?}: {}", message(&book, "mfu"));
        let html = book.html("time");
        assert_eq!(texts_of(&html, "figure-exact"), before);
        assert!(html.contains("is-old") && html.contains(&format!("value=\"{bad}\"")), "{bad:?}");
    }
    assert_eq!(book.type_text("mfu", " 0.4 "), Some("0.4".to_owned()));
    assert_eq!(message(&book, "mfu"), "");
    assert_eq!(book.type_text("mfu", "0.5"), Some(String::new()), "the default need not be said");
    assert_eq!(book.type_text("no-such-field", "1"), None);
    assert_eq!(book.slid("mfu", 0), Some("0.05".to_owned()));
    assert_eq!(book.slid("params", 29), Some("70B".to_owned()));
    assert_eq!(book.slid("gpu", 1), None);
}

#[test]
fn fields_that_contradict_each_other_keep_the_last_answer() {
    let mut book = book();
    let before = texts_of(&book.html("time"), "figure-exact");
    assert_eq!(book.take(texts(&[("gpu", "a100-sxm"), ("dtype", "fp8")]), "time"), []);
    let html = book.html("time");
    assert_eq!(texts_of(&html, "figure-exact"), before);
    assert!(html.contains("is-old") && message(&book, "dtype").contains("A100"), "{html}");
    book.take(texts(&[("dtype", "fp8")]), "time");
    assert!(!book.html("time").contains("is-old"));
}

#[test]
fn what_an_address_says_wrongly_is_returned() {
    let mut book = book();
    let refused =
        book.take(texts(&[("mfu", "70"), ("nothing", "1"), ("gpus", "8"), ("gpu", "{\"id\": 1}")]), "time");
    let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["gpu", "mfu", "nothing"]);
    assert!(refused.iter().all(|(_, sentence)| sentence.split_whitespace().count() > 3), "{refused:?}");
    assert!(book.html("time").contains("value=\"8\""), "what can be read is taken");
}

#[test]
fn a_model_gives_its_numbers_until_others_are_typed() {
    let mut book = book();
    book.take(texts(&[("model", "llama-3.1-70b")]), "time");
    let html = book.html("time");
    assert!(
        html.contains("placeholder=\"15 T tokens\"") && html.contains("unless you type another"),
        "{html}"
    );
    assert!(html.contains("part-reality"), "its GPU-hours were reported");
    assert_eq!(book.type_text("params", "70B"), Some("70B".to_owned()), "which is not the model's");
    assert_eq!(book.type_text("params", ""), Some(String::new()), "back to the model's");
    assert_eq!(book.type_text("mfu", ""), None, "nobody gives an MFU");
}

#[test]
fn a_record_of_ones_own_is_made_short() {
    let mut book = book();
    assert_eq!(book.choose("gpu", "own"), None);
    let html = book.html("time");
    assert!(html.contains("<textarea") && html.contains("my NVIDIA H100"), "there is one to begin with");
    let device = "{\n  \"id\": \"mine\", \"name\": \"Mine\",\n  \"peaks\": [{\"dtype\": \"bf16\", \"figure\": {\"value\": 1e15}}]\n}";
    let short = book.type_text("gpu", device).expect("a device");
    assert!(short.len() < device.len() && !short.contains([' ', '\n']), "{short}");
    book.take(texts(&[("gpu", &short)]), "time");
    let html = book.html("time");
    assert!(html.contains("characters of a link") && html.contains("unverified"), "{html}");
    assert!(html.contains("your own") && html.contains("is-doubtful"), "{html}");
    let config = r#"{"model_type": "llama", "architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "vocab_size": 1000,
        "hidden_size": 64, "intermediate_size": 172, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "torch_dtype": "bfloat16", "rope_theta": 10000.0, "_name_or_path": "tiny"}"#;
    let short = book.type_text("model", config).expect("a model");
    for gone in ["architectures", "bos_token_id", "torch_dtype", "rope_theta", "_name_or_path"] {
        assert!(!short.contains(gone), "{short}");
    }
    assert!(short.contains("\"name\":\"tiny\"") && short.contains("num_key_value_heads"), "{short}");
    assert_eq!(book.type_text("model", "{\"model_type\": \"llama\"}"), None);
    assert_eq!(book.choose("gpu", "a100-sxm"), Some("a100-sxm".to_owned()));
    assert_eq!(book.choose("gpu", "h100-sxm"), Some(String::new()));
}

#[test]
fn answers_are_taken_away_in_every_form() {
    let mut book = measured();
    for calculator in CALCULATORS {
        book.add(Cell::new(calculator.id, calculator.title, &[calculator.id]));
        for form in [Form::Markdown, Form::Csv, Form::Json] {
            let [file] = &book.exports(calculator.id, form)[..] else {
                panic!("{}: not one file", calculator.id)
            };
            assert!(file.name.ends_with(&format!(".{}", form.id())) && file.text.len() > 40, "{file:?}");
        }
        let charts = book.exports(calculator.id, Form::Svg);
        assert_eq!(!charts.is_empty(), book.html(calculator.id).contains("<svg"), "{}", calculator.id);
        assert!(charts.iter().all(|file| file.text.starts_with("<svg xmlns=")), "{charts:?}");
    }
    book.take(texts(&[("mfu", "0.4"), ("sparse", "on"), ("gpu", "{\"id\":\"it's\"}")]), "time");
    assert_eq!(book.command("time").as_deref(), Some("napkin calc time --sparse --mfu 0.4"));
    // What runs something has a command of its own.
    assert_eq!(book.command("machine").as_deref(), Some("napkin roofline"));
    assert_eq!(book.command("count-linear").as_deref(), Some("napkin count linear"));
}

#[test]
fn every_number_has_a_derivation() {
    let mut book = measured();
    for calculator in CALCULATORS {
        book.add(Cell::new(calculator.id, calculator.title, &[calculator.id]));
        let html = book.html(calculator.id);
        let keys =
            html.split("data-do=\"derive\" data-of=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let mut count = 0;
        for key in keys {
            let derivation = book.derivation(key).unwrap_or_else(|| panic!("{key} has none"));
            assert!(derivation.contains("<math") && derivation.contains("Copy Python"), "{derivation}");
            count += 1;
        }
        assert!(count > 0, "{} shows no number", calculator.id);
    }
    assert_eq!(book.derivation("time:999"), None);
}

#[test]
fn a_machine_shows_what_was_measured_of_it() {
    let mut book = measured();
    book.add(Cell::new("machine", "This machine", &["machine"]));
    let html = book.html("machine");
    assert!(html.contains("chart-shade") && html.contains("chart-line"), "heat map and roofline: {html}");
    let rows = html.matches("<tr").count();

    let operation = r#"[{"expression": "relu(8x8)", "dtype": "float32", "shape": [8, 8],
        "measured": {"flop": 0, "bytes": 512, "fence": {"median_secs": 1e-6}, "timestamp": null}}]"#;
    let machine = include_str!("../../../accounting/tests/asked/machine.json");
    book.take_data(
        "machine",
        [(MACHINE_DATA.to_owned(), machine.to_owned()), (OPERATIONS_DATA.to_owned(), operation.to_owned())],
    );
    let html = book.html("machine");
    assert!(html.contains("relu(8x8) float32"), "{html}");
    assert_eq!(html.matches("<tr").count(), rows + 2, "in the table of operations and in that of points");
    // An assumption does not take the record away.
    book.take(texts(&[("under", "a100-sxm")]), "machine");
    assert!(book.html("machine").contains("promised") && book.html("machine").contains("relu(8x8)"));

    book.take_data("machine", [(MACHINE_DATA.to_owned(), "{\"format\": 1}".to_owned())]);
    assert!(
        book.html("machine").contains("machine&#39;s record")
            || book.html("machine").contains("machine's record")
    );
    book.take_data("machine", [MACHINE_DATA, OPERATIONS_DATA].map(|key| (key.to_owned(), String::new())));
    book.take(Texts::new(), "machine");
    assert!(!book.html("machine").contains("chart-shade") && !book.html("machine").contains("Take away"));
}
