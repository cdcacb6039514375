//! `?bench`: the hooks by which the page's products and training steps are measured from outside.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check, mulberry32};
use serde_json::{Value, json};

use crate::reading::PAGES;

/// The product of the inputs of the seeds 1 and 2 by the page, checked against f64.
async fn product_is_right(page: &Page, n: usize, device: &str) -> Result<Value> {
    let script = "const {ms, kernel, adapter, c} = await window.__bench_matmul(arguments[0], arguments[1],
                      {seedA: 1, seedB: 2});
                  return {ms, kernel, adapter, is32: c instanceof Float32Array, c: Array.from(c)};";
    let result = page.run_async(script, vec![json!(n), json!(device)]).await?;
    assert_eq!(result["is32"], true);
    let c: Vec<f64> = result["c"].as_array().context("no c")?.iter().filter_map(Value::as_f64).collect();
    assert_eq!(c.len(), n * n, "every element is a number");
    let (a, b) = (mulberry32(n * n, 1), mulberry32(n * n, 2));
    for row in 0..n {
        for column in 0..n {
            let terms = (0..n).map(|k| f64::from(a[row * n + k]) * f64::from(b[k * n + column]));
            let (sum, magnitude) = terms.fold((0.0, 0.0), |(sum, mag), x| (sum + x, mag + x.abs()));
            // The bound of a sum of n products, each rounded, in any order.
            let bound = (n as f64 + 2.0) * f64::from(f32::EPSILON) * magnitude;
            let error = (c[row * n + column] - sum).abs();
            assert!(error <= bound, "{device} n={n} [{row},{column}]: off by {error:e}, allowed {bound:e}");
        }
    }
    assert!(result["ms"].as_f64().is_some_and(|ms| ms > 0.0 && ms < 60_000.0), "{}", result["ms"]);
    for key in ["kernel", "adapter"] {
        assert!(result[key].as_str().is_some_and(|text| !text.is_empty()), "no {key}");
    }
    Ok(result)
}

async fn hook(page: &Page) -> Result<()> {
    page.until("hook", async || {
        let there = page.run("return typeof window.__bench_matmul === 'function';", vec![]).await?;
        Ok((there == true).then_some(()))
    })
    .await
}

#[tokio::test]
async fn products_agree_with_f64() -> Result<()> {
    check("products_agree_with_f64", Options::default(), async |page| {
        page.open("?bench").await?;
        hook(page).await?;
        let mut kernels = Vec::new();
        for device in ["cpu", "gpu"] {
            for n in [1, 3, 17, 64, 65, 130] {
                kernels.push(product_is_right(page, n, device).await?["adapter"].clone());
            }
        }
        assert_ne!(kernels.first(), kernels.last(), "the CPU and the GPU are two adapters");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn impossible_products_are_refused_with_a_sentence() -> Result<()> {
    check("impossible_products", Options::default(), async |page| {
        page.open("?bench").await?;
        hook(page).await?;
        let refused = "try { await window.__bench_matmul(...arguments); return 'no error'; }
                       catch (error) { return error.message; }";
        let seeds = json!({"seedA": 1, "seedB": 2});
        for (n, device, named) in [
            (json!(-1), "cpu", "n"),
            (json!(2.5), "cpu", "n"),
            (json!("x"), "gpu", "n"),
            (json!(8), "tpu", "device"),
            // 3 × 14.4 GB: more than a browser's worker may have, and more than the adapter binds.
            (json!(60_000), "cpu", ""),
            (json!(60_000), "gpu", ""),
        ] {
            let message = page.run_async(refused, vec![n.clone(), json!(device), seeds.clone()]).await?;
            let message = message.as_str().context("no message")?;
            assert!(message.len() > 15 && message.contains(named), "{n} on {device}: {message}");
            assert_ne!(message, "no error", "{n} on {device}");
        }
        // Nothing is lost by it.
        product_is_right(page, 33, "cpu").await?;
        product_is_right(page, 33, "gpu").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn training_steps_learn_the_same_on_both_devices() -> Result<()> {
    check("bench_steps", Options::default(), async |page| {
        page.open("?bench").await?;
        hook(page).await?;
        for model in ["linear", "mlp", "gpt"] {
            let mut losses = Vec::new();
            for device in ["cpu", "gpu"] {
                let script = "return await window.__bench_step(...arguments);";
                let times = page.run_async(script, vec![json!(model), json!(device)]).await?;
                let ms: Vec<f64> = serde_json::from_value(times["ms"].clone())?;
                assert!(ms.len() == 9 && ms.iter().all(|ms| (0.0..60_000.0).contains(ms)), "{ms:?}");
                losses.push(serde_json::from_value::<Vec<f64>>(times["losses"].clone())?);
            }
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-3 * a.abs();
            assert!(losses[0].iter().zip(&losses[1]).all(close), "{model}: {losses:?}");
            assert!(losses[0].len() == 10 && losses[0][9] < losses[0][0], "{model}: {losses:?}");
        }
        let refused = "try { await window.__bench_step(...arguments); return 'no error'; }
                       catch (error) { return error.message; }";
        for (model, device, named) in
            [("rnn", "cpu", "the model must be"), ("gpt", "tpu", "the device must be")]
        {
            let message = page.run_async(refused, vec![json!(model), json!(device)]).await?;
            assert!(message.as_str().is_some_and(|message| message.contains(named)), "{message}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn every_page_has_the_hook() -> Result<()> {
    check("bench_pages", Options::default(), async |page| {
        for file in PAGES {
            page.go(&format!("{file}?bench")).await?;
            hook(page).await?;
            for device in ["cpu", "gpu"] {
                product_is_right(page, 33, device).await.with_context(|| file.to_owned())?;
            }
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_hook_is_there_only_on_request() -> Result<()> {
    check("hook_on_request", Options::default(), async |page| {
        for file in PAGES {
            page.go(file).await?;
            page.live().await?;
            assert_eq!(
                page.run("return typeof window.__bench_matmul;", vec![]).await?,
                "undefined",
                "{file}"
            );
        }
        Ok(())
    })
    .await
}
