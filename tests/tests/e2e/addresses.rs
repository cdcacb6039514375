//! Addresses from before: of the two pages that lectures and tools were, and of lectures that were stepped through alone.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

use crate::calculators::figure_is;
use crate::lecture::{address, still};

/// The page's name in the address.
async fn file(page: &Page) -> Result<String> {
    let file = page.run("return location.pathname.split('/').pop();", vec![]).await?;
    Ok(file.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn links_to_the_workbench_lead_to_the_tools() -> Result<()> {
    check("workbench_links", Options::default(), async |page| {
        for path in [
            // When it was a page of its own, and when it was the only one.
            "workbench.html?v=2&cell=flops&step=1&calc.b=4096",
            "index.html?v=2&cell=flops&step=1&calc.b=4096#flops",
        ] {
            page.go(path).await?;
            page.until(&format!("the tools for {path}"), async || {
                Ok(file(page).await?.starts_with("tools").then_some(()))
            })
            .await?;
            page.live().await?;
            page.wake("flops").await?;
            let in_sight = "const {top, bottom} = document.getElementById('flops').getBoundingClientRect();
                return top < innerHeight / 2 && bottom > 0;";
            page.until("the product", async || Ok((page.run(in_sight, vec![]).await? == true).then_some(())))
                .await?;
            let field = page.named("#flops", "textbox", "B").await?;
            assert_eq!(field.prop("value").await?.as_deref(), Some("4096"), "{path}");
        }
        page.go("workbench.html").await?;
        page.reads("h1", "All tools").await?;
        page.go("workbench.html?embed=strides&strides.shape=2,+3").await?;
        page.until("the tool alone", async || {
            let script = "return document.documentElement.dataset.embed ?? null;";
            Ok((page.run(script, vec![]).await? == "strides").then_some(()))
        })
        .await?;
        page.live().await?;
        page.reads("#strides .part-tensors", "(3, 1)").await
    })
    .await
}

#[tokio::test]
async fn values_of_the_workbench_are_those_of_its_tools() -> Result<()> {
    for (query, cell, name, start) in [
        ("?v=1&cell=flops&step=3&flops.mfu=0.25&flops.gpus=2048", "time", "Training time", "143.9265"),
        (
            "?v=1&cell=flops&step=3&flops.n=8B&flops.gpu=a100-sxm&flops.tokens=1T",
            "time",
            "FLOPs of the whole training",
            "48,000",
        ),
        (
            "?v=1&cell=flops&step=0&flops.b=16384&flops.d=32768&flops.k=8192",
            "flops",
            "FLOPs of the product",
            "8,796,093",
        ),
        ("?v=2&cell=time&step=0&calc.mfu=0.3", "time", "Training time", "239.8776"),
    ] {
        check("old_values", Options::default(), async |page| {
            page.open(query).await?;
            page.wake(cell).await?;
            figure_is(page, &format!("#{cell}"), name, start).await?;
            assert!(!page.css(".notices").await?.is_displayed().await?, "{query}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn links_to_a_step_of_a_lecture_open_it_there() -> Result<()> {
    check("lecture_links", Options::default(), async |page| {
        for (path, lecture) in [
            ("?step=188&v=1", "resource-accounting"),
            ("?lecture=resource-accounting&step=188&v=1", "resource-accounting"),
            ("?lecture=arithmetic-intensity&step=60&v=1", "arithmetic-intensity"),
        ] {
            page.go(path).await?;
            page.until(&format!("{lecture} for {path}"), async || {
                let script = "return document.documentElement.dataset.page;";
                Ok((page.run(script, vec![]).await? == lecture).then_some(()))
            })
            .await?;
            page.live().await?;
            page.css(".lecture.is-stepping").await?;
            let step = path.split("step=").nth(1).and_then(|rest| rest.split('&').next()).unwrap_or_default();
            page.until("step", async || {
                Ok(address(page).await?.contains(&format!("step={step}")).then_some(()))
            })
            .await?;
            // The step of the trace, whatever a reader who goes on would stop at.
            let script = "const trace = await (await fetch(`lectures/${arguments[0]}.json`)).json();
                const {stack} = trace.steps[arguments[1]];
                const names = [...document.querySelectorAll('.crumbs button')].map(it => it.title);
                const {path, line_number, function_name} = stack.at(-1);
                const is_cell = document.getElementById(function_name)?.matches('.cell');
                // Lines are counted in their function, as its editor counts them.
                const lines = trace.files[path].split('\\n');
                const before = lines.findIndex(line => line.startsWith(`def ${function_name}(`));
                return [names.at(-1), is_cell ? `${path}, line ${line_number - before}` : null];";
            let places = page.run_async(script, vec![json!(lecture), json!(step.parse::<u32>()?)]).await?;
            if places[1] == Value::Null {
                // A line of the lecture that leads to cells is none of any cell: the one before is shown.
                page.reads(".lecture-stepper .where", ", line ").await?;
            } else {
                assert_eq!(places[0], places[1], "{path}");
            }
            still(page).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_moved_slider_of_an_older_link_is_moved() -> Result<()> {
    check("lecture_links_sliders", Options::default(), async |page| {
        page.go("?lecture=resource-accounting&s.training_time.params=7e11&step=188&v=1").await?;
        page.live().await?;
        let field = page.css("[data-slider='training_time.params'] input[type=text]").await?;
        page.until("the number", async || {
            Ok((field.prop("value").await?.as_deref() == Some("7e11")).then_some(()))
        })
        .await?;
        page.css(".runner .progress").await?;
        still(page).await?;
        page.reads(".runner .state", "1 slider moved").await
    })
    .await
}
