//! `napkin run`: what a program prints, what it leaves behind and what the command ends with.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use napkin_trace::trace::Trace;

use crate::harness::{napkin, stderr};

/// A folder of its own with these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("parts")).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

fn command(folder: &PathBuf, args: &str) -> Command {
    let mut command = napkin(&format!("run {args}"));
    command.current_dir(folder);
    command
}

fn run(folder: &PathBuf, args: &str) -> Output {
    command(folder, args).output().unwrap()
}

/// Exit code, standard output and standard error.
fn ended(output: &Output) -> (Option<i32>, String, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), stderr(output))
}

const STEEP: &str = "from parts.sizes import rows\nimport torch\n\n\ndef area():\n    width = 3  # @slider 1 9\n    \
                     x = torch.ones(rows(), width)  # @inspect x\n    return x.sum().item()\n\n\nprint(area())\n";
const SIZES: &str = "def rows():\n    height = 2  # @slider 1 1000\n    return height\n";

#[test]
fn programs_print_and_end() {
    let here = folder(
        "ends",
        &[
            ("prints.py", "import sys\nprint('out')\nprint('err', file=sys.stderr)\nprint(sys.argv)\n"),
            ("fails.py", "def f(x):\n    return 1 / x\n\n\nprint('before')\nf(0)\n"),
            ("exits.py", "import sys\nsys.exit(3)\n"),
            ("tells.py", "import sys\nsys.exit('no more')\n"),
            ("syntax.py", "x = (1,\ny = 2\n"),
            (
                "writes.py",
                "import torch\ntorch.save({'x': torch.ones(2)}, 'kept.pt')\nprint(torch.load('kept.pt'))\n",
            ),
            ("asks.py", "input('name? ')\n"),
        ],
    );
    let of = |name: &str| ended(&run(&here, name));
    assert_eq!(of("prints.py"), (Some(0), "out\n['prints.py']\n".into(), "err\n".into()));
    assert_eq!(of("prints.py -- --steps 3").1, "out\n['prints.py', '--steps', '3']\n");
    let (code, _, told) = of("prints.py --steps 3");
    assert!(code == Some(2) && told.contains("'-- --steps'"), "{told}");
    let (code, out, told) = of("fails.py");
    assert_eq!((code, out.as_str()), (Some(1), "before\n"));
    assert!(told.contains("File \"fails.py\", line 6, in <module>"), "{told}");
    assert!(told.contains("File \"fails.py\", line 2, in f\n    return 1 / x"), "{told}");
    assert!(told.ends_with("ZeroDivisionError: division by zero\n"), "{told}");
    assert_eq!(of("exits.py"), (Some(3), String::new(), String::new()));
    assert_eq!(of("tells.py"), (Some(1), String::new(), "no more\n".into()));
    let (code, _, told) = of("syntax.py");
    assert!(code == Some(1) && told.contains("line 1") && told.contains("SyntaxError"), "{told}");
    assert_eq!(of("writes.py"), (Some(0), "{'x': tensor([1., 1.])}\n".into(), String::new()));
    assert!(here.join("kept.pt").exists());
    let (code, _, told) = of("asks.py");
    assert!(code == Some(1) && told.contains("EOFError"), "{told}");
    let (code, out, told) = of("missing.py");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(told.starts_with("error: missing.py: ") && told.lines().count() == 1, "{told}");
}

#[test]
fn modules_beside_the_program_and_sliders_of_both() {
    let here = folder("sliders", &[("main.py", STEEP), ("parts/__init__.py", ""), ("parts/sizes.py", SIZES)]);
    let of = |args: &str| ended(&run(&here, args));
    assert_eq!(of("main.py").1, "6.0\n");
    assert_eq!(of("main.py --set width=5").1, "10.0\n");
    assert_eq!(of("main.py --set area.width=5 --set rows.height=100").1, "500.0\n");
    // From elsewhere it is found beside the program, too.
    let around = here.parent().unwrap().to_path_buf();
    assert_eq!(ended(&run(&around, "sliders/main.py --set height=4")).1, "12.0\n");
    for (set, told) in [
        ("depth=1", "error: --set: no slider is called depth; the sliders: area.width, rows.height"),
        ("width=0", "error: --set: width goes from 1 to 9, not to 0"),
        ("height=2.5", "error: --set: height is a whole number, not 2.5"),
        ("width=wide", "error: --set: width is a whole number, not wide"),
    ] {
        assert_eq!(of(&format!("main.py --set {set}")), (Some(2), String::new(), format!("{told}\n")));
    }
    assert_eq!(of("main.py --set width").0, Some(2));
}

#[test]
fn traces_are_written_and_devices_chosen() {
    let here = folder(
        "traces",
        &[
            ("main.py", STEEP),
            ("parts/__init__.py", ""),
            ("parts/sizes.py", SIZES),
            ("fails.py", "x = 1\nraise ValueError(x)\n"),
            ("gpu.py", "import torch\nprint(torch.cuda.is_available())\n"),
        ],
    );
    let read = |name: &str| -> Trace {
        serde_json::from_str(&fs::read_to_string(here.join(name)).unwrap()).unwrap()
    };
    let (code, out, _) = ended(&run(&here, "main.py --trace t.json --set height=7"));
    assert_eq!((code, out.as_str()), (Some(0), "21.0\n"));
    let trace = read("t.json");
    assert!(trace.files["parts/sizes.py"].contains("height = 7"));
    let shown = trace.steps.iter().find_map(|step| step.env.first()).unwrap();
    assert_eq!(shown.1.as_ref().unwrap().shape, Some(vec![7, 3]));
    assert_eq!(trace.failure, None);
    let (code, _, told) = ended(&run(&here, "fails.py --trace f.json"));
    assert_eq!((code, read("f.json").failure), (Some(1), Some(told)));
    let (code, _, told) = ended(&run(&here, "main.py --trace no/such/folder.json"));
    assert!(code == Some(1) && told.contains("error: --trace no/such/folder.json: "), "{told}");
    assert_eq!(ended(&run(&here, "gpu.py --device cpu")).1, "False\n");
    assert_eq!(ended(&run(&here, "gpu.py --device abacus")).0, Some(2));
}

/// Ctrl-C ends a loop, a pause and a program that draws it, each with Python's traceback.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_program() {
    use std::io::Read;
    use std::process::Stdio;

    let here = folder(
        "interrupts",
        &[
            ("loop.py", "print('on', flush=True)\nwhile True:\n    pass\n"),
            ("sleep.py", "import time\nprint('on', flush=True)\ntime.sleep(600)\n"),
            (
                "caught.py",
                "try:\n    print('on', flush=True)\n    while True:\n        pass\nexcept KeyboardInterrupt:\n    print('stopped')\n",
            ),
        ],
    );
    for (args, code, told) in [
        ("loop.py", 130, "KeyboardInterrupt"),
        ("sleep.py", 130, "KeyboardInterrupt"),
        ("loop.py --trace t.json", 130, "KeyboardInterrupt"),
        ("caught.py", 0, ""),
    ] {
        let mut child = command(&here, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut begun = [0; 3];
        child.stdout.as_mut().unwrap().read_exact(&mut begun).unwrap();
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args}");
        assert!(stderr(&output).contains(told), "{args}: {}", stderr(&output));
    }
}

#[test]
fn a_trace_never_takes_the_place_of_what_is_there() {
    let here = folder(
        "kept_traces",
        &[("self.py", "print(1)\n"), ("runs.py", "open('ran', 'w').close()\n"), ("fails.py", "1 / 0\n")],
    );
    let (code, _, told) = ended(&run(&here, "self.py --trace parts/../self.py"));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("--trace") && told.contains("is the program itself"), "{told}");
    assert_eq!(fs::read_to_string(here.join("self.py")).unwrap(), "print(1)\n");
    let (code, _, told) = ended(&run(&here, "runs.py --trace no/trace.json"));
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("--trace no/trace.json: there is no folder no"), "{told}");
    assert!(!here.join("ran").exists(), "it is said before the program runs");
    let (code, _, told) = ended(&run(&here, "fails.py --trace trace.json"));
    assert!(code == Some(1) && told.contains("ZeroDivisionError"), "{told}");
    assert!(fs::read_to_string(here.join("trace.json")).unwrap().contains("ZeroDivisionError"));
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_a_failure() {
    let here = folder("full", &[("prints.py", "print('out')\n")]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&here, "prints.py").stdout(full).output().unwrap();
    let (code, _, told) = ended(&output);
    assert!(code == Some(1) && told.contains("cannot write to standard output"), "{code:?}: {told}");
}
