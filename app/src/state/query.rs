//! Query strings: `key=value` pairs in order. Keys that are not ours pass through untouched.

/// The pairs of `?a=1&b`, decoded; a key without `=` has an empty value.
pub fn read(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.trim_start_matches('?').as_bytes()).into_owned().collect()
}

/// `?a=1&b`, or nothing for no pairs.
pub fn write<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    // Brackets and commas stay as they are: people read addresses, too.
    let readable = [("%28", "("), ("%29", ")"), ("%2C", ","), ("%3A", ":"), ("%7E", "~")];
    let encoded = |text: &str| {
        let text = form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        readable.iter().fold(text, |text, (code, letter)| text.replace(code, letter))
    };
    let pairs = pairs.into_iter().map(|(key, value)| match value {
        "" => encoded(key),
        value => format!("{}={}", encoded(key), encoded(value)),
    });
    let pairs = pairs.collect::<Vec<_>>().join("&");
    if pairs.is_empty() { pairs } else { format!("?{pairs}") }
}

/// The value of a key of the address's query; empty where the key has none.
pub fn value_of(key: &str) -> Option<String> {
    let pairs = read(&leptos::prelude::window().location().search().ok()?);
    pairs.into_iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let pairs = [
            ("v", "1"),
            ("bench", ""),
            ("strides.y", "x.transpose(0, 1)[::2, 1:]"),
            ("odd", "100% & more = ünïcode + \u{1F9FB}"),
        ];
        let text = write(pairs);
        assert!(text.is_ascii() && text.starts_with("?v=1&bench&strides.y=x.transpose(0,+1)%5B"), "{text}");
        assert_eq!(read(&text), pairs.map(|(key, value)| (key.to_owned(), value.to_owned())));
        assert_eq!((write([]), read("?")), (String::new(), vec![]));
    }
}
