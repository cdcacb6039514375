//! What every figure and every name of every data file has to be.

use napkin_accounting::catalogue::{Figure, Mark, sources};

/// A plausible value, a mark that its sources bear out, sources that exist and have a date.
pub fn figure(name: &str, figure: &Figure) {
    assert!(figure.value.is_finite() && figure.value > 0.0, "{name}");
    backing(name, figure.mark, &figure.sources);
    for other in &figure.alternatives {
        known(name, &other.source);
        assert!(
            other.value > 0.0 && other.value != figure.value,
            "{name}: {} is no alternative",
            other.value
        );
    }
    if figure.mark == Mark::Conflict {
        assert!(!figure.alternatives.is_empty(), "{name} conflicts with nothing");
    }
}

/// As many known sources as the mark needs.
pub fn backing(name: &str, mark: Mark, keys: &[String]) {
    assert!(!keys.is_empty(), "{name} has no source");
    keys.iter().for_each(|key| known(name, key));
    let mut distinct = keys.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), keys.len(), "{name} cites a source twice");
    if mark == Mark::Verified {
        assert!(keys.len() >= 2, "{name} is verified by one source only");
    }
}

fn known(name: &str, key: &str) {
    let source = sources().get(key).unwrap_or_else(|| panic!("{name} cites {key}, unknown"));
    assert!(!source.title.is_empty() && source.date.contains("20"), "{key} has no title or date");
    assert!(source.url.is_empty() || source.url.starts_with("http"), "{key}: {}", source.url);
}

/// That every id, name and alias finds the record it belongs to, however it is spelt.
pub fn names<'a, T: 'static>(
    records: impl Iterator<Item = (&'a str, &'a str, &'a [String])>,
    find: impl Fn(&str) -> napkin_accounting::Result<&'static T>,
    id_of: impl Fn(&T) -> &str,
) {
    let mut ids = std::collections::BTreeSet::new();
    for (id, name, aliases) in records {
        assert!(ids.insert(id.to_owned()), "{id} twice");
        assert!(id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)), "{id}");
        for called in [id, name].into_iter().chain(aliases.iter().map(String::as_str)) {
            for spelt in
                [called.to_owned(), called.to_uppercase(), called.replace('-', "_"), format!(" {called} ")]
            {
                let found = find(&spelt).unwrap_or_else(|error| panic!("{spelt}: {error}"));
                assert_eq!(id_of(found), id, "{spelt}");
            }
            assert_eq!(id_of(find(&called.replace('-', " ")).unwrap()), id, "{called}");
        }
    }
}
