//! What a reader is asked.

use super::*;
use crate::components::Verdict;

/// The question of [`TWO`], where the answer is `days`.
fn question(days: Json, choices: &[&str]) -> Option<Question> {
    let mut trace = two(days);
    trace.predictions[0][0].choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
    Lecture::new(trace).questions.pop()
}

#[test]
fn a_guess_is_judged() {
    let question = question(json!(71.96), &[]).unwrap();
    assert_eq!((question.id.as_str(), question.answer.as_str()), ("one.days", "71.96"));
    for (text, verdict) in [
        ("72", Some(Verdict::Right)),
        ("65", Some(Verdict::Right)),
        ("0.1k", Some(Verdict::Near)),
        ("8", Some(Verdict::Near)),
        ("7", Some(Verdict::Wrong)),
        ("-72", Some(Verdict::Wrong)),
        ("many", None),
        ("", None),
        ("é", None),
        ("1e999", None),
    ] {
        assert_eq!(question.judge(text).ok(), verdict, "{text}");
    }
    assert_eq!(question.judge(""), Err("Write a number: 72, 1.5e9 or 70B".to_owned()));
    for (text, wanted) in [("1 000", 1e3), ("1,000", 1e3), ("70B", 70e9), ("1.5T", 1.5e12), ("2_000k", 2e6)] {
        assert_eq!(number(text), Some(wanted), "{text}");
    }
    let place = |name: &str| at(&format!("{name}:1")).stack.remove(0);
    assert!(question.is_in(&place("one")) && !question.is_in(&place("main")));
    let prediction = Prediction { function_name: String::new(), ..question.prediction };
    assert!(Question { prediction, ..question }.is_in(&place("<module>")));
}

#[test]
fn only_what_has_an_answer_is_asked() {
    for (days, choices, answer) in [
        (json!(true), &["yes", "no"][..], Some("yes")),
        (json!(2), &["1", "2.0"], Some("2.0")),
        (json!("a"), &["a", "b"], Some("a")),
        (json!(71.96), &["1", "2"], None),
        (json!("many"), &[], None),
        (json!([1]), &[], None),
    ] {
        let found = question(days.clone(), choices);
        assert_eq!(found.as_ref().map(|it| it.answer.as_str()), answer, "{days} of {choices:?}");
        if let Some(question) = found {
            let right = choices.iter().filter(|choice| question.judge(choice) == Ok(Verdict::Right));
            assert_eq!(right.count(), 1, "{choices:?}");
        }
    }
    let elsewhere = Trace { predictions: asked(8, "one", "days"), ..two(1) };
    assert!(Lecture::new(elsewhere).questions.is_empty(), "another statement shows it");
}
