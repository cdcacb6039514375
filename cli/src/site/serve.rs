//! `napkin serve`: a lecture in the page while it is written.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use napkin_site::document::{beside_another, unwritten};
use napkin_site::server::{Answer, StaticServer, listen, open_browser};

use super::lecture::Lecture;
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::output;

/// What lets a page ask whether its lecture was saved.
const RELOAD: &str = include_str!("reload.html");

/// How often files are looked at, and how long an answer may wait for a change.
const POLL: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(25);

pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    let site = super::built(args.site.as_deref())?;
    let lecture = Lecture::at(&args.file)?;
    // What is wrong with it is said here, too.
    lecture.unrun()?;
    let work = |error: &dyn std::fmt::Display| Failure::Work(format!("{error:#}"));
    let listener = listen(args.port).map_err(|error| work(&error))?;
    let (file, prefix) = (lecture.file.display().to_string(), format!("/{}/", lecture.name));
    let tools = site.join("tools.html");
    let server = StaticServer::start_with(&site, &prefix, listener, move |path, query| {
        answer(&lecture, &tools, path, query)
    });
    let server = server.map_err(|error| work(&error))?;
    output::note(&format!("{file} is at {}  (ctrl-c stops)", server.address()));
    output::note("Saving it reloads the page.");
    if args.open
        && let Err(error) = open_browser(server.address())
    {
        output::note(&format!("cannot open a browser: {error:#}"));
    }
    server.wait();
    Ok(())
}

/// What comes from the lecture; none for a file of the site.
fn answer(lecture: &Lecture, tools: &PathBuf, path: &str, query: &str) -> Option<Answer> {
    let name = &lecture.name;
    if path == format!("lectures/{name}.json") {
        let trace = lecture.unrun().ok().and_then(|trace| serde_json::to_string(&trace).ok());
        return Some(trace.map_or(Answer::NotFound, |text| Answer::Text("a.json", text)));
    }
    match path {
        "" | "index.html" => Some(Answer::Text("a.html", unwritten(name, name, RELOAD))),
        "tools.html" => Some(Answer::Text("a.html", beside_another(&fs::read_to_string(tools).ok()?))),
        "changed" => Some(Answer::Text("a.txt", changed(lecture, query))),
        // It would keep what is about to change.
        "sw.js" => Some(Answer::NotFound),
        _ => lecture.picture(path).map(Answer::File),
    }
}

/// The state of the files as soon as it is another one than `known`, or after a while.
fn changed(lecture: &Lecture, known: &str) -> String {
    let start = Instant::now();
    loop {
        // While an editor replaces a file, there is none.
        let now = state(lecture).filter(|now| now != known);
        match now {
            Some(now) => return now,
            None if start.elapsed() > PATIENCE => return known.to_owned(),
            None => thread::sleep(POLL),
        }
    }
}

fn state(lecture: &Lecture) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    if lecture.is_program() {
        lecture.files().ok()?.iter().for_each(|file| file.hash(&mut hasher));
    } else {
        let metadata = fs::metadata(&lecture.file).ok()?;
        (metadata.len(), metadata.modified().ok()).hash(&mut hasher);
    }
    Some(format!("{:x}", hasher.finish()))
}
