//! Where moves lead, and how a reader counts.

use super::*;

/// Everywhere that a move leads to, one after the other.
fn way(lecture: &Lecture, from: usize, to: Move) -> Vec<usize> {
    let mut way: Vec<usize> =
        std::iter::successors(Some(from), |step| lecture.target(*step, to)).take(1000).collect();
    assert!(way.len() < 1000, "{to:?} never ends");
    if to == Move::Back {
        way.reverse();
    }
    way
}

#[test]
fn the_way_through_what_says_something_is_the_way_back() {
    let rounds = "for i in range(3):\n    if i == 1:\n        print(i)\n    a = i\nb = a\n";
    let lines = [1, 2, 4, 1, 2, 3, 4, 1, 2, 4, 1, 5].map(|line| at(&format!("<module>:{line}")));
    let script = "import math\n\ndef f(x):\n    return x\n\nclass A:\n    b = 1\n\nx = f(1)\nprint(x)\n";
    let stacks = ["<module>:1", "<module>:3", "<module>:6", "<module>:9", "<module>:9 f:3", "<module>:9 f:4"];
    let stacks = [&stacks[..], &["<module>:9", "<module>:10"]].concat();
    let cases: [(Trace, &[usize]); 5] = [
        // No import, no definition, no line that begins a function, no head of a loop, no end of a part, no prose, nothing
        // hidden, nothing that calls a part;
        // but a cell of prose alone is stopped at.
        (looped(), &[14, 17, 22, 40, 43]),
        (small(), &[9, 10, 11]),
        (two(1), &[2, 3, 7]),
        // What runs in a later round first is no dead end.
        (traced(rounds, lines.to_vec()), &[2, 5, 11]),
        (traced(script, all_at(&stacks)), &[6, 7]),
    ];
    for (trace, stops) in cases {
        let lecture = Lecture::new(trace);
        assert_eq!((0..lecture.progress(0).stops).map(|at| lecture.stop(at)).collect::<Vec<_>>(), stops);
        assert_eq!(way(&lecture, lecture.first_stop(None), Move::Next), stops);
        assert_eq!(way(&lecture, *stops.last().unwrap(), Move::Back), stops);
    }
    let unrun = Lecture::unrun(files(script));
    assert_eq!(way(&unrun, 0, Move::Next), [0], "there is a place to be before anything has run");
}

#[test]
fn a_helper_is_stepped_into_and_another_round_is_not_left() {
    let lecture = Lecture::new(looped());
    for (from, to, target) in [
        (14, Move::Next, Some(17)),
        (14, Move::Into, Some(12)),
        (12, Move::Next, Some(13)),
        (13, Move::Back, Some(12)),
        (13, Move::Next, Some(14)),
        (13, Move::Out, Some(14)),
        (12, Move::Back, Some(14)),
        (12, Move::Into, None),
        (14, Move::Out, None),
        (27, Move::Out, Some(29)),
        // In another round.
        (24, Move::Next, Some(29)),
        (29, Move::Back, Some(24)),
        (30, Move::Next, Some(31)),
        (38, Move::Back, Some(36)),
        (23, Move::Back, Some(22)),
    ] {
        assert_eq!(lecture.target(from, to), target, "{to:?} from step {from}");
    }
    let round = |step| lecture.round(step);
    assert_eq!(round(17), Some((1, vec![17, 24, 31])));
    assert_eq!(round(31), Some((3, vec![17, 24, 31])));
    assert_eq!(round(25), Some((2, vec![22, 29, 36])), "before the call it is the same round as after it");
    for step in [16, 23, 14, 38] {
        assert_eq!(round(step), None, "the head of a loop, and what is outside of it: {step}");
    }
}

#[test]
fn places_are_counted_as_a_reader_sees_them() {
    let lecture = Lecture::new(looped());
    for (step, [line, lines, stop]) in
        [(14, [1, 3, 1]), (24, [2, 3, 3]), (15, [2, 3, 1]), (13, [2, 2, 0]), (43, [1, 1, 5])]
    {
        assert_eq!(lecture.progress(step), Progress { line, lines, stop, stops: 5 }, "at step {step}");
    }
    assert_eq!([0, 45].map(|step| lecture.progress(step).lines), [0, 0], "outside of the lecture");
    assert_eq!([0, 14, 15, 45].map(|step| lecture.stop_before(step)), [14, 14, 14, 43]);
    assert_eq!([0, 4, 5].map(|number| lecture.stop(number)), [14, 43, 43]);
    assert_eq!([0, 1, 2].map(|part| lecture.first_stop(Some(part))), [14, 14, 43]);
}

#[test]
fn a_program_that_never_came_back_can_be_stepped_into() {
    let mut trace = looped();
    trace.steps.truncate(35);
    let lecture = Lecture::new(trace);
    assert_eq!((lecture.target(32, Move::Into), lecture.target(34, Move::Next)), (Some(34), Some(32)));
    let whole = listing(&lecture, lecture.parts[0].call, None, false);
    assert_eq!(whole.iter().flat_map(|it| it.parts.clone()).collect::<Vec<_>>(), [1], "its cell is shown");
}

/// Thousands of calls by one line: every move still leads where it should.
#[test]
fn a_line_that_calls_often_is_one_line() {
    const ROUNDS: usize = 10_000;
    let mut steps = all_at(&["<module>:1", "<module>:4"]);
    (0..ROUNDS).for_each(|_| steps.extend(all_at(&["<module>:4 f:1", "<module>:4 f:2"])));
    steps.push(at("<module>:4"));
    let text = "def f(x):\n    return x\n\na = [f(x) for x in range(10000)]\n";
    let lecture = Lecture::new(traced(text, steps));
    assert_eq!((lecture.calls.calls.len(), lecture.first_stop(None)), (ROUNDS + 1, lecture.last()));
    assert_eq!(lecture.target(1, Move::Into), Some(3));
    assert_eq!(lecture.target(lecture.last() - 1, Move::Next), Some(lecture.last()));
    assert_eq!(listing(&lecture, 0, None, false).last().unwrap().helpers, [ROUNDS], "the last of them");
}

/// Places without a source, callers that do nothing themselves, steps without a place.
#[test]
fn foreign_traces_are_walked_from_everywhere() {
    let stacks =
        ["", "main:2", "main:2 elsewhere:900", "main:2 elsewhere:901", "", "main:3", "a:1 b:2", "a:1 b:3"];
    let mut trace = traced("def main():\n    x = 1\n    y = 2\n", all_at(&stacks));
    for place in trace.steps[2..4].iter_mut().flat_map(|step| step.stack.last_mut()) {
        place.path = "elsewhere.py".to_owned();
    }
    let lecture = Lecture::new(trace);
    assert_eq!(lecture.target(0, Move::Next), Some(lecture.first_stop(None)));
    for from in 0..=lecture.last() {
        for to in [Move::Next, Move::Back, Move::Into, Move::Out] {
            way(&lecture, from, to);
        }
        let progress = lecture.progress(from);
        assert!(progress.line <= progress.lines && progress.stop <= progress.stops);
        assert!(lecture.part_at(from) < lecture.parts.len() && lecture.round(from).is_none());
    }
    let nothing = Lecture::default();
    assert_eq!((nothing.target(0, Move::Next), nothing.progress(0)), (None, Progress::default()));
    assert_eq!((nothing.first_stop(None), nothing.stop_before(3), nothing.stop(3)), (0, 3, 0));
}
