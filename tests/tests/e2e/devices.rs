//! What runs where: with WebGPU, without it, and as the address asks.

use anyhow::Result;
use napkin_tests::{Options, Page, WebGpu, check};
use serde_json::json;

use crate::{flops, training};

/// The badge and the reason behind it.
async fn badge(page: &Page) -> Result<(String, String)> {
    let script = "const device = document.querySelector('.device');
        device.open = true;
        return [device.querySelector('summary').innerText.trim(), device.innerText];";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

#[tokio::test]
async fn without_webgpu_everything_runs_on_the_cpu_and_the_page_says_so() -> Result<()> {
    let options = Options { webgpu: WebGpu::None, ..Options::default() };
    check("without_webgpu", options, async |page| {
        page.open("?v=3&cell=flops&calc.b=64&training.steps=50").await?;
        page.ready().await?;
        let (name, why) = badge(page).await?;
        assert!(name.contains("CPU"), "{name}");
        assert!(why.contains("WebGPU") && why.contains("CPU"), "{why}");
        assert!(!page.named("#flops", "button", "Time it on the GPU").await?.is_enabled().await?);
        assert!(flops::time_it(page, "CPU").await?.contains("CPU"));
        page.wake("training").await?;
        page.click("#training", "Run").await?;
        training::steps_taken(page, 50.0).await
    })
    .await
}

#[tokio::test]
async fn without_webgpu_asking_for_it_is_answered() -> Result<()> {
    let options = Options { webgpu: WebGpu::None, ..Options::default() };
    check("gpu_in_vain", options, async |page| {
        page.open("?device=gpu&cell=training&training.device=gpu&training.steps=20").await?;
        page.ready().await?;
        let (name, why) = badge(page).await?;
        assert!(name.contains("CPU") && why.contains("WebGPU"), "{name}: {why}");
        page.click("#training", "Run").await?;
        // Either the reason or the training, never silence.
        page.reads("#training [role=status].remark", "WebGPU").await
    })
    .await
}

#[tokio::test]
async fn the_address_chooses_the_device() -> Result<()> {
    for (device, label) in [("cpu", "CPU"), ("gpu", "GPU")] {
        check("chosen_device", Options::default(), async |page| {
            page.open(&format!("?device={device}")).await?;
            page.ready().await?;
            let (name, why) = badge(page).await?;
            assert!(name.starts_with(label) && why.contains(&format!("device={device}")), "{name}: {why}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn an_imitated_gpu_is_not_preferred_and_that_is_said() -> Result<()> {
    check("imitated_gpu", Options::default(), async |page| {
        page.open("").await?;
        page.ready().await?;
        let (name, why) = badge(page).await?;
        assert!(name.starts_with("CPU") && why.contains("imitates"), "{name}: {why}");
        Ok(())
    })
    .await
}

/// Workers whose device goes away with the first kernel of one kind.
const LOSING: &str = "const Real = Worker;
    window.Worker = class extends Real {
        constructor(address, options) {
            const code = `const compile = GPUDevice.prototype.createComputePipeline;
                GPUDevice.prototype.createComputePipeline = function (asked) {
                    const pipeline = compile.call(this, asked);
                    if (asked.label.includes('register_16x32')) this.destroy();
                    return pipeline;
                };
                await import(${JSON.stringify(new URL(address, document.baseURI).href)});`;
            super(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})), options);
        }
    };";

#[tokio::test]
async fn a_kernel_that_takes_the_gpu_with_it_is_not_tried_again() -> Result<()> {
    check("gpu_lost_in_tuning", Options::default(), async |page| {
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": LOSING})).await?;
        page.open("?cell=flops").await?;
        page.ready().await?;
        page.click("#flops", "Time it on the GPU").await?;
        page.reads("#flops", "the device was lost in a check of register_16x32_4x4").await?;
        let row = flops::time_it(page, "GPU").await?;
        assert!(row.contains("FLOP/s"), "{row}");
        let record = page.run("return localStorage.getItem('gpu-tuning');", vec![]).await?;
        let record = record.as_str().unwrap_or_default();
        assert!(record.contains("aside register_16x32_4x4 bfloat16 the device was lost"), "{record}");
        assert!(record.contains("right register_8x8_8x8 bfloat16"), "{record}");
        Ok(())
    })
    .await
}
