//! The lecture as pictures and on paper.

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

/// Keeps what the page saves from the reader's disk.
const CATCH: &str = "
    window.caught = undefined;
    const blobs = new Map();
    const real = URL.createObjectURL;
    URL.createObjectURL = blob => { const url = real.call(URL, blob); blobs.set(url, blob); return url; };
    HTMLAnchorElement.prototype.click = function () { window.caught = [this.download, blobs.get(this.href)]; };
    document.querySelector('.take-away').open = true;";

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
        text: picture.querySelector('body').textContent,
        charts: picture.querySelectorAll('svg.chart').length,
        foreign: addresses.filter(start => start !== 'data:' && !start.startsWith('#')),
        fetched: picture.querySelectorAll('[src], link, script, iframe, image').length,
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

/// Takes the cell away in a form, and tells what was saved.
pub(crate) async fn take(page: &Page, form: &str, about: &str) -> Result<Value> {
    page.run(CATCH, vec![]).await?;
    page.click(".take-away", form).await?;
    page.until("file", async || {
        Ok((page.run("return window.caught !== undefined;", vec![]).await? == true).then_some(()))
    })
    .await?;
    page.run_async(about, vec![]).await
}

#[tokio::test]
async fn a_cell_is_taken_away_as_a_picture() -> Result<()> {
    let cells = [
        ("training_time", "How long does training take?", "3.537 M GPU-hours", 0),
        ("training_loop", "The training loop", "loss", 1),
        ("making_tensors", "Making tensors", "torch.float32", 1),
    ];
    for (viewport, dark) in [((1280, 900), false), ((390, 844), true)] {
        let options = Options { viewport, dark, ..Options::default() };
        check(&format!("picture_{}", viewport.0), options, async |page| {
            for (function, title, text, charts) in cells {
                page.read("resource-accounting", function, "").await?;
                page.show_answers().await?;
                let svg = take(page, "Picture (SVG)", SVG).await?;
                assert_eq!(svg["name"], format!("{function}.svg"));
                assert_eq!(svg["fault"], Value::Null);
                assert!(svg["title"].as_str().is_some_and(|it| it.starts_with(title)), "{}", svg["title"]);
                let shown = svg["text"].as_str().context("no text")?;
                assert!(shown.contains(text) && shown.contains("?lecture=resource-accounting"), "{shown}");
                assert!(svg["charts"].as_u64() >= Some(charts), "{}", svg["charts"]);
                assert_eq!((&svg["foreign"], &svg["fetched"]), (&json!([]), &json!(0)));
                assert!(svg["fonts"].as_u64() >= Some(2), "{}", svg["fonts"]);
                assert_eq!(svg["said"], json!([svg["width"], svg["height"]]));
                assert!(svg["width"].as_u64() > Some(300) && svg["height"].as_u64() > Some(300), "{svg}");
                let png = take(page, "Picture (PNG)", PNG).await?;
                assert_eq!((&png["name"], &png["head"]), (&json!(format!("{function}.png")), &json!("PNG")));
                let twice = |name: &str| svg[name].as_u64().map(|size| 2 * size);
                assert_eq!(png["width"].as_u64(), twice("width"), "{function}");
                assert_eq!(png["height"].as_u64(), twice("height"), "{function}");
                assert!(png["colours"].as_u64() > Some(20), "{png}");
                let light = png["light"].as_f64().context("no light")?;
                assert!(if dark { light < 80.0 } else { light > 200.0 }, "{png}");
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// What is to be seen on paper, and what is too wide for it.
const PAPER: &str = "
    const seen = selector => [...document.querySelectorAll(selector)].filter(it => it.checkVisibility()
        && it.getBoundingClientRect().width > 1);
    const right = it => Math.round(it.getBoundingClientRect().right);
    const wide = seen('body *').filter(it => right(it) > innerWidth + 1)
        .map(it => right(it) + it.outerHTML.slice(0, 160));
    const cut = seen('#whole *').filter(it => it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0
        && getComputedStyle(it).overflowX !== 'visible').map(it => it.outerHTML.slice(0, 160));
    const style = getComputedStyle(document.body);
    return {
        chrome: seen('button, input, dialog, nav, fieldset, iframe, .lecture-stepper').map(it => it.outerHTML.slice(0, 160)),
        title: seen('h1').map(it => it.textContent),
        cells: seen('#whole h2').map(it => it.textContent),
        text: document.querySelector('#whole').innerText,
        charts: seen('#whole svg.chart').length,
        hatches: [...document.querySelectorAll('pattern')].map(it => it.id),
        wide: wide.slice(0, 5), cut: cut.slice(0, 5), ink: style.color,
        address: seen('.source a').map(it => it.href),
        here: location.href,
    };";

#[tokio::test]
async fn paper_has_the_lecture_and_nothing_of_the_page() -> Result<()> {
    let options = Options { dark: true, ..Options::default() };
    check("paper", options, async |page| {
        for (function, cell, text) in [
            ("storage_and_strides", "Storage and strides", "(4, 1)"),
            ("training_time", "How long does training take?", "3.537 M GPU-hours"),
            // What has been guessed is known from then on.
            ("mixed_precision", "Mixed precision", "3.537 M GPU-hours"),
        ] {
            page.read("resource-accounting", function, "").await?;
            page.show_answers().await?;
            page.run("document.querySelector('input[name=theme][value=dark]').click();", vec![]).await?;
            page.on_paper(true).await?;
            let paper = page.run(PAPER, vec![]).await?;
            assert_eq!(paper["chrome"], json!([]));
            assert_eq!(paper["title"], json!(["Resource accounting"]));
            let cells: Vec<String> = serde_json::from_value(paper["cells"].clone())?;
            assert_eq!((cells[0].as_str(), cells.last().map(String::as_str)), ("Why count?", Some(cell)));
            assert!(paper["text"].as_str().is_some_and(|it| it.contains(text)), "{}", paper["text"]);
            let address = |of: &Value| of.as_str().unwrap_or_default().to_owned();
            assert!(
                address(&paper["address"][0]).starts_with(&address(&paper["here"])),
                "{}",
                paper["address"]
            );
            assert_eq!((&paper["wide"], &paper["cut"]), (&json!([]), &json!([])), "{function}");
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
                let script = "const chart = document.querySelector('.code-card figure:not(.heat) > .chart');
                    const box = chart.getBoundingClientRect();
                    const letters = [...chart.querySelectorAll('text')]
                        .map(it => parseFloat(getComputedStyle(it).fontSize) * box.width / chart.viewBox.baseVal.width);
                    const room = chart.parentElement.getBoundingClientRect().width;
                    return {least: Math.min(...letters), most: Math.max(...letters), width: box.width, room};";
                let found = page.run(script, vec![]).await?;
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
