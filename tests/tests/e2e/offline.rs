//! The site without a network, and a newer version of it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use napkin_site::server::StaticServer;
use napkin_tests::{Options, Page, check};

use crate::lecture::{set_slider, shows};

pub(crate) const KEEPING: Options = Options { keeps_site: true, is_idle: true, ..Options::DEFAULT };

pub(crate) async fn kept(page: &Page) -> Result<()> {
    page.css("html[data-offline=ready]").await.map(drop)
}

pub(crate) async fn open(page: &Page, site: &StaticServer, path: &str) -> Result<()> {
    Ok(page.driver().goto(format!("{}{path}", site.address())).await?)
}

#[tokio::test]
async fn all_pages_work_without_a_network() -> Result<()> {
    check("offline", KEEPING, async |page| {
        let site = StaticServer::start(&xtask::dist(), "/a/deep/path/", 0)?;
        open(page, &site, "").await?;
        kept(page).await?;
        let address = site.address().to_owned();
        drop(site);
        let go =
            async |path: &str| page.driver().goto(format!("{address}{path}")).await.context(path.to_owned());
        go("").await?;
        page.reads("h1", "Resource accounting").await?;
        page.live().await?;
        page.press("s").await?;
        page.reads(".where", "line 1 of").await?;
        go("arithmetic-intensity.html").await?;
        page.live().await?;
        page.reads("h1", "Arithmetic intensity").await?;
        go("tools.html?cell=time").await?;
        page.ready().await?;
        page.fill("#time", "MFU", "0.4").await?;
        page.reads("#time .moves", "moves").await?;
        // Python, too, which no page has asked for before.
        go("index.html#training_time").await?;
        page.live().await?;
        page.wake("training_time").await?;
        set_slider(page, "training_time.params", "7e11").await?;
        shows(page, "training_time", "gpu_hours", "35.37 M").await?;
        // A host may leave out what an address can be read without.
        go("index.html").await?;
        go("tools").await?;
        page.ready().await
    })
    .await
}

pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    for name in napkin_site::files::files(from)? {
        let file = to.join(&name);
        fs::create_dir_all(file.parent().context("a file without a folder")?)?;
        fs::copy(from.join(&name), file).with_context(|| name)?;
    }
    Ok(())
}

#[tokio::test]
async fn a_newer_version_comes_when_the_reader_says_so() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("napkin-newer-{}", std::process::id()));
    copy(&xtask::dist(), &folder)?;
    let result = check("newer_version", KEEPING, async |page| {
        let site = StaticServer::start(&folder, "/", 0)?;
        for path in ["", "tools.html"] {
            let file = folder.join(if path.is_empty() { "index.html" } else { path });
            open(page, &site, path).await?;
            kept(page).await?;
            let text = fs::read_to_string(&file)?;
            fs::write(&file, text.replace("<title>", "<meta name=\"newer\" /><title>"))?;
            napkin_site::offline::write(&folder)?;
            open(page, &site, path).await?;
            let notice = page.css(".new-version").await?;
            assert!(notice.text().await?.starts_with("A new version is there."));
            let is_newer = "return document.querySelector('meta[name=newer]') !== null;";
            assert_eq!(page.run(is_newer, vec![]).await?, false, "{path} changes only when told");
            page.click(".new-version", "Reload").await?;
            page.until("newer version", async || {
                Ok((page.run(is_newer, vec![]).await? == true).then_some(()))
            })
            .await?;
            kept(page).await?;
            let none = page.run("return document.querySelector('.new-version') === null;", vec![]).await?;
            assert_eq!(none, true, "{path}: nothing newer is left");
        }
        // Copies of what is of no version any more are gone.
        let script = "const [name] = await caches.keys();
            const copies = await (await caches.open(name)).keys();
            return copies.filter(({url}) => url.includes('tools.html')).length;";
        assert_eq!(page.run_async(script, vec![]).await?, 1);
        Ok(())
    })
    .await;
    fs::remove_dir_all(&folder)?;
    result
}
