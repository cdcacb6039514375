//! `napkin run`: programs find the modules beside them, as under CPython, wherever the terminal is.

use std::fs;
use std::path::Path;

use napkin_notebook::trace::Trace;

use crate::harness::stdout;

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

#[test]
fn a_trace_names_files_as_they_are_seen_from_the_program() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lecture.json");
    let lecture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/lectures/resource-accounting.py");
    let _ = stdout(&format!("run {} --trace {}", lecture.display(), out.display()));
    let trace: Trace = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    let paths: Vec<&str> = trace.files.0.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths[0], "resource-accounting.py");
    assert!(paths.contains(&"resource_accounting_memory.py"), "{paths:?}");
    assert!(trace.failure.is_none(), "{:?}", trace.failure);
    let stacks = trace.steps.iter().flat_map(|step| &step.stack);
    assert!(stacks.map(|place| place.path.as_str()).all(|path| paths.contains(&path)));
}
