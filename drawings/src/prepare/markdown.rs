//! Markdown and TeX as trees.

use math_core::{LatexToMathML, MathDisplay};
use napkin_notebook::trace::Json;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::mathml;
use crate::tree::is_address;

/// The tree of a text.
pub(super) fn tree(markdown: &str) -> Json {
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH;
    // Elements that are open, innermost last; around all of them one without a name.
    let mut open = vec![vec![Json::from("")]];
    let mut is_head = false;
    for event in Parser::new_ext(markdown, options) {
        let node = match event {
            Event::Start(tag) => {
                is_head |= matches!(tag, Tag::TableHead);
                open.push(start(&tag, is_head));
                continue;
            }
            Event::End(tag) => {
                is_head &= tag != TagEnd::TableHead;
                let Some(closed) = open.pop() else { break };
                let closed = match tag {
                    // Its cells are a row.
                    TagEnd::TableHead => {
                        let row = std::iter::once("tr".into()).chain(closed.into_iter().skip(1));
                        vec!["thead".into(), row.collect()]
                    }
                    TagEnd::CodeBlock => vec!["pre".into(), closed.into_iter().collect()],
                    _ => closed,
                };
                closed.into_iter().collect()
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => Json::from(&*text),
            Event::Code(text) => element("code", &text),
            Event::InlineMath(text) => formula(&text, MathDisplay::Inline),
            Event::DisplayMath(text) => formula(&text, MathDisplay::Block),
            Event::SoftBreak => Json::from("\n"),
            Event::HardBreak => [Json::from("br")].into_iter().collect(),
            Event::Rule => [Json::from("hr")].into_iter().collect(),
            Event::FootnoteReference(name) => Json::from(&*name),
            Event::TaskListMarker(is_done) => Json::from(if is_done { "☑ " } else { "☐ " }),
        };
        if let Some(parent) = open.last_mut() {
            parent.push(node);
        }
    }
    open.into_iter().next().unwrap_or_default().into_iter().collect()
}

fn element(name: &str, text: &str) -> Json {
    [Json::from(name), Json::from(text)].into_iter().collect()
}

fn start(tag: &Tag<'_>, is_head: bool) -> Vec<Json> {
    let name = match tag {
        Tag::Paragraph | Tag::HtmlBlock => "p",
        // The page has larger ones.
        Tag::Heading { level, .. } => ["h3", "h4", "h5", "h6"][(*level as usize).clamp(1, 4) - 1],
        Tag::BlockQuote(_) => "blockquote",
        Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => "code",
        Tag::List(None) => "ul",
        Tag::List(Some(_)) => "ol",
        Tag::Item => "li",
        Tag::Table(_) => "table",
        Tag::TableRow => "tr",
        Tag::TableCell => {
            if is_head {
                "th"
            } else {
                "td"
            }
        }
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        Tag::Strikethrough => "s",
        Tag::Subscript => "sub",
        Tag::Superscript => "sup",
        // Images are not fetched.
        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } if is_address(dest_url) => "a",
        _ => "",
    };
    let attribute = match tag {
        Tag::List(Some(first)) if *first != 1 => Some(("start", first.to_string())),
        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } if name == "a" => {
            Some(("href", dest_url.to_string()))
        }
        _ => None,
    };
    let attribute = attribute.map(|(name, value)| [(name, Json::from(value))].into_iter().collect());
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
        .unwrap_or_else(|| element("code", tex))
}
