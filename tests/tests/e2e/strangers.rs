//! A lecture from a stranger, opened from disk: nothing of it becomes a script, nothing leaves, nothing is read.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use napkin_tests::page::SETTLED;
use napkin_tests::{Options, check};
use serde_json::{Value, json};
use thirtyfour::By;

use crate::lecture::still;
use crate::traces::give;

/// A server that hears whether anybody calls.
fn ear() -> Result<(String, Arc<AtomicUsize>)> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = format!("http://{}/", listener.local_addr()?);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    Ok((address, calls))
}

/// What would run a script or call, wherever it became markup.
fn payload(ear: &str) -> String {
    format!(
        "</style></script></title></textarea>\"'><script>hit()</script><img src=x onerror=hit()><img src={ear}a.png>\
         <svg onload=hit()><iframe srcdoc='<script>parent.hit()</script>'></iframe><style>@import '{ear}a.css';</style>\
         [link](javascript:hit()) ![image]({ear}b.png) $\\href{{javascript:hit()}}{{x}}$"
    )
}

/// A trace that has it everywhere.
fn hostile(ear: &str) -> Value {
    let bad = payload(ear);
    let file = format!("{bad}.py");
    let text = format!(
        "\"\"\"{bad}\"\"\"\ndef main():\n    \"\"\"{bad}\"\"\"\n    cell()\ndef cell():\n    \"\"\"{bad}\"\"\"\n    n = 1\n    m = 2\n# {bad}\n"
    );
    let place = |function: &str, line: u32| json!({"path": file, "line_number": line, "function_name": function, "code": bad});
    let attributes = json!({"onclick": "hit()", "style": format!("background: url({ear}c.png)"), "href": "javascript:hit()",
        "src": format!("{ear}d.png"), "srcdoc": bad, "class": "whole", "id": "reader"});
    let names = [
        "script",
        "img",
        "iframe",
        "style",
        "link",
        "base",
        "form",
        "object",
        "svg",
        "a",
        "p",
        "math",
        "mtext",
        "annotation-xml",
    ];
    let tree: Vec<Value> = names.iter().map(|name| json!([name, attributes, bad])).collect();
    let prepared = json!({"title": bad, "cell": format!("../{bad}"), "query": {&bad: bad}, "figures": [{"title": bad, "short": bad, "exact": bad}],
        "steps": [{"title": bad, "math": tree, "given": [bad], "sources": [tree]}], "remarks": [bad], "command": bad, "error": bad});
    let addresses = [
        "javascript:hit()",
        " javascript:hit()",
        "JaVaScRiPt:hit()",
        "data:text/html,<script>hit()</script>",
        &format!("{ear}e.png"),
        &bad,
    ];
    let mut renderings: Vec<Value> = addresses
        .iter()
        .map(|address| json!({"type": "image", "data": address, "style": {"background": format!("url({ear}f.png)"), &bad: bad},
            "external_link": {"url": address, "title": bad, "authors": [bad], "organization": bad, "date": bad, "description": bad, "notes": bad},
            "internal_link": {"path": bad, "line_number": 1}}))
        .collect();
    let data = [
        ("markdown", json!(bad)),
        ("card", json!({"head": bad, "text": bad, "choices": [{"text": bad, "why": bad}]})),
        (
            "lines",
            json!({"title": bad, "xlabel": bad, "ylabel": bad, "series": [{"name": bad, "points": [[0, 1], [1, 2]]}]}),
        ),
        ("table", json!({"columns": [bad], "rows": [[bad]]})),
        ("histogram", json!({"title": bad, "counts": [1, 2], "edges": [0.0, 1.0, 2.0]})),
        ("calculator", json!({"which": bad, "options": {&bad: bad}})),
        ("count", json!({"which": bad, "options": {&bad: bad}})),
        ("bits", json!({"dtype": bad, "value": 1.0})),
        (
            "heat",
            json!({"tensor": {"type": bad, "shape": [1], "contents": [bad], "dtype": bad, "device": bad}}),
        ),
        ("link", json!(bad)),
        (bad.as_str(), json!({&bad: bad})),
    ];
    let prose = std::iter::once(json!("")).chain(tree.iter().cloned()).collect::<Vec<_>>();
    for (kind, data) in &data {
        renderings.push(json!({"type": kind, "data": data}));
        renderings.push(json!({"type": kind, "data": data, "prepared": prepared}));
        renderings.push(json!({"type": kind, "data": data, "prepared": prose}));
    }
    let value = json!({"type": bad, "contents": bad, "dtype": bad, "device": bad});
    let env = json!({&bad: value, "n": {"type": "int", "contents": 1}, "d": {"type": "dict", "contents": {&bad: value}}});
    let outer = [place("<module>", 2), place("main", 4)];
    let step = |line: u32| json!({"stack": [outer[0], outer[1], place("cell", line)], "env": env, "renderings": renderings, "stdout": bad, "stderr": bad});
    json!({"files": {&file: text}, "steps": [{"stack": [outer[0]]}, {"stack": outer}, step(7), step(8), {"stack": [place(&bad, 1)]}],
        "sliders": {&file: [{"line_number": 7, "function_name": "cell", "name": bad, "value": "1", "min": 0, "max": 2, "step": null}]},
        "predictions": {&file: [{"line_number": 8, "function_name": "cell", "name": "n", "question": bad, "choices": [bad, "1"]}]},
        "warnings": [bad], "failure": bad})
}

/// Everything that can be seen of a trace in both modes, and what of it is in the page that should not be.
const FOUND: &str = "
    const press = (key, more) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, ...more}));
    const bad = [];
    const look = () => {
        document.querySelectorAll('details').forEach(it => it.open = true);
        for (const place of document.querySelectorAll('main, .palette, .announcer, #open-message')) {
            for (const it of place.querySelectorAll('*')) {
                const name = it.localName;
                if (['script', 'img', 'iframe', 'style', 'link', 'base', 'object', 'embed', 'image', 'use'].includes(name)) bad.push(name);
                for (const {name: attribute, value} of it.attributes) {
                    if (/^on|srcdoc/.test(attribute)) bad.push(name + ' ' + attribute);
                    if (attribute === 'style' && /url|import/.test(value)) bad.push(value);
                    if (['src', 'href', 'action', 'xlink:href'].includes(attribute) && !/^([?#]|https?:)/i.test(value)) bad.push(value);
                }
            }
        }
    };
    const where = () => document.querySelector('.where').textContent;
    // To read: all of it, in every way that it is shown; to step: each of its lines.
    let lines = 0;
    for (const keys of ['', 'r', 'r', 'e', 'e', 'n']) {
        for (const key of keys) press(key);
        await settled();
        look();
        press('s');
        await settled();
        for (let line = 0; line < 6; line++) { press('h'); await settled(); }
        for (let before; before !== where(); lines++) {
            before = where();
            look();
            press('i');
            await settled();
            look();
            press('u');
            press('l');
            await settled();
        }
        press('s');
        await settled();
    }
    document.querySelectorAll('button[data-guess], .show-answer').forEach(it => it.click());
    await settled();
    look();
    document.querySelectorAll('.cell-tools button[data-format=md], .drawings button').forEach(it => it.click());
    await settled();
    look();
    dispatchEvent(new Event('beforeprint'));
    press('/');
    await settled();
    const search = document.querySelector('#search');
    search.value = 'hit';
    search.dispatchEvent(new Event('input', {bubbles: true}));
    await settled();
    const hitsFound = document.querySelectorAll('#hits li').length;
    look();
    document.querySelector('.palette').close();
    await new Promise(done => setTimeout(done, 500));
    const called = performance.getEntriesByType('resource').map(it => it.name).filter(it => !it.startsWith(location.origin));
    return {bad: [...new Set(bad)], hits, called, lines, hitsFound};";

#[tokio::test]
async fn nothing_of_a_strangers_trace_becomes_markup() -> Result<()> {
    let (address, calls) = ear()?;
    check("stranger_markup", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        page.run("globalThis.hits = 0; globalThis.hit = () => hits++; globalThis.alert = hit;", vec![])
            .await?;
        give(page, "file", &format!("{}.json", payload(&address)), "{").await?;
        page.reads(".notices", "ends in the middle").await?;
        give(page, "file", "stranger.json", &hostile(&address).to_string()).await?;
        page.until("the stranger's lecture", async || {
            let other = "return !document.querySelector('h1').textContent.startsWith('Resource');";
            Ok((page.run(other, vec![]).await? == true).then_some(()))
        })
        .await?;
        let found = page.run_async(&format!("{SETTLED}{FOUND}"), vec![]).await?;
        assert_eq!(found["bad"], json!([]));
        assert_eq!(found["hits"], 0);
        assert_eq!(found["called"], json!([]));
        assert!(found["lines"].as_u64() > Some(6) && found["hitsFound"].as_u64() >= Some(1), "{found}");
        Ok(())
    })
    .await?;
    assert_eq!(calls.load(Ordering::Relaxed), 0, "somebody has called");
    Ok(())
}

/// What a stranger's program tries; each says how it ended.
const ATTEMPTS: &str = r#"
open("/etc/passwd").read()
open("/proc/self/environ").read()
open("../../../../etc/hosts").read()
import os; os.listdir("/etc")[0]
import os; os.system("id")
import os; os.popen("id")
import os; os.fork()
import os; os.execv("/bin/sh", [])
import js
import browser
__import__("_js")
__import__("_browser")
import importlib; importlib.import_module("js")
import socket; socket.create_connection(("127.0.0.1", PORT))
import urllib.request; urllib.request.urlopen("http://127.0.0.1:PORT/urllib")
import http.client; http.client.HTTPConnection("127.0.0.1", PORT).request("GET", "/")
import requests; requests.get("http://127.0.0.1:PORT/requests")
import subprocess; subprocess.run(["id"])
import ctypes; ctypes.CDLL(None)
import mmap; mmap.mmap(-1, 10)
fetch("http://127.0.0.1:PORT/fetch")
localStorage.getItem("secret")
window.localStorage
document.cookie
XMLHttpRequest()
eval("localStorage")
exec("import js")
__builtins__.localStorage
import sys; [sys.modules[name] for name in ("js", "_js", "browser", "_browser", "pyodide")][0]
import sys; sys.stdout.window
[it for it in ().__class__.__base__.__subclasses__() if it.__name__ in ("JSValue", "JSClosure", "Promise", "Document", "Window")][0]
import torch; torch.load("http://127.0.0.1:PORT/model.pt")
import torch; torch.hub.load("pytorch/vision", "resnet18")
import numpy; numpy.memmap("/etc/passwd", dtype="uint8", mode="r")
"#;

#[tokio::test]
async fn a_strangers_program_reaches_nothing() -> Result<()> {
    let (address, calls) = ear()?;
    let port = address.trim_end_matches('/').rsplit(':').next().context("no port")?;
    let attempts: Vec<String> =
        ATTEMPTS.lines().filter(|line| !line.is_empty()).map(|line| line.replace("PORT", port)).collect();
    let program = format!(
        "for attempt in {}:\n    try:\n        exec(attempt, {{}})\n        print('REACHED', attempt)\n    except BaseException as error:\n        print(type(error).__name__, '|', attempt)\n",
        json!(attempts)
    );
    let trace = json!({"files": {"stranger.py": program}, "steps": [
        {"stack": [{"path": "stranger.py", "line_number": 1, "function_name": "<module>", "code": ""}]}]});
    check("stranger_program", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        page.run("localStorage.setItem('secret', 'sesame');", vec![]).await?;
        give(page, "file", "stranger.json", &trace.to_string()).await?;
        page.reads("h1", "stranger.py").await?;
        page.click(".cell-tools", "Run").await?;
        still(page).await?;
        // It is read whole, or stepped to its end.
        if page.driver().find_all(By::Css(".lecture.is-stepping")).await?.is_empty() {
            page.css(".output").await?;
        } else {
            page.click(".lecture-stepper", "Read").await?;
        }
        let script =
            "return [...document.querySelectorAll('.output')].map(it => it.textContent).join('\\n');";
        let said = page.run(script, vec![]).await?;
        let said = said.as_str().context("nothing was written")?;
        assert!(!said.contains("REACHED") && !said.contains("sesame"), "{said}");
        assert_eq!(said.lines().count(), attempts.len(), "{said}");
        let refused = [
            "ModuleNotFoundError",
            "ImportError",
            "NameError",
            "FileNotFoundError",
            "AttributeError",
            "KeyError",
            "IndexError",
            "OSError",
            "URLError",
            "gaierror",
            "ConnectionError",
            "PermissionError",
            "NotADirectoryError",
            "RuntimeError",
            "NotImplementedError",
        ];
        for line in said.lines() {
            assert!(refused.iter().any(|error| line.starts_with(&format!("{error} |"))), "{line}");
        }
        Ok(())
    })
    .await?;
    assert_eq!(calls.load(Ordering::Relaxed), 0, "somebody has called");
    Ok(())
}
