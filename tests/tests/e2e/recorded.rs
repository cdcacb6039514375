//! Traces that others recorded, in both of their formats: read, stepped through, run here, with pictures and links.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use napkin_tests::{Options, Page, check};
use serde_json::{Value, json};

use crate::lecture::{address, still};
use crate::traces::{give, give_all};

const CASES: [&str; 2] = ["trace-plain-values.json", "trace-typed-values.json"];

fn case(name: &str) -> Result<String> {
    Ok(fs::read_to_string(xtask::root().join("tests/cases").join(name))?)
}

/// A host that gives one file to pages of every other host: its address, and how often it was asked.
fn elsewhere(text: String) -> Result<(String, Arc<AtomicUsize>)> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = format!("http://{}/trace.json", listener.local_addr()?);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // A browser opens connections that it may not need, and asks for the pictures of what it has got.
            let mut head = [0; 4096];
            let bytes = stream.read(&mut head).unwrap_or(0);
            if head[..bytes].starts_with(b"GET /trace.json") {
                counted.fetch_add(1, Ordering::Relaxed);
            }
            let head_of =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *";
            let answer =
                format!("{head_of}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}", text.len());
            // Who has gone away needs no answer.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    Ok((address, calls))
}

/// The styles of what a selector finds first.
async fn style(page: &Page, selector: &str, property: &str) -> Result<String> {
    let script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]];";
    Ok(serde_json::from_value(page.run(script, vec![json!(selector), json!(property)]).await?)?)
}

#[tokio::test]
async fn traces_of_others_read_as_at_home() -> Result<()> {
    check("recorded_read", Options::default(), async |page| {
        for name in CASES {
            page.lecture("resource-accounting", "").await?;
            give(page, "drop", name, &case(name)?).await?;
            page.reads(".document", "Bytes of a batch").await?;
            // Markdown, TeX, and several renderings in one line.
            let script = "const line = [...document.querySelectorAll('.drawings.is-line')][0];
                const tops = [...line.querySelectorAll('.prose > p')].map(p => p.getClientRects()[0].top);
                return [line.querySelector('strong')?.textContent, line.querySelector('em')?.textContent,
                    line.querySelectorAll('math').length, tops.length, /integers\\.\\s*They cost/.test(line.innerText)];";
            assert_eq!(page.run(script, vec![]).await?, json!(["token ids", "eight bytes", 1, 2, true]), "{name}");
            page.css(".document li").await?;
            // A picture that is not there has its place and its name.
            page.reads(".document .image", "images/batch.png").await?;
            // A source, with what is known of it on demand.
            let link = page.css(".document .reference a").await?;
            assert_eq!(link.attr("href").await?.as_deref(), Some("https://example.org/batches"));
            assert_eq!(link.text().await?, "A note on batches");
            assert!(!page.text(".document").await?.contains("A. Author"));
            page.run("document.querySelector('.reference details').open = true;", vec![]).await?;
            page.reads(".document .reference", "A. Author, B. Author, 2024-05-01").await?;
            page.reads(".document .reference", "What a batch costs").await?;
            // A link into the code is called after the function, and goes there.
            page.click(".document .reference:has(button)", "cost").await?;
            page.until("the code of cost", async || {
                let script = "const row = [...document.querySelectorAll('[data-line=\"19\"]')].find(it => it.checkVisibility());
                    const top = row?.getBoundingClientRect().top; return top !== undefined && top >= 0 && top < innerHeight;";
                Ok((page.run(script, vec![]).await? == true).then_some(()))
            })
            .await?;
            // Every kind of value.
            page.run("document.querySelectorAll('.document details').forEach(it => it.open = true);", vec![]).await?;
            for text in ["nan", "lo w", "ab", "True", "batch", "512"] {
                page.reads(".document", text).await?;
            }
            // Stepping ends at the last line, and comes back.
            page.click(".lecture-stepper", "Step").await?;
            for _ in 0..30 {
                page.press("l").await?;
            }
            page.reads(".variables", "batch").await?;
            let next = page.named(".lecture-stepper", "button", "Next line").await?;
            assert!(!page.is_enabled(&next).await?, "{name}");
            page.press("s").await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn pictures_come_from_beside_the_trace() -> Result<()> {
    check("recorded_pictures", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='90'><rect width='900' height='90'/></svg>";
        let trace = case(CASES[0])?.replace("batch.png", "batch.svg");
        // With it, and after it.
        give_all(page, "drop", json!([["trace.json", trace], ["batch.svg", picture]])).await?;
        let width = "const img = document.querySelector('.document img'); img?.scrollIntoView(); return img?.complete && img.naturalWidth > 0 ? img.width : null;";
        page.until("the picture with its trace", async || Ok((page.run(width, vec![]).await? == 320).then_some(()))).await?;
        give(page, "drop", "again.json", &trace).await?;
        page.reads(".document .image", "batch.svg").await?;
        give(page, "drop", "batch.svg", picture).await?;
        page.until("the picture after its trace", async || Ok((page.run(width, vec![]).await? == 320).then_some(()))).await?;
        // Styles are those of the list alone.
        let hostile = case(CASES[0])?.replace(
            "\"width\": 320",
            "\"width\": \"9000%\", \"position\": \"fixed\", \"background\": \"red\", \"inset\": 0",
        );
        give_all(page, "drop", json!([["hostile.json", hostile.replace("batch.png", "batch.svg")], ["batch.svg", picture]])).await?;
        page.css(".document img").await?;
        assert_eq!(style(page, ".document img", "position").await?, "static");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn another_host_is_asked_for_nothing_before_the_reader_says_so() -> Result<()> {
    let (there, calls) = elsewhere(case(CASES[1])?)?;
    let asked = format!("?trace={}", there.replace(':', "%3A").replace('/', "%2F"));
    check("recorded_stranger", Options::default(), async |page| {
        page.lecture("resource-accounting", &asked).await?;
        let origin = there.trim_end_matches("/trace.json");
        page.reads(".stranger", origin).await?;
        page.reads("h1", "Resource accounting").await?;
        page.click(".stranger", "Stay with this one").await?;
        assert_eq!(calls.load(Ordering::Relaxed), 0, "it was asked");
        page.until("the address without it", async || {
            Ok((!address(page).await?.contains("trace=")).then_some(()))
        })
        .await?;
        page.lecture("resource-accounting", &asked).await?;
        page.click(".stranger", "Open it").await?;
        page.reads(".document", "Bytes of a batch").await?;
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        // What is typed is the reader's own wish, and what is not allowed is said.
        page.lecture("resource-accounting", "?trace=ftp%3A%2F%2Fexample.org%2Fa.json").await?;
        page.reads(".notices", "not from “ftp://example.org/a.json”").await
    })
    .await
}

/// A lecture of edtrace, and what was recorded of it; one value is not what comes here.
fn recorded() -> Result<String> {
    let mut trace: Value = serde_json::from_str(&case("lecture_edtrace.trace.json")?)?;
    for step in trace["steps"].as_array_mut().into_iter().flatten() {
        if step["env"].get("total").is_some_and(Value::is_object) {
            step["env"]["total"]["contents"] = json!(7);
        }
    }
    Ok(trace.to_string())
}

#[tokio::test]
async fn a_recorded_trace_is_run_here() -> Result<()> {
    check("recorded_run", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(page, "drop", "lecture.json", &recorded()?).await?;
        page.reads(".run-here", "recorded elsewhere").await?;
        page.click(".run-here", "Run it here").await?;
        page.reads(".run-here summary", "1 of").await?;
        page.run("document.querySelector('.run-here details').open = true;", vec![]).await?;
        page.reads(".run-here", "total").await?;
        let text = page.text(".run-here tbody").await?;
        assert!(text.contains('7') && text.contains("1.2e8"), "{text}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_lecture_of_edtrace_runs_in_the_page() -> Result<()> {
    check("recorded_program", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        give(page, "drop", "lecture_edtrace.py", &case("lecture_edtrace.py")?).await?;
        page.reads(".document", "What a small run costs").await?;
        still(page).await?;
        page.reads(".document", "1.2e8").await?;
        page.reads(".document", "y = 22").await?;
        page.reads(".document", "a page starts no processes").await?;
        assert!(!page.text(".document").await?.contains("A secret line"));
        // What is for the speaker is shown when asked for.
        assert!(!page.text(".document").await?.contains("For the speaker alone"));
        page.press("n").await?;
        page.reads(".document", "For the speaker alone").await
    })
    .await
}
