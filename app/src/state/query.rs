//! Query strings: `key=value` pairs in order. Keys that are not ours pass through untouched.

/// The pairs of `?a=1&b`, decoded; a key without `=` has an empty value.
#[must_use]
pub fn read(query: &str) -> Vec<(String, String)> {
    query
        .trim_start_matches('?')
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(key), decoded(value))
        })
        .collect()
}

/// `?a=1&b`, or nothing for no pairs.
#[must_use]
pub fn write<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::new();
    for (key, value) in pairs {
        out.push(if out.is_empty() { '?' } else { '&' });
        encode(key, &mut out);
        if !value.is_empty() {
            out.push('=');
            encode(value, &mut out);
        }
    }
    out
}

fn encode(text: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b',' | b':' | b'*' | b'(' | b')' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            _ => {
                out.push('%');
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
}

/// A `%` without two hex digits stands for itself; bytes that are not UTF-8 become U+FFFD.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match (byte, hex(at), hex(at + 1)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', ..) => out.push(b' '),
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
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
        let back = read(&text);
        let back: Vec<_> = back.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(back, pairs);
    }

    #[test]
    fn anything_at_all_can_be_read() {
        assert_eq!(write([]), "");
        assert!(read("").is_empty() && read("?").is_empty() && read("?&&").is_empty());
        assert_eq!(read("?a=%zz%4"), [("a".to_owned(), "%zz%4".to_owned())]);
        assert_eq!(read("?a=%FF"), [("a".to_owned(), "\u{FFFD}".to_owned())]);
        assert_eq!(read("?=x&a=b=c"), [(String::new(), "x".to_owned()), ("a".to_owned(), "b=c".to_owned())]);
    }
}
