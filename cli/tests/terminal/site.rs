//! `napkin serve` and `napkin export site`, with a small folder in the place of the built site.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::harness::{napkin, stderr};

/// What a lecture is made of: the program, a module in a package, one that nobody imports, a picture.
const FILES: [(&str, &str); 5] = [
    (
        "week 1.py",
        "from edtrace import image, text\nfrom own.numbers import N\n\n\ndef main():\n    text(\"# On a *napkin*\")\n    image(\"pictures/a.svg\", width=90)\n    image(\"gone.png\")\n    x = N + 1  # @inspect x\n",
    ),
    ("own/numbers.py", "N = 5\n"),
    ("other.py", "print('not imported')\n"),
    ("pictures/a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ("secret.txt", "secret"),
];

/// What a built site has, at its smallest.
const SITE: [(&str, &str); 6] = [
    ("napkin-app_bg.wasm", "wasm"),
    ("index.html", "<head></head>theirs"),
    ("tools.html", "<head></head>tools"),
    ("lectures/resource-accounting.json", "{}"),
    ("style/base.css", "css"),
    ("sw.js", "old"),
];

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("site").join(name);
    let _ = fs::remove_dir_all(&folder);
    for (part, files) in [("lecture", &FILES[..]), ("site", &SITE)] {
        for (path, text) in files {
            let file = folder.join(part).join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }
    folder
}

/// A server that ends with the test.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    fn start(here: &PathBuf, file: &str) -> Self {
        let mut command = napkin("serve --port 0 --site site");
        command.arg(file).current_dir(here).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        Self { process, address }
    }

    fn get(&self, path: &str) -> String {
        let (host, prefix) = self.address.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{prefix}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn json(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_lecture_is_served_as_it_stands() {
    let here = folder("served");
    // Of the folder it is the one that has a `main`.
    let served = Served::start(&here, "lecture");
    assert!(served.address.ends_with("/week-1/"), "{}", served.address);
    let page = served.get("");
    assert!(page.contains("data-page=\"week-1\"") && page.contains("./changed?"), "{page}");
    // With the modules that it imports, and nothing else of the folder.
    let trace = json(&served.get("lectures/week-1.json"));
    let files: Vec<_> = trace["files"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(files, ["week 1.py", "own/numbers.py"]);
    assert!(served.get("pictures/a.svg").contains("<svg"));
    assert!(served.get("style/base.css").ends_with("css"));
    for path in ["secret.txt", "other.py", "pictures/../secret.txt", "sw.js", "gone.png"] {
        assert!(served.get(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    // What is saved is told.
    let known = served.get("changed?");
    let known = known.split_once("\r\n\r\n").unwrap().1;
    fs::write(here.join("lecture/own/numbers.py"), "N = 6\n").unwrap();
    let now = served.get(&format!("changed?{known}"));
    assert!(!now.ends_with(known), "{now}");
    assert_eq!(json(&served.get("lectures/week-1.json"))["files"]["own/numbers.py"], "N = 6\n");
}

#[test]
fn a_trace_is_served_as_it_was_recorded() {
    let here = folder("recorded");
    let case = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/trace-plain-values.json");
    fs::copy(case, here.join("a.json")).unwrap();
    let trace = json(&Served::start(&here, "a.json").get("lectures/a.json"));
    let renderings = trace["steps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|step| step["renderings"].as_array().into_iter().flatten());
    assert!(renderings.into_iter().any(|it| it["prepared"].is_array()));
}

#[test]
fn a_lecture_is_exported_with_what_it_shows() {
    let here = folder("exported");
    let run = |args: &[&str]| {
        let mut command = napkin("export site --site site");
        command.args(args).current_dir(&here);
        command.output().unwrap()
    };
    let output = run(&["lecture/week 1.py", "-o", "out"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("there is no picture gone.png"), "{}", stderr(&output));
    let mut names = napkin_site::files::files(&here.join("out")).unwrap();
    names.retain(|name| !name.starts_with("style"));
    let wanted =
        ["index.html", "lectures/week-1.json", "napkin-app_bg.wasm", "pictures/a.svg", "sw.js", "tools.html"];
    assert_eq!(names, wanted);
    let read = |name: &str| fs::read_to_string(here.join("out").join(name)).unwrap();
    assert!(read("index.html").contains("lectures/week-1.json"));
    assert!(read("tools.html").contains("<style>"));
    assert!(read("sw.js").contains("lectures/week-1.json") && !read("sw.js").contains("resource-accounting"));
    let trace: Value = serde_json::from_str(&read("lectures/week-1.json")).unwrap();
    let shown = trace["steps"].as_array().unwrap().iter().find_map(|step| step["env"].get("x")).unwrap();
    assert_eq!(shown["contents"], 6);
    // Again into the same folder; never into another one.
    assert!(run(&["lecture/week 1.py", "-o", "out"]).status.success());
    for to in ["lecture", "site"] {
        let output = run(&["lecture/week 1.py", "-o", to]);
        assert_eq!(output.status.code(), Some(2), "{to}");
        assert!(stderr(&output).contains("other files in this folder"), "{}", stderr(&output));
    }
}

#[test]
fn what_is_no_lecture_is_named() {
    let here = folder("wrong");
    fs::create_dir_all(here.join("empty")).unwrap();
    fs::create_dir_all(here.join("several")).unwrap();
    for name in ["b.py", "a.py"] {
        fs::write(here.join("several").join(name), "x = 1\n").unwrap();
    }
    fs::write(here.join("broken.json"), "{").unwrap();
    let cases = [
        (vec!["serve", "none.py"], "none.py"),
        (vec!["serve", "lecture/secret.txt"], "a lecture is a program that ends in .py"),
        (vec!["serve", "empty"], "no lecture in this folder"),
        (vec!["serve", "several"], "which of these is the lecture? a.py, b.py"),
        (vec!["serve", "broken.json", "--site", "site"], "ends in the middle"),
        (vec!["serve", "lecture/other.py", "--site", "empty"], "--site empty: there is no built site"),
    ];
    for (args, wanted) in cases {
        let mut command = napkin("");
        command.args(&args).current_dir(&here);
        if !args.contains(&"--site") {
            command.args(["--site", "site"]);
        }
        let output = command.output().unwrap();
        assert!(
            !output.status.success() && stderr(&output).contains(wanted),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}
