//! Programs of a reader's own, which run as soon as they are opened.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::json;
use thirtyfour::Key;

use crate::lecture::{press_with, ran};
use crate::take_away::take;
use crate::traces::{give, give_all};

const MAIN: &str = "from facts import N\nimport torch\n\n\ndef main():\n    x = torch.arange(N)  # @inspect x\n    total = x.sum().item()  # @inspect total\n\n\nif __name__ == \"__main__\":\n    main()\n";

/// Goes to the last line of `main`, before that of the file, when the program has run.
async fn to_the_end(page: &Page) -> Result<()> {
    let last = "const scrub = document.querySelector('[data-scrub]');
        scrub.value = scrub.max;
        scrub.dispatchEvent(new Event('input', {bubbles: true}));
        return +scrub.max;";
    page.until("run", async || Ok(page.run(last, vec![]).await?.as_u64().filter(|last| *last > 5))).await?;
    let back = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'h', bubbles: true}));";
    page.run(back, vec![]).await.map(drop)
}

#[tokio::test]
async fn a_program_is_edited_and_taken_away() -> Result<()> {
    check("program_edited", Options::default(), async |page| {
        page.go("").await?;
        page.css("html[data-live]").await?;
        give_all(page, "file", json!([["facts.py", "N = 5\n"], ["main.py", MAIN]])).await?;
        page.reads("h1", "main.py").await?;
        to_the_end(page).await?;
        page.click(".switches", "Edit").await?;
        page.css(".editing .cm-content").await?;
        page.press(format!(
            "{}{}doubled = 2 * total  # @inspect doubled",
            Key::End.value(),
            Key::Enter.value()
        ))
        .await?;
        press_with(page, Key::Shift, Key::Enter).await?;
        ran(page).await?;
        page.click(".editing", "Close the editor").await?;
        to_the_end(page).await?;
        page.reads(".variables", "doubled").await?;
        page.reads(".variables", "20").await?;
        let text = "const [name, blob] = window.caught; return [name, await blob.text()];";
        let [name, csv]: [String; 2] = serde_json::from_value(take(page, "CSV", text).await?)?;
        assert_eq!(name, "main.csv");
        assert!(csv.contains("main,8,doubled,int,20"), "{csv}");
        let script = take(page, "PyTorch script", text).await?.to_string();
        assert!(script.contains("doubled = 2 * total") && script.contains("N = 5"), "{script}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_program_and_its_module_run_when_they_are_opened() -> Result<()> {
    for way in ["file", "drop"] {
        check(&format!("program_{way}"), Options::default(), async |page| {
            page.go("").await?;
            page.css("html[data-live]").await?;
            give_all(page, way, json!([["facts.py", "N = 5\n"], ["main.py", MAIN]])).await?;
            page.reads("h1", "main.py").await?;
            to_the_end(page).await?;
            page.reads(".variables", "total").await?;
            page.reads(".variables", "10").await?;
            // One that does not compile leaves its sentence, and the page goes on.
            give(page, way, "broken.py", "x = (1,\n").await?;
            page.reads(".fault", "'(' was never closed").await?;
            give_all(page, way, json!([["a.py", "x = 1\n"], ["b.json", "{}"]])).await?;
            page.reads("#notices", "One trace at a time").await
        })
        .await?;
    }
    Ok(())
}
