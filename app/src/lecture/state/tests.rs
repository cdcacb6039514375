//! What a reader does with a lecture.

use napkin_trace::trace::Rendering;
use serde_json::json;

use super::super::model::tests::{PATH, slider, two};
use super::*;

/// A reader at the beginning of [`TWO`]: steps 2 and 3 are those of the first cell, 7 that of the second.
pub fn read(then: impl FnOnce(LectureState)) {
    Owner::new().with(|| {
        Values::provide();
        untrack(|| {
            then(LectureState::provide(Arc::new(Lecture::new(two(72))), Origin::Site("main".to_owned())));
        });
    });
}

fn params() -> Slider {
    slider("70e9", 1e8, 1e13, None)
}

#[test]
fn who_has_stepped_in_a_part_goes_on_there() {
    read(|state| {
        let place = || (state.current_part(), state.step.get());
        state.go_to_part(2);
        state.set_stepping(true);
        assert_eq!((place(), state.values.query().as_str()), ((2, 7), "?v=3&step=7"));
        assert!(state.go(Move::Back));
        state.set_stepping(false);
        assert_eq!((place(), state.values.query().as_str()), ((1, 3), ""));
        state.set_stepping(true);
        assert_eq!(place(), (1, 3));
    });
}

#[test]
fn a_question_locks_its_value_and_what_is_below() {
    read(|state| {
        let lecture = state.lecture.get();
        let question = &lecture.questions[0];
        let [one, two] = [3, 7].map(|step| lecture.place(step).unwrap());
        let shown = [(one, 8, "params"), (one, 8, "days"), (one, 10, "weeks"), (two, 15, "days")];
        let locked = || shown.map(|(place, line, name)| state.is_locked(place, line, name));
        let score = || state.score(|_| true);
        assert_eq!((locked(), score()), ([false, true, true, false], (0, 0, 1)));
        assert_eq!([9, 10].map(|line| state.awaits_guess(one, line)), [false, true]);
        assert_eq!(state.guess(question, Some(" 70 ")), Ok(()));
        assert_eq!((locked(), score()), ([false; 4], (1, 1, 1)));
        assert_eq!(state.guess(question, None), Ok(()));
        assert_eq!(score(), (0, 1, 1), "who asked to be shown has not guessed");
    });
}

#[test]
fn checks_and_exercises_count_where_they_are() {
    let mut trace = two(72);
    let card = |data| Rendering { kind: "card".to_owned(), data, ..Rendering::default() };
    let choices =
        json!([{"text": "Yes", "why": "", "is_right": true}, {"text": "No", "why": "", "is_right": false}]);
    let hint = json!([{"text": "What is wrong?", "why": ""}]);
    trace.steps[3].renderings = vec![
        card(json!({"head": "Check", "text": "Is it?", "choices": choices})),
        card(json!({"head": "Find the error", "text": "It is.", "choices": hint})),
        card(json!({"head": "Exercise", "text": "Do it", "choices": choices, "function": "helper"})),
    ];
    let (lecture, says) =
        (Arc::new(Lecture::new(trace)), |verdict| Guess { text: "No".to_owned(), verdict, tries: 1 });
    read(|state| {
        state.open(lecture, Origin::File(String::new()));
        let cell = || (state.score(|task| task.part == 1), state.score(|task| task.exercise.is_some()));
        assert_eq!(cell(), ((0, 0, 3), (0, 0, 1)), "to be told an error is no task");
        let say = |what: &str, verdict| {
            state.guesses.update(|all| drop(all.insert(what.to_owned(), says(verdict))));
        };
        say("Is it?", Verdict::Wrong);
        say("Do it", Verdict::Shown);
        assert_eq!(cell(), ((0, 1, 3), (0, 0, 1)), "a hint is no solution");
        say("helper", Verdict::Right);
        assert_eq!(cell(), ((0, 1, 3), (0, 0, 1)), "the code that solved it does not stand there");
        state.edits.set(BTreeMap::from([(function_key(PATH, "helper"), "No".to_owned())]));
        assert_eq!((cell(), state.has_progress()), (((1, 2, 3), (1, 1, 1)), true));
        state.erase();
        assert_eq!((cell().0, state.has_progress()), ((0, 0, 3), false));
    });
}

#[test]
fn a_link_brings_its_numbers() {
    for (query, value) in [
        ("?s.one.params=7e11", "7e11"),
        ("?s.one.params=700000000000", "7e11"),
        ("?s.one.params=1e20", "1e13"),
    ] {
        read(|state| {
            state.values.take(query);
            let (moved, refused) = state.settings();
            assert_eq!(moved[PATH]["one.params"], value, "{query}");
            assert!(state.values.notices.get().is_empty(), "a run that reads them says nothing again");
            assert_eq!(refused.len(), usize::from(value == "1e13"), "{query}");
        });
    }
}

#[test]
fn what_an_address_cannot_have_is_put_right() {
    for (query, wanted, sentence) in [
        ("?s.one.params=1e20", "?v=3&s.one.params=1e13", "here it is 1e13"),
        ("?s.one.params=NaN", "", "here it is 70e9"),
        ("?s.one.nothing=1", "", "no slider"),
        ("?step=abc", "", "not a number"),
        ("?step=4711", "?v=3&step=7", "There is no step 4711"),
        ("?step=-1", "?v=3&step=2", "There is no step -1"),
    ] {
        read(|state| {
            state.values.take(query);
            state.take_step(state.values.text("step"));
            state.settings().1.into_iter().for_each(|refused| state.put_right(refused));
            assert_eq!(state.values.query(), wanted, "{query}");
            let notices = state.values.notices.get();
            assert!(notices.len() == 1 && notices[0].contains(sentence), "{query}: {notices:?}");
            state.take_step(state.values.text("step"));
            assert!(state.settings().1.is_empty(), "{query}");
            assert_eq!(state.values.notices.get().len(), 1, "{query}");
        });
    }
}

#[test]
fn what_an_address_says_of_a_trace_waits_for_it() {
    read(|state| {
        state.values.take("?step=4711&trace=https://example.org/t.json");
        assert!(state.awaits_trace());
        state.origin.set(Origin::Trace("https://example.org/t.json".to_owned()));
        assert!(!state.awaits_trace());
    });
}

#[test]
fn sliders_are_moved_and_written_over() {
    read(|state| {
        let mut two_files = two(1);
        two_files.sliders.insert("other.py".to_owned(), vec![params()]);
        assert_eq!(slider_key(&Lecture::new(two_files), "other.py", &params()), "s.other.py:one.params");
        let set = |value: &str| state.set_slider(PATH, &params(), value.to_owned());
        let setting = || (state.setting(PATH, &params()), state.is_changed());
        assert_eq!(setting(), ("70e9".to_owned(), false));
        set("7e11");
        assert_eq!(setting(), ("7e11".to_owned(), true));
        assert_eq!(state.values.query(), "?v=3&s.one.params=7e11");
        set("7e10");
        assert!(!state.is_changed(), "what the program says itself is no change");

        set("7e11");
        let one = state.code(PATH, "one").unwrap();
        assert!(one.contains("params = 7e11"), "it has the number that the slider says: {one}");
        let text = one.replace("* 2", "* 3");
        state.edit(PATH, "one", text.clone());
        assert!(state.settings().0.is_empty(), "numbers of sliders are part of what is written");
        assert_eq!(state.code(PATH, "one").as_ref(), Some(&text));
        state.edit(PATH, "one", state.original_code(PATH, "one").unwrap());
        assert!(state.edits.get().is_empty(), "what is as it was is no edit");

        set("7e11");
        state.edit(PATH, "two", "def two():\n    x = 1".to_owned());
        state.edit(PATH, "one", text.clone());
        let mut change = Change { edits: state.edits.get(), sliders: Vec::new() };
        assert_eq!(state.in_words(&change), ["Your code of “One”", "Your code of “Two”"]);
        state.take_back(&change);
        assert!(!state.is_changed());
        // It comes back, but not over what was written since.
        state.edit(PATH, "two", "def two():\n    y = 1".to_owned());
        change.edits.retain(|key, _| key.ends_with("two"));
        state.bring_back(change);
        assert!(state.code(PATH, "two").unwrap().contains("y = 1"));
        assert_eq!(state.versions.with(|all| all.values().map(Vec::len).sum::<usize>()), 2);
        state.keep_version(&function_key(PATH, "one"), text.clone(), true);
        assert_eq!(state.last_that_ran(PATH, "one"), Some(text));
    });
}

#[test]
fn what_is_written_takes_the_place_of_functions() {
    read(|state| {
        state.edit(PATH, "one", "def one():\n    x = 1".to_owned());
        state.edit(PATH, "two", "def two():\n    y = (".to_owned());
        let good = BTreeMap::from([(function_key(PATH, "two"), "def two():\n    y = 2".to_owned())]);
        let edits = state.edits_of_program(&good);
        assert_eq!(edits.iter().map(|it| it.lines).collect::<Vec<_>>(), [(6, 9), (12, 15)]);
        assert!(edits.iter().all(|it| it.is_cell));
        let unread = edits.iter().map(|it| it.cell.clone()).filter(|it| it.function == "two").collect();
        let text = state.files_with(&edits, &unread)[PATH].clone();
        let wanted = "def one():\n    x = 1\n\n\ndef two():\n    y = 2\n\n\nmain()\n";
        assert!(text.ends_with(wanted), "{text}");
    });
}

#[test]
fn another_lecture_is_read_from_its_beginning() {
    read(|state| {
        state.move_to_step(7);
        state.edit(PATH, "one", String::new());
        state.guesses.update(|guesses| {
            guesses.insert(
                "one.days".to_owned(),
                Guess { text: String::new(), verdict: Verdict::Shown, tries: 0 },
            );
        });
        state.open(state.original.get(), Origin::File(String::new()));
        assert_eq!((state.is_stepping.get(), state.step.get()), (false, 2));
        assert!(state.edits.get().is_empty() && state.guesses.get().is_empty());
        state.open(Arc::new(Lecture::unrun(two(1).files)), Origin::File(String::new()));
        assert!(state.is_stepping.get(), "there is nothing to read yet");
    });
}
