//! Every drawing and every value of a trace in one HTML file, to look at:
//! `cargo run -p napkin-drawings --features preparing --example sheet -- TRACE.json [light|dark] > sheet.html`
#![allow(clippy::print_stdout, reason = "the file is what it prints")]

use std::collections::HashSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use napkin_notebook::trace::Trace;

const STYLES: [&str; 4] = [
    include_str!("../../public/style/tokens.css"),
    include_str!("../../public/style/base.css"),
    include_str!("../../public/style/charts.css"),
    include_str!("../../public/style/drawings.css"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which trace?")?;
    let theme = arguments.next().unwrap_or_else(|| "light".to_owned());
    let mut trace: Trace = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    for rendering in trace.steps.iter_mut().flat_map(|step| &mut step.renderings) {
        napkin_drawings::prepare(rendering)?;
    }
    let mut seen = HashSet::new();
    let mut parts: Vec<Markup> = Vec::new();
    for step in &trace.steps {
        let values = step.env.0.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let values =
            values.map(|(name, value)| html! { p { code { (name) } } (napkin_drawings::value(name, value)) });
        // What has the same id is the same hatching.
        let drawn = step.renderings.iter().map(|it| napkin_drawings::rendering(it, "sheet"));
        parts.extend(drawn.chain(values).filter(|part| seen.insert(part.0.clone())));
    }
    let page = html! {
        (DOCTYPE)
        html lang="en" data-theme=(theme) {
            head { meta charset="utf-8"; meta name="viewport" content="width=device-width"; style { (PreEscaped(STYLES.concat())) } }
            body { main style="max-width: 44rem; margin: auto; padding: 1rem" { @for part in parts { (part) } } }
        }
    };
    println!("{}", page.0);
    Ok(())
}
