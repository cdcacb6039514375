//! The page as text: before any script, and with all its cells.

use anyhow::Result;
use napkin_tests::{Options, check};

/// Every cell of the page, in order.
pub const CELLS: [&str; 17] = [
    "time",
    "size",
    "reality",
    "tensor",
    "dtypes",
    "strides",
    "flops",
    "machine",
    "roofline",
    "backward",
    "transformer",
    "count",
    "memory",
    "kv",
    "parallel",
    "optimal",
    "training",
];

#[tokio::test]
async fn the_page_reads_without_a_script() -> Result<()> {
    let options = Options { javascript: false, ..Options::default() };
    check("without_a_script", options, async |page| {
        page.open("").await?;
        assert_eq!(page.cells().await?, CELLS);
        for cell in CELLS {
            let text = page.text(&format!("#{cell}")).await?;
            assert!(text.split_whitespace().count() > 60, "{cell} says only: {text}");
            assert!(page.css(&format!("#{cell} h2")).await?.is_displayed().await?);
        }
        // Results, too: those were computed when the page was built.
        let flops = page.text("#flops").await?;
        assert!(flops.contains("33.55 M"), "{flops}");
        let time = page.text("#time").await?;
        assert!(time.contains("143.9 days") && time.contains("3.537 M GPU-hours"), "{time}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn every_cell_is_there_and_linked() -> Result<()> {
    check("every_cell", Options::default(), async |page| {
        page.open("").await?;
        page.ready().await?;
        assert_eq!(page.cells().await?, CELLS);
        let links = page.run(
            "return [...document.querySelectorAll('nav a')].map(link => new URL(link.href).hash.slice(1));",
            vec![],
        );
        assert_eq!(serde_json::from_value::<Vec<String>>(links.await?)?, CELLS);
        for cell in CELLS {
            let steps = page
                .run("return document.querySelectorAll(`#${arguments[0]} .step`).length;", vec![cell.into()]);
            assert!(steps.await?.as_u64() >= Some(2), "{cell} has no steps");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn nothing_comes_from_another_host() -> Result<()> {
    check("no_other_host", Options::default(), async |page| {
        page.open("").await?;
        page.ready().await?;
        let script = "return performance.getEntriesByType('resource').map(entry => entry.name)
            .filter(name => new URL(name).origin !== location.origin);";
        assert_eq!(page.run(script, vec![]).await?, serde_json::json!([]));
        Ok(())
    })
    .await
}
