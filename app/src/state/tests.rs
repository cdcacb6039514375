use napkin_accounting::Count;

use super::*;

const STEPS: &[Step] = &[
    Step { title: "a", text: "", part: "", set: &[("n", "2")] },
    Step { title: "b", text: "", part: "strip", set: &[("n", "64"), ("on", "1")] },
    Step { title: "c", text: "", part: "", set: &[] },
];
const OUTLINES: &[Outline] = &[Outline { id: "one", steps: STEPS }, Outline { id: "two", steps: STEPS }];
const SIZE: NumberRule = NumberRule::of::<Count>("Size", 1.0, 1024.0, Scale::Doubling(1));

struct Page {
    state: State,
    n: Vec<Param<f64>>,
    on: Param<bool>,
    free: Param<String>,
}

fn with_page(test: impl FnOnce(Page)) {
    let owner = Owner::new();
    owner.with(|| {
        let state = State::provide(OUTLINES);
        let cell = |index| CellContext::new(state, index);
        let n = vec![cell(0).number("n", 8.0, SIZE), cell(1).number("n", 8.0, SIZE)];
        let on = cell(0).switch("on", false, SwitchRule { label: "On" });
        let check = |text: &str| if text.is_empty() { Err("Text is empty.".to_owned()) } else { Ok(()) };
        let free = cell(1).text("free", "x", TextRule { label: "Text", check });
        test(Page { state, n, on, free });
    });
}

#[test]
fn a_step_sets_what_it_names_and_resets_what_other_steps_set() {
    with_page(|page| {
        assert_eq!(page.n[0].get(), 2.0, "the first step holds from the start");
        page.free.set("mine".to_owned());
        page.state.go_to_step(0, 1);
        assert_eq!((page.n[0].get(), page.on.get()), (64.0, true));
        page.state.go_to_step(0, 2);
        assert_eq!((page.n[0].get(), page.on.get()), (8.0, false));
        page.state.go_to_step(0, 3);
        assert_eq!(page.state.step(0), 2, "there is no step 3");
        page.state.go_to_step(1, 1);
        assert_eq!(page.free.get(), "mine", "no step sets it");
        assert!(page.n[1].get() == 64.0 && page.n[0].get() == 8.0);
    });
}

#[test]
fn only_what_differs_from_the_step_is_in_the_query() {
    with_page(|page| {
        assert_eq!(page.state.query(&[]), "?v=1&cell=one&step=0");
        page.state.go_to_step(0, 1);
        assert_eq!(page.state.query(&[]), "?v=1&cell=one&step=1");
        page.n[0].set(32.0);
        page.free.set("a b".to_owned());
        page.state.go_to_cell(1);
        let others = [("bench".to_owned(), String::new())];
        assert_eq!(page.state.query(&others), "?bench&v=1&cell=two&step=0&one.step=1&one.n=32&two.free=a+b");
    });
}

#[test]
fn a_query_brings_its_state_back() {
    with_page(|page| {
        let query = "?bench&v=1&cell=two&step=0&one.step=1&one.n=32&two.free=a+b";
        let others = page.state.apply(query);
        assert_eq!(page.state.notices(), [""; 0]);
        assert_eq!((page.state.cell(), page.state.step(0), page.state.step(1)), (1, 1, 0));
        assert_eq!((page.n[0].get(), page.on.get(), page.free.get()), (32.0, true, "a b".to_owned()));
        assert_eq!(page.state.query(&others), query);
        page.state.apply("");
        assert_eq!((page.state.cell(), page.state.step(0)), (0, 0));
        assert_eq!((page.n[0].get(), page.on.get(), page.free.get()), (2.0, false, "x".to_owned()));
    });
}

#[test]
fn what_is_wrong_with_a_query_is_said_and_clamped() {
    let cases: &[(&str, &str)] = &[
        ("?v=2", "version"),
        ("?cell=none", "\"none\""),
        ("?step=9", "last step is 2"),
        ("?step=-1", "from 0 to 2"),
        ("?one.n=4096", "at most 1024"),
        ("?one.n=0", "Size"),
        ("?one.n=1e400", "Size"),
        ("?one.on=maybe", "On"),
        ("?two.free", "Text is empty"),
        ("?two.fee=1", "two.fee"),
    ];
    for (query, words) in cases {
        with_page(|page| {
            page.state.apply(query);
            let notices = page.state.notices();
            assert!(notices.len() == 1 && notices[0].contains(words), "{query}: {notices:?}");
        });
    }
    with_page(|page| {
        page.state.apply("?step=9&one.n=4096&two.free");
        assert_eq!(page.state.step(0), 2);
        assert_eq!((page.n[0].get(), page.free.get()), (1024.0, "x".to_owned()));
        page.state.apply("?step=0");
        assert_eq!(page.state.notices(), [""; 0], "step 0 is a step");
    });
}
