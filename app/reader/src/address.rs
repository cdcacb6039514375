//! What the address says: which lecture, which step, which values are changed.

use std::num::IntErrorKind;

/// The version of what stands in an address.
pub const VERSION: &str = "1";

/// What an address names, as it is written there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// A lecture of the page.
    pub lecture: Option<String>,
    /// Where a trace is to be fetched from.
    pub trace: Option<String>,
    /// The number of a step.
    pub step: Option<String>,
    /// The version that the address was written by.
    pub version: Option<String>,
    /// `function.name` and what is assigned to it.
    pub sliders: Vec<(String, String)>,
    /// Whatever else it says.
    pub others: Vec<(String, String)>,
}

impl Address {
    /// Reads a query, with or without its question mark. Of a name that is there twice the last one counts.
    #[must_use]
    pub fn read(query: &str) -> Self {
        let mut address = Self::default();
        let query = query.strip_prefix('?').unwrap_or(query);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name), decode(value));
            match name.as_str() {
                "lecture" => address.lecture = Some(value),
                "trace" => address.trace = Some(value),
                "step" => address.step = Some(value),
                "v" => address.version = Some(value),
                _ => match name.strip_prefix("s.") {
                    Some(slider) => {
                        address.sliders.retain(|(known, _)| known != slider);
                        address.sliders.push((slider.to_owned(), value));
                    }
                    None => address.others.push((name, value)),
                },
            }
        }
        address
    }

    /// The query, with its question mark.
    #[must_use]
    pub fn write(&self) -> String {
        let own =
            [("lecture", &self.lecture), ("trace", &self.trace), ("step", &self.step), ("v", &self.version)];
        let own = own.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
        let sliders = self.sliders.iter().map(|(name, value)| (format!("s.{name}"), value.clone()));
        let pairs = own.chain(sliders).chain(self.others.iter().cloned());
        let pairs: Vec<String> =
            pairs.map(|(name, value)| format!("{}={}", encode(&name), encode(&value))).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }

    /// The step that it names among `0..=last`, and a sentence for the reader if that is not quite what it says.
    #[must_use]
    pub fn step(&self, last: usize) -> (Option<usize>, Option<String>) {
        let other = self.version.as_deref().filter(|version| *version != VERSION);
        let other = other.map(|version| {
            format!("This link is of another version ({version}): you are at the step nearest to it.")
        });
        let Some(written) = &self.step else { return (None, other) };
        let step = written.parse::<i64>().or_else(|error| match error.kind() {
            IntErrorKind::PosOverflow => Ok(i64::MAX),
            IntErrorKind::NegOverflow => Ok(i64::MIN),
            _ => Err(()),
        });
        match step {
            Ok(step) => {
                let nearest = usize::try_from(step.max(0)).unwrap_or(usize::MAX).min(last);
                let clamped = (nearest as i64 != step)
                    .then(|| format!("There is no step {written}: this is step {nearest} of {last}."));
                (Some(nearest), other.or(clamped))
            }
            Err(_) => {
                (None, Some(format!("The address asks for the step “{written}”, which is not a number.")))
            }
        }
    }
}

/// Whether a trace may be fetched from there: this host itself, or any by https.
///
/// # Errors
/// With a sentence if not.
pub fn check_source(url: &str, origin: &str) -> Result<(), String> {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    let is_here = url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'));
    let is_relative =
        scheme.is_none() && !url.starts_with("//") && !url.starts_with('\\') && !url.trim().is_empty();
    let is_https = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
    if is_https || is_relative || is_here && !origin.is_empty() {
        Ok(())
    } else {
        Err(format!("A trace is fetched from this page's own host or by https, not from “{url}”."))
    }
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut at, mut out) = (0, Vec::with_capacity(bytes.len()));
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], byte) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/:".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
