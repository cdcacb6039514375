//! What the data files have in common: figures with sources and marks, and names by which a record is found.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{line, quoted};
use crate::{Error, Result, Source};

/// How far a figure can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Two or more independent sources agree.
    Verified,
    /// One source only.
    Single,
    /// Computed from other figures.
    Derived,
    /// Sources disagree; the others' values are in [`Figure::alternatives`].
    Conflict,
    /// Nobody whose word counts has published it; also what a reader adds without saying more.
    #[default]
    Unverified,
}

impl Mark {
    /// The meaning, for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Verified => "two or more sources agree",
            Self::Single => "one source only",
            Self::Derived => "derived",
            Self::Conflict => "sources disagree",
            Self::Unverified => "unverified",
        }
    }
}

/// A number of a catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// In base units.
    pub value: f64,
    /// How far to trust it.
    #[serde(default)]
    pub mark: Mark,
    /// Keys of [`sources`]; in a record that a reader adds, any text.
    #[serde(default, deserialize_with = "texts")]
    pub sources: Vec<String>,
    /// Other values in circulation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// What to know about it.
    #[serde(default, skip_serializing_if = "String::is_empty", deserialize_with = "text")]
    pub note: String,
}

/// A value that another source gives, or that holds under another condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// In base units.
    pub value: f64,
    /// Key of [`sources`].
    #[serde(deserialize_with = "text")]
    pub source: String,
    /// Under which condition.
    #[serde(default, skip_serializing_if = "String::is_empty", deserialize_with = "text")]
    pub note: String,
}

/// A source of the catalogues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// What to cite.
    pub title: String,
    /// Where it is, if on the web.
    pub url: String,
    /// When it was published or read.
    pub date: String,
}

/// The sources of all catalogues by key: `data/sources.json`.
#[must_use]
pub fn sources() -> &'static BTreeMap<String, Publication> {
    static SOURCES: OnceLock<BTreeMap<String, Publication>> = OnceLock::new();
    SOURCES.get_or_init(|| shipped(include_str!("../data/sources.json")))
}

impl Figure {
    /// Its sources, resolved; the first carries mark, note and what others say.
    #[must_use]
    pub fn cite(&self) -> Vec<Source> {
        let mut remark = self.mark.describe().to_owned();
        for alternative in &self.alternatives {
            let condition = if alternative.note.is_empty() { "elsewhere" } else { &alternative.note };
            // In the unit of the figure, which it does not know.
            let (value, source) = (alternative.value, cite(&alternative.source));
            remark += &format!("; {condition} {value:e}: {}", source.title);
        }
        if !self.note.is_empty() {
            remark += "; ";
            remark += &self.note;
        }
        let mut sources: Vec<Source> = self.sources.iter().map(|key| cite(key)).collect();
        if sources.is_empty() {
            sources.push(Source::cite("no source given"));
        }
        sources[0].note = remark;
        sources
    }

    pub(crate) fn check(&self, field: &str, bounds: &Bounds) -> Result<()> {
        let alternatives = self.alternatives.iter().map(|alternative| alternative.value);
        for value in std::iter::once(self.value).chain(alternatives) {
            // What is not a number is in no range.
            if !(bounds.least..=bounds.most).contains(&value) {
                let Bounds { least, most, unit } = bounds;
                let rule = format!("from {least:e} to {most:e} {unit}");
                return Err(Error::input(field, rule, &value.to_string()));
            }
        }
        Ok(())
    }
}

/// Between what a figure lies if its unit is the one that the field has. Wide enough for what is to come,
/// narrow enough to notice 989 for 989e12.
#[derive(Debug)]
pub(crate) struct Bounds {
    pub least: f64,
    pub most: f64,
    pub unit: &'static str,
}

fn cite(key: &str) -> Source {
    match sources().get(key) {
        Some(Publication { title, url, date }) => {
            Source { title: title.clone(), url: url.clone(), date: date.clone(), note: String::new() }
        }
        None => Source::cite(key),
    }
}

/// A data file of this crate. That each can be read is a test's business, so that nothing can fail here.
pub(crate) fn shipped<T: DeserializeOwned + Default>(text: &str) -> T {
    // By the way of a reader's records: another reader of JSON would be a tenth of the page's calculators.
    read("catalogue", text).unwrap_or_default()
}

/// A record that a reader wrote, before its figures are looked at.
pub(crate) fn read<T: DeserializeOwned>(kind: &'static str, text: &str) -> Result<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let record = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let (path, problem) = (error.path().to_string(), error.inner().to_string());
        let problem = if path == "." { problem } else { format!("{path}: {problem}") };
        Error::Record { kind, problem: line(&problem) }
    })?;
    json.end().map_err(|error| Error::Record { kind, problem: line(&error.to_string()) })?;
    Ok(record)
}

/// Text of a record, which becomes part of a line: of an answer, a terminal, a program.
pub(crate) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(line(&String::deserialize(from)?))
}

pub(crate) fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<String>::deserialize(from)?.iter().map(|text| line(text)).collect())
}

/// A record that can be asked for by name.
pub(crate) trait Named {
    /// What it is, for people: "GPU".
    const KIND: &'static str;

    /// Id, name for people and aliases.
    fn names(&self) -> (&str, &str, &[String]);
}

/// That a record can be found, and shown in a line.
pub(crate) fn check_names(record: &impl Named) -> Result<()> {
    let (id, name, aliases) = record.names();
    if !id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)) {
        return Err(Error::input("id", "small letters, digits, dots and hyphens", id));
    }
    let aliases = aliases.iter().map(|alias| ("aliases", alias.as_str()));
    for (field, name) in [("id", id), ("name", name)].into_iter().chain(aliases) {
        if plain(name).is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control)
        {
            return Err(Error::input(field, format!("1 to {LONGEST_NAME} printable characters"), name));
        }
    }
    Ok(())
}

const LONGEST_NAME: usize = 80;

/// "H100 SXM", "h100_sxm" and "h100-sxm" are the same name.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| !c.is_whitespace() && !"-_".contains(*c));
    kept.flat_map(char::to_lowercase).collect()
}

/// The record of that id, name or alias, whatever its case, spaces, hyphens and underscores.
///
/// # Errors
/// [`Error::Ambiguous`] if none is called so and several begin like that, else [`Error::Unknown`].
pub(crate) fn find<'a, T: Named>(records: &'a [T], name: &str) -> Result<&'a T> {
    let names: Vec<Names<'a>> = records.iter().map(Named::names).collect();
    // Not once for each kind of record.
    let place = search(&names, name, T::KIND)?;
    Ok(&records[place])
}

/// Id, name for people and aliases of a record.
type Names<'a> = (&'a str, &'a str, &'a [String]);

fn called<'a>((id, name, aliases): Names<'a>) -> impl Iterator<Item = &'a str> {
    [id, name].into_iter().chain(aliases.iter().map(String::as_str))
}

fn search(all: &[Names<'_>], name: &str, kind: &'static str) -> Result<usize> {
    let wanted = plain(name);
    if let Some(place) = all.iter().position(|&it| called(it).any(|name| plain(name) == wanted)) {
        return Ok(place);
    }
    let got = quoted(name.trim());
    let begun = |it: &&Names<'_>| called(**it).any(|name| plain(name).starts_with(&wanted));
    let ids = |it: &Names<'_>| it.0.to_owned();
    let candidates: Vec<String> = all.iter().filter(begun).map(ids).collect();
    if !wanted.is_empty() && candidates.len() > 1 {
        return Err(Error::Ambiguous { kind, got, candidates: candidates.join(", ") });
    }
    let near = nearest(all, name);
    let known = if all.len() <= FEW || near.is_empty() {
        format!("known are {}", all.iter().map(ids).collect::<Vec<_>>().join(", "))
    } else {
        format!("near it: {}", near.join(", "))
    };
    Err(Error::Unknown { kind, got, known })
}

/// So many names are read at a glance.
const FEW: usize = 10;
/// So many of more are told.
const NEAREST: usize = 3;

/// The ids of the records whose names are most like that one: those that share most words with it, and of these those that
/// fewest letters have to be changed for.
fn nearest<'a>(all: &[Names<'a>], name: &str) -> Vec<&'a str> {
    // Whoever typed more typed no name.
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let (words, letters) = (words(&name), plain(&name));
    let mut near = Vec::new();
    for &it in all {
        let shared = |name: &str| self::words(name).iter().filter(|word| words.contains(word)).count();
        let shared = called(it).map(shared).max().unwrap_or_default();
        let changed = |name: &str| strsim::levenshtein(&plain(name), &letters);
        let changed = called(it).map(changed).min().unwrap_or_default();
        // What shares no word may be a slip of the fingers, in a third of its letters at most.
        if shared > 0 || 3 * changed <= letters.chars().count() {
            near.push((Reverse(shared), changed, it.0));
        }
    }
    near.sort_by_key(|&(shared, changed, _)| (shared, changed));
    near.into_iter().take(NEAREST).map(|(.., id)| id).collect()
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
