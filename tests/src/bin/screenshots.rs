//! Takes pictures of the page's beginning and of every cell, at 390 px and at 1440 px, light and dark, into
//! target/screenshots.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use napkin_tests::{Options, Page, check};

/// Width and height of a phone's and of a laptop's viewport.
const VIEWPORTS: [(u32, u32); 2] = [(390, 844), (1440, 900)];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = xtask::root().join("target/screenshots");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for viewport in VIEWPORTS {
        for dark in [false, true] {
            let options = Options { viewport, dark, ..Options::default() };
            check("screenshots", options, async |page| shoot(page, options, &folder).await).await?;
        }
    }
    println!("the pictures are in {}", folder.display());
    Ok(())
}

async fn shoot(page: &Page, options: Options, folder: &Path) -> Result<()> {
    let (width, scheme) = (options.viewport.0, if options.dark { "dark" } else { "light" });
    page.open("").await?;
    page.ready().await?;
    page.screenshot(&folder.join(format!("page-{width}-{scheme}.png"))).await?;
    let cells = page.cells().await?;
    ensure!(!cells.is_empty(), "the page has no cell");
    for cell in cells {
        let file = folder.join(format!("{cell}-{width}-{scheme}.png"));
        page.screenshot_of(&format!("#{cell}"), &file).await?;
        println!("{}", file.display());
    }
    Ok(())
}
