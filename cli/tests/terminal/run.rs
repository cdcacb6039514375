//! `napkin run`: programs find the modules beside them, as under CPython, wherever the terminal is.

use std::fs;
use std::path::Path;

use napkin_trace::trace::Trace;

use crate::harness::{napkin, stdout};

/// Programs in a folder of folders, each with what CPython prints for them when it is started from the outermost one.
const PROGRAMS: [(&str, &str, &str); 3] = [
    ("inner/main.py", "import beside, sys\nprint(beside.NAME, len(sys.path[0]) > 0)\n", "beside True\n"),
    ("inner/deep.py", "from parts.one import ONE\nprint(ONE)\n", "1\n"),
    (
        "inner/outer.py",
        "try:\n    import outside\nexcept ModuleNotFoundError as error:\n    print(error)\n",
        "No module named 'outside'\n",
    ),
];

const BESIDE: [(&str, &str); 4] = [
    ("inner/beside.py", "NAME = __name__\n"),
    ("inner/parts/__init__.py", ""),
    ("inner/parts/one.py", "ONE = 1\n"),
    ("outside.py", ""),
];

#[test]
fn programs_find_what_is_beside_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("beside");
    let programs = PROGRAMS.iter().map(|(path, source, _)| (path, source));
    for (path, source) in programs.chain(BESIDE.iter().map(|(path, source)| (path, source))) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, source).unwrap();
    }
    for (path, _, printed) in PROGRAMS {
        assert_eq!(stdout(&format!("run {}", folder.join(path).display())), printed, "{path}");
    }
}

/// Every drawing of the lectures is of a known kind, and nothing is wrong with any question. Prose is kept with the terms
/// that it has today.
#[test]
fn lectures_are_traced_and_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["arithmetic-intensity", "resource-accounting"] {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("json");
        let lecture = root.join("public/lectures").join(name).with_extension("py");
        let mut command = napkin(&format!("run {} --trace {}", lecture.display(), out.display()));
        let run = command.current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let trace: Trace = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
        assert!(trace.warnings.is_empty(), "{:?}", trace.warnings);
        // Files go by their paths as the program sees them.
        let paths: Vec<&str> = trace.files.keys().map(String::as_str).collect();
        assert_eq!(paths[0], format!("{name}.py"));
        assert!(paths.iter().all(|path| !path.contains('/')), "{paths:?}");
        let stacks = trace.steps.iter().flat_map(|step| &step.stack);
        assert!(stacks.map(|place| place.path.as_str()).all(|path| paths.contains(&path)));
        let mut asked = 0;
        for rendering in trace.steps.iter().flat_map(|step| &step.renderings) {
            let drawing = rendering.drawing().unwrap_or_else(|| panic!("{rendering:?}"));
            asked += usize::from(drawing.question().is_some());
        }
        assert!(asked > 1);
        let kept: Trace =
            serde_json::from_str(&fs::read_to_string(lecture.with_extension("json")).unwrap()).unwrap();
        let prose = |trace: &Trace| -> Vec<_> {
            let drawn = trace.steps.iter().flat_map(|step| &step.renderings);
            let prose = drawn.filter(|it| ["card", "markdown"].contains(&it.kind.as_str()));
            prose.map(|it| it.prepared.clone()).collect()
        };
        assert!(
            prose(&trace) == prose(&kept),
            "{name}: the trace is older than its terms: cargo xtask lectures"
        );
    }
}
