//! A lecture whose text has changed since its trace was written.

use std::fs;
use std::process::Command;

use anyhow::Result;
use napkin_site::server::StaticServer;
use napkin_tests::{Options, check};
use xtask::{lectures, process};

use crate::lecture::{set_slider, shows};
use crate::offline::copy;

#[tokio::test]
async fn the_page_runs_it() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("napkin-changed-{}", std::process::id()));
    let [from, to] = ["lectures", "site"].map(|name| folder.join(name));
    copy(&lectures::folder(), &from)?;
    assert_eq!(lectures::changed(&from)?, [""; 0], "the traces in the repository are of the lectures");
    let main = from.join("resource-accounting.py");
    fs::write(&main, fs::read_to_string(&main)?.replace("mfu = 0.5 ", "mfu = 0.25 "))?;
    assert_eq!(lectures::changed(&from)?, ["resource-accounting.py"]);
    copy(&xtask::dist(), &to)?;
    lectures::copy(&from, &to.join("lectures"))?;
    process::run(Command::new(process::built("napkin-app")).arg(&to))?;
    let result = check("changed_lecture", Options::default(), async |page| {
        let site = StaticServer::start(&to, "/", 0)?;
        page.driver().goto(site.address()).await?;
        page.live().await?;
        shows(page, "training_time", "gpu_hours", "7.074 M").await?;
        set_slider(page, "training_time.params", "7e11").await?;
        shows(page, "training_time", "gpu_hours", "70.74 M").await
    })
    .await;
    fs::remove_dir_all(&folder)?;
    result
}
