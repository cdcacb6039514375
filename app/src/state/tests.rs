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
        assert_eq!(page.state.query(&[]), "?v=2&cell=one&step=0");
        page.state.go_to_step(0, 1);
        assert_eq!(page.state.query(&[]), "?v=2&cell=one&step=1");
        page.n[0].set(32.0);
        page.free.set("a b".to_owned());
        page.state.go_to_cell(1);
        let others = [("bench".to_owned(), String::new())];
        assert_eq!(page.state.query(&others), "?bench&v=2&cell=two&step=0&one.step=1&one.n=32&two.free=a+b");
    });
}

#[test]
fn a_query_brings_its_state_back() {
    with_page(|page| {
        let query = "?bench&v=2&cell=two&step=0&one.step=1&one.n=32&two.free=a+b";
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
        ("?v=3", "version"),
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

const SHARED: &[Outline] = &[
    Outline { id: "flops", steps: PLAIN },
    Outline { id: "time", steps: ASSUMING },
    Outline { id: "cost", steps: PLAIN },
];
const PLAIN: &[Step] = &[
    Step { title: "a", text: "", part: "", set: &[] },
    Step { title: "b", text: "", part: "", set: &[("calc.b", "512")] },
];
const ASSUMING: &[Step] = &[
    Step { title: "a", text: "", part: "", set: &[] },
    Step { title: "b", text: "", part: "", set: &[] },
    Step { title: "c", text: "", part: "", set: &[("calc.mfu", "0.3")] },
    Step { title: "d", text: "", part: "", set: &[("calc.sparse", "on")] },
];

fn with_shared(test: impl FnOnce(State)) {
    Owner::new().with(|| test(State::provide(SHARED)));
}

fn assumed(state: State) -> String {
    let all = state.assumptions();
    all.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn cells_share_what_they_assume() {
    with_shared(|state| {
        state.assume("gpus", "8".to_owned());
        state.go_to_step(1, 2);
        assert_eq!(assumed(state), "gpus=8 mfu=0.3", "no step sets the GPUs");
        assert_eq!(state.query(&[]), "?v=2&cell=time&step=2&calc.gpus=8");
        state.assume("mfu", String::new());
        assert_eq!(
            state.query(&[]),
            "?v=2&cell=time&step=2&calc.gpus=8&calc.mfu",
            "the default is not the step's"
        );
        state.assume("mfu", "0.4".to_owned());
        state.go_to_cell(2);
        assert_eq!(state.query(&[]), "?v=2&cell=cost&step=0&time.step=2&calc.gpus=8&calc.mfu=0.4");
        state.go_to_step(1, 3);
        assert_eq!(assumed(state), "gpus=8 sparse=on", "the MFU belongs to the steps of this cell");
        state.refuse("gpus");
        state.refuse("sparse");
        assert_eq!(assumed(state), "sparse=on", "what cannot be read is as the step makes it");
    });
}

#[test]
fn an_address_brings_its_assumptions_back() {
    for (query, wanted) in [
        ("?v=2&cell=time&step=2", "mfu=0.3"),
        ("?v=2&cell=time&step=2&calc.mfu", ""),
        ("?v=2&cell=time&step=2&calc.gpus=8&calc.mfu=0.4", "gpus=8 mfu=0.4"),
        ("?v=2&cell=cost&step=0&time.step=2", ""),
        ("?v=2&cell=cost&step=0&calc.gpu=%7B%22id%22:%22x%22%7D", "gpu={\"id\":\"x\"}"),
    ] {
        with_shared(|state| {
            state.assume("price", "1".to_owned());
            let others = state.apply(query);
            assert_eq!((assumed(state).as_str(), state.notices()), (wanted, vec![]), "{query}");
            assert_eq!(state.query(&others), query, "an address stays as it was");
        });
    }
}

#[test]
fn addresses_of_before_open_the_same_state() {
    for (query, cell, step, wanted) in [
        ("?v=1&cell=flops&step=1&flops.b=4096", 0, 1, "b=4096"),
        ("?v=1&cell=flops&step=3&flops.n=8B&flops.mfu=0.4", 1, 0, "mfu=0.4 params=8B"),
        ("?v=1&cell=flops&step=4", 1, 2, "mfu=0.3"),
        ("?v=1&cell=flops&step=4&flops.mfu=0.5", 1, 2, "mfu=0.5"),
        (
            "?v=1&cell=flops&step=5&flops.rate=fp8&flops.gpu=a100-sxm",
            1,
            3,
            "dtype=fp8 gpu=a100-sxm sparse=on",
        ),
        ("?v=1&cell=cost&step=0&flops.step=4&flops.gpus=16", 2, 0, "gpus=16 mfu=0.3"),
        ("?cell=flops&flops.tokens=1T&flops.sparse=1", 0, 0, "sparse=1 tokens=1T"),
    ] {
        with_shared(|state| {
            state.apply(query);
            assert_eq!(state.notices(), [""; 0], "{query}");
            assert_eq!((state.cell(), assumed(state).as_str()), (cell, wanted), "{query}");
            assert_eq!(
                state.step(if cell == 2 { 1 } else { cell }),
                if cell == 2 { 2 } else { step },
                "{query}"
            );
        });
    }
}
