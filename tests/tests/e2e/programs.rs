//! Programs of a reader's own, which run as soon as they are opened.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::{By, Key};

use crate::exports::take;
use crate::lecture::{press_with, still};
use crate::traces::{give, give_all};

const MAIN: &str = "from facts import N\nimport torch\n\n\ndef main():\n    x = torch.arange(N)  # @inspect x\n    total = x.sum().item()  # @inspect total\n\n\nif __name__ == \"__main__\":\n    main()\n";

/// Waits until the program has run, and steps to its last line.
async fn to_the_end(page: &Page) -> Result<()> {
    let ran = "return document.querySelectorAll('.document .value').length > 0 && !document.querySelector('.runner .progress');";
    page.until("run", async || Ok((page.run(ran, vec![]).await? == true).then_some(()))).await?;
    page.run("document.activeElement?.blur();", vec![]).await?;
    if page.driver().find_all(By::Css(".lecture.is-stepping")).await?.is_empty() {
        page.click(".lecture-stepper", "Step").await?;
    }
    let slider = page.named(".lecture-stepper", "slider", "Place in the lecture").await?;
    slider.focus().await?;
    page.press(Key::End + "").await
}

#[tokio::test]
async fn a_program_is_edited_and_exported() -> Result<()> {
    check("program_edited", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give_all(page, "file", json!([["facts.py", "N = 5\n"], ["main.py", MAIN]])).await?;
        page.reads("h1", "main.py").await?;
        to_the_end(page).await?;
        page.click(".cell.is-current .cell-tools", "Edit").await?;
        page.css(".editing .cm-content").await?;
        press_with(page, Key::Control, Key::End).await?;
        page.press(format!("{}doubled = 2 * total  # @inspect doubled", Key::Enter.value())).await?;
        press_with(page, Key::Shift, Key::Enter).await?;
        still(page).await?;
        page.click(".editing", "Close the editor").await?;
        to_the_end(page).await?;
        page.reads(".variables", "doubled").await?;
        page.reads(".variables", "20").await?;
        let text = "const [name, blob] = window.caught; return [name, await blob.text()];";
        let [name, csv]: [String; 2] =
            serde_json::from_value(take(page, "main", "Values as CSV", text).await?)?;
        assert_eq!(name, "main.csv");
        assert!(csv.contains("main,8,doubled,int,20"), "{csv}");
        let script = take(page, "main", "PyTorch script", text).await?.to_string();
        assert!(script.contains("doubled = 2 * total") && script.contains("N = 5"), "{script}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_program_and_its_module_run_when_they_are_opened() -> Result<()> {
    for way in ["file", "drop"] {
        check(&format!("program_{way}"), Options::default(), async |page| {
            page.lecture("resource-accounting", "").await?;
            give_all(page, way, json!([["facts.py", "N = 5\n"], ["main.py", MAIN]])).await?;
            page.reads("h1", "main.py").await?;
            to_the_end(page).await?;
            // It has one cell, with a name of its own, and nothing to answer.
            let ids = "const ids = [...document.querySelectorAll('[id]')].map(it => it.id);
                return ids.filter((id, at) => ids.indexOf(id) !== at);";
            assert_eq!(page.run(ids, vec![]).await?, json!([]));
            let around = page.text(".lecture-contents").await?;
            assert!(!around.contains("Contents") && !around.contains("my answers"), "{around}");
            page.reads(".where", "Cell 1 of 1").await?;
            page.reads(".variables", "total").await?;
            page.reads(".variables", "10").await?;
            // One that does not compile leaves its sentence, and the page goes on.
            give(page, way, "broken.py", "x = (1,\n").await?;
            page.reads(".fault", "'(' was never closed").await?;
            give_all(page, way, json!([["a.json", "{}"], ["b.json", "{}"]])).await?;
            page.reads(".notices", "One notebook or trace at a time").await?;
            // It is forgotten when something opens, and what lies beside a program in its folder is no trace to open.
            give_all(page, way, json!([["other.py", "x = 1\n"], ["b.json", "{}"]])).await?;
            page.reads(".notices", "Not read: b.json.").await?;
            give(page, way, "whole.py", "x = 1\n").await?;
            page.reads("h1", "whole.py").await?;
            page.until("no notice", async || {
                Ok((!page.css(".notices").await?.is_displayed().await?).then_some(()))
            })
            .await
        })
        .await?;
    }
    Ok(())
}

/// A program without a `main` is one cell: what goes wrong in it stands there, at the line of the file that is edited.
#[tokio::test]
async fn a_program_without_a_main_has_its_error_in_place() -> Result<()> {
    check("program_flat", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(
            page,
            "file",
            "flat.py",
            "import torch\n\n\ndef half(x):\n    return x / y\n\n\nz = half(6)\nprint(z)\n",
        )
        .await?;
        page.reads(".cell .fault", "Line 5: NameError: name 'y' is not defined").await?;
        page.reads(".runner", "1 cell has failed").await?;
        page.click(".cell .fault", "Line 5").await?;
        page.until("the folded line", async || {
            Ok(page.css("details.helper[open] .line").await?.is_displayed().await?.then_some(()))
        })
        .await?;
        page.click(".cell .cell-tools", "Edit").await?;
        page.css(".editing .cm-content").await?;
        press_with(page, Key::Control, Key::Home).await?;
        page.press("y = 2; ").await?;
        press_with(page, Key::Shift, Key::Enter).await?;
        page.reads(".cell .output", "3.0").await?;
        assert!(page.driver().find_all(By::Css(".fault")).await?.is_empty());
        Ok(())
    })
    .await
}
