//! Programs of a reader's own, which run as soon as they are opened.

use anyhow::Result;
use napkin_tests::{Options, check};
use serde_json::json;

use crate::traces::{give, give_all};

const MAIN: &str = "from facts import N\nimport torch\n\n\ndef main():\n    x = torch.arange(N)  # @inspect x\n    total = x.sum().item()  # @inspect total\n\n\nif __name__ == \"__main__\":\n    main()\n";

#[tokio::test]
async fn a_program_and_its_module_run_when_they_are_opened() -> Result<()> {
    for way in ["file", "drop"] {
        check(&format!("program_{way}"), Options::default(), async |page| {
            page.go("").await?;
            page.css("html[data-live]").await?;
            give_all(page, way, json!([["facts.py", "N = 5\n"], ["main.py", MAIN]])).await?;
            page.reads("h1", "main.py").await?;
            let last = "const scrub = document.querySelector('[data-scrub]');
                scrub.value = scrub.max;
                scrub.dispatchEvent(new Event('input', {bubbles: true}));
                return +scrub.max;";
            page.until("run", async || Ok(page.run(last, vec![]).await?.as_u64().filter(|last| *last > 5)))
                .await?;
            // The last line of `main`, before that of the file.
            page.run(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'h', bubbles: true}));",
                vec![],
            )
            .await?;
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
