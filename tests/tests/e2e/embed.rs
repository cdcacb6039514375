//! One tool or one cell of a lecture inside another page.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;

use crate::appearance::no_violation;
use crate::reading::CELLS;

/// What of the tools can be seen.
async fn visible(page: &Page) -> Result<Vec<String>> {
    let script =
        "return [...document.querySelectorAll('.cell, .page-header, .contents, .page-footer, .whole')]
        .filter(element => element.checkVisibility()).map(element => element.id || element.className);";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

/// Where the link below the cell leads.
async fn way_out(page: &Page) -> Result<String> {
    let script = "const link = document.querySelector('.whole a');
        link.dispatchEvent(new Event('focus'));
        return link.href.split('/').pop();";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

#[tokio::test]
async fn every_tool_stands_alone() -> Result<()> {
    check("embed_every_cell", Options { viewport: (700, 900), ..Options::default() }, async |page| {
        for cell in CELLS {
            page.go(&format!("tools.html?embed={cell}")).await?;
            // The driver may come back before the new document is there.
            page.until("the cell as it was built", async || {
                Ok((visible(page).await? == [cell, "whole"]).then_some(()))
            })
            .await?;
            page.live().await?;
            page.wake(cell).await?;
            assert_eq!(visible(page).await?, [cell, "whole"], "with its program");
        }
        no_violation(page).await
    })
    .await
}

#[tokio::test]
async fn its_state_comes_by_the_address_and_goes_to_the_whole_page() -> Result<()> {
    check("embed_state", Options::default(), async |page| {
        page.open("?embed=flops&calc.b=4096").await?;
        page.ready().await?;
        assert_eq!(page.named("#flops", "textbox", "B").await?.prop("value").await?.as_deref(), Some("4096"));
        page.fill("#flops", "K", "768").await?;
        // Keys that would lead to another tool do not.
        page.run("document.activeElement.blur();", vec![]).await?;
        page.press("j").await?;
        page.until("address of the state", async || {
            Ok(page.query().await?.contains("calc.k=768").then_some(()))
        })
        .await?;
        assert_eq!(visible(page).await?, ["flops", "whole"]);
        let link = way_out(page).await?;
        assert!(!link.contains("embed") && link.contains("calc.k=768"), "{link}");
        page.go(&link).await?;
        page.live().await?;
        page.wake("flops").await?;
        assert_eq!(page.cells().await?, CELLS);
        assert_eq!(page.named("#flops", "textbox", "K").await?.prop("value").await?.as_deref(), Some("768"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_page_around_it_hears_its_height() -> Result<()> {
    check("embed_height", Options::default(), async |page| {
        page.go("arithmetic-intensity.html").await?;
        let script = "globalThis.heights = [];
            addEventListener('message', ({data, source}) => {
                if (data?.napkin === 'height' && source === frame.contentWindow) {
                    heights.push(data.px);
                    frame.style.height = `${data.px}px`;
                }
            });
            const frame = Object.assign(document.createElement('iframe'),
                {src: './tools.html?embed=strides', title: 'Strides', width: arguments[0]});
            frame.style.border = 0;
            document.body.append(frame);";
        page.run(script, vec![json!(600)]).await?;
        let fits = async || {
            let script = "const {contentDocument: inner} = document.querySelector('iframe');
                const root = inner?.documentElement;
                return heights.length > 0 && root.dataset.live !== undefined
                    && root.scrollHeight <= root.clientHeight ? heights.at(-1) : null;";
            Ok(page.run(script, vec![]).await?.as_f64())
        };
        let high = page.until("height that fits", fits).await?;
        assert_eq!(page.run("return scrollY;", vec![]).await?, 0, "the page around it stays where it is");
        // Wider is lower.
        page.run("document.querySelector('iframe').width = 1200;", vec![]).await?;
        page.until("lower height", async || Ok(fits().await?.filter(|&now| now < high))).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_unknown_tool_has_its_sentence() -> Result<()> {
    check("embed_unknown", Options::default(), async |page| {
        for cell in ["nowhere", "cells", "%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"] {
            page.open(&format!("?embed={cell}")).await?;
            page.reads("main", "There is no tool").await?;
            assert_eq!(visible(page).await?, ["whole"]);
            assert_eq!(page.run("return document.querySelectorAll('main img').length;", vec![]).await?, 0);
        }
        no_violation(page).await?;
        // Without a name it is the page.
        page.open("?embed=").await?;
        assert!(visible(page).await?.contains(&"page-header".to_owned()));
        Ok(())
    })
    .await
}

/// What of a lecture's page can be seen.
async fn of_lecture(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.page-header, h1, h2, h3, .lecture-contents, .crumbs, .lecture-stepper, \
            .page-footer, .whole')]
        .filter(element => element.checkVisibility() && element.clientWidth > 1 && !element.closest('.part, .variables, .visually-hidden'))
        .map(element => /^H/.test(element.tagName) && !element.className ? element.textContent : element.className);";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

#[tokio::test]
async fn a_cell_of_a_lecture_stands_alone() -> Result<()> {
    check("embed_lecture", Options { viewport: (700, 900), ..Options::default() }, async |page| {
        let title = "How long does training take?";
        let alone = [title, "lecture-stepper", "whole"];
        page.go("index.html?embed=training_time").await?;
        page.until("the cell as it was built", async || {
            Ok(of_lecture(page).await?.first().is_some_and(|it| it == title).then_some(()))
        })
        .await?;
        page.live().await?;
        page.wake("training_time").await?;
        assert_eq!(of_lecture(page).await?, alone);
        no_violation(page).await?;
        // Steps stay in the cell, at both of its ends.
        page.press("s").await?;
        page.css(".lecture.is-stepping").await?;
        for key in ["h", "l"] {
            let mut before = String::new();
            for _ in 0..100 {
                page.press(key).await?;
                let now = page.text(".where").await?;
                if now == before {
                    break;
                }
                before = now;
            }
            assert!(before.starts_with("Cell 1 of 36, line"), "{before}");
            for out in ["u", "k", "j"] {
                page.press(out).await?;
                assert_eq!(of_lecture(page).await?, alone, "{out} after {key}");
            }
        }
        no_violation(page).await?;
        page.until("step in the link", async || Ok(way_out(page).await?.contains("step=").then_some(())))
            .await?;
        let link = way_out(page).await?;
        assert!(!link.contains("embed"), "{link}");
        page.go(&link).await?;
        page.live().await?;
        let whole = of_lecture(page).await?;
        assert!(
            whole.contains(&title.to_owned()) && whole.contains(&"lecture-contents".to_owned()),
            "{whole:?}"
        );
        page.lecture("arithmetic-intensity", "?embed=nothing").await?;
        page.reads(".notices", "The lecture has no cell “nothing”").await?;
        assert!(of_lecture(page).await?.contains(&"lecture-contents".to_owned()), "this is all of it");
        Ok(())
    })
    .await
}
