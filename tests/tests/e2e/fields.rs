//! What a reader can type wrong: the field says so, and the last good result stays.

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use thirtyfour::prelude::*;

async fn refused(page: &Page, field: &WebElement, text: &str, label: &str) -> Result<()> {
    page.paste_into(field, text).await?;
    let what = format!("message for {label} = {text:?}");
    let message = page.until(&what, async || {
        let message = page.message_of(field).await?;
        Ok((!message.is_empty()).then_some(message))
    });
    let message = message.await?;
    assert!(message.split_whitespace().count() >= 3, "{label} = {text:?}: {message}");
    assert_eq!(field.attr("aria-invalid").await?.as_deref(), Some("true"), "{label} = {text:?}");
    Ok(())
}

#[tokio::test]
async fn numbers_that_are_none_are_refused_and_the_result_stays() -> Result<()> {
    check("bad_numbers", Options::default(), async |page| {
        page.open("?cell=flops").await?;
        page.ready().await?;
        for (label, figure, good) in
            [("B", "FLOPs of the product", "512"), ("K", "Bytes moved, each operand once", "512")]
        {
            let field = page.named("#flops", "textbox", label).await?;
            let before = page.figure("#flops", figure).await?;
            for text in ["abc", "", "0", "-3", "1e400", "-1e400", "NaN", "inf", "1.2.3", "💥", "12 bananas"]
            {
                refused(page, &field, text, label).await?;
                assert_eq!(page.figure("#flops", figure).await?, before, "{label} = {text:?}");
            }
            page.paste_into(&field, good).await?;
            page.until("end of the message", async || {
                Ok(page.message_of(&field).await?.is_empty().then_some(()))
            })
            .await?;
            assert_eq!(field.attr("aria-invalid").await?.as_deref(), Some("false"));
            assert_ne!(page.figure("#flops", figure).await?, before, "{label} = {good}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn training_refuses_what_it_cannot_train() -> Result<()> {
    check("bad_training", Options::default(), async |page| {
        page.open("?cell=training").await?;
        page.ready().await?;
        for (label, texts) in [
            ("D, width", ["0", "2.5", "1e400", "wide"]),
            ("Layers", ["0", "-1", "1e400", ""]),
            ("Batch", ["0", "-4", "1e400", "x"]),
            ("Learning rate", ["0", "-0.1", "1e400", "fast"]),
            ("Seed", ["-1", "0.5", "1e400", "seed"]),
        ] {
            let field = page.named("#training", "textbox", label).await?;
            let before = field.value().await?.unwrap_or_default();
            for text in texts {
                refused(page, &field, text, label).await?;
            }
            page.paste_into(&field, &before).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_number_beyond_the_range_is_refused() -> Result<()> {
    check("out_of_range", Options::default(), async |page| {
        page.open("?cell=flops").await?;
        page.ready().await?;
        let field = page.fill("#flops", "B", "9007199254740993").await?;
        page.until("message", async || Ok((!page.message_of(&field).await?.is_empty()).then_some(())))
            .await?;
        let flop = page.figure("#flops", "FLOPs of the product").await?;
        assert!(flop.ends_with("FLOP") && flop.starts_with(|c: char| c.is_ascii_digit()), "{flop}");
        Ok(())
    })
    .await
}
