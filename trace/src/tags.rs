//! Tags of HTML, and what is between them.

/// The address of the picture in a text of tags, if it has one and there is nothing else to see.
pub fn only_picture(html: &str) -> Option<String> {
    let (mut rest, mut address) = (html.trim_start(), None);
    while !rest.is_empty() {
        let tag = Tag::read(rest)?;
        if tag.name == "img" && !tag.is_end && address.replace(tag.attribute("src")?).is_some() {
            return None;
        }
        rest = rest[tag.length..].trim_start();
    }
    address
}

/// A tag of HTML.
pub struct Tag<'a> {
    /// In small letters.
    pub name: String,
    pub is_end: bool,
    attributes: &'a str,
    /// Bytes with its brackets.
    pub length: usize,
}

impl<'a> Tag<'a> {
    /// That at the beginning of a text, if one is there.
    pub fn read(text: &'a str) -> Option<Self> {
        let inside = text.strip_prefix('<')?;
        let (is_end, inside) = inside.strip_prefix('/').map_or((false, inside), |rest| (true, rest));
        // `<!DOCTYPE` and `<?xml` are tags of nothing.
        let named = inside.trim_start_matches(['!', '?']);
        if !named.starts_with(|it: char| it.is_ascii_alphabetic()) {
            return None;
        }
        let mut quote = None;
        let end = named.char_indices().find(|(_, letter)| match (quote, letter) {
            (None, '>') => true,
            (None, '"' | '\'') => {
                quote = Some(*letter);
                false
            }
            (Some(open), letter) if open == *letter => {
                quote = None;
                false
            }
            _ => false,
        });
        let (end, _) = end?;
        let all = &named[..end];
        let name = all.find(|it: char| !it.is_ascii_alphanumeric() && it != '-').unwrap_or(all.len());
        Some(Self {
            name: all[..name].to_ascii_lowercase(),
            is_end,
            attributes: &all[name..],
            length: text.len() - named.len() + end + 1,
        })
    }

    /// What an attribute says, in quotes or without.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((before, value)) = rest.split_once('=') {
            let value = value.trim_start();
            let (value, next) = match value.chars().next().filter(|it| matches!(it, '"' | '\'')) {
                Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
                None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
            };
            if before.split_whitespace().next_back().is_some_and(|it| it.eq_ignore_ascii_case(name)) {
                return Some(decoded(value));
            }
            rest = next;
        }
        None
    }
}

/// A text with its characters in place of their names.
pub fn decoded(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        written.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(';').filter(|end| *end <= 10);
        match end.and_then(|end| Some((end, character(rest.get(..end)?)?))) {
            Some((end, letter)) => {
                written.push(letter);
                rest = &rest[end + 1..];
            }
            None => written.push('&'),
        }
    }
    written.push_str(rest);
    written
}

fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "times" => '×',
        "minus" => '−',
        "middot" => '·',
        "hellip" => '…',
        "ndash" => '–',
        "mdash" => '—',
        "deg" => '°',
        "plusmn" => '±',
        "infin" => '∞',
        "rarr" => '→',
        _ => return None,
    })
}
