//! What a reader finds.

use super::*;

#[test]
fn searches_find_titles_prose_and_code() {
    let lecture = Lecture::new(small());
    let cases: [(&str, &[usize]); 6] = [
        ("", &[9, 9]),
        ("PROSE lines", &[5]),
        ("print", &[11]),
        // The title first.
        ("a CELL", &[9, 7, 8]),
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
    let marked = "## Why **bytes** matter: `a*b` and 2 * 3.";
    assert_eq!(excerpt(marked, "why"), "Why bytes matter: a*b and 2 * 3.");
    let long = excerpt(&format!("{} needle {}", "é".repeat(60), "ü".repeat(200)), "NEEDLE");
    assert!(long.starts_with("…é") && long.ends_with("ü…") && long.contains(" needle "), "{long}");
}
