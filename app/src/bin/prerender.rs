//! Writes the page as HTML into target/prerender/page.html, from where the build puts it into index.html.

use std::path::Path;
use std::{fs, io};

use leptos::prelude::*;
use napkin_app::App;
use napkin_app::dom::to_html;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/prerender");
    fs::create_dir_all(&folder)?;
    let owner = Owner::new();
    let html = owner.with(|| to_html(App()));
    fs::write(folder.join("page.html"), html)
}
