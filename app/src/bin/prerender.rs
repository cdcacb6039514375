//! Writes the page as HTML into target/prerender/page.html, from where the build puts it into index.html.

use std::path::Path;
use std::{fs, io};

use leptos::prelude::*;
use napkin_app::App;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/prerender");
    fs::create_dir_all(&folder)?;
    let owner = Owner::new();
    let html = owner.with(|| view! { <App /> }.to_html());
    fs::write(folder.join("page.html"), html)
}
