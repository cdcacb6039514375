//! Traces that are not ours, whole and damaged, by file, by drag and drop and by address.

use std::fs;

use anyhow::Result;
use napkin_site::server::StaticServer;
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

use crate::lecture::{LECTURE, TIME};
use crate::offline::copy;

/// As the course's viewer reads them: no field of ours.
fn foreign() -> Value {
    let text = "def main():\n    text(\"A lecture of *others*\")\n    x = 6 * 7  # @inspect x\n    y = torch.ones(2)  # @inspect y\n\n\nmain()\n";
    let place = |function: &str, line: u32, code: &str| json!({"path": "lectures/other.py", "line_number": line, "function_name": function, "code": code});
    let outer = place("<module>", 7, "main()");
    let step = |line: u32, code: &str, env: Value, renderings: Value| json!({"stack": [outer, place("main", line, code)], "env": env, "renderings": renderings});
    let prose = json!([{"type": "markdown", "data": "A lecture of *others*", "style": {}, "external_link": null, "internal_link": null}]);
    let tensor =
        json!({"type": "torch.Tensor", "contents": [1.0, 1.0], "dtype": "torch.float32", "shape": [2]});
    json!({"files": {"lectures/other.py": text}, "steps": [
        {"stack": [outer], "env": {}, "renderings": []},
        step(2, "text(\"A lecture of *others*\")", json!({}), prose),
        step(3, "x = 6 * 7  # @inspect x", json!({"x": {"type": "int", "contents": 42}}), json!([])),
        step(4, "y = torch.ones(2)  # @inspect y", json!({"y": tensor}), json!([])),
    ]})
}

/// Gives the page a file: `way` is `file` or `drop`.
pub(crate) async fn give(page: &Page, way: &str, name: &str, text: &str) -> Result<()> {
    give_all(page, way, json!([[name, text]])).await
}

/// Gives the page files at once, each a name and a text.
pub(crate) async fn give_all(page: &Page, way: &str, files: Value) -> Result<()> {
    let script = "const [way, files] = arguments;
        const data = new DataTransfer();
        for (const [name, text] of files) data.items.add(new File([text], name, name.endsWith('.svg') ? {type: 'image/svg+xml'} : {}));
        if (way === 'drop') {
            const drop = new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data});
            if (document.querySelector('main').dispatchEvent(drop)) throw new Error('the browser would leave the page');
        } else {
            const input = document.querySelector('#trace-file');
            input.files = data.files;
            input.dispatchEvent(new Event('change', {bubbles: true}));
        }";
    page.run(script, vec![json!(way), files]).await.map(drop)
}

/// A site with one more file, opened with it as the trace.
struct Site {
    server: StaticServer,
    folder: std::path::PathBuf,
}

impl Site {
    fn new(name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("napkin-{name}-{}", std::process::id()));
        copy(&xtask::dist(), &folder)?;
        Ok(Self { server: StaticServer::start(&folder, "/", 0)?, folder })
    }

    async fn open(&self, page: &Page, name: &str, text: &str) -> Result<()> {
        fs::write(self.folder.join(name), text)?;
        self.follow(page, &format!("?trace={name}")).await
    }

    async fn follow(&self, page: &Page, query: &str) -> Result<()> {
        page.driver().goto(format!("{}{query}", self.server.address())).await?;
        page.live().await
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // It lies in the folder for what is temporary.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// It is read whole, and stepped through from its first line to its last.
async fn walks(page: &Page) -> Result<()> {
    page.reads("h1", "lectures/other.py").await?;
    page.reads(".document .prose", "A lecture of").await?;
    page.reads(".document", "42").await?;
    page.click(".lecture-stepper", "Step").await?;
    page.css(".lecture.is-stepping").await?;
    for _ in 0..9 {
        page.press("l").await?;
    }
    page.reads(".variables", "42").await?;
    page.reads(".variables", "torch.float32").await?;
    let button = page.named(".lecture-stepper", "button", "Next line").await?;
    assert!(!page.is_enabled(&button).await?);
    for _ in 0..9 {
        page.press("h").await?;
    }
    let button = page.named(".lecture-stepper", "button", "Back").await?;
    assert!(!page.is_enabled(&button).await?);
    Ok(())
}

#[tokio::test]
async fn a_foreign_trace_opens_by_file_by_drop_and_by_address() -> Result<()> {
    let text = foreign().to_string();
    check("trace_foreign", Options::default(), async |page| {
        for way in ["file", "drop"] {
            page.go("index.html").await?;
            page.live().await?;
            give(page, way, "other.json", &text).await?;
            walks(page).await?;
        }
        let site = Site::new("foreign")?;
        site.open(page, "other.json", &text).await?;
        walks(page).await?;
        let query = page.run("return location.search;", vec![]).await?;
        assert!(query.as_str().is_some_and(|query| query.contains("trace=other.json")), "{query}");
        // A program of the same host, by the other name.
        fs::write(site.folder.join("small.py"), "def main():\n    n = 6 * 7  # @inspect n\n\n\nmain()\n")?;
        site.follow(page, "?file=small.py").await?;
        page.reads(".document", "42").await
    })
    .await
}

#[tokio::test]
async fn what_is_dropped_into_a_field_is_no_lecture() -> Result<()> {
    check("trace_field", Options::default(), async |page| {
        page.read(LECTURE, TIME, "").await?;
        page.show_answers().await?;
        page.choose("#training_time .sheet-place", "GPU", "own").await?;
        page.css("#training_time textarea").await?;
        let script = "const field = document.querySelector('#training_time textarea');
            const drop = dataTransfer => field.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
            const [file, words] = [new DataTransfer(), new DataTransfer()];
            file.items.add(new File(['{\"name\": \"mine\"}'], 'mine.json'));
            words.setData('text/plain', 'words');
            return [drop(file), drop(words)];";
        assert_eq!(page.run(script, vec![]).await?, json!([false, true]), "words go where they are dropped");
        let field = page.css("#training_time textarea").await?;
        page.until("text of the file", async || {
            Ok(field.prop("value").await?.filter(|text| text.contains("mine")))
        })
        .await?;
        let text = page.text("body").await?;
        assert!(!text.contains("not a trace"), "{text}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_is_no_whole_trace_has_its_sentence() -> Result<()> {
    let whole = foreign().to_string();
    let damaged = [
        ("empty.json", "", "This file ends in the middle: it is no whole trace."),
        ("half.json", &whole[..whole.len() / 2], "This file ends in the middle: it is no whole trace."),
        ("package.json", r#"{"name": "package", "version": "1.0.0"}"#, "This is not a trace of a lecture"),
        ("list.json", "[1, 2, 3]", "This is not a trace of a lecture"),
        ("words.json", "Dear reader", "This is not JSON: expected value at line 1 column 1"),
        ("none.json", r#"{"files": {}, "steps": []}"#, "There are no steps in this trace."),
    ];
    check("trace_damaged", Options::default(), async |page| {
        let site = Site::new("damaged")?;
        for (name, text, sentence) in damaged {
            site.open(page, name, text).await?;
            page.reads(".notices", &format!("{name}: {sentence}")).await?;
            page.reads("h1", "Resource accounting").await?;
            page.click(".notices", "Dismiss").await?;
            assert_eq!(page.run("return document.activeElement.id;", vec![]).await?, "main");
            for way in ["file", "drop"] {
                give(page, way, name, text).await?;
                page.reads(".notices", &format!("{name}: {sentence}")).await?;
                page.click(".notices", "Dismiss").await?;
                // The page goes on.
                let before = page.text(".where").await?;
                page.press("s").await?;
                page.until("the other mode", async || {
                    Ok((page.text(".where").await? != before).then_some(()))
                })
                .await?;
            }
        }
        // In the dialog it is said there.
        page.press("g").await?;
        give(page, "file", "empty.json", "").await?;
        page.reads("#open-message", "empty.json: This file ends in the middle").await
    })
    .await
}
