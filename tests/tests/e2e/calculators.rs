//! Cells of calculators: the terminal's figures, assumptions that all share, derivations, what readers type.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};
use thirtyfour::Key;

const TIME: &str = "#time";

/// Opens the tools, and waits until the one that the address names answers to changes.
pub async fn open(page: &Page, query: &str) -> Result<()> {
    page.open(query).await?;
    page.ready().await
}

/// Waits until a figure begins so.
pub async fn figure_is(page: &Page, cell: &str, name: &str, start: &str) -> Result<()> {
    let what = format!("{name} of {start}");
    page.until(&what, async || Ok(page.figure(cell, name).await?.starts_with(start).then_some(())))
        .await
        .with_context(|| format!("{name} is something else"))
}

/// What the command in the cell's "Export" prints as JSON, from the calculators themselves.
fn in_the_terminal(calculator: &str, texts: &[(&str, &str)]) -> Result<Vec<(String, String)>> {
    use napkin_accounting::calc::{Inputs, Naming, calculator as named};
    let texts = texts.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    let sheet =
        named(calculator).context("no such calculator")?.answer(&Inputs::new(Naming::Option, texts))?;
    Ok(sheet.figures().into_iter().map(|figure| (figure.title.to_lowercase(), figure.exact())).collect())
}

/// Names and exact values of all figures of a cell.
async fn figures(page: &Page, cell: &str) -> Result<Vec<(String, String)>> {
    let script = "return [...document.querySelectorAll(`${arguments[0]} .figure`)].map(figure =>
        [figure.getAttribute('aria-label').toLowerCase(), figure.querySelector('.figure-exact').textContent]);";
    Ok(serde_json::from_value(page.run(script, vec![json!(cell)]).await?)?)
}

#[tokio::test]
async fn figures_are_those_of_the_terminal() -> Result<()> {
    check("calc_figures", Options::default(), async |page| {
        open(page, "?cell=time").await?;
        figure_is(page, TIME, "Training time", "143.92659381842682 days").await?;
        assert_eq!(figures(page, TIME).await?, in_the_terminal("time", &[])?);
        page.fill(TIME, "MFU", "0.37").await?;
        page.fill(TIME, "Parameters", "405B").await?;
        page.choose(TIME, "GPU", "b200-sxm").await?;
        let wanted = in_the_terminal("time", &[("mfu", "0.37"), ("params", "405B"), ("gpu", "b200-sxm")])?;
        page.until("the terminal's figures", async || {
            Ok((figures(page, TIME).await? == wanted).then_some(()))
        })
        .await?;
        page.named(TIME, "switch", "Sparse peak").await?.click().await?;
        page.reads("#time .remark.is-warning", "sparse").await
    })
    .await
}

#[tokio::test]
async fn every_cell_shows_the_terminals_figures() -> Result<()> {
    check("calc_all", Options::default(), async |page| {
        open(page, "").await?;
        let script = "return [...document.querySelectorAll('.sheet-place')].map(place => [place.dataset.cell,
            [...place.querySelectorAll('.sheet')].map(sheet => sheet.className.match(/part-(\\S+)/)[1])]);";
        let cells: Vec<(String, Vec<String>)> = serde_json::from_value(page.run(script, vec![]).await?)?;
        assert!(cells.iter().any(|(cell, _)| cell == "time"), "{cells:?}");
        // Without a measured machine there is nothing to say of it.
        for (cell, calculators) in cells.into_iter().filter(|(cell, _)| !cell.starts_with("machine")) {
            let mut wanted = Vec::new();
            for calculator in &calculators {
                wanted.extend(in_the_terminal(calculator, &[])?);
            }
            let shown = figures(page, &format!("[data-cell='{cell}']")).await?;
            assert!(!calculators.is_empty(), "{cell} is empty");
            for figure in &shown {
                assert!(wanted.contains(figure), "{cell} shows {figure:?}");
            }
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_assumption_is_one_in_all_cells() -> Result<()> {
    check("calc_shared", Options::default(), async |page| {
        open(page, "?cell=reality").await?;
        page.wake("time").await?;
        page.fill(TIME, "MFU", "0.4").await?;
        page.reads("#time .moves", "MFU 0.5 → 0.4 moves 5 figures here").await?;
        // Each that moved says what it was.
        page.reads("#time [aria-label='Training time'] .figure-was", "was 143.9 days").await?;
        page.wake("reality").await?;
        page.reads("#reality .moves", "MFU 0.5 → 0.4 moves").await?;
        let field = page.named("#reality", "textbox", "MFU").await?;
        assert_eq!(field.value().await?.as_deref(), Some("0.4"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn sliders_move_by_keys() -> Result<()> {
    check("calc_slider", Options::default(), async |page| {
        open(page, "?cell=time").await?;
        let slider = page.named(TIME, "slider", "MFU, slider").await?;
        slider.focus().await?;
        for (keys, mfu) in [
            (Key::Left + "", "0.45"),
            (Key::Home + "", "0.05"),
            (Key::PageUp + "", "0.55"),
            (Key::PageDown + "", "0.05"),
            (Key::End + "", "1"),
        ] {
            page.press(keys).await?;
            let field = page.named(TIME, "textbox", "MFU").await?;
            page.until(&format!("MFU {mfu}"), async || {
                Ok((field.value().await?.as_deref() == Some(mfu)).then_some(()))
            })
            .await?;
        }
        let back =
            page.driver().action_chain().key_down(Key::Shift).send_keys(Key::Left + "").key_up(Key::Shift);
        back.perform().await?;
        let field = page.named(TIME, "textbox", "MFU").await?;
        page.until("ten steps", async || Ok((field.value().await?.as_deref() == Some("0.5")).then_some(())))
            .await?;
        // The focus is where it was, and the slider is the element that it was.
        assert_eq!(
            page.driver().active_element().await?.attr("aria-label").await?.as_deref(),
            Some("MFU, slider")
        );
        figure_is(page, TIME, "Training time", "143.92659381842682 days").await
    })
    .await
}

#[tokio::test]
async fn a_number_opens_its_derivation() -> Result<()> {
    check("calc_derivation", Options::default(), async |page| {
        open(page, "?cell=time").await?;
        // The keyboard alone: to the number, into the dialog, out again.
        let script = "document.querySelector(`#time [aria-label='GPU-hours'] button`).focus();";
        page.run(script, vec![]).await?;
        page.press(Key::Enter + "").await?;
        page.reads("dialog.derivation h2", "GPU-hours").await?;
        let text = page.text("dialog.derivation").await?;
        assert!(text.contains("3,537,139.969681658") && text.contains("dense bf16 peak"), "{text}");
        let formulas = "return document.querySelectorAll('dialog.derivation math').length;";
        assert!(page.run(formulas, vec![]).await?.as_u64() >= Some(4));
        let links = "return [...document.querySelectorAll('dialog.derivation a')].map(link => link.href);";
        assert!(page.run(links, vec![]).await?.as_array().is_some_and(|links| !links.is_empty()));
        let grab = "window.copied = []; navigator.clipboard.writeText = async text => { window.copied.push(text); };";
        page.run(grab, vec![]).await?;
        for form in ["value", "text", "Python", "Markdown", "TeX", "JSON"] {
            page.click("dialog.derivation", &format!("Copy {form}")).await?;
        }
        let copied: Vec<String> = page
            .until("six copies", async || {
                let copied: Vec<String> = serde_json::from_value(page.run("return window.copied;", vec![]).await?)?;
                Ok((copied.len() == 6).then_some(copied))
            })
            .await?;
        let [value, text, python, markdown, tex, json] = &copied[..] else { panic!("{copied:?}") };
        assert!(value.starts_with("3.537139969681658"), "{value}");
        assert!(text.contains("H = ") && text.contains("source: "), "{text}");
        assert!(python.ends_with("print(gpu_hours)") && python.contains("params = 70_000_000_000"), "{python}");
        assert!(markdown.contains("$$") && tex.starts_with(r"\begin{align*}"), "{markdown} {tex}");
        let steps: Value = serde_json::from_str(json)?;
        assert_eq!(steps.as_array().and_then(|steps| steps.last()).map(|step| &step["name"]), Some(&json!("gpu_hours")));
        page.press(Key::Escape + "").await?;
        let closed = "return !document.querySelector('dialog.derivation').open
            && document.activeElement.closest('[aria-label=GPU-hours]') !== null;";
        page.until("closed dialog", async || Ok((page.run(closed, vec![]).await? == true).then_some(()))).await
    })
    .await
}

#[tokio::test]
async fn answers_are_saved() -> Result<()> {
    check("calc_export", Options::default(), async |page| {
        open(page, "?cell=memory").await?;
        let grab = "window.saved = [];
            URL.createObjectURL = blob => { blob.text().then(text => window.saved.push(text)); return '#'; };
            document.querySelectorAll('#memory details.take-away').forEach(details => details.open = true);";
        page.run(grab, vec![]).await?;
        let forms = ["Markdown", "CSV", "JSON", "SVG"];
        for form in forms {
            page.click("#memory .part-memory", &format!("Save as {form}")).await?;
        }
        let saved: Vec<String> = page
            .until("files", async || {
                let saved: Vec<String> =
                    serde_json::from_value(page.run("return window.saved;", vec![]).await?)?;
                Ok((saved.len() == forms.len()).then_some(saved))
            })
            .await?;
        let has = |words: &str| saved.iter().any(|text| text.starts_with(words));
        assert!(has("## ") && has("name,title,value,unit") && has("{") && has("<svg xmlns="), "{saved:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_cannot_be_read_leaves_the_figures_and_says_so() -> Result<()> {
    check("calc_bad_input", Options::default(), async |page| {
        open(page, "?cell=time").await?;
        let before = figures(page, TIME).await?;
        for (name, text) in [
            ("MFU", "0"),
            ("MFU", "-1"),
            ("MFU", ""),
            ("MFU", "a lot"),
            ("MFU", "1e400"),
            ("GPUs", "1e30"),
            ("GPUs", "2.5"),
            ("Parameters", "70 bananas"),
            ("Training tokens", "inf"),
        ] {
            let field = page.named(TIME, "textbox", name).await?;
            let good = field.value().await?.unwrap_or_default();
            page.paste_into(&field, text).await?;
            let message = page.until("message", async || {
                let message = page.message_of(&field).await?;
                Ok((!message.is_empty()).then_some(message))
            });
            let message = message.await?;
            assert!(
                message.contains(name) && message.split_whitespace().count() > 3,
                "{name} = {text:?}: {message}"
            );
            assert_eq!(field.attr("aria-invalid").await?.as_deref(), Some("true"));
            assert_eq!(field.value().await?.as_deref(), Some(text), "what was typed stays");
            assert_eq!(figures(page, TIME).await?, before);
            page.css("#time .part-time.is-old").await?;
            assert!(!page.query().await?.contains("calc."), "it is no assumption");
            page.paste_into(&field, &good).await?;
            page.until("end of the message", async || {
                Ok(page.message_of(&field).await?.is_empty().then_some(()))
            })
            .await?;
        }
        // Each by itself can be read, together they cannot be.
        page.choose(TIME, "GPU", "a100-sxm").await?;
        page.choose(TIME, "Format of the products", "fp8").await?;
        page.reads("#time .part-time.is-old > .message", "Format of the products").await?;
        page.choose(TIME, "GPU", "h100-sxm").await?;
        figure_is(page, TIME, "Training time", "71.96").await
    })
    .await
}

#[tokio::test]
async fn a_link_restores_what_is_assumed() -> Result<()> {
    let link = check("calc_link_out", Options::default(), async |page| {
        open(page, "?v=3&cell=time&calc.sparse=on").await?;
        figure_is(page, TIME, "Training time", "71.96").await?;
        page.fill(TIME, "GPUs", "2048").await?;
        page.named(TIME, "switch", "Sparse peak").await?.click().await?;
        // Off is the default, which no address tells.
        page.until("address with the GPUs alone", async || {
            let query = page.query().await?;
            Ok((query.contains("calc.gpus=2048") && !query.contains("calc.sparse")).then_some(query))
        })
        .await
    })
    .await?;
    check("calc_link_in", Options::default(), async |page| {
        open(page, &link).await?;
        // Twice the GPUs at the dense rate take as long as half of them at the sparse one.
        figure_is(page, TIME, "Training time", "71.96").await?;
        let switch = page.named(TIME, "switch", "Sparse peak").await?;
        assert!(!switch.is_selected().await?);
        let field = page.named(TIME, "textbox", "GPUs").await?;
        assert_eq!(field.value().await?.as_deref(), Some("2048"));
        assert_eq!(page.query().await?, link, "the address stays as it was");
        page.press("j").await?;
        page.driver().back().await?;
        figure_is(page, TIME, "Training time", "71.96").await?;
        assert_eq!(page.query().await?, link);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_an_address_says_wrongly_becomes_a_notice() -> Result<()> {
    for (query, words) in [
        ("?cell=time&calc.mfu=70", "MFU"),
        ("?cell=time&calc.gpu=h9000", "h9000"),
        ("?cell=time&calc.nothing=1", "nothing"),
        ("?cell=time&calc.gpu=%7B%22id%22:1%7D", "GPU"),
    ] {
        check("calc_bad_address", Options::default(), async |page| {
            open(page, query).await?;
            page.reads(".notices", words).await?;
            figure_is(page, TIME, "Training time", "143.92659381842682 days").await?;
            page.until("true address", async || Ok((!page.query().await?.contains("calc.")).then_some(())))
                .await
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_device_of_ones_own_is_in_the_link() -> Result<()> {
    let link = check("calc_own_out", Options::default(), async |page| {
        open(page, "?cell=time").await?;
        page.choose(TIME, "GPU", "own").await?;
        let field = page.named(TIME, "textbox", "Your own GPU, in JSON").await?;
        assert!(field.value().await?.is_some_and(|text| text.contains("my NVIDIA H100")), "there is one to begin with");
        page.paste_into(&field, "{\"id\": \"mine\"").await?;
        page.until("message", async || Ok((!page.message_of(&field).await?.is_empty()).then_some(()))).await?;
        let device = "{\"id\": \"mine\", \"name\": \"Mine\",\n  \"peaks\": [{\"dtype\": \"bf16\", \"figure\": {\"value\": 1979e12}}]}";
        page.paste_into(&field, device).await?;
        figure_is(page, TIME, "Training time", "71.96").await?;
        page.reads("#time .part-time", "unverified").await?;
        assert_eq!(field.value().await?.as_deref(), Some(device), "what was pasted stays as it is");
        page.until("address", async || {
            let query = page.query().await?;
            // The address follows in a moment; until then it has the device that there is to begin with.
            Ok((query.contains("calc.gpu=") && query.contains("%22Mine%22")).then_some(query))
        })
        .await
    })
    .await?;
    check("calc_own_in", Options::default(), async |page| {
        open(page, &link).await?;
        figure_is(page, TIME, "Training time", "71.96").await?;
        let field = page.named(TIME, "textbox", "Your own GPU, in JSON").await?;
        assert!(field.value().await?.is_some_and(|text| text.contains("\"Mine\"")));
        page.choose(TIME, "GPU", "h100-sxm").await?;
        figure_is(page, TIME, "Training time", "143.9").await
    })
    .await
}

#[tokio::test]
async fn a_model_brings_its_parameters_and_tokens() -> Result<()> {
    check("calc_model", Options::default(), async |page| {
        open(page, "?cell=time").await?;
        page.choose(TIME, "Model", "llama-3.1-70b").await?;
        page.reads("#time .part-reality", "7").await?;
        let field = page.named(TIME, "textbox", "Parameters").await?;
        assert_eq!(field.value().await?.as_deref(), Some(""), "nobody typed it");
        let placeholder = field.attr("placeholder").await?.unwrap_or_default();
        assert!(placeholder.starts_with("69.") || placeholder.starts_with("70."), "{placeholder}");
        let brought = page.figure(TIME, "FLOPs of the whole training").await?;
        page.type_into(&field, "8B").await?;
        page.until("own number", async || {
            Ok((page.figure(TIME, "FLOPs of the whole training").await? != brought).then_some(()))
        })
        .await?;
        page.paste_into(&field, "").await?;
        page.until("the model's number", async || {
            Ok((page.figure(TIME, "FLOPs of the whole training").await? == brought).then_some(()))
        })
        .await?;
        assert_eq!(page.message_of(&field).await?, "");
        page.click(TIME, "Back to the defaults").await?;
        figure_is(page, TIME, "Training time", "143.92659381842682 days").await?;
        // A config.json, with keys that no formula needs.
        page.choose(TIME, "Model", "own").await?;
        let field = page.named(TIME, "textbox", "Your own Model, in JSON").await?;
        let config = json!({"architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "hidden_size": 64,
            "intermediate_size": 172, "model_type": "llama", "num_attention_heads": 4, "num_hidden_layers": 2,
            "num_key_value_heads": 2, "torch_dtype": "bfloat16", "vocab_size": 1000});
        page.paste_into(&field, &config.to_string()).await?;
        page.until("address with the configuration", async || {
            Ok(page.query().await?.contains("hidden_size").then_some(()))
        })
        .await
    })
    .await
}
