//! `napkin export site`: a folder that any static host can serve, with one lecture in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use napkin_site::document::{beside_another, unwritten};
use napkin_site::{files, offline};
use napkin_trace::trace::{Drawing, Rendering, Trace};

use super::lecture::Lecture;
use crate::args::SiteArgs;
use crate::export::traced;
use crate::failure::Failure;
use crate::output;

/// What is in a folder that this command has written, whatever else is.
const MARK: &str = "napkin-app_bg.wasm";

pub(crate) fn export(args: &SiteArgs) -> Result<(), Failure> {
    let site = super::built(args.site.as_deref())?;
    let lecture = Lecture::at(&args.file)?;
    let to = &args.output;
    let failed =
        |path: &Path, error: &dyn std::fmt::Display| Failure::Work(format!("{}: {error:#}", path.display()));
    let is_full = fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some());
    let is_site = fs::canonicalize(to).is_ok_and(|to| Some(to) == fs::canonicalize(&site).ok());
    if is_site || is_full && !to.join(MARK).is_file() {
        return Err(Failure::Usage(format!(
            "--output {}: there are other files in this folder; name a new one, or one that this command has written",
            to.display()
        )));
    }
    let trace = if lecture.is_program() { traced(&lecture.file)? } else { lecture.unrun()? };
    // Beside the folder until it is whole.
    let aside = to.with_added_extension("part");
    if aside.exists() {
        fs::remove_dir_all(&aside).map_err(|error| failed(&aside, &error))?;
    }
    let write = |name: &str, bytes: &[u8]| {
        let path = aside.join(name);
        let folder = path.parent().unwrap_or(&aside);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| failed(&path, &error))
    };
    for name in files::files(&site).map_err(|error| failed(&site, &error))? {
        if is_of_site(&name) {
            write(&name, &files::read(&site, &name).map_err(|error| failed(&site, &error))?)?;
        }
    }
    let tools = fs::read_to_string(site.join("tools.html")).map_err(|error| failed(&site, &error))?;
    write("tools.html", beside_another(&tools).as_bytes())?;
    let name = &lecture.name;
    write("index.html", unwritten(name, name, "").as_bytes())?;
    let json = serde_json::to_string(&trace).map_err(|error| failed(&lecture.file, &error))?;
    write(&format!("lectures/{name}.json"), json.as_bytes())?;
    for picture in pictures(&trace) {
        match lecture.picture(&picture) {
            Some(file) => write(&picture, &fs::read(&file).map_err(|error| failed(&file, &error))?)?,
            None => output::note(&format!(
                "note: there is no picture {picture} beside {}",
                lecture.file.display()
            )),
        }
    }
    offline::write(&aside).map_err(|error| failed(&aside, &error))?;
    if to.exists() {
        fs::remove_dir_all(to).map_err(|error| failed(to, &error))?;
    }
    fs::rename(&aside, to).map_err(|error| failed(to, &error))?;
    output::note(&format!(
        "{} is a site with this lecture: any static host can serve it, from any path.",
        to.display()
    ));
    Ok(())
}

/// Whether a file of the built site is no lecture's own.
fn is_of_site(name: &str) -> bool {
    !name.starts_with("lectures/") && !name.ends_with(".html") && name != "sw.js"
}

/// The pictures of a lecture that are files beside it, by their paths.
fn pictures(trace: &Trace) -> BTreeSet<String> {
    let all = trace.steps.iter().flat_map(|step| &step.renderings).filter_map(Rendering::drawing);
    let paths = all.filter_map(|drawing| match drawing {
        Drawing::Image(path) if !path.contains(':') => Some(path),
        _ => None,
    });
    paths.map(|path| path.trim_start_matches("./").to_owned()).collect()
}
