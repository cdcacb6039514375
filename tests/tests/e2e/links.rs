//! An address restores what it tells of the tools, in any browser, and whatever is wrong with it is said.

use anyhow::Result;
use napkin_tests::{Options, check};

#[tokio::test]
async fn a_link_restores_tool_and_values() -> Result<()> {
    let (link, flop) = check("link_out", Options::default(), async |page| {
        page.open("#flops").await?;
        page.ready().await?;
        page.fill("#flops", "B", "4096").await?;
        page.fill("#flops", "K", "512").await?;
        page.until("address with both values", async || {
            let query = page.query().await?;
            Ok((query.contains("calc.b=4096") && query.contains("calc.k=512")).then_some(()))
        })
        .await?;
        Ok((page.query().await?, page.figure("#flops", "FLOPs of the product").await?))
    })
    .await?;
    check("link_in", Options::default(), async |page| {
        page.open(&link).await?;
        page.ready().await?;
        crate::calculators::figure_is(page, "#flops", "FLOPs of the product", &flop).await?;
        for (name, value) in [("B", "4096"), ("K", "512")] {
            let field = page.named("#flops", "textbox", name).await?;
            assert_eq!(field.prop("value").await?.as_deref(), Some(value));
        }
        assert_eq!(page.query().await?, link, "the address stays as it was");
        assert!(!page.css(".notices").await?.is_displayed().await?, "a good link has no notice");
        Ok(())
    })
    .await
}

/// Who goes back right after a change finds it again going forward.
#[tokio::test]
async fn a_change_that_is_done_is_in_the_address_at_once() -> Result<()> {
    check("at_once", Options::default(), async |page| {
        page.open("#flops").await?;
        page.ready().await?;
        let script = "const field = document.querySelector('#flops [data-field=b]');
            field.value = '4096';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            await new Promise(done => setTimeout(done, 0));
            const during = location.search;
            field.dispatchEvent(new Event('change', {bubbles: true}));
            return [during, location.search];";
        let told = page.run_async(script, vec![]).await?;
        assert_eq!(told, serde_json::json!(["", "?v=3&calc.b=4096"]));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_is_wrong_with_an_address_is_said() -> Result<()> {
    // What is far below is looked at where it stands.
    let options = Options { is_idle: true, ..Options::DEFAULT };
    check("bad_address", options, async |page| {
        for (query, sentence) in [
            ("?v=7", "version"),
            ("?cell=nowhere", "nowhere"),
            ("?cell=time&calc.mfu=70", "MFU"),
            ("?cell=flops&flops.b=1e400", "B"),
            ("?cell=flops&flops.b=0", "B"),
            ("?cell=flops&flops.b=%F0%28", "B"),
            ("?cell=flops&calc.nothing=1", "nothing"),
            ("?cell=flops&flops.dtype=fp99", "fp99"),
            ("?cell=strides&strides.shape=-1", "-1"),
        ] {
            page.open(query).await?;
            page.reads(".notices", sentence).await?;
            // The page is whole: its figures are numbers.
            let flop = page.figure("#flops", "FLOPs of the product").await?;
            assert!(flop.starts_with(|c: char| c.is_ascii_digit()), "{query}: {flop}");
            let in_sight = "const {top, bottom} = document.querySelector('.notices').getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight;";
            page.until(&format!("notice of {query} in sight"), async || {
                Ok((page.run(in_sight, vec![]).await? == true).then_some(()))
            })
            .await?;
            page.click(".notices", "Dismiss").await?;
            page.until("dismissal", async || {
                Ok((!page.css(".notices").await?.is_displayed().await?).then_some(()))
            })
            .await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_value_out_of_range_becomes_the_nearest() -> Result<()> {
    check("clamped", Options::default(), async |page| {
        page.open("?cell=training&training.batch=1000000000").await?;
        page.ready().await?;
        let field = page.named("#training", "textbox", "Batch").await?;
        page.until("the largest batch", async || {
            Ok((field.prop("value").await?.as_deref() == Some("65536")).then_some(()))
        })
        .await
    })
    .await
}

/// What is laid out above it, as it comes alive, moves it nowhere.
#[tokio::test]
async fn the_tool_that_an_address_names_stays_in_its_place() -> Result<()> {
    check("named_tool", Options::default(), async |page| {
        page.go("tools.html#terms").await?;
        page.live().await?;
        page.css("#formulas .lazy[data-awake]").await?;
        let script = "return document.getElementById('terms').getBoundingClientRect().top;";
        let top = page.run(script, vec![]).await?;
        assert!(top.as_f64().is_some_and(|top| (0.0..250.0).contains(&top)), "{top}");
        Ok(())
    })
    .await
}
