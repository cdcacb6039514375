//! A cell as a file.

use super::*;

#[test]
fn a_cell_is_a_table_data_and_a_text_without_what_is_locked() {
    let mut trace = two(140e9);
    trace.steps[2].env.insert("n, \"m\"".to_owned(), value(2));
    let lecture = Lecture::new(trace);
    let open = &|_: &StackElement, _: u32, _: &str| false;
    let wanted =
        "function,line,name,type,value\none,8,\"n, \"\"m\"\"\",int,2\none,9,days,int,140000000000.0\n";
    assert_eq!(csv(&lecture, 1, open), wanted);
    let data: Json = serde_json::from_str(&json(&lecture, 1, open)).unwrap();
    assert_eq!((&data[1]["name"], &data[1]["contents"]), (&"days".into(), &140e9.into()));
    let is_locked = &|_: &StackElement, _: u32, name: &str| name == "days";
    for text in [csv(&lecture, 1, is_locked), json(&lecture, 1, is_locked), markdown(&lecture, 1, is_locked)]
    {
        assert!(!text.contains("140000000000"), "it tells the answer: {text}");
    }
    let lecture = Lecture::new(small());
    let text = markdown(&lecture, 2, open);
    assert!(text.starts_with("# A cell\n\n```python\n    x = [1,\n         2]"), "{text}");
    assert!(text.contains("    # x = [1,2]\n") && text.contains("    # y = a\n"), "{text}");
    let text = markdown(&lecture, 1, open);
    assert!(text.starts_with("# First things\n\nSome *prose* over lines.\n\n```python\n    for"), "{text}");
}

#[test]
fn a_card_is_taken_away_and_found_without_its_answers() {
    let mut trace = small();
    let step = trace.steps.iter_mut().find(|step| !step.renderings.is_empty()).unwrap();
    let choices = json!([{"text": "Yes", "why": "It folds."}]);
    step.renderings[0].kind = "card".to_owned();
    step.renderings[0].data = json!({"head": "Check", "text": "Is it?", "choices": choices});
    let lecture = Lecture::new(trace);
    let open = markdown(&lecture, 1, &|_, _, _| false);
    assert!(open.starts_with("# First things\n\n**Check.** Is it?\n\n- Yes\n\n```python\n    for"), "{open}");
    let locked = markdown(&lecture, 1, &|_, _, _| true);
    assert!(!locked.contains("Is it?") && locked.contains("for"), "{locked}");
    let found = |words| search(&lecture, words).len();
    assert_eq!((found("is it yes"), found("folds")), (1, 0));
}

#[test]
fn pictures_and_links_are_in_the_text() {
    let written = |kind: &str, data: Json, to: Json| {
        let mut trace = small();
        let step = trace.steps.iter_mut().find(|step| !step.renderings.is_empty()).unwrap();
        let it = &mut step.renderings[0];
        (it.kind, it.data, it.external_link) = (kind.to_owned(), data, to);
        markdown(&Lecture::new(trace), 1, &|_, _, _| false)
    };
    let to = json!({"title": "A paper", "url": "https://example.org/a"});
    for (kind, data, to, wanted) in [
        ("image", json!("images/a b.png"), Json::Null, "![](<images/a b.png>)"),
        ("image", json!("data:image/png;base64,AA"), Json::Null, "(a picture)"),
        ("link", Json::Null, to.clone(), "[A paper](<https://example.org/a>)"),
        ("link", json!("Here"), to, "[Here](<https://example.org/a>)"),
        (
            "link",
            Json::Null,
            json!("https://example.org/b"),
            "[https://example.org/b](<https://example.org/b>)",
        ),
    ] {
        let text = written(kind, data, to);
        assert!(text.starts_with(&format!("# First things\n\n{wanted}\n")), "{text}");
    }
}
