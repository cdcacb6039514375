//! `napkin run`: programs find the modules beside them, as under CPython, wherever the terminal is.

use std::fs;
use std::path::Path;

use napkin_notebook::trace::Trace;

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

/// Every drawing of the lectures is drawn as what it is, every question has its answer and its cell.
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
        let paths: Vec<&str> = trace.files.0.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths[0], format!("{name}.py"));
        assert!(paths.iter().all(|path| !path.contains('/')), "{paths:?}");
        let stacks = trace.steps.iter().flat_map(|step| &step.stack);
        assert!(stacks.map(|place| place.path.as_str()).all(|path| paths.contains(&path)));
        let mut asked = 0;
        for rendering in trace.steps.iter().flat_map(|step| &step.renderings) {
            assert!(napkin_drawings::is_known(rendering), "{rendering:?}");
            if ["calculator", "count"].contains(&rendering.kind.as_str()) {
                asked += 1;
                let html = napkin_drawings::rendering(rendering, "d").0;
                let embed = html.split("data-embed=\"").nth(1).unwrap_or_else(|| panic!("no cell: {html}"));
                let cell = embed.split(['?', '"']).next().unwrap_or_default();
                assert!(
                    workbench(&root).contains(&format!("\"{cell}\"")),
                    "the workbench has no cell {cell}"
                );
                assert!(html.contains("<strong") && html.contains("<math"), "{html}");
            }
        }
        assert!(asked > 1);
    }
}

/// The sources of the workbench's cells, where their ids are.
fn workbench(root: &Path) -> String {
    let folder = root.join("app/src/cells");
    let folders =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files =
        std::iter::once(folder.clone()).chain(folders).flat_map(|folder| fs::read_dir(folder).unwrap());
    let sources = files.map(|file| file.unwrap().path()).filter(|path| path.is_file());
    sources.map(|path| fs::read_to_string(path).unwrap()).collect()
}
