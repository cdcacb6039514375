//! Dtypes: what each format keeps of a number, and the limits that PyTorch prints.

use anyhow::Result;
use napkin_tests::{Options, Page, check};

/// The row of a table whose first cell is the format's name.
async fn row(page: &Page, table: &str, format: &str) -> Result<String> {
    let script = "const [table, format] = arguments;
        const rows = [...document.querySelectorAll(`#dtypes ${table} tr`)];
        return rows.find(row => row.cells[0]?.textContent.trim() === format)?.innerText ?? '';";
    let text = page.run(script, vec![table.into(), format.into()]).await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn each_format_keeps_what_it_can() -> Result<()> {
    check("dtypes_kept", Options::default(), async |page| {
        page.open("?cell=dtypes&dtypes.number=1e-8").await?;
        page.ready().await?;
        let bf16 = row(page, "table.kept", "bf16").await?;
        assert!(bf16.contains("1.0011717677116394e-08"), "{bf16}");
        let fp16 = row(page, "table.kept", "fp16").await?;
        assert!(fp16.contains("underflows to 0"), "{fp16}");
        page.fill("#dtypes", "Number", "70000").await?;
        page.until("overflow of fp16", async || {
            Ok(row(page, "table.kept", "fp16").await?.contains("overflows to infinity").then_some(()))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn limits_are_those_of_finfo() -> Result<()> {
    check("dtypes_limits", Options::default(), async |page| {
        page.open("?cell=dtypes").await?;
        page.ready().await?;
        let text = page.run("return document.querySelector('#dtypes').textContent;", vec![]).await?;
        let text = text.as_str().unwrap_or_default();
        for figure in ["65504", "6.10352e-05", "0.0078125", "448", "57344", "3.40282e+38"] {
            assert!(text.contains(figure), "{figure} is missing");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_number_that_is_none_is_refused() -> Result<()> {
    check("dtypes_bad_number", Options::default(), async |page| {
        page.open("?cell=dtypes&dtypes.number=1e-8").await?;
        page.ready().await?;
        let field = page.named("#dtypes", "textbox", "Number").await?;
        for text in ["abc", "", "1.2.3", "0x"] {
            page.paste_into(&field, text).await?;
            page.until(&format!("message for {text:?}"), async || {
                Ok((!page.message_of(&field).await?.is_empty()).then_some(()))
            })
            .await?;
            assert!(row(page, "table.kept", "bf16").await?.contains("1.0011717677116394e-08"), "{text:?}");
        }
        Ok(())
    })
    .await
}
