//! A trace as a document: its parts, calls, places and variables.

use super::*;

#[test]
fn sections_and_cells_have_the_titles_of_their_functions() {
    let lecture = Lecture::new(small());
    assert_eq!(lecture.title(), "Small: what a reader sees.");
    let parts = lecture.parts.iter().map(|it| (it.parent, it.title.as_str(), it.anchor.as_str()));
    let wanted = [(None, "main", "main"), (Some(0), "First things", "section"), (Some(1), "A cell", "cell")];
    assert_eq!(parts.collect::<Vec<_>>(), wanted);
    assert_eq!((lecture.part_named("cell"), lecture.part_named("other")), (Some(2), None));
    assert_eq!(lecture.cells().collect::<Vec<_>>(), [2]);
    let around = [1, 3, 5, 8, 12, 13, 20, 22].map(|step| lecture.part_at(step));
    assert_eq!(around, [0, 0, 1, 2, 2, 1, 1, 0], "called again it belongs to the section");
}

#[test]
fn parts_are_what_has_a_title_or_what_sections_call() {
    let untitled = "def main():\n    cell()\n    text()\n\n\ndef cell():\n    pass\n";
    let mut with_helpers = traced(untitled, all_at(&["main:2", "main:2 cell:7", "main:3", "main:3 text:2"]));
    with_helpers.files.insert("helpers.py".to_owned(), "def text():\n    pass\n".to_owned());
    with_helpers.steps[3].stack[1].path = "helpers.py".to_owned();
    let lecture =
        "def lecture():\n    cell()\n\n\ndef cell():\n    \"\"\"Cell\"\"\"\n    x = 1\n\n\nlecture()\n";
    let of_lecture =
        all_at(&["<module>:10", "<module>:10 lecture:2", "<module>:10 lecture:2 cell:7", "<module>:10"]);
    let twice =
        "def main():\n    a()\n    b()\ndef a():\n    cell()\ndef b():\n    cell()\ndef cell():\n    x = 1\n";
    let of_twice = all_at(&["main:2 a:5 cell:9", "main:2 a:5", "main:3 b:7 cell:9", "main:3 b:7"]);
    let cases = [
        (
            traced(lecture, of_lecture),
            vec![(None, "lecture"), (Some(0), "cell")],
            "it calls its cells, as main does",
        ),
        (
            traced("def cell():\n    x = 1\n\ncell()\n", all_at(&["<module>:4 cell:1", "<module>:4 cell:2"])),
            vec![(None, "cell")],
            "what does nothing is no part",
        ),
        (with_helpers, vec![(None, "main"), (Some(0), "cell")], "functions of other files are helpers"),
        (
            traced(twice, of_twice),
            vec![(None, "main"), (Some(0), "a"), (Some(1), "cell"), (Some(0), "b"), (Some(3), "cell-2")],
            "the same function in two sections has two names",
        ),
    ];
    for (trace, wanted, why) in cases {
        let lecture = Lecture::new(trace);
        let found: Vec<_> = lecture.parts.iter().map(|part| (part.parent, part.anchor.as_str())).collect();
        assert_eq!(found, wanted, "{why}");
    }
}

#[test]
fn a_function_that_is_called_again_is_another_call() {
    let lecture = Lecture::new(small());
    let calls = lecture.calls.calls.iter().map(|call| (call.function.as_str(), call.first, call.last));
    let wanted =
        [("<module>", 0, 22), ("main", 2, 22), ("section", 4, 21), ("cell", 8, 12), ("cell", 16, 20)];
    assert_eq!(calls.collect::<Vec<_>>(), wanted);
    let made: Vec<&[usize]> = lecture.calls.calls.iter().map(|call| &call.made[..]).collect();
    assert_eq!(made, [&[1][..], &[2], &[3, 4], &[], &[]]);
    assert_eq!(lecture.calls.made(2, 7, 13), [3]);
    assert_eq!(lecture.calls.made(2, 8, usize::MAX), [3, 4]);
    assert_eq!(lecture.calls.open(lecture.calls.call(17)), [0, 1, 2, 4]);
    assert_eq!(lecture.calls.calls[2].steps_until(7).collect::<Vec<_>>(), [4, 5, 6, 7]);
    // One call right after the other, by the same statement: the line that begins the function tells them apart.
    let stacks = ["<module>:31 main:7", "<module>:31 main:7 cell:20", "<module>:31 main:7 cell:24"];
    let steps = all_at(&[stacks[0], stacks[1], stacks[2], stacks[1], stacks[2], stacks[0]]);
    let lecture = Lecture::new(traced(SMALL, steps));
    assert_eq!(lecture.calls.made(1, 0, 5), [2, 3]);
}

#[test]
fn a_place_in_the_code_leads_to_the_first_step_there() {
    let lecture = Lecture::new(small());
    for (path, line, step) in [
        (PATH, 14, Some(5)),
        (PATH, 26, Some(10)),
        (PATH, 22, Some(8)),
        (PATH, 31, Some(1)),
        (PATH, 900, None),
        ("other.py", 1, None),
    ] {
        assert_eq!(lecture.step_at(path, line), step, "{path}:{line}");
    }
}

#[test]
fn variables_are_carried_along_until_they_are_cleared() {
    let lecture = Lecture::new(small());
    let names = |step| -> Vec<String> { lecture.inspected(step).into_iter().map(|it| it.name).collect() };
    assert_eq!(names(8), [""; 0]);
    assert_eq!(names(9), ["x"]);
    assert_eq!(names(10), ["y"]);
    assert_eq!(names(12), ["y"]);
    assert_eq!(names(13), [""; 0], "back in the function that called");
    assert_eq!(names(16), [""; 0], "called again, it begins anew");
    assert_eq!(lecture.known(11).len(), 1);
    assert_eq!((lecture.known(11)[0].line, lecture.inspected(10)[0].line), (24, 26));
}

#[test]
fn a_program_without_a_step_says_how_it_ended() {
    let text = "{\"files\": {}, \"steps\": [], \"failure\": \"File\\nSyntaxError: no\\n\"}";
    let why = Lecture::of_trace(serde_json::from_str(text).unwrap()).map(|_| ()).unwrap_err();
    assert_eq!(why, "There are no steps in this trace: its program ended with SyntaxError: no");
}

#[test]
fn a_program_that_is_yet_to_run_is_at_its_first_line() {
    let texts = [("facts.py", "N = 3\n"), ("main.py", "cell()\nif __name__ == \"__main__\":\n    cell()\n")];
    let lecture = Lecture::unrun(texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
    assert_eq!((lecture.is_unrun, lecture.last(), lecture.main()), (true, 0, Some("main.py")));
    assert!(Lecture::unrun(Map::default()).parts.is_empty());
}

#[test]
fn no_part_has_the_name_of_an_element_of_the_page() {
    let anchors = |text: &str, stacks: &[&str]| {
        let lecture = Lecture::new(traced(text, all_at(stacks)));
        lecture.parts.into_iter().map(|part| part.anchor).collect::<Vec<_>>()
    };
    let alone = "def main():\n    x = 1\n\nmain()\n";
    assert_eq!(anchors(alone, &["<module>:4", "<module>:4 main:1", "<module>:4 main:2"]), ["part-main"]);
    let cells = "def main():\n    search()\n\ndef search():\n    hits = 1\n";
    assert_eq!(
        anchors(cells, &["main:1", "main:2", "main:2 search:4", "main:2 search:5"]),
        ["main", "part-search"]
    );
}
