//! Takes pictures of cells of the lectures of every kind, and of the beginning of all tools and every one of them, at
//! 390 px and at 1440 px, light and dark, into target/screenshots. With arguments only those whose names begin so.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use napkin_tests::{Options, Page, check};
use thirtyfour::prelude::*;

/// Width and height of a phone's and of a laptop's viewport.
const VIEWPORTS: [(u32, u32); 2] = [(390, 844), (1440, 900)];

/// What a reader does at a step before the picture is taken.
#[derive(Clone, Copy)]
enum Action {
    Nothing,
    /// Leaves questions open, whose answers are shown before every other action.
    Wonder,
    /// Folds everything open.
    Unfold,
    Edit,
    /// Writes what is no Python, and a number that a slider does not take.
    Err,
    Search,
    Help,
    Print,
    /// Takes the cell away.
    Picture,
}

/// Name, lecture, the cell at which it is taken, and what is done there; without a cell as the lecture begins.
const STEPS: [(&str, &str, &str, Action); 22] = [
    ("first", "resource-accounting", "", Action::Nothing),
    ("question", "resource-accounting", "training_time", Action::Wonder),
    ("calculator", "resource-accounting", "training_time", Action::Nothing),
    ("tensor", "resource-accounting", "making_tensors", Action::Unfold),
    ("bits", "resource-accounting", "float_formats", Action::Nothing),
    ("table", "resource-accounting", "finfo_table", Action::Nothing),
    ("histogram", "resource-accounting", "underflow", Action::Nothing),
    ("memory", "resource-accounting", "where_tensors_live", Action::Nothing),
    ("strides", "resource-accounting", "storage_and_strides", Action::Nothing),
    ("views", "resource-accounting", "views", Action::Nothing),
    ("cards", "resource-accounting", "named_dimensions", Action::Nothing),
    ("count", "resource-accounting", "memory_of_a_step", Action::Nothing),
    ("loop", "resource-accounting", "training_loop", Action::Nothing),
    ("roofline", "arithmetic-intensity", "one_roof", Action::Nothing),
    ("machine", "arithmetic-intensity", "this_machine", Action::Nothing),
    ("editor", "resource-accounting", "training_time", Action::Edit),
    ("error", "resource-accounting", "training_time", Action::Err),
    ("search", "resource-accounting", "views", Action::Search),
    ("help", "resource-accounting", "", Action::Help),
    ("print", "resource-accounting", "mixed_precision", Action::Print),
    ("picture-of-values", "resource-accounting", "making_tensors", Action::Picture),
    ("picture-of-charts", "resource-accounting", "mixed_precision", Action::Picture),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|start| name.starts_with(start));
    let folder = xtask::root().join("target/screenshots");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for viewport in VIEWPORTS {
        for dark in [false, true] {
            let options = Options { viewport, dark, ..Options::default() };
            let shots = Shots { folder: &folder, options, is_wanted: &is_wanted };
            check("screenshots", options, async |page| {
                shots.lecture(page).await?;
                shots.tools(page).await
            })
            .await?;
        }
    }
    println!("the pictures are in {}", folder.display());
    Ok(())
}

struct Shots<'a> {
    folder: &'a Path,
    options: Options,
    is_wanted: &'a dyn Fn(&str) -> bool,
}

impl Shots<'_> {
    fn file(&self, name: &str) -> std::path::PathBuf {
        let (width, scheme) = (self.options.viewport.0, if self.options.dark { "dark" } else { "light" });
        let file = self.folder.join(format!("{name}-{width}-{scheme}.png"));
        println!("{}", file.display());
        file
    }

    async fn lecture(&self, page: &Page) -> Result<()> {
        for (name, lecture, function, action) in STEPS {
            let name = format!("lecture-{name}");
            if !(self.is_wanted)(&name) {
                continue;
            }
            if function.is_empty() {
                page.lecture(lecture, "").await?;
            } else {
                page.read(lecture, function, "").await?;
            }
            if !matches!(action, Action::Wonder) {
                page.show_answers().await?;
            }
            match action {
                Action::Nothing | Action::Wonder => {}
                Action::Unfold => {
                    let script = "document.querySelectorAll('main details').forEach(it => it.open = true);";
                    page.run(script, vec![]).await?;
                }
                Action::Edit => {
                    page.click(&format!("#{function} .cell-tools"), "Edit").await?;
                    page.css(".editing .cm-content").await?;
                }
                Action::Err => {
                    page.fill(&format!("#{function}"), "params, number", "many").await?;
                    page.press(Key::Enter + "").await?;
                    page.click(&format!("#{function} .cell-tools"), "Edit").await?;
                    page.css(".editing .cm-content").await?;
                    page.press("x = (").await?;
                    page.click(".editing", "Run what is written").await?;
                    page.css(".fault").await?;
                }
                Action::Search => {
                    page.press("/").await?;
                    page.press("stride").await?;
                    page.css("#hits li").await?;
                }
                Action::Help => {
                    page.press("?").await?;
                    page.css("dialog.help[open]").await?;
                }
                Action::Print => {
                    page.on_paper(true).await?;
                    page.screenshot_of("body", &self.file(&name)).await?;
                    page.emulate(self.options).await?;
                    continue;
                }
                Action::Picture => {
                    let script = "const {draw} = await import(new URL('picture.js', document.baseURI));
                        const bytes = new Uint8Array(await (await draw(arguments[0], 'cell.png')).arrayBuffer());
                        return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');";
                    let text = page.run_async(script, vec![function.into()]).await?;
                    let digits = text.as_str().context("no picture")?.as_bytes().chunks(2);
                    let bytes = digits.map(|two| u8::from_str_radix(&String::from_utf8_lossy(two), 16));
                    fs::write(self.file(&name), bytes.collect::<Result<Vec<u8>, _>>()?)?;
                    continue;
                }
            }
            page.screenshot(&self.file(&name)).await?;
            if !matches!(action, Action::Search | Action::Help) {
                page.screenshot_of("body", &self.file(&format!("{name}-whole"))).await?;
            }
            page.driver().active_element().await?.send_keys(Key::Escape + "").await?;
        }
        Ok(())
    }

    async fn tools(&self, page: &Page) -> Result<()> {
        if !(self.is_wanted)("page") && !(self.is_wanted)("cell") {
            return Ok(());
        }
        page.open("").await?;
        page.ready().await?;
        page.screenshot(&self.file("page")).await?;
        let cells = page.cells().await?;
        ensure!(!cells.is_empty(), "the page has no cell");
        for cell in cells {
            page.wake(&cell).await?;
            page.screenshot_of(&format!("#{cell}"), &self.file(&format!("cell-{cell}"))).await?;
        }
        Ok(())
    }
}
