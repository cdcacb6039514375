//! HTML as a tree, as far as it is prose or a table: what values show themselves as.
//!
//! Nothing of it runs, is fetched or is styled, since the page draws from such trees what it has listed, and nothing else.
//! So a reader that knows the common elements, and passes over the rest, will do.

use serde_json::json;

use crate::prose::{DEPTH, is_address};
use crate::tags::{Tag, decoded};
use crate::trace::Json;

/// What is between the tags of these is nothing to read.
const SILENT: [&str; 9] =
    ["style", "script", "head", "title", "template", "noscript", "iframe", "object", "svg"];
/// These have no end.
const VOID: [&str; 9] = ["br", "hr", "img", "input", "meta", "link", "col", "wbr", "source"];
/// Elements that stand as they are.
const KEPT: &str =
    "a blockquote code details em li ol p pre s strong sub summary sup table tbody td th thead tr ul";

/// The tree of a text.
pub(super) fn tree(html: &str) -> Json {
    // Elements that are open by their names in HTML, innermost last.
    let mut open: Vec<(String, Vec<Json>)> = vec![(String::new(), vec!["".into()])];
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        add_text(&mut open, &rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some(tag) = Tag::read(rest) else {
            add_text(&mut open, "<");
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        if tag.is_end {
            if let Some(at) = open.iter().rposition(|(name, _)| *name == tag.name).filter(|at| *at > 0) {
                close(&mut open, at);
            }
        } else if SILENT.contains(&&*tag.name) {
            let end = format!("</{}", tag.name);
            let at = rest.to_ascii_lowercase().find(&end).unwrap_or(rest.len());
            rest = &rest[at..];
        } else if VOID.contains(&&*tag.name) {
            let node = match &*tag.name {
                "br" | "hr" => Some(json!([tag.name])),
                "img" => {
                    let is_linked = open.iter().any(|(name, _)| name == "a");
                    let alt = tag.attribute("alt").unwrap_or_default();
                    Some(image(&tag.attribute("src").unwrap_or_default(), alt, is_linked))
                }
                _ => None,
            };
            open.last_mut().into_iter().for_each(|(_, inside)| inside.extend(node.clone()));
        } else {
            imply_ends(&mut open, &tag.name);
            if open.len() < DEPTH {
                let element = start(&tag);
                open.push((tag.name, element));
            }
        }
    }
    add_text(&mut open, rest);
    close(&mut open, 1);
    open.into_iter().next().map(|(_, inside)| inside).unwrap_or_default().into()
}

/// A picture within prose: nothing is fetched for it, so it is a link to where it lies on the web, or its place with its name.
pub(super) fn image(address: &str, alt: String, is_linked: bool) -> Json {
    let name = address.rsplit('/').next().filter(|_| !address.starts_with("data:")).unwrap_or_default();
    let is_named = alt.is_empty() || name.is_empty() || alt == name;
    let words = if alt.is_empty() { name.to_owned() } else { alt };
    match is_address(address) {
        true if is_linked => words.into(),
        true => json!(["a", { "href": address }, words]),
        false if is_named => format!("Image: {words}").into(),
        false => format!("Image: {words} ({name})").into(),
    }
}

/// Closes all elements from that number on.
fn close(open: &mut Vec<(String, Vec<Json>)>, from: usize) {
    while open.len() > from.max(1) {
        let Some((_, closed)) = open.pop() else { return };
        open.last_mut().into_iter().for_each(|(_, inside)| inside.push(Json::from(closed.clone())));
    }
}

/// What a tag ends without saying so.
fn imply_ends(open: &mut Vec<(String, Vec<Json>)>, name: &str) {
    let (ends, within): (&[&str], &[&str]) = match name {
        "td" | "th" => (&["td", "th"], &["table", "tr"]),
        "tr" => (&["tr"], &["table"]),
        "tbody" | "thead" | "tfoot" => (&["tbody", "thead", "tfoot"], &["table"]),
        "li" => (&["li"], &["ul", "ol"]),
        "p" => (&["p"], &["div", "td", "li", "blockquote"]),
        _ => return,
    };
    let inner = open.iter().rposition(|(name, _)| within.contains(&&**name)).unwrap_or(0);
    if let Some(at) = open.iter().rposition(|(name, _)| ends.contains(&&**name)).filter(|at| *at > inner) {
        close(open, at);
    }
}

/// What an element begins with in the tree.
fn start(tag: &Tag<'_>) -> Vec<Json> {
    let name = match &*tag.name {
        "h1" | "h2" => "h3",
        "h3" => "h4",
        "h4" => "h5",
        "h5" | "h6" => "h6",
        "b" | "dt" => "strong",
        "i" | "cite" | "var" => "em",
        "tt" | "kbd" | "samp" => "code",
        "del" | "strike" => "s",
        "caption" => "p",
        "tfoot" => "tbody",
        "a" if !tag.attribute("href").is_some_and(|it| is_address(&it)) => "",
        other if KEPT.split(' ').any(|kept| kept == other) => other,
        _ => "",
    };
    let href = tag.attribute("href").filter(|_| name == "a").map(|href| json!({ "href": href }));
    std::iter::once(Json::from(name)).chain(href).collect()
}

/// Text, where it may stand.
fn add_text(open: &mut [(String, Vec<Json>)], text: &str) {
    let Some((name, inside)) = open.last_mut() else { return };
    let is_between = matches!(&**name, "table" | "thead" | "tbody" | "tfoot" | "tr" | "ul" | "ol");
    if !text.is_empty() && !(is_between && text.trim().is_empty()) {
        inside.push(Json::from(decoded(text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_read_as_far_as_it_is_prose_or_a_table() {
        for (html, expected) in [
            ("a &lt;b&gt; &#65;&#x42; &nope; &", json!(["", "a <b> AB &nope; &"])),
            ("<b>a</b><i>c</i>", json!(["", ["strong", "a"], ["em", "c"]])),
            (
                "<table border=1>\n<thead><tr><th>x</th></tr></thead>\n<tr><td>1<td>2<tr><td>3</table>",
                json!([
                    "",
                    [
                        "table",
                        ["thead", ["tr", ["th", "x"]]],
                        ["tr", ["td", "1"], ["td", "2"]],
                        ["tr", ["td", "3"]]
                    ]
                ]),
            ),
            ("<ul><li>a<li>b</ul>c", json!(["", ["ul", ["li", "a"], ["li", "b"]], "c"])),
            ("<style>p > a {}</style><!-- <b> -->x<script>1 < 2</script>", json!(["", "x"])),
            (
                "<a href=\"https://example.org/?a=1&amp;b\" onclick='x>y'>e</a><a href='javascript:x'>f</a>",
                json!(["", ["a", {"href": "https://example.org/?a=1&b"}, "e"], ["", "f"]]),
            ),
            ("<div><span class=k>def</span> f</div></p>", json!(["", ["", ["", "def"], " f"]])),
            (
                "<img src=x alt='two dots'><br/>1 < 2 <3",
                json!(["", "Image: two dots (x)", ["br"], "1 ", "<", " 2 ", "<", "3"]),
            ),
            (
                "<img src='https://example.org/a/b.png?c'><img src=data:x alt=y><a href=https://example.org><img src=https://example.org/d></a>",
                json!([
                    "",
                    ["a", {"href": "https://example.org/a/b.png?c"}, "b.png?c"],
                    "Image: y",
                    ["a", {"href": "https://example.org"}, "d"]
                ]),
            ),
            ("<details open><summary>a</summary>b", json!(["", ["details", ["summary", "a"], "b"]])),
            ("<b>open <i", json!(["", ["strong", "open ", "<", "i"]])),
            ("<!DOCTYPE html><html><body><p>a<p>b", json!(["", ["", ["", ["", ["p", "a"], ["p", "b"]]]]])),
        ] {
            assert_eq!(tree(html), expected, "{html}");
        }
        // However deep, it is read on a stack that ends.
        assert!(tree(&"<b>".repeat(100_000)).is_array());
    }
}
