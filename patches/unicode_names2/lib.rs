//! Names of characters that follow from a rule: ideographs and Hangul syllables.
//!
//! It stands in place of the crate of this name. That has all names, and both RustPython and its parser have it, each in
//! another version: 600 KB that whoever reads a lecture would fetch, for `"\N{BULLET}"` in a program.

/// First and last character of each range.
const IDEOGRAPHS: [(char, char); 11] = [
    ('\u{3400}', '\u{4DBF}'),
    ('\u{4E00}', '\u{9FFF}'),
    ('\u{20000}', '\u{2A6DF}'),
    ('\u{2A700}', '\u{2B73F}'),
    ('\u{2B740}', '\u{2B81D}'),
    ('\u{2B820}', '\u{2CEAD}'),
    ('\u{2CEB0}', '\u{2EBE0}'),
    ('\u{2EBF0}', '\u{2EE5D}'),
    ('\u{30000}', '\u{3134A}'),
    ('\u{31350}', '\u{323AF}'),
    ('\u{323B0}', '\u{33479}'),
];
const SYLLABLES: (char, char) = ('\u{AC00}', '\u{D7A3}');
/// What a syllable begins with, has in its middle, and ends with.
const LEADING: &str = "G GG N D DD R M B BB S SS  J JJ C K T P H";
const VOWELS: &str = "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I";
const TRAILING: &str = " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H";

/// The name of a character, if it follows from a rule.
#[must_use]
pub fn name(c: char) -> Option<String> {
    if (SYLLABLES.0..=SYLLABLES.1).contains(&c) {
        let index = (u32::from(c) - u32::from(SYLLABLES.0)) as usize;
        let part = |parts: &'static str, at: usize| parts.split(' ').nth(at).unwrap_or_default();
        let (leading, vowel) = (part(LEADING, index / 588), part(VOWELS, index % 588 / 28));
        return Some(format!("HANGUL SYLLABLE {leading}{vowel}{}", part(TRAILING, index % 28)));
    }
    let is_ideograph = IDEOGRAPHS.iter().any(|(first, last)| (*first..=*last).contains(&c));
    is_ideograph.then(|| format!("CJK UNIFIED IDEOGRAPH-{:X}", u32::from(c)))
}

/// The character of such a name.
#[must_use]
pub fn character(search_name: &str) -> Option<char> {
    let mut ranges = IDEOGRAPHS.into_iter().chain([SYLLABLES]).flat_map(|(first, last)| first..=last);
    ranges.find(|c| name(*c).is_some_and(|name| name.eq_ignore_ascii_case(search_name)))
}
