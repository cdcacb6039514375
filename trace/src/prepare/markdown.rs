//! Markdown and TeX as trees.

use math_core::{LatexToMathML, MathDisplay};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::json;

use super::terms::Terms;
use super::{html, mathml};
use crate::prose::{DEPTH, is_address};
use crate::trace::Json;

/// The tree of a text.
pub fn tree(markdown: &str) -> Json {
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH;
    // Elements that are open, innermost last; around all of them one without a name.
    let mut open = vec![vec![Json::from("")]];
    let (mut is_head, mut terms) = (false, Terms::default());
    let mut block = None::<String>;
    for event in Parser::new_ext(markdown, options) {
        let node = match event {
            // HTML is read as far as it is prose or a table; tags within a line are left out.
            Event::Start(Tag::HtmlBlock) => {
                block = Some(String::new());
                continue;
            }
            Event::End(TagEnd::HtmlBlock) => html::tree(&block.take().unwrap_or_default()),
            Event::Html(text) => {
                block.get_or_insert_default().push_str(&text);
                continue;
            }
            Event::InlineHtml(tag) if tag.starts_with("<br") => json!(["br"]),
            Event::InlineHtml(tag) if tag.starts_with("<img") => html::tree(&tag),
            Event::InlineHtml(_) => continue,
            Event::Start(tag) => {
                is_head |= matches!(tag, Tag::TableHead);
                open.push(start(&tag, is_head));
                continue;
            }
            Event::End(tag) => {
                is_head &= tag != TagEnd::TableHead;
                let Some(mut closed) = open.pop() else { break };
                match tag {
                    // Its cells are a row.
                    TagEnd::TableHead => {
                        closed[0] = "tr".into();
                        json!(["thead", closed])
                    }
                    TagEnd::CodeBlock => json!(["pre", closed]),
                    TagEnd::Image => {
                        let is_linked = open.iter().any(|it| it[0] == "a");
                        html::image(
                            closed[0].as_str().unwrap_or_default(),
                            words_of(&closed[1..], DEPTH),
                            is_linked,
                        )
                    }
                    _ => closed.into(),
                }
            }
            // Code, headings and links are what they are.
            Event::Text(text) if open.iter().skip(1).all(|it| is_prose(&it[0])) => {
                let nodes = terms.mark(&text);
                open.last_mut().into_iter().for_each(|parent| parent.extend_from_slice(&nodes));
                continue;
            }
            Event::Text(text) => Json::from(&*text),
            Event::Code(text) => json!(["code", &*text]),
            Event::InlineMath(text) => formula(&text, MathDisplay::Inline),
            Event::DisplayMath(text) => formula(&text, MathDisplay::Block),
            Event::SoftBreak => Json::from("\n"),
            Event::HardBreak => json!(["br"]),
            Event::Rule => json!(["hr"]),
            Event::FootnoteReference(name) => Json::from(&*name),
            Event::TaskListMarker(is_done) => Json::from(if is_done { "☑ " } else { "☐ " }),
        };
        if let Some(parent) = open.last_mut() {
            parent.push(node);
        }
    }
    open.into_iter().next().unwrap_or_default().into()
}

/// The letters of some nodes, and of what is so deep within them.
fn words_of(nodes: &[Json], depth: usize) -> String {
    let word = |node: &Json| match node {
        Json::String(text) => text.clone(),
        Json::Array(inner) if depth > 0 => words_of(inner.get(1..).unwrap_or_default(), depth - 1),
        _ => String::new(),
    };
    nodes.iter().map(word).collect()
}

/// Whether terms may be marked in an element.
fn is_prose(name: &Json) -> bool {
    matches!(
        name.as_str(),
        Some("p" | "blockquote" | "ul" | "ol" | "li" | "em" | "strong" | "table" | "tr" | "td")
    )
}

fn start(tag: &Tag<'_>, is_head: bool) -> Vec<Json> {
    let name = match tag {
        Tag::Paragraph => "p",
        // The page has larger ones.
        Tag::Heading { level, .. } => ["h3", "h4", "h5", "h6"][(*level as usize).clamp(1, 4) - 1],
        Tag::BlockQuote(_) => "blockquote",
        Tag::CodeBlock(_) => "code",
        Tag::List(None) => "ul",
        Tag::List(Some(_)) => "ol",
        Tag::Item => "li",
        Tag::Table(_) => "table",
        Tag::TableRow => "tr",
        Tag::TableCell if is_head => "th",
        Tag::TableCell => "td",
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        Tag::Strikethrough => "s",
        Tag::Subscript => "sub",
        Tag::Superscript => "sup",
        Tag::Link { dest_url, .. } if is_address(dest_url) => "a",
        // Until it ends, when its words are known.
        Tag::Image { dest_url, .. } => dest_url,
        _ => "",
    };
    let attribute = match tag {
        Tag::List(Some(first)) if *first != 1 => Some(json!({ "start": first.to_string() })),
        Tag::Link { dest_url, .. } if name == "a" => Some(json!({ "href": &**dest_url })),
        _ => None,
    };
    std::iter::once(Json::from(name)).chain(attribute).collect()
}

/// What may nest in a formula: math-core reads it by recursion, on a stack that ends.
const MOST_NESTING: usize = 400;

/// A formula; what is no TeX, or too much of it, is shown as it is written.
fn formula(tex: &str, display: MathDisplay) -> Json {
    let nesting = tex.bytes().filter(|byte| b"\\{^_".contains(byte)).count();
    let made =
        (nesting <= MOST_NESTING).then(|| LatexToMathML::default().convert_with_local_state(tex, display));
    made.and_then(Result::ok)
        .and_then(|made| mathml::read(&made.mathml))
        .unwrap_or_else(|| json!(["code", tex]))
}
