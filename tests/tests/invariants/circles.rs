//! Which files of a crate know each other in circles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{files, read};

const CRATES: [&str; 10] =
    ["accounting", "app", "app/python", "app/worker", "charts", "cli", "engine", "python", "trace", "xtask"];

/// The circles that stay: of which crate, which files below its `src`, and why.
const BY_NATURE: [(&str, &[&str], &str); 7] = [
    (
        "app",
        &["components/heat", "components/tensor", "components/value"],
        "a value may be a tensor, whose elements are values; in colours it can be looked at as a table again",
    ),
    (
        "app",
        &["lecture/helper", "lecture/part", "lecture/statement"],
        "a statement shows the parts and functions that it calls, which are statements",
    ),
    (
        "app",
        &[
            "lecture/model/call_tree",
            "lecture/model/lecture",
            "lecture/model/outline",
            "lecture/model/questions",
            "lecture/model/stepping",
        ],
        "a lecture is what these find out about its trace, each by what is known of it before",
    ),
    ("engine", &["autograd", "tensor"], "a tensor has a history, and a history is of tensors"),
    (
        "engine",
        &["autograd/checkpoint", "autograd/node", "autograd/saved_tensor"],
        "a node saves tensors that lead on to nodes, or a frame runs again that holds such nodes",
    ),
    (
        "engine",
        &["gpu/alarm", "gpu/core", "gpu/storage"],
        "a tensor's buffer goes back to the device that made it; one of them is the device's own alarm",
    ),
    (
        "python",
        &["options", "polling", "trace"],
        "who traces asks whether to stop, and rests where that is asked; a run is given what a trace remembers",
    ),
];

/// A file, as the names that lead to its module.
type Module = Vec<String>;
/// The files that each file names.
type Links = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn files_know_each_other_in_circles_only_where_that_is_their_nature() -> Result<()> {
    let allowed = BY_NATURE
        .map(|(krate, names, _)| (krate, names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>()));
    let mut found = BTreeSet::new();
    for krate in CRATES {
        found.extend(circles(&links(krate)?).into_iter().map(|circle| (krate, circle)));
    }
    for (krate, circle) in &found {
        let is_allowed = allowed.contains(&(*krate, circle.clone()));
        assert!(
            is_allowed,
            "in {krate} {circle:?} know each other: cut the circle, or say why it is one thing"
        );
    }
    for circle in allowed {
        assert!(found.contains(&circle), "{circle:?} is no circle any more: take it off the list");
    }
    Ok(())
}

/// Which files of a crate name which others. A file and the folder of its name are one.
fn links(krate: &str) -> Result<Links> {
    let source = Path::new(krate).join("src");
    let module = |file: PathBuf| {
        let inside = file.strip_prefix(&source).ok()?.with_extension("");
        let mut names: Module = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        names.pop_if(|name| ["lib", "main", "mod"].contains(&name.as_str()));
        (!names.iter().any(|name| name == "tests")).then_some((names, file))
    };
    let modules: BTreeMap<Module, PathBuf> = files(&[".rs"])?.into_iter().filter_map(module).collect();
    let mut links = BTreeMap::new();
    for (from, file) in &modules {
        let text = read(file)?;
        let lines = text.lines().take_while(|line| !line.ends_with("mod tests {"));
        let code = lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let named = paths(&code).into_iter().filter_map(|path| {
            let mut names = absolute(from, &path);
            while !modules.contains_key(&names) {
                names.pop()?;
            }
            Some(names)
        });
        let is_other = |to: &Module| !to.starts_with(from) && !from.starts_with(to);
        links.insert(from.clone(), named.filter(is_other).collect());
    }
    Ok(links)
}

/// Every path from `crate` or `super` in Rust source; of `super::{a, b}` both.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    // What stands before each brace that is open, if that is a path.
    let mut before: Vec<Vec<&str>> = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let mut goes_on = false;
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            match first {
                '{' => before.push(if goes_on { path.clone() } else { Vec::new() }),
                '}' => drop(before.pop()),
                _ => {}
            }
            (goes_on, rest) = (false, &rest[first.len_utf8()..]);
            continue;
        }
        if !goes_on {
            path = before.last().cloned().unwrap_or_default();
        }
        path.push(&rest[..end]);
        rest = &rest[end..];
        goes_on = rest.starts_with("::");
        if goes_on {
            rest = &rest[2..];
        } else if ["crate", "super"].contains(&path[0]) {
            found.push(path.clone());
        }
    }
    found
}

/// The same path from the crate's root.
fn absolute(module: &[String], path: &[&str]) -> Module {
    let up = path.iter().take_while(|name| **name == "super").count();
    let base = if up == 0 { &[] } else { &module[..module.len().saturating_sub(up)] };
    base.iter().cloned().chain(path[up.max(1)..].iter().map(|&name| name.to_owned())).collect()
}

/// All files that one leads to.
fn reached<'a>(links: &'a Links, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut all, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(next) = open.pop() {
        open.extend(links.get(next).into_iter().flatten().filter(|to| all.insert(*to)));
    }
    all
}

/// The sets of files of which each leads to all others.
fn circles(links: &Links) -> BTreeSet<BTreeSet<String>> {
    let reach: BTreeMap<_, _> = links.keys().map(|from| (from, reached(links, from))).collect();
    let circle = |from: &Module| {
        let back = reach[from].iter().filter(|to| reach.get(**to).is_some_and(|it| it.contains(from)));
        back.map(|names| names.join("/")).collect::<BTreeSet<_>>()
    };
    links.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn the_detector_of_circles_works() {
    let code =
        "use super::{a::{b, C}, d};\nuse std::{e};\nfn f(x: crate::g::H) { match x { I::J => crate::k() } }";
    let found: Vec<String> = paths(code).iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["super::a::b", "super::a::C", "super::d", "crate::g::H", "crate::k"]);
    let names = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    assert_eq!(absolute(&names("a::b"), &["super", "c", "D"]), names("a::c::D"));
    assert_eq!(absolute(&names("a::b"), &["crate", "c", "D"]), names("c::D"));
    let link = |from: &str, to: &[&str]| (names(from), to.iter().map(|to| names(to)).collect());
    let links =
        BTreeMap::from([link("a", &["b"]), link("b", &["c"]), link("c", &["a", "d"]), link("d", &[])]);
    assert_eq!(circles(&links), BTreeSet::from([["a", "b", "c"].map(str::to_owned).into()]));
}
