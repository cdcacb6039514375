//! Writes target/prerender/workbench.html: app/pages/workbench.html with the cells as HTML. The build copies it.

use std::path::Path;
use std::{fs, io};

use leptos::prelude::*;
use napkin_app::App;
use napkin_app::dom::to_html;

const PAGE: &str = include_str!("../../pages/workbench.html");

/// Where the cells go.
const PLACE: &str = "<!-- cells -->";

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/prerender");
    fs::create_dir_all(&folder)?;
    let (head, foot) = PAGE.split_once(PLACE).ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidData, format!("app/pages/workbench.html has no {PLACE}"))
    })?;
    let owner = Owner::new();
    let html = owner.with(|| to_html(App()));
    fs::write(folder.join("workbench.html"), [head, &html, foot].concat())
}
