use super::*;

fn layout_of(text: &str, shape: &[usize]) -> Result<Layout> {
    let start = Layout::contiguous(shape)?;
    let stages = parse(text)?.trace(&start)?;
    Ok(stages.last().map_or(start, |stage| stage.layout().clone()))
}

/// Expression, shape it is applied to, then shape, strides and offset as PyTorch gives them.
type Case = (&'static str, &'static [usize], &'static [usize], &'static [usize], usize);

#[test]
fn expressions_lay_out_as_in_pytorch() {
    let cases: &[Case] = &[
        ("x", &[4, 4], &[4, 4], &[4, 1], 0),
        ("x[0]", &[2, 3], &[3], &[1], 0),
        ("x[:, 1]", &[2, 3], &[2], &[3], 1),
        ("x.view(3, 2)", &[2, 3], &[3, 2], &[2, 1], 0),
        ("x.transpose(1, 0)", &[2, 3], &[3, 2], &[1, 3], 0),
        ("x.transpose(0, 1)[::2, 1:]", &[4, 4], &[2, 3], &[2, 4], 4),
        (" x . transpose( dim1 = -1 , dim0 = 0 ) ", &[2, 3, 5], &[5, 3, 2], &[1, 5, 15], 0),
        ("x.T", &[2, 3], &[3, 2], &[1, 3], 0),
        ("x.t()", &[5], &[5], &[1], 0),
        ("x.mT", &[2, 3, 4], &[2, 4, 3], &[12, 1, 4], 0),
        ("x.permute(2, 0, 1)", &[2, 3, 4], &[4, 2, 3], &[1, 12, 4], 0),
        ("x.permute((2, 0, 1,))", &[2, 3, 4], &[4, 2, 3], &[1, 12, 4], 0),
        ("x.view([-1])", &[2, 3], &[6], &[1], 0),
        ("x.reshape(shape=(3, 2))", &[2, 3], &[3, 2], &[2, 1], 0),
        ("x.view(())", &[1, 1], &[], &[], 0),
        ("x.unsqueeze(0).expand(3, -1)", &[4], &[3, 4], &[0, 1], 0),
        ("x.expand(size=(2, 3, 1))", &[3, 1], &[2, 3, 1], &[0, 1, 1], 0),
        ("x.narrow(1, -2, 2)", &[2, 3], &[2, 2], &[3, 1], 1),
        ("x.narrow(dim=0, length=1, start=1)", &[2, 3], &[1, 3], &[3, 1], 3),
        ("x.select(1, -1)", &[2, 3], &[2], &[3], 2),
        ("x.squeeze()", &[1, 3, 1], &[3], &[1], 0),
        ("x.squeeze(0)", &[1, 3, 1], &[3, 1], &[1, 1], 0),
        ("x.unsqueeze(-1)", &[2, 3], &[2, 3, 1], &[3, 1, 1], 0),
        ("x[..., 0]", &[2, 3, 4], &[2, 3], &[12, 4], 0),
        ("x[1, ..., ::2]", &[2, 3, 4], &[3, 2], &[4, 2], 12),
        ("x[None, :, None, 1]", &[2, 3], &[1, 2, 1], &[6, 3, 3], 1),
        ("x[-1][-1]", &[2, 3], &[], &[], 5),
        ("x[1:100, -2:]", &[2, 3], &[1, 2], &[3, 1], 4),
        ("x[2:1]", &[4], &[0], &[1], 2),
        ("x[+1, 0_1]", &[2, 3], &[], &[], 4),
        ("x.transpose(0, 1).contiguous()", &[2, 3], &[3, 2], &[2, 1], 0),
        ("x.T.reshape(6)", &[2, 3], &[6], &[1], 0),
        ("größe.T", &[2, 3], &[3, 2], &[1, 3], 0),
    ];
    for (text, start, shape, strides, offset) in cases {
        let layout = layout_of(text, start).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            (layout.shape(), layout.strides(), layout.offset()),
            (*shape, *strides, *offset),
            "{text} of {start:?}"
        );
    }
}

#[test]
fn copies_are_told_from_views() {
    let x = Layout::contiguous(&[2, 3]).unwrap();
    let kinds = |text: &str| -> Vec<bool> {
        let stages = parse(text).unwrap().trace(&x).unwrap();
        stages.iter().map(|stage| matches!(stage, Stage::Copy { .. })).collect()
    };
    assert_eq!(kinds("x.contiguous()"), [false], "it is contiguous already");
    assert_eq!(kinds("x.T.contiguous().contiguous()"), [false, true, false]);
    assert_eq!(kinds("x.T.reshape(6).view(2, 3)"), [false, true, false]);
    assert_eq!(kinds("x.reshape(6)"), [false]);
    let stages = parse("x.T.contiguous()").unwrap().trace(&x).unwrap();
    let Some(Stage::Copy { from, to }) = stages.last() else { panic!("{stages:?}") };
    assert_eq!(from.storage_indices().collect::<Vec<_>>(), [0, 3, 1, 4, 2, 5]);
    assert_eq!((to.shape(), to.is_contiguous()), (&[3, 2][..], true));
}

#[test]
fn operations_keep_the_text_that_they_were_read_from() {
    let expr = parse("y.transpose(0, 1) [::2] .T").unwrap();
    let texts: Vec<_> = expr.ops.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!((expr.name.as_str(), texts), ("y", vec![".transpose(0, 1)", "[::2]", ".T"]));
}

#[test]
fn typos_are_placed_and_explained() {
    let cases: &[(&str, usize, &str)] = &[
        ("", 0, "begins with the name"),
        ("  ", 2, "begins with the name"),
        ("3.view(2)", 0, "begins with the name"),
        ("x.", 2, "name of a method"),
        ("x.tranpose(0, 1)", 2, "did you mean \"transpose\"?"),
        ("x.Transpose(0, 1)", 2, "did you mean \"transpose\"?"),
        ("x.reshpae(4)", 2, "did you mean \"reshape\"?"),
        ("x.frobnicate()", 2, "there are view, reshape"),
        ("x.view", 6, "needs parentheses"),
        ("x.view()", 2, "needs shape"),
        ("x.T()", 2, "no parentheses"),
        ("x.slice(0)", 2, "in brackets"),
        ("x.view(2, 8", 11, "closing parenthesis, found the end"),
        ("x.view(2 8)", 9, "expected a comma"),
        ("x.view(2.5)", 7, "whole numbers"),
        ("x.view(1e3)", 7, "whole numbers"),
        ("x.view(two)", 7, "found \"two\""),
        ("x.view(2, (3, 4))", 10, "one list"),
        ("x.view(99999999999999999999)", 7, "too large"),
        ("x.view(1__0)", 7, "expected digits"),
        ("x.view(-)", 8, "expected digits"),
        ("x.transpose(0)", 2, "lacks dim1"),
        ("x.transpose(0, 1, 2)", 18, "takes dim0, dim1"),
        ("x.transpose(0, dim0=1)", 15, "twice"),
        ("x.transpose(0, dimension=1)", 15, "takes dim0, dim1"),
        ("x.transpose([0, 1])", 12, "not a list"),
        ("x.contiguous(1)", 13, "takes no arguments"),
        ("x[", 2, "expected an index"),
        ("x[]", 2, "expected an index"),
        ("x[1", 3, "expected a comma or ']'"),
        ("x[1;2]", 3, "expected a comma or ']'"),
        ("x[i]", 2, "an index is a number"),
        ("x[[0, 1]]", 2, "copies elements"),
        ("x[1.5]", 2, "whole numbers"),
        ("x)", 1, "found ')'"),
        ("x view(2)", 2, "found 'v'"),
        ("x.view(2)\u{1F9FB}", 9, "found '\u{1F9FB}'"),
    ];
    for (text, at, words) in cases {
        match parse(text) {
            Err(Error::Parse { position, message }) => {
                assert!(position == *at && message.contains(words), "{text:?}: {message} at {position}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn what_pytorch_refuses_is_refused_in_its_words() {
    let cases: &[(&str, &[usize], &str)] = &[
        ("x.T.view(16)", &[4, 4], "at least one dimension spans across two contiguous subspaces"),
        ("x.view(3, 5)", &[4, 4], "shape '[3, 5]' is invalid for input of size 16"),
        ("x[4]", &[4, 4], "index 4 is out of bounds for dimension 0 with size 4"),
        ("x[0, -5]", &[4, 4], "index -5 is out of bounds for dimension 1 with size 4"),
        ("x[0, 0, 0]", &[4, 4], "too many indices for tensor of dimension 2"),
        ("x[0][0][0]", &[4, 4], "invalid index of a 0-dim tensor"),
        ("x[..., ..., 0]", &[4, 4], "out of bounds"),
        ("x[::-1]", &[4], "step must be greater than zero"),
        ("x[::0]", &[4], "slice step cannot be zero"),
        ("x.T", &[2, 3, 4], "t() expects a tensor with <= 2 dimensions, but self is 3D"),
        ("x.mT", &[2], "Got 1-D tensor"),
        ("x.transpose(0, 2)", &[4, 4], "Dimension out of range"),
        ("x.unsqueeze(4)", &[4, 4], "Dimension out of range"),
    ];
    for (text, shape, words) in cases {
        let error = layout_of(text, shape).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// Random texts from pieces of the language and from noise: whatever they are, there is an answer, it
/// names a place within the text, and every view stays within its storage.
#[test]
fn nothing_that_can_be_typed_panics() {
    const PIECES: [&str; 44] = [
        "x",
        ".",
        "view",
        "reshape",
        "transpose",
        "permute",
        "expand",
        "narrow",
        "select",
        "squeeze",
        "unsqueeze",
        "contiguous",
        "t",
        "T",
        "mT",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "::",
        "...",
        "None",
        "-",
        "+",
        "0",
        "1",
        "2",
        "3",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "_",
        " ",
        "=",
        "dim",
        "1e9",
        ".5",
        "é",
        "\u{1F9FB}",
        "\0",
        "(0, 1)",
        "[1:, None]",
    ];
    let shapes: [&[usize]; 6] = [&[], &[0], &[1, 1], &[4, 4], &[2, 0, 3], &[2, 3, 1, 5, 2]];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut understood = 0;
    for _ in 0..200_000 {
        let mut text = "x".to_owned();
        for _ in 0..random(9) {
            match random(8) {
                0 => text.push_str([".T", ".mT", ".t()", "[0]", "[..., ::2]", ".contiguous()"][random(6)]),
                1 => {
                    text += &format!(
                        ".{}({}, {})",
                        PIECES[2 + random(9)],
                        random(6) as i64 - 2,
                        random(5) as i64 - 2
                    );
                }
                2 => text += &format!("[{}:{}:{}]", random(5) as i64 - 2, random(7) as i64 - 3, random(4)),
                _ => text.push_str(PIECES[random(PIECES.len())]),
            }
        }
        let expr = match parse(&text) {
            Ok(expr) => expr,
            Err(Error::Parse { position, .. }) => {
                assert!(text.is_char_boundary(position), "{text:?} at {position}");
                continue;
            }
            Err(other) => panic!("{text:?}: {other:?}"),
        };
        understood += 1;
        let start = Layout::contiguous(shapes[random(shapes.len())]).unwrap();
        let mut storage = start.numel();
        for stage in expr.trace(&start).into_iter().flatten() {
            if let Stage::Copy { to, .. } = &stage {
                storage = to.numel();
            }
            assert!(stage.layout().storage_end() <= storage, "{text:?} of {:?}", start.shape());
        }
    }
    assert!(understood > 10_000, "only {understood} texts were expressions");
}
