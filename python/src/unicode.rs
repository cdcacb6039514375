//! What Unicode says of characters: of the browser in a page, which has it all, and of crates natively.

/// The code points that have a property, as first and last of each range, by a name that regular expressions know it by
/// (`Lu`, `Script=Greek`, `Alphabetic`); none if there is no such property.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn ranges(property: &str) -> Option<Vec<(u32, u32)>> {
    use regex_syntax::hir::{Class, HirKind};

    // A name, so that nothing else is read.
    let is_name =
        property.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '=' | ' ' | '-'));
    let read = regex_syntax::parse(&format!(r"\p{{{property}}}")).ok().filter(|_| is_name)?;
    match read.into_kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(class.ranges().iter().map(|it| (it.start().into(), it.end().into())).collect())
        }
        // A property of one character.
        HirKind::Literal(one) => {
            let code = std::str::from_utf8(&one.0).ok()?.chars().next().map(u32::from)?;
            Some(vec![(code, code)])
        }
        _ => None,
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn normalized(form: &str, text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;

    match form {
        "NFC" => text.nfc().collect(),
        "NFD" => text.nfd().collect(),
        "NFKC" => text.nfkc().collect(),
        _ => text.nfkd().collect(),
    }
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn ranges(property: &str) -> Option<Vec<(u32, u32)>> {
    use js_sys::{Array, Function, Reflect};
    use wasm_bindgen::{JsCast, JsValue};

    let global = js_sys::global();
    let class: Function = Reflect::get(&global, &"RegExp".into()).ok()?.dyn_into().ok()?;
    let pattern = format!(r"\p{{{property}}}+");
    let expression = Reflect::construct(&class, &Array::of2(&pattern.into(), &"gu".into())).ok()?;
    let exec: Function = Reflect::get(&expression, &"exec".into()).ok()?.dyn_into().ok()?;
    // All characters in their order: where a match begins and ends, a range does.
    let all: JsValue = ('\0'..=char::MAX).collect::<String>().into();
    let code = |unit: u32| match unit {
        0..0xD800 => unit,
        0xD800..0xF800 => unit + 0x800,
        _ => 0x1_0000 + (unit - 0xF800) / 2,
    };
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    loop {
        let found = exec.call1(&expression, &all).ok()?;
        if found.is_null() {
            return Some(ranges);
        }
        let first = Reflect::get(&found, &"index".into()).ok()?.as_f64()? as u32;
        let end = Reflect::get(&expression, &"lastIndex".into()).ok()?.as_f64()? as u32;
        ranges.push((code(first), code(end) - 1));
    }
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn normalized(form: &str, text: &str) -> String {
    js_sys::JsString::from(text).normalize(form).into()
}
