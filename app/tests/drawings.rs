//! What is in the drawings: everything that a trace gives, where it belongs, and nothing that a stranger slips in.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::sync::Arc;

use leptos::prelude::*;
use napkin_app::components::machine::Records;
use napkin_app::components::{RenderingView, ValueView};
use napkin_app::lecture::Lecture;
use napkin_app::page::{Announcer, Live};
use napkin_app::state::Values;
use napkin_app::workers::ComputeWorker;
use napkin_app::{App, live};
use napkin_trace::prepare::prepare;
use napkin_trace::trace::{Card, Drawing, Rendering, Trace, Value};
use serde_json::{Value as Json, from_value, json};

/// Elements and attributes that drawings are made of, live ones too.
const ELEMENTS: &str = "a article blockquote br button caption circle code data dd defs desc details div dl dt em figcaption \
    figure h3 h4 h5 h6 hr input label li ol p path pattern pre q rect s section span strong sub summary sup svg table \
    tbody td text th thead title tr ul math merror mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt \
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover";
const ATTRIBUTES: &str = "aria-label aria-pressed aria-sort aria-valuetext class colspan cx cy d data-line data-path display \
    displaystyle fill fill-opacity font-family font-size height href id linethickness mathvariant max maxsize min minsize \
    largeop movablelimits patternUnits pointer-events r rel role scope scriptlevel start step stretchy stroke \
    stroke-dasharray stroke-opacity stroke-width symmetric tabindex text-anchor title type value viewBox width x xmlns \
    y lspace rspace accent accentunder depth";
/// Kinds whose components do more than draw; what they are made of is theirs.
const LIVE: [&str; 7] = ["bits", "calculator", "count", "machine", "product", "strides", "training"];

/// The HTML of a component on a page, without the marks that hydration needs.
fn html<V: IntoView>(view: impl FnOnce() -> V) -> String {
    let html = Owner::new().with(|| {
        Values::provide();
        Live::provide(live::here(), || unreachable!("they are here"));
        Announcer::provide();
        ComputeWorker::provide();
        Records::provide();
        view().into_view().to_html()
    });
    let mut pieces = html.split("<!--");
    let first = pieces.next().unwrap_or_default().to_owned();
    let rest = pieces.filter_map(|piece| Some(piece.split_once("-->")?.1));
    rest.fold(first, |html, rest| html + rest).replace("<!>", "")
}

fn rendering(made: Rendering) -> String {
    html(|| view! { <RenderingView rendering=made id="d".to_owned() /> })
}

/// What holds for whatever is drawn.
fn check(html: &str) {
    for tag in html.split('<').skip(1).filter(|tag| !tag.starts_with('/')) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("no end of {tag}"));
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.split_whitespace().any(|known| known == name), "<{name}> in {html}");
        while let Some((attribute, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"').unwrap();
            let attribute = attribute.trim();
            assert!(ATTRIBUTES.split_whitespace().any(|known| known == attribute), "{attribute} in {html}");
            assert!(attribute != "href" || value.starts_with("http"), "{value} in {html}");
            rest = after;
        }
    }
}

fn drawn(kind: &str, data: &Json) -> String {
    let mut made = from_value::<Rendering>(json!({"type": kind, "data": data})).unwrap();
    prepare(&mut made);
    assert!(made.drawing().is_some(), "{kind}: {data}");
    let html = rendering(made);
    if !LIVE.contains(&kind) {
        check(&html);
    }
    html
}

fn shown(name: &str, of: &Json) -> String {
    let value = from_value::<Value>(of.clone()).unwrap();
    let html = html(|| view! { <ValueView name=name.to_owned() value /> });
    check(&html);
    html
}

fn tensor() -> Json {
    json!({"type": "torch.Tensor", "contents": [[1.5, "nan"], [-3.0, 4.0]], "dtype": "torch.float32", "shape": [2, 2],
        "stride": [1, 2], "offset": 3, "storage": 1, "device": "cpu", "requires_grad": true})
}

#[test]
fn drawings_hold_what_they_are_given() {
    let cases = [
        (
            "card",
            json!({"head": "Check", "text": "One *of*", "choices": [{"text": "<Two>", "why": "Three"}]}),
            vec![
                "role=\"group\" aria-label=\"Check\"",
                "One <em>of</em>",
                "aria-pressed=\"false\">&lt;Two&gt;<",
                "<div role=\"status\"></div>",
            ],
        ),
        (
            "lines",
            json!({"series": {"a": [[1, 10.0], [10, "inf"], [100, 1000.0]], "b": [[1, 1.0]]}, "xlabel": "n", "log": "xy"}),
            vec!["chart-series-0", "chart-series-1", ">n<", "As a table", "Save as PNG"],
        ),
        (
            "histogram",
            json!({"title": "w", "edges": [0.0, 1.0, 2.0], "counts": [3, 5], "nan": 2, "infinite": 0}),
            vec!["8 elements", "Not in it: 2 nan."],
        ),
        (
            "table",
            json!({"columns": ["name", "read_bytes"], "rows": [["x", 4096], ["y", null]]}),
            vec![">x<", "4.096 kB", "None"],
        ),
        ("heat", json!({"tensor": tensor()}), vec!["chart-series-0", "chart-series-1", "From -3 to 4"]),
        ("strides", json!({"tensors": [tensor()]}), vec!["(1, 2)"]),
        ("memory", json!({"cpu": {"parameters": 4096, "data": 0}}), vec!["4.096 kB", "parameters"]),
        (
            "number_line",
            json!({"formats": ["fp64", "bf16"]}),
            vec![">fp64<", "bf16: 1e-40 to 1e39", "0.007812 apart"],
        ),
        ("image", json!("https://example.org/a.png"), vec!["href=\"https://example.org/a.png\"", "noopener"]),
        ("link", json!(null), vec![]),
        ("bits", json!({"value": 1e-8, "format": "fp16"}), vec!["value=\"1e-08\"", "fp16"]),
        ("bits", json!({"value": "nan", "format": "fp64"}), vec!["nan", "in fp64"]),
        (
            "calculator",
            json!({"which": "time", "options": {"params": "70B", "tokens": "15T", "gpu": "h100-sxm", "gpus": 1024, "mfu": 0.5}}),
            vec!["143.9 days"],
        ),
    ];
    for (kind, data, parts) in cases {
        let html = drawn(kind, &data);
        for part in parts {
            assert!(html.contains(part), "{kind}: {part} is missing in {html}");
        }
    }
}

#[test]
fn values_read_as_python_prints_them() {
    let cases = [
        (
            json!({"type": "float", "contents": 143.92659381842682}),
            "title=\"143.92659381842682\" class=\"number\">143.9<",
        ),
        (json!({"type": "float", "contents": "nan"}), ">nan<"),
        (json!({"type": "int", "contents": "123456789012345678901"}), "title=\"123456789012345678901\""),
        (json!({"type": "bool", "contents": true}), ">True<"),
        (json!({"type": "NoneType", "contents": null}), ">None<"),
        (json!({"type": "str", "contents": "<b>"}), "<q class=\"text\">&lt;b&gt;</q>"),
        (json!({"type": "tuple", "contents": [{"type": "int", "contents": 3}]}), "(<data"),
        (json!({"type": "list", "contents": [1, "…"]}), ", …]"),
        (
            json!({"type": "dict", "contents": {"k": {"type": "int", "contents": 1}}}),
            "<th scope=\"row\">k</th>",
        ),
        (tensor(), "storage-mark storage-1\">B<"),
        (
            tensor(),
            "<th scope=\"row\">1</th><td><data value=\"-3.0\" title=\"-3.0\" class=\"number\">-3</data>",
        ),
    ];
    for (of, part) in cases {
        let html = shown("x", &of);
        assert!(html.contains(part), "{part} is missing in {html}");
    }
    for (name, unit) in
        [("held_bytes", "2 kB"), ("step_secs", "33.33 min"), ("total_flops", "2 kFLOP"), ("x", ">2000<")]
    {
        let html = shown(name, &json!({"type": "float", "contents": 2000.0}));
        assert!(html.contains(unit), "{name}: {html}");
    }
}

/// As `repr` writes them in CPython.
#[test]
fn exact_digits_are_cpythons() {
    let numbers = "0.0 -0.0 1.0 0.1 0.0001 9.999e-05 1e-05 1000000000000000.0 1e+16 1.2345678901234568e+17 1.5e+300 \
        5e-324 6.3e+24 4.37723136e+22 10928588.983213553 -7.571968556055867e-74 -2.1520217579844227e+32 \
        0.1399601630397701 1.0932661025923617e-13 -1039514241563211.8 2.26797932753915e+17";
    for number in numbers.split_whitespace() {
        let html = shown("x", &json!({"type": "float", "contents": number.parse::<f64>().unwrap()}));
        assert!(html.contains(&format!("title=\"{number}\"")), "{number}: {html}");
    }
}

/// Prose that somebody else has prepared, and drawings whose data is not what their kind has.
#[test]
fn a_strangers_data_is_harmless() {
    let trees = [
        json!(["", ["script", "alert(1)"], ["img", {"src": "x", "onerror": "alert(1)"}]]),
        json!(["p", {"onclick": "alert(1)", "style": "position:fixed", "class": "page-header"}, "x"]),
        json!(["a", {"href": "javascript:alert(1)"}, "x"]),
        json!(["a", {"href": "HTTPS://example.org/\"onmouseover=\"alert(1)"}, "x"]),
        json!(["a", {"href": "data:text/html,<script>"}, "x"]),
        json!(["mi", {"href": "https://example.org"}, "x"]),
        json!(["mspace", {"width": "99999em"}]),
        json!(["math", ["annotation-xml", {"encoding": "text/html"}, ["iframe", {"src": "//x"}]]]),
        json!({"not": "a tree"}),
        json!([[[["p"]]]]),
    ];
    for tree in trees {
        let made = json!({"type": "markdown", "data": "m", "prepared": tree});
        let html = rendering(from_value(made).unwrap());
        for bad in ["onclick", "style=", "99999", "page-header", "<mi href", "\"onmouseover"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
        if !html.contains("HTTPS") {
            check(&html);
        }
    }
    let odd = [
        json!(null),
        json!(7),
        json!("<script>"),
        json!([]),
        json!({"which": "<x>", "format": "fp16", "value": [], "series": {"a": 1}, "tensors": [1], "tensor": 2, "edges": [1], "counts": [1, 2], "columns": 3, "rows": [[1]], "formats": [1]}),
    ];
    let kinds = "markdown card bits number_line calculator count machine image link lines histogram table memory heat strides plot <b>";
    for kind in kinds.split(' ') {
        for data in &odd {
            let made = json!({"type": kind, "data": data, "prepared": data, "style": data, "external_link": {"url": "javascript:x", "title": "<i>"},
                "internal_link": {"path": "\"><b>", "line_number": 3}});
            let html = rendering(from_value(made).unwrap());
            if !LIVE.contains(&kind) {
                check(&html);
            }
            assert!(
                !html.contains("<script") && !html.contains("<i>") && !html.contains("javascript:"),
                "{html}"
            );
        }
    }
}

#[test]
fn markdown_is_read_and_nothing_else() {
    let cases = [
        ("**a** *b* `c<d`", "<strong>a</strong> <em>b</em> <code>c&lt;d</code>"),
        ("# Head", "<h3>Head</h3>"),
        ("3. x\n4. y", "<ol start=\"3\"><li>x</li><li>y</li></ol>"),
        (
            "| a |\n|---|\n| b |",
            "<table tabindex=\"0\"><thead><tr><th>a</th></tr></thead><tr><td>b</td></tr></table>",
        ),
        ("$N^2$", "<msup><mi>N</mi><mn>2</mn></msup>"),
        ("$$\\frac{1}{2}$$", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        ("$\\text{a }$", "<mtext>a\u{a0}</mtext>"),
        ("$a~b,\\ c$", "<mi>a</mi><mtext>\u{a0}</mtext><mi>b</mi><mo>,</mo><mtext>\u{a0}</mtext><mi>c</mi>"),
        ("$-\\log_2 x$", "<msub><mo lspace=\"0.1667em\" rspace=\"0.1667em\">log</mo><mn>2</mn></msub>"),
        ("$\\sqrt{\\text{fan\\_in, 5\\%}}$", "<msqrt><mtext>fan_in,\u{a0}5%</mtext></msqrt>"),
        (
            "$$\\begin{aligned}a&=b\\end{aligned}$$",
            "<mtd class=\"cell-end\"><mi>a</mi></mtd><mtd class=\"cell-start\"><mo>=</mo><mi>b</mi></mtd>",
        ),
        ("$\\nosuch$", "<code>\\nosuch</code>"),
        // Punctuation stays with the formula before it.
        ("$h$. We", "<mi>h</mi></math>.</span> We"),
        ("$h$ and", "<mi>h</mi></math></span> and"),
        ("($h$), <", "<mi>h</mi></math>),</span> &lt;"),
        ("It costs $5 and $6.", "It costs $5 and $6."),
        ("```py\nx < 1\n```", "<pre tabindex=\"0\"><code>x &lt; 1\n</code></pre>"),
        (
            "[x](https://example.org/?a=1&b=2)",
            "<a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noopener noreferrer\">x</a>",
        ),
        (
            "![alt](https://example.org/a.png)",
            "<a href=\"https://example.org/a.png\" rel=\"noopener noreferrer\">alt</a>",
        ),
        ("[x](javascript:alert(1))", "<p>x</p>"),
        ("[x](JaVaScRiPt:alert(1))", "<p>x</p>"),
        ("<script>alert(1)</script>", "<div class=\"prose\"></div>"),
        ("a <script>alert(1)</script> b", "<p>a alert(1) b</p>"),
        ("a <img src=x onerror=alert(1)> b", "<p>a Image: x b</p>"),
        ("see ![a *dot*](b/dot.png), or ![](c.png)", "<p>see Image: a dot (dot.png), or Image: c.png</p>"),
        ("a ![b](javascript:x) ![c](data:image/png;base64,AA)", "<p>a Image: b (javascript:x) Image: c</p>"),
        (
            "[![state](https://example.org/s.svg)](https://example.org/)",
            "<a href=\"https://example.org/\" rel=\"noopener noreferrer\">state</a>",
        ),
        (
            "<img src=\"https://example.org/a/b.png\" width=\"9\">",
            "<a href=\"https://example.org/a/b.png\" rel=\"noopener noreferrer\">b.png</a>",
        ),
        ("<p onclick='x'>a<table><tr><td>b</table>", "<td>b</td>"),
        ("1<br>2", "1<br>2"),
        ("<a href=\"javascript:alert(1)\">x</a>", "<p>x</p>"),
        (
            "<div>\n<a href=\"https://example.org\" target=_top>x</a>\n</div>",
            "<a href=\"https://example.org\" rel=\"noopener noreferrer\">x</a>",
        ),
        ("<https://example.org>", "href=\"https://example.org\""),
        ("$\\href{javascript:alert(1)}{x}$", "<"),
        ("$\\text{<script>}$", "&lt;script&gt;"),
        ("$\\color{red} x$", "x"),
    ];
    for (markdown, part) in cases {
        let html = drawn("markdown", &markdown.into());
        assert!(html.contains(part), "{markdown}: {html}");
        assert!(!html.replace("displaystyle=", "").contains("style="), "{markdown}: {html}");
        for never in ["<script", "<img", "onerror", "onclick", "target="] {
            assert!(!html.contains(never), "{markdown}: {html}");
        }
    }
}

/// Nothing that is typed between dollars ends the program.
#[test]
fn any_tex_at_all_can_be_read() {
    for (piece, end) in
        [("{", "}"), ("\\hat ", ""), ("\\frac1", ""), ("x^{", "}"), ("\\left(", "\\right)"), ("-", "")]
    {
        for count in [10, 49, 51, 100, 399, 401, 30_000] {
            let tex = format!("$${}x{}$$", piece.repeat(count), end.repeat(count));
            let html = drawn("markdown", &tex.into());
            let is_shown = html.contains("<math") || html.contains("<code>");
            assert!(is_shown && html.contains('x'), "{piece} {count} times: {html}");
        }
    }
}

#[test]
fn questions_without_an_answer_say_why() {
    for (data, rule) in [
        (json!({"which": "nosuch"}), "nosuch"),
        (json!({"which": "time", "options": {"nosuch": 1}}), "nosuch"),
        (json!({"which": "time", "options": {"gpus": -1}}), "gpus"),
    ] {
        let made = from_value::<Rendering>(json!({"type": "calculator", "data": data})).unwrap();
        let html = rendering(made);
        assert!(html.contains("is-warning") && html.contains(rule), "{html}");
    }
}

/// The longest part of a Markdown text that reads the same in HTML.
fn plain(markdown: &str) -> String {
    let longest = markdown.split(['*', '`', '$', '\\']).max_by_key(|part| part.len()).unwrap_or_default();
    longest.trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// HTML whose terms are words like others.
fn without_terms(html: &str) -> String {
    let html = html.replace("</dfn>", "");
    let mut parts = html.split("<dfn ");
    let first = parts.next().unwrap_or_default();
    std::iter::once(first).chain(parts.filter_map(|part| Some(part.split_once('>')?.1))).collect()
}

#[test]
fn no_answer_is_in_a_page_before_it_is_given() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/lectures");
    for (name, fewest) in [("resource-accounting", 35), ("arithmetic-intensity", 9)] {
        let text = fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
        let lecture = Arc::new(Lecture::of_site(&text).unwrap());
        let page = without_terms(&html(
            || view! { <App page=name.to_owned() lecture=Some(lecture) parts=live::here() is_written=true /> },
        ));
        let trace: Trace = serde_json::from_str(&text).unwrap();
        let drawings = trace.steps.iter().flat_map(|step| &step.renderings).filter_map(Rendering::drawing);
        let cards = drawings.filter_map(|it| if let Drawing::Card(card) = it { Some(card) } else { None });
        let (asks, mut asked) = (cards.filter(|card| !card.choices.is_empty()), 0);
        for Card { text, choices, .. } in asks {
            // Below a prediction there is nothing before it is made.
            asked += usize::from(page.contains(&plain(&text)));
            let given = choices.iter().find(|choice| page.contains(&plain(&choice.why)));
            assert!(given.is_none(), "{name}: {text}: {given:?}");
        }
        assert!(asked >= fewest, "{name} asks {asked} times");
    }
}
