//! What the files that a reader brings are: a trace, a program with its modules, pictures.

use std::collections::BTreeMap;

use napkin_trace::notebook::is_notebook;
use napkin_trace::trace::{MOST_BYTES, Map};
use web_sys::Url;

use super::super::model::Lecture;
use super::super::prepare;
use super::dropped::Brought;

/// What can be shown as a picture. In an image no script runs.
const PICTURES: [&str; 8] = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp"];

/// What a reader has brought.
pub struct Bundle {
    /// None if there are pictures alone.
    pub lecture: Option<Lecture>,
    /// Addresses of the pictures, by their paths.
    pub pictures: BTreeMap<String, String>,
    /// A sentence on the others, which nothing here reads.
    pub left: Option<String>,
}

/// Reads them.
///
/// # Errors
/// With a sentence that names the file, or what is missing among them.
pub async fn read_files(files: Vec<Brought>) -> Result<Bundle, String> {
    let ends = |it: &Brought, all: &[&str]| {
        let path = it.path.to_lowercase();
        all.iter().any(|end| path.ends_with(end))
    };
    let (pictures, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|it| ends(it, &PICTURES));
    let (programs, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|it| ends(it, &[".py"]));
    let (traces, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|it| ends(it, &[".json", ".ipynb"]));
    let lecture = match (programs.is_empty(), traces.as_slice()) {
        (false, _) => Some(Lecture::unrun(texts(programs).await?)),
        (true, [one]) => Some(read_text(&one.path, text(one).await?).await?),
        (true, [_, _, ..]) => {
            return Err("One notebook or trace at a time, or files that all end in .py.".to_owned());
        }
        (true, []) if pictures.is_empty() && others.len() == 1 => {
            return Err(format!(
                "{} is no lecture: a program ends in .py, a notebook in .ipynb, a trace in .json.",
                others[0].path
            ));
        }
        (true, []) if pictures.is_empty() => {
            return Err(
                "Among these files is no lecture: a program ends in .py, a notebook in .ipynb, a trace in .json.".to_owned()
            );
        }
        (true, []) => None,
    };
    // Beside a program lies what it was not asked for.
    let traces = if lecture.as_ref().is_some_and(|it| it.is_unrun) { traces } else { Vec::new() };
    let left: Vec<&str> = traces.iter().chain(&others).map(|it| it.path.as_str()).collect();
    let names = left.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    let more = left.len().saturating_sub(5);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let left = (!left.is_empty()).then(|| format!("Not read: {names}{more}."));
    let address = |it: Brought| Some((it.path, Url::create_object_url_with_blob(&it.file).ok()?));
    Ok(Bundle { lecture, pictures: pictures.into_iter().filter_map(address).collect(), left })
}

/// A program, a notebook or a trace, as the end of its path or address says.
///
/// # Errors
/// With a sentence that names it.
pub async fn read_text(place: &str, text: String) -> Result<Lecture, String> {
    let named = |why| format!("{place}: {why}.");
    let path = place.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.ends_with(".py") {
        let mut files = Map::default();
        files.insert(name.to_owned(), text);
        return Ok(Lecture::unrun(files));
    }
    let trace = prepare::read(name, &text).await.map_err(named)?;
    let mut lecture = Lecture::of_trace(trace).map_err(named)?;
    lecture.notebook = is_notebook(name).then(|| text.into());
    lecture.trace.is_recorded = true;
    Ok(lecture)
}

async fn texts(files: Vec<Brought>) -> Result<Map<String>, String> {
    let mut texts = Map::default();
    for it in files {
        texts.insert(it.path.clone(), text(&it).await?);
    }
    Ok(texts)
}

async fn text(it: &Brought) -> Result<String, String> {
    // A file that is larger is none that a page could show.
    let most_bytes = MOST_BYTES as f64;
    if it.file.size() > most_bytes {
        let mb = |bytes: f64| (bytes / 1e6).round();
        return Err(format!(
            "{} has {} MB: files of at most {} MB are read.",
            it.path,
            mb(it.file.size()),
            mb(most_bytes)
        ));
    }
    let text = it.file.text().await.ok().and_then(|text| text.as_string());
    text.ok_or_else(|| format!("{} cannot be read.", it.path))
}
