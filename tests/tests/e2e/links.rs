//! An address restores what it tells, in any browser, and whatever is wrong with it is said.

use anyhow::Result;
use napkin_tests::{Options, check};

#[tokio::test]
async fn a_link_restores_cell_step_and_values() -> Result<()> {
    let (link, flop) = check("link_out", Options::default(), async |page| {
        page.open("?v=2&cell=flops&step=1").await?;
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
        page.reads("#flops .stepper-count", "Step 1 of").await?;
        // The calculators come after the page, and the fields with their figures.
        crate::calculators::figure_is(page, "#flops", "FLOPs of the product", &flop).await?;
        for (name, value) in [("B", "4096"), ("K", "512")] {
            let field = page.named("#flops", "textbox", name).await?;
            assert_eq!(field.value().await?.as_deref(), Some(value));
        }
        assert_eq!(page.query().await?, link, "the address stays as it was");
        assert!(!page.css(".notices").await?.is_displayed().await?, "a good link has no notice");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_is_wrong_with_an_address_is_said() -> Result<()> {
    for (query, sentence) in [
        ("?v=7", "version"),
        ("?cell=nowhere", "nowhere"),
        ("?cell=flops&step=999", "999"),
        ("?cell=flops&step=-1", "-1"),
        ("?cell=flops&step=two", "two"),
        ("?cell=time&calc.mfu=70", "MFU"),
        ("?cell=flops&flops.b=1e400", "B"),
        ("?cell=flops&flops.b=0", "B"),
        ("?cell=flops&flops.b=%F0%28", "B"),
        ("?cell=flops&flops.nothing=1", "flops.nothing"),
        ("?cell=flops&flops.dtype=fp99", "fp99"),
    ] {
        check("bad_address", Options::default(), async |page| {
            page.open(query).await?;
            page.reads(".notices", sentence).await?;
            // The page is whole: its figures are numbers.
            let flop = page.figure("#flops", "FLOPs of the product").await?;
            assert!(flop.starts_with(|c: char| c.is_ascii_digit()), "{query}: {flop}");
            let in_sight = "const {top, bottom} = document.querySelector('.notices').getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight;";
            assert_eq!(page.run(in_sight, vec![]).await?, true, "{query}: the notice is out of sight");
            page.click(".notices", "Dismiss").await?;
            page.until("dismissal", async || {
                Ok((!page.css(".notices").await?.is_displayed().await?).then_some(()))
            })
            .await
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_value_out_of_range_becomes_the_nearest() -> Result<()> {
    check("clamped", Options::default(), async |page| {
        page.open("?cell=training&training.batch=1000000000&step=1").await?;
        page.ready().await?;
        let field = page.named("#training", "textbox", "Batch").await?;
        assert_eq!(field.value().await?.as_deref(), Some("65536"));
        page.reads("#training .stepper-count", "Step 1 of").await
    })
    .await
}
