//! Strides: the lecture's figures, PyTorch's refusal, and what a reader can type wrong.

use anyhow::Result;
use napkin_tests::{Options, Page, check};

const REFUSAL: &str = "view size is not compatible with input tensor's size and stride (at least one dimension \
                       spans across two contiguous subspaces). Use .reshape(...) instead.";

async fn opened(page: &Page, query: &str) -> Result<()> {
    page.open(&format!("?cell=strides&{query}")).await?;
    page.ready().await
}

#[tokio::test]
async fn an_index_leads_to_its_place() -> Result<()> {
    check("strides_index", Options::default(), async |page| {
        opened(page, "strides.shape=4,+4&strides.at=1,+2").await?;
        // 1·4 + 2·1
        page.reads("#strides .part-arithmetic", "6").await?;
        page.reads("#strides .part-tensors", "(4, 1)").await
    })
    .await
}

#[tokio::test]
async fn a_tensor_too_large_or_too_deep_to_draw_is_told_rightly() -> Result<()> {
    check("strides_large", Options::default(), async |page| {
        // More bytes than a browser's 32 bits count.
        opened(page, "strides.shape=32768,+32768").await?;
        page.reads("#strides .part-tensors", "1073741824 · 4294967296").await?;
        let view = "x.unsqueeze(0).unsqueeze(0).unsqueeze(0).unsqueeze(0)";
        opened(page, &format!("strides.shape=2,+3&strides.views=y+%3D+{view}")).await?;
        page.reads("#strides .part-tensors", "6 dimensions; at most 5 can be drawn").await?;
        page.reads("#strides .part-tensors", "(1, 1, 1, 1, 2, 3)").await
    })
    .await
}

#[tokio::test]
async fn a_view_that_cannot_be_has_pytorchs_own_error() -> Result<()> {
    check("strides_refusal", Options::default(), async |page| {
        opened(page, "strides.shape=2,+3&strides.views=y+%3D+x.transpose(1,+0)%3B+z+%3D+y.view(2,+3)")
            .await?;
        page.reads("#strides .part-tensors", REFUSAL).await?;
        opened(page, "strides.shape=2,+3&strides.views=y+%3D+x.t().contiguous().view(2,+3)").await?;
        page.reads("#strides .part-tensors", "storage of its own").await?;
        page.reads("#strides", "24").await
    })
    .await
}

#[tokio::test]
async fn a_write_is_seen_in_every_view() -> Result<()> {
    check("strides_write", Options::default(), async |page| {
        let views = "strides.shape=2,+3&strides.views=y+%3D+x.view(3,+2)%3B+z+%3D+x.transpose(1,+0)";
        opened(page, &format!("{views}&strides.writes=x[0,+0]+%3D+100")).await?;
        // The storage and the three tensors over it.
        page.until("100 in x, y and z", async || {
            let text = page.text("#strides .part-tensors").await?;
            Ok((text.matches("100").count() >= 3).then_some(()))
        })
        .await?;
        page.reads("#strides .part-storage", "100").await
    })
    .await
}

/// Every text in the field gets a message, and `x` stays as it was.
async fn all_refused(test: &str, field: &str, texts: &[&str]) -> Result<()> {
    check(test, Options::default(), async |page| {
        opened(page, "strides.shape=2,+3").await?;
        let field = page.named("#strides", "textbox", field).await?;
        for text in texts {
            page.paste_into(&field, text).await?;
            page.until(&format!("message for {text}"), async || {
                Ok((!page.message_of(&field).await?.is_empty()).then_some(()))
            })
            .await?;
            page.reads("#strides .part-tensors", "(3, 1)").await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn shapes_that_cannot_be_are_refused_and_the_tensor_stays() -> Result<()> {
    let texts =
        ["a, b", "4, -4", "4,,4", "1e400", "2.5", "9007199254740993", "94906267, 94906267", "1,1,1,1,1,1"];
    all_refused("strides_shapes", "Shape of x", &texts).await
}

#[tokio::test]
async fn a_typo_in_a_view_is_pointed_out() -> Result<()> {
    let texts = ["x.transpse(0, 1)", "x[", "q.t()", "x.view(", "x..t()"];
    all_refused("strides_typo", "New view: y =", &texts).await
}

#[tokio::test]
async fn what_pytorch_refuses_is_refused_in_its_words() -> Result<()> {
    check("strides_refused", Options::default(), async |page| {
        opened(page, "strides.shape=2,+3").await?;
        let field = page.named("#strides", "textbox", "New view: y =").await?;
        page.paste_into(&field, "x.transpose(0, 5)").await?;
        page.reads("#strides", "Dimension out of range (expected to be in range of [-2, 1], but got 5)").await
    })
    .await
}
