//! The lecture as pictures, exported as files, and on paper.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

use crate::lecture::{LECTURE, TIME, set_slider, shows, still};

/// Keeps what the page saves from the reader's disk.
const CATCH: &str = "
    window.caught = undefined;
    const blobs = new Map();
    const real = URL.createObjectURL;
    URL.createObjectURL = blob => { const url = real.call(URL, blob); blobs.set(url, blob); return url; };
    HTMLAnchorElement.prototype.click = function () { window.caught = [this.download, blobs.get(this.href)]; };
    document.querySelector(`${arguments[0]} .export`).open = true;";

/// What an SVG says of itself, and whether it needs anything beside itself.
const SVG: &str = "
    const [name, blob] = window.caught;
    const text = await blob.text();
    const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
    await image.decode();
    const styles = [...picture.querySelectorAll('style')].map(style => style.textContent).join();
    const addresses = [...(styles + text).matchAll(/url\\(\"?(?:&quot;)?([^)]{5})/g)].map(([, start]) => start);
    return {
        name,
        fault: picture.querySelector('parsererror')?.textContent ?? null,
        title: picture.querySelector('svg > title').textContent,
        text: picture.querySelector('.picture').textContent,
        charts: picture.querySelectorAll('svg.chart').length,
        foreign: addresses.filter(start => start !== 'data:' && !start.startsWith('#')),
        fetched: picture.querySelectorAll(`[src]:not([src^='data:']), link, script, iframe, image`).length,
        fonts: (styles.match(/@font-face/g) ?? []).length,
        width: image.naturalWidth, height: image.naturalHeight,
        said: [+picture.documentElement.getAttribute('width'), +picture.documentElement.getAttribute('height')],
    };";

/// The size of a PNG, how many colours it has, and how light it is between 0 and 255.
const PNG: &str = "
    const [name, blob] = window.caught;
    const image = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, image.width, image.height);
    const colours = new Set();
    let light = 0;
    for (let at = 0; at < data.length; at += 4) {
        colours.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
        light += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
    }
    const head = new Uint8Array(await blob.slice(1, 4).arrayBuffer());
    return {name, width: image.width, height: image.height, colours: colours.size, light: light / data.length * 4,
        head: String.fromCharCode(...head)};";

/// Exports a cell in a form, and tells what was saved.
pub(crate) async fn take(page: &Page, cell: &str, form: &str, about: &str) -> Result<Value> {
    saved(page, &format!("#{cell} .cell-tools"), form, about).await
}

/// Presses a button beside a fold of exports, and tells what was saved.
pub(crate) async fn saved(page: &Page, scope: &str, button: &str, about: &str) -> Result<Value> {
    page.run(CATCH, vec![json!(scope)]).await?;
    page.click(scope, button).await?;
    page.until("file", async || {
        Ok((page.run("return window.caught !== undefined;", vec![]).await? == true).then_some(()))
    })
    .await?;
    page.run_async(about, vec![]).await
}

#[tokio::test]
async fn a_cell_is_exported_as_a_picture() -> Result<()> {
    let cells = [
        ("training_time", "How long does training take?", "3.537 M GPU-hours", 0),
        ("training_loop", "What does a training loop do?", "loss", 1),
        ("making_tensors", "How do you make a tensor?", "torch.float32", 0),
    ];
    for (viewport, dark) in [((1280, 900), false), ((390, 844), true)] {
        let options = Options { viewport, dark, ..Options::default() };
        check(&format!("picture_{}", viewport.0), options, async |page| {
            for (function, title, text, charts) in cells {
                page.read("resource-accounting", function, "").await?;
                page.show_answers().await?;
                let svg = take(page, function, "Picture (SVG)", SVG).await?;
                assert_eq!(svg["name"], format!("{function}.svg"));
                assert_eq!(svg["fault"], Value::Null);
                assert!(svg["title"].as_str().is_some_and(|it| it.starts_with(title)), "{}", svg["title"]);
                let shown = svg["text"].as_str().context("no text")?;
                assert!(shown.contains(text) && shown.contains("index.html"), "{shown}");
                assert!(svg["charts"].as_u64() >= Some(charts), "{}", svg["charts"]);
                assert_eq!((&svg["foreign"], &svg["fetched"]), (&json!([]), &json!(0)));
                assert!(svg["fonts"].as_u64() >= Some(2), "{}", svg["fonts"]);
                assert_eq!(svg["said"], json!([svg["width"], svg["height"]]));
                assert!(svg["width"].as_u64() > Some(300) && svg["height"].as_u64() > Some(300), "{svg}");
                let png = take(page, function, "Picture (PNG)", PNG).await?;
                assert_eq!((&png["name"], &png["head"]), (&json!(format!("{function}.png")), &json!("PNG")));
                let twice = |name: &str| svg[name].as_u64().map(|size| 2 * size);
                assert_eq!(png["width"].as_u64(), twice("width"), "{function}");
                assert_eq!(png["height"].as_u64(), twice("height"), "{function}");
                assert!(png["colours"].as_u64() > Some(20), "{png}");
                let light = png["light"].as_f64().context("no light")?;
                assert!(if dark { light < 80.0 } else { light > 200.0 }, "{png}");
            }
            // Who steps has variables on the picture, too.
            page.step("resource-accounting", "making_tensors").await?;
            let svg = take(page, "making_tensors", "Picture (SVG)", SVG).await?;
            assert!(svg["text"].as_str().is_some_and(|it| it.contains("Variables")), "{}", svg["text"]);
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_cell_is_exported_as_text() -> Result<()> {
    check("export_text", Options::default(), async |page| {
        let cell = "training_time";
        page.read("resource-accounting", cell, "").await?;
        let text = "const [name, blob] = window.caught; return [name, await blob.text()];";
        // What is still to be guessed is not given away.
        let [_, csv]: [String; 2] = serde_json::from_value(take(page, cell, "Values as CSV", text).await?)?;
        assert!(csv.contains("total_flops") && !csv.contains("143.9"), "{csv}");
        page.show_answers().await?;
        for (form, ending, wanted) in [
            ("Markdown", "md", "How long does training take?"),
            ("Values as CSV", "csv", "143.9"),
            ("Values as JSON", "json", "143.9"),
            ("PyTorch script", "py", "def training_time"),
        ] {
            let [name, saved]: [String; 2] = serde_json::from_value(take(page, cell, form, text).await?)?;
            assert!(saved.contains(wanted), "{form}: {saved}");
            assert_eq!(name, format!("{cell}.{ending}"));
        }
        for (form, ending, wanted) in [
            ("Notebook (.ipynb)", "ipynb", "\"nbformat\": 4"),
            ("Markdown", "md", "### How long does training take?"),
            ("Anki deck", "txt", "#guid column:1"),
        ] {
            let [name, whole]: [String; 2] =
                serde_json::from_value(saved(page, ".lecture-contents", form, text).await?)?;
            assert!(whole.contains(wanted), "{form}: {whole}");
            assert_eq!(name, format!("resource-accounting.{ending}"));
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_export_has_nothing_of_a_run_that_was_taken_back() -> Result<()> {
    check("export_reset", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        set_slider(page, "training_time.params", "7e11").await?;
        shows(page, TIME, "total_flops", "6.3e25").await?;
        still(page).await?;
        page.click(".runner", "Reset all").await?;
        shows(page, TIME, "total_flops", "6.3e24").await?;
        let text = "const [, blob] = window.caught; return await blob.text();";
        let saved = saved(page, ".lecture-contents", "Markdown", text).await?;
        let saved = saved.as_str().unwrap_or_default();
        assert!(saved.contains("6.3e24") && !saved.contains("6.3e25"), "{saved}");
        Ok(())
    })
    .await
}

/// What is to be seen on paper, and what is too wide for it.
const PAPER: &str = "
    const seen = selector => [...document.querySelectorAll(selector)].filter(it => it.checkVisibility()
        && it.getBoundingClientRect().width > 1);
    const right = it => Math.round(it.getBoundingClientRect().right);
    const wide = seen('body *').filter(it => right(it) > innerWidth + 1)
        .map(it => right(it) + it.outerHTML.slice(0, 160));
    const cut = seen('.document *').filter(it => it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0
        && getComputedStyle(it).overflowX !== 'visible').map(it => it.outerHTML.slice(0, 160));
    const style = getComputedStyle(document.body);
    return {
        // Fields are what is assumed, and what is drawn is drawn with what can be pressed: both are read.
        chrome: seen('button, input[type=range], dialog, nav, iframe, .lecture-stepper, .cell-tools, .variables')
            .filter(it => !it.matches('.part button, figure button, .card button:not(:only-child)')).map(it => it.outerHTML.slice(0, 160)),
        title: seen('h1').map(it => it.textContent),
        cells: seen('.cell > h3').map(it => it.textContent),
        text: document.querySelector('.document').innerText,
        hatches: [...document.querySelectorAll('pattern')].map(it => it.id),
        wide: wide.slice(0, 5), cut: cut.slice(0, 5), ink: style.color,
    };";

#[tokio::test]
async fn paper_has_the_lecture_and_nothing_of_the_page() -> Result<()> {
    let options = Options { dark: true, ..Options::default() };
    check("paper", options, async |page| {
        for is_stepping in [false, true] {
            if is_stepping {
                page.step("resource-accounting", "mixed_precision").await?;
            } else {
                page.read("resource-accounting", "training_time", "").await?;
                page.show_answers().await?;
            }
            page.run("document.querySelector('input[name=theme][value=dark]').click();", vec![]).await?;
            page.on_paper(true).await?;
            let paper = page.run(PAPER, vec![]).await?;
            assert_eq!(paper["chrome"], json!([]));
            assert_eq!(paper["title"], json!(["Resource accounting"]));
            // All of it, wherever the reader is, and what has been guessed.
            let cells: Vec<String> = serde_json::from_value(paper["cells"].clone())?;
            assert_eq!(cells.len(), 36);
            let ends = ["How long does training take?", "What does it take all together?"];
            assert_eq!([cells[0].as_str(), cells[35].as_str()], ends);
            for text in ["(4, 1)", "3.537 M GPU-hours"] {
                assert!(
                    paper["text"].as_str().is_some_and(|it| it.contains(text)),
                    "{text}: {}",
                    paper["text"]
                );
            }
            assert_eq!((&paper["wide"], &paper["cut"]), (&json!([]), &json!([])), "stepping: {is_stepping}");
            assert_eq!(paper["ink"], "rgb(28, 33, 48)", "light's ink");
            let mut hatches: Vec<String> = serde_json::from_value(paper["hatches"].clone())?;
            let count = hatches.len();
            hatches.sort();
            hatches.dedup();
            assert_eq!(hatches.len(), count, "an id stands twice");
            page.emulate(options).await?;
            let size = json!({"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true});
            let pdf = page.devtools("Page.printToPDF", size).await?;
            // The beginning of a PDF in base 64.
            assert!(pdf["data"].as_str().is_some_and(|it| it.starts_with("JVBERi0") && it.len() > 20_000));
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn letters_on_charts_are_large_enough() -> Result<()> {
    for (width, height) in [(390, 844), (768, 1000), (1440, 900)] {
        let options = Options { viewport: (width, height), ..Options::default() };
        check(&format!("chart_letters_{width}"), options, async |page| {
            for (lecture, function) in [
                ("resource-accounting", "underflow"),
                ("resource-accounting", "where_tensors_live"),
                ("arithmetic-intensity", "one_roof"),
            ] {
                page.read(lecture, function, "").await?;
                page.show_answers().await?;
                let chart = format!("#{function} figure:not(.heat) .chart");
                page.css(&chart).await?;
                let script = "const chart = document.querySelector(arguments[0]);
                    const box = chart.getBoundingClientRect();
                    const letters = [...chart.querySelectorAll('text')]
                        .map(it => parseFloat(getComputedStyle(it).fontSize) * box.width / chart.viewBox.baseVal.width);
                    const room = chart.parentElement.getBoundingClientRect().width;
                    return {least: Math.min(...letters), most: Math.max(...letters), width: box.width, room};";
                let found = page.run(script, vec![json!(chart)]).await?;
                let number = |name: &str| found[name].as_f64().context("no number");
                assert!(number("least")? >= 11.0 && number("most")? <= 14.0, "{function}: {found}");
                assert!((number("width")? - number("room")?.min(544.0)).abs() < 1.0, "{function}: {found}");
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}
