//! What a reader finds.

use super::*;

#[test]
fn searches_find_titles_prose_and_code() {
    let lecture = Lecture::new(small());
    let cases: [(&str, &[usize]); 7] = [
        ("", &[9, 9]),
        ("PROSE lines", &[5]),
        ("print", &[11]),
        // The title first.
        ("a CELL", &[9, 8]),
        // Neither the line that defines it, nor that which calls a part.
        ("section", &[]),
        ("zebra", &[]),
        // Directives are for the tracer alone.
        ("stepover", &[]),
    ];
    for (words, steps) in cases {
        assert_eq!(search(&lecture, words).iter().map(|hit| hit.step).collect::<Vec<_>>(), steps, "{words}");
    }
    let hit = &search(&lecture, "prose")[0];
    assert_eq!((hit.part, hit.title.as_str()), (1, "First things"));
}

#[test]
fn prose_is_found_without_its_marks_and_cut_where_it_is_long() {
    let excerpt = |text: &str, word: &str| {
        let steps = vec![says(at("<module>:1"), text)];
        search(&Lecture::new(traced("text(1)\n", steps)), word).remove(0).excerpt
    };
    let marked = "## Why **bytes** matter (*much*): `a*b`, *two strides*, `a*(b)` and 2 * 3.";
    let plain = "Why bytes matter (much): a*b, two strides, a*(b) and 2 * 3.";
    assert_eq!(excerpt(marked, "why"), plain);
    let long = excerpt(&format!("{} needle {}", "é".repeat(60), "ü".repeat(200)), "NEEDLE");
    assert!(long.starts_with("…é") && long.ends_with("ü…") && long.contains(" needle "), "{long}");
}

#[test]
fn prose_comes_before_code_and_what_leads_nowhere_is_left_out() {
    let text = "def main():\n    cell()\n\ndef cell():\n    stride = 1\n    text(1)\n    return stride\n\nstride = 2\nmain()\n";
    let stacks =
        ["<module>:1", "<module>:4", "<module>:9", "<module>:10", "<module>:10 main:1", "<module>:10 main:2"];
    let mut steps = all_at(&stacks);
    let cell = |line: u32| at(&format!("<module>:10 main:2 cell:{line}"));
    steps.extend([cell(4), cell(5), says(cell(6), "A *stride* is a step."), cell(7)]);
    let lecture = Lecture::new(traced(text, steps));
    let found: Vec<_> = search(&lecture, "stride").into_iter().map(|hit| (hit.step, hit.excerpt)).collect();
    let wanted = [(8, "A stride is a step."), (7, "stride = 1"), (9, "return stride")];
    assert_eq!(found, wanted.map(|(step, excerpt)| (step, excerpt.to_owned())));
    assert!(search(&lecture, "def main").is_empty(), "what is outside of the lecture is in no listing");
}
