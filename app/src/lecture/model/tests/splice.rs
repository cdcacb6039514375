//! A new run and an old one in one document.

use super::*;

/// The places of all steps, without the file that they are in, and the values that they show.
fn told(trace: &Trace) -> (Vec<String>, Vec<Json>) {
    let place = |it: &StackElement| format!("{}:{}", it.function_name, it.line_number);
    let places = |step: &Step| step.stack.iter().map(place).collect::<Vec<_>>().join(" ");
    let values = trace.steps.iter().flat_map(|step| step.env.values().flatten());
    (trace.steps.iter().map(places).collect(), values.map(|value| value.contents.clone()).collect())
}

#[test]
fn what_is_over_is_new_and_the_rest_is_old() {
    let (before, new) = (Lecture::new(two(1)), two(2).steps);
    let joined = |count: usize, known| with_beginning(&before, &files(TWO), &new[..count], known);
    for count in 0..=4 {
        assert_eq!(joined(count, 0), None, "no cell is over after {count} steps");
    }
    for (count, values) in [(5, [2, 1]), (8, [2, 1]), (9, [2, 2]), (10, [2, 2])] {
        let joined = joined(count, 0).unwrap();
        assert_eq!(told(&joined), (told(&two(1)).0, values.map(Json::from).to_vec()), "after {count} steps");
        assert_eq!(Lecture::new(joined).parts, before.parts);
    }
    // It is made anew only when there is more to it.
    for (count, known, is_new) in [(6, 4, true), (6, 5, false), (8, 5, false), (10, 8, true), (10, 9, false)]
    {
        assert_eq!(joined(count, known).is_some(), is_new, "{known} steps and then {count}");
    }
}

/// A text and what is written in its place.
type Edit = (&'static str, &'static str);

#[test]
fn lines_are_found_again_before_between_and_after_edits() {
    let mut trace = two(1);
    trace.steps[7].stack[2].end_line_number = Some(15);
    let before = Lecture::new(trace);
    let cases: [(&[Edit], [u32; 5]); 6] = [
        (&[], [18, 2, 3, 14, 15]),
        (&[("    params", "    x = 0\n    params")], [19, 2, 3, 15, 16]),
        (&[("    days = params * 2\n", "")], [17, 2, 3, 13, 14]),
        (&[("70e9", "9")], [18, 2, 3, 14, 15]),
        (&[("70e9", "9"), ("    d = c\n", "    d = c\n    e = 1\n")], [19, 2, 3, 14, 15]),
        (&[("def main():\n", "def main():\n    x = 0\n"), ("d = c", "d = 3")], [19, 3, 4, 15, 16]),
    ];
    for (edits, wanted) in cases {
        let text = edits.iter().fold(TWO.to_owned(), |text, (from, to)| text.replace(from, to));
        let trace = with_part(&before, &files(&text), 1, Vec::new(), false).unwrap();
        let line = |step: usize, at: usize| trace.steps[step].stack[at].line_number;
        assert_eq!([line(0, 0), line(2, 1), line(3, 1), line(4, 2), line(5, 2)], wanted, "{edits:?}");
        assert_eq!(trace.steps[5].stack[2].end_line_number, Some(wanted[4]), "{edits:?}");
    }
}

#[test]
fn a_part_that_ran_by_itself_stands_where_it_stood() {
    let before = Lecture::new(two(1));
    // The worker has called it from a line of its own.
    let alone = vec![at("<module>:1 one:8"), shows(at("<module>:1 one:9"), "days", 2)];
    let text = TWO.replace("def main():\n", "def main():\n    x = 0\n");
    let trace = with_part(&before, &files(&text), 1, alone.clone(), false).unwrap();
    let (places, values) = told(&trace);
    assert_eq!(places[2..4], ["<module>:19 main:3 one:8", "<module>:19 main:3 one:9"]);
    assert_eq!(values, [2.into(), Json::from(1)]);
    assert_eq!((&trace.files[PATH], trace.hidden_line_numbers[PATH][0]), (&text, 15));
    assert_eq!((trace.sliders[PATH][0].line_number, trace.predictions[PATH][0].line_number), (9, 10));
    assert_eq!(Lecture::new(trace).parts, before.parts);
    // One that has failed has the rest of what it had.
    let broken = with_part(&before, &files(&text), 1, alone[..1].to_vec(), true).unwrap();
    assert_eq!((told(&broken).1, old(&broken)), ([1, 1].map(Json::from).to_vec(), vec![3, 4]));
}

/// The steps of [`two`] that are of an earlier run.
fn old(trace: &Trace) -> Vec<usize> {
    (0..trace.steps.len()).filter(|at| trace.steps[*at].is_old).collect()
}

#[test]
fn what_a_run_has_not_come_to_is_that_of_the_run_before() {
    let before = Lecture::new(two(1));
    let new = two(2).steps;
    let none = |_: &str, _: &str| false;
    let cases: [(Vec<Step>, &[usize], [i64; 2]); 6] = [
        // It has failed before any cell, or in the file itself.
        (new[..1].to_vec(), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1]),
        // In the second cell, or before it.
        (new[..8].to_vec(), &[], [2, 2]),
        (new[..5].to_vec(), &[5, 6, 7, 8], [2, 1]),
        // The first cell waits, the second one has run.
        ([&new[..2], &new[4..]].concat(), &[2, 3], [1, 2]),
        ([&new[..6], &new[8..]].concat(), &[6, 7], [2, 1]),
        (new.clone(), &[], [2, 2]),
    ];
    for (steps, wanted, values) in cases {
        let count = steps.len();
        let joined = with_end(&before, &files(TWO), &steps, &none);
        assert_eq!(old(&joined), wanted, "{count} steps");
        assert_eq!(told(&joined).1, values.map(Json::from), "{count} steps");
        assert_eq!(Lecture::new(joined).parts.len(), before.parts.len(), "{count} steps");
    }
    // Of the cell that has failed, the rest is old.
    let joined = with_end(&before, &files(TWO), &new[..3], &|_, function| function == "one");
    assert_eq!((old(&joined)[0], told(&joined).1), (3, [1, 1].map(Json::from).to_vec()));
    assert_eq!(joined.predictions, before.trace.predictions, "what it has not come to is still asked");
}

#[test]
fn where_a_cell_was_stopped_before_its_time_those_before_it_are_as_they_were() {
    let before = Lecture::new(two(1));
    for (function, wanted) in [("one", (2..10).collect()), ("two", (6..10).collect()), ("solve", vec![])] {
        let joined = with_stopped(&before, &files(TWO), PATH, function);
        assert_eq!((old(&joined), told(&joined)), (wanted, told(&two(1))), "{function}");
    }
}

#[test]
fn lines_are_found_again_where_several_functions_were_edited() {
    let before = Lecture::new(two(1));
    let text = TWO
        .replace("    params", "    x = 0\n    params")
        .replace("    c = 1  # @hide\n    d = c\n", "    d = c\n");
    let trace = with_end(&before, &files(&text), &two(2).steps[..1], &|_, _| false);
    let line = |step: usize| trace.steps[step].stack.last().unwrap().line_number;
    assert_eq!([line(2), line(3), line(7), line(9)], [9, 10, 15, 18]);
}

#[test]
fn a_cell_that_is_called_again_is_each_time_another() {
    // By two sections, or in two rounds.
    for callers in [["a", "b"], ["a", "a"]] {
        let text = "def main():\n    s(1)\n\ndef a():\n    cell(1)\n\n\ndef b():\n    cell(2)\n\n\n\ndef cell(x):\n    \
                    \"\"\"Cell\"\"\"\n    x = 1\n\n\n\n\nmain()\n";
        let steps = |run: i64| {
            let of_caller = callers.into_iter().flat_map(|caller| {
                let caller = format!("<module>:20 main:2 {caller}:5");
                [at(&caller), shows(at(&format!("{caller} cell:15")), "x", run), at(&caller)]
            });
            std::iter::once(at("<module>:20 main:2")).chain(of_caller).collect::<Vec<Step>>()
        };
        let before = Lecture::new(traced(text, steps(1)));
        for (count, values) in [(4, [2, 1]), (6, [2, 1]), (7, [2, 2])] {
            let joined = with_beginning(&before, &files(text), &steps(2)[..count], 0).unwrap();
            let wanted = (told(&before.trace).0, values.map(Json::from).to_vec());
            assert_eq!(told(&joined), wanted, "{callers:?} after {count} steps");
        }
    }
}

/// The lecture of the first page, where a cell has failed and the cells that need what it gives have not run.
#[test]
fn in_a_whole_lecture_every_cell_stays_in_its_place() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/lectures/resource-accounting.json");
    let before = Lecture::of_site(&std::fs::read_to_string(path).unwrap()).unwrap();
    let is_in = |step: &Step, function: &str| step.stack.iter().any(|place| place.function_name == function);
    let failed = |function: &str, waiting: &[&str]| {
        let steps = before.trace.steps.iter();
        let mut steps: Vec<Step> =
            steps.filter(|step| !waiting.iter().any(|it| is_in(step, it))).cloned().collect();
        let first = steps.iter().position(|step| is_in(step, function)).unwrap();
        let last = steps.iter().rposition(|step| is_in(step, function)).unwrap();
        steps.drain(first + 5..=last);
        steps
    };
    // One that was stopped before it came to any cell: each part is still called from its own line.
    let main = before.trace.steps.iter().position(|step| is_in(step, "main")).unwrap();
    let stopped = with_end(&before, &before.trace.files, &before.trace.steps[..=main], &|_, _| false);
    let (stopped, rows) = (Lecture::after(&before, stopped), |lecture: &Lecture| {
        let rows = listing(lecture, lecture.parts[0].call, None, false);
        rows.into_iter().map(|row| (row.lines, row.parts)).collect::<Vec<_>>()
    });
    assert_eq!(rows(&stopped), rows(&before));
    for (function, waiting) in [
        ("training_time", &["reality", "cost"][..]),
        ("landmarks", &[]),
        ("napkin_maths", &["memory_accounting"]),
        ("underflow", &["compute_accounting", "whole_budget"]),
    ] {
        let steps = failed(function, waiting);
        let joined = with_end(&before, &before.trace.files, &steps, &|_, it| it == function);
        let joined = Lecture::after(&before, joined);
        let anchors =
            |lecture: &Lecture| lecture.parts.iter().map(|it| it.anchor.clone()).collect::<Vec<_>>();
        assert_eq!(anchors(&joined), anchors(&before), "{function}");
        for known in (50..steps.len()).step_by(200) {
            let Some(joined) = with_beginning(&before, &before.trace.files, &steps[..known], 0) else {
                continue;
            };
            assert_eq!(
                anchors(&Lecture::after(&before, joined)),
                anchors(&before),
                "{function} after {known}"
            );
        }
    }
}
