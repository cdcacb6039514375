//! A lecturer's own lecture: served while it is written, and exported as a site of its own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use napkin_site::server::StaticServer;
use napkin_tests::{Options, check};
use xtask::process;

use crate::changes::edit;
use crate::lecture::shows;
use crate::offline::{KEEPING, kept, open};

/// The lecture: `course/facts.py` beside it says what N is.
const LECTURE: &str = r##""""A lecture of one's own."""
import torch
from edtrace import image, text
from course.facts import N


def main():
    text("# What *N* is")
    image("pictures/n.svg", width=120)
    count()


def count():
    """Counting"""
    x = torch.arange(N)  # @inspect x
    total = x.sum().item()  # @inspect total
"##;

fn folder(name: &str) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("napkin-own-{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join("pictures"))?;
    fs::create_dir_all(folder.join("course"))?;
    fs::write(folder.join("lecture.py"), LECTURE)?;
    fs::write(folder.join("course/facts.py"), "N = 5\n")?;
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='40'><rect width='120' height='40'/></svg>";
    fs::write(folder.join("pictures/n.svg"), picture)?;
    Ok(folder)
}

#[tokio::test]
async fn an_exported_lecture_is_live_without_a_network() -> Result<()> {
    let folder = folder("exported")?;
    let mut export = Command::new(process::built("napkin"));
    export.args(["export", "site", "lecture.py", "-o", "out", "--site"]).arg(xtask::dist());
    process::run(export.current_dir(&folder))?;
    check("own_exported", KEEPING, async |page| {
        let site = StaticServer::start(&folder.join("out"), "/a/course/", 0)?;
        open(page, &site, "").await?;
        page.live().await?;
        kept(page).await?;
        let address = site.address().to_owned();
        drop(site);
        page.driver().goto(&address).await?;
        page.live().await?;
        page.reads("h1", "A lecture of one's own").await?;
        page.reads(".document", "What N is").await?;
        let script =
            "const it = document.querySelector('.document img'); return it?.complete && it.naturalWidth;";
        page.until("the picture", async || Ok((page.run(script, vec![]).await? == 120).then_some(())))
            .await?;
        shows(page, "count", "total", "10").await?;
        // It is the one lecture of this site.
        assert!(!page.text(".page-header").await?.contains("Resource accounting"));
        // Python and the editor are there, too.
        edit(page, "count", "N = 7").await?;
        shows(page, "count", "total", "21").await?;
        // What was written is still there after a reload, and it can be stepped through.
        page.driver().refresh().await?;
        page.live().await?;
        page.click("#count", "Run it").await?;
        shows(page, "count", "total", "21").await?;
        page.press("s").await?;
        page.reads(".where", "line 1 of").await?;
        page.driver().goto(format!("{address}tools.html")).await?;
        page.ready().await?;
        assert!(!page.text(".page-header").await?.contains("Resource accounting"));
        Ok(())
    })
    .await?;
    Ok(fs::remove_dir_all(folder)?)
}

#[tokio::test]
async fn a_served_lecture_is_shown_again_when_it_is_saved() -> Result<()> {
    let folder = folder("served")?;
    let mut serve = Command::new(process::built("napkin"));
    serve.args(["serve", "lecture.py", "--port", "0", "--site"]).arg(xtask::dist());
    let mut server = serve.current_dir(&folder).stderr(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(server.stderr.as_mut().context("no standard error")?).read_line(&mut line)?;
    let address = line.split_whitespace().find(|word| word.starts_with("http://")).context(line.clone())?;
    let result = check("own_served", Options::default(), async |page| {
        page.driver().goto(address).await?;
        page.live().await?;
        page.reads("h1", "A lecture of one's own").await?;
        shows(page, "count", "total", "10").await?;
        // A module that it imports, and then a mistake, which stands at its line.
        fs::write(folder.join("course/facts.py"), "N = 6\n")?;
        shows(page, "count", "total", "15").await?;
        fs::write(folder.join("lecture.py"), LECTURE.replace("x.sum()", "x.sun()"))?;
        page.reads(".fault", "sun").await?;
        fs::write(folder.join("lecture.py"), LECTURE)?;
        shows(page, "count", "total", "15").await?;
        // One that is not Python.
        fs::write(folder.join("lecture.py"), LECTURE.replace("arange(N)", "arange(N"))?;
        page.reads(".fault", "was never closed").await?;
        fs::write(folder.join("lecture.py"), LECTURE)?;
        shows(page, "count", "total", "15").await
    })
    .await;
    server.kill()?;
    server.wait()?;
    fs::remove_dir_all(folder)?;
    result
}
