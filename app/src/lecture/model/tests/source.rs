//! Python's tokens, statements and functions.

use super::*;

#[test]
fn tokens_of_a_line() {
    for (text, wanted) in [
        ("def f(x):", "Keyword def, Call f, Plain (, Plain x, Plain ), Plain :"),
        ("x = 1_000 # y", "Plain x, Plain =, Number 1_000, Comment # y"),
        ("a = r'\\d' + f\"{b}\"", "Plain a, Plain =, Text r'\\d', Plain +, Text f\"{b}\""),
        ("1e-8+.5", "Number 1e-8, Plain +, Number .5"),
        ("0xe-1", "Number 0xe, Plain -, Number 1"),
        ("@torch.no_grad()", "Decorator @torch.no_grad, Plain (, Plain )"),
        ("a @ b", "Plain a, Plain @, Plain b"),
        ("type(x)", "Call type, Plain (, Plain x, Plain )"),
        ("match = 2", "Plain match, Plain =, Number 2"),
        ("'it\\'s'", "Text 'it\\'s'"),
        ("log₂ = 'ä'", "Plain log₂, Plain =, Text 'ä'"),
        ("'open", "Text 'open"),
        ("'\\", "Text '\\"),
        // Directives are for the tracer alone.
        ("y = name  # @inspect y", "Plain y, Plain =, Plain name"),
        ("f()  # why @stepover no", "Call f, Plain (, Plain ), Comment # why"),
    ] {
        let source = Source::new(text);
        let tokens = source.shown(1).into_iter();
        let found: Vec<String> = tokens.map(|(kind, place)| format!("{kind:?} {}", &text[place])).collect();
        assert_eq!(found.join(", "), wanted, "{text}");
    }
}

#[test]
fn statements_go_on_in_brackets_strings_and_after_backslashes() {
    let source = Source::new("f(1,\n  2)\na = '''x\ny''' \\\n  .z\n# (\nb = 1");
    let statements: Vec<(u32, u32)> = (1..=7).map(|line| source.statement(line)).collect();
    assert_eq!(statements, [(1, 2), (1, 2), (3, 5), (3, 5), (3, 5), (6, 6), (7, 7)]);
    for line in [0, 8, u32::MAX] {
        assert_eq!((source.line(line), source.tokens(line)), ("", &[][..]), "there is no line {line}");
    }
}

#[test]
fn a_call_does_nothing_else() {
    for (text, is_call) in [
        ("text(\"a\")", true),
        ("show.plot(x,\n  y)  # comment", true),
        ("x = f(1)", false),
        ("f(1).g", false),
        ("f(1)[0]", false),
        ("print", false),
        ("# f()", false),
    ] {
        assert_eq!(Source::new(text).is_call(1), is_call, "{text}");
    }
}

#[test]
fn functions_have_lines_and_titles() {
    let text = "class A:\n    \"\"\"An A\"\"\"\n\n    @property\n    def f(self,\n          x=1):\n        r\"\"\"An f\n        or so\"\"\"\n        return 1\n    # after\n\nasync def g():\n    pass\nx = 1\n";
    let source = Source::new(text);
    let of = |it: &Function| (it.name.clone(), [it.first, it.def, it.last], it.doc, it.title.clone());
    let function =
        |name: &str, lines, doc, title: Option<&str>| (name.to_owned(), lines, doc, title.map(str::to_owned));
    let wanted = [
        function("A", [1, 1, 9], Some((2, 2)), Some("An A")),
        function("f", [4, 5, 9], Some((7, 8)), Some("An f")),
        function("g", [12, 12, 13], None, None),
    ];
    assert_eq!(source.functions.iter().map(of).collect::<Vec<_>>(), wanted);
    let name = |name: &str, line: u32| source.function(name, line).map(|it| it.name.clone());
    assert_eq!(name("A.f", 9).as_deref(), Some("f"), "some tracers say whose method it is");
    assert_eq!(name("<lambda>", 9).as_deref(), Some("f"), "what stands in brackets is in what is around it");
    assert_eq!((name("f", 13), name("<module>", 9)), (None, None));
    let open = Source::new("def f():\n    x = (\ndef g():\n    pass\n");
    assert_eq!(open.functions.len(), 2, "a bracket that is not closed ends with its function");
}

#[test]
fn a_method_is_named_behind_its_class() {
    let text = "class A:\n    def b(self):\n        return 1\nA().b()\n";
    let steps = all_at(&["<module>:1", "<module>:4", "<module>:4 b:2", "<module>:4 b:3"]);
    let lecture = Lecture::new(traced(text, steps));
    let name = |call| lecture.qualified_name(lecture.call_place(call).unwrap());
    assert_eq!(name(1).as_deref(), Some("A.b"));
    assert_eq!(name(0), None, "what is outside of all functions has no name");
}
