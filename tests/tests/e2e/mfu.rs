//! MFU by every convention, of the peak that was measured here, and its card.

use anyhow::Result;
use napkin_tests::{Options, WebGpu, check};

use crate::appearance::no_violation;
use crate::calculators::{self, figure_is};

const CELL: &str = "#mfu";
const OF_MEASURED: &str = "MFU of the peak that was measured here";

#[tokio::test]
async fn the_peak_that_is_measured_here_stands_beside_the_promised_one() -> Result<()> {
    check("mfu", Options { webgpu: WebGpu::None, ..Options::default() }, async |page| {
        // Samples of a millisecond: how fast this machine is does not matter here.
        calculators::open(page, "?cell=mfu&samples=1&calc.tokens-per-sec=68k&calc.gpus=8&calc.sequence=8192").await?;
        let promised = page.figure(CELL, "MFU, the share of the promised FLOP/s that was reached").await?;
        page.named(CELL, "switch", "Count in MACs").await?.click().await?;
        let of_macs = promised.parse::<f64>()? / 2.0;
        figure_is(page, CELL, "MFU, the share of the promised FLOP/s that was reached", &of_macs.to_string()).await?;
        page.reads("#mfu .mfu-card", "count in macs").await?;
        assert!(page.all_named(CELL, "group", OF_MEASURED).await?.is_empty());
        page.click(CELL, "Measure the CPU").await?;
        figure_is(page, CELL, OF_MEASURED, "").await?;
        page.reads("#mfu .part-conventions", "of the measured peak").await?;
        page.reads("#mfu .mfu-card", "measured on your device").await?;
        no_violation(page).await?;

        let catch = "navigator.clipboard.writeText = async text => { window.copied = text; };
            const blobs = new Map(), real = URL.createObjectURL;
            URL.createObjectURL = blob => { const url = real.call(URL, blob); blobs.set(url, blob); return url; };
            HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, blobs.get(this.href)]; };";
        page.run(catch, vec![]).await?;
        page.click(CELL, "Copy as Markdown").await?;
        let copied = page.until("copied card", async || {
            Ok(page.run("return window.copied ?? null;", vec![]).await?.as_str().map(str::to_owned))
        });
        let copied = copied.await?;
        for part in ["**MFU ", "- ● u = ", "- ❝ P = 989.5 TFLOP/s", "- ▨ P = ", "`u = A / (P·G)`", "Napkin"] {
            assert!(copied.contains(part), "{part} is missing in\n{copied}");
        }
        page.click(CELL, "Save as PNG").await?;
        let picture = page.until("saved card", async || {
            let script = "if (!window.saved) return null;
                const image = await createImageBitmap(window.saved[1]);
                return `${window.saved[0]} ${image.width > 700 && image.height > 300}`;";
            Ok(page.run_async(script, vec![]).await?.as_str().map(str::to_owned))
        });
        assert_eq!(picture.await?, "napkin-mfu.png true");

        // The browser keeps what was measured: the next visit has nothing to measure.
        calculators::open(page, "?cell=mfu").await?;
        figure_is(page, CELL, OF_MEASURED, "").await?;
        assert!(!page.css("#mfu .part-measure").await?.is_displayed().await?);
        Ok(())
    })
    .await
}
