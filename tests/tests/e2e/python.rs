//! The worker that runs Python, asked directly.

use std::fs;

use anyhow::{Context, Result};
use napkin_tests::{Options, Page, WebGpu, check};
use serde_json::{Value, json};

use crate::changes::edit;
use crate::lecture::{shows, still, value};

/// `start()` a worker, and `ask(request)` one: all that it says until it has answered.
const TALK: &str = "
    const start = (query = '') => new Promise((resolve) => {
        const worker = new Worker(`python-start.js${query}`, {type: 'module'});
        const said = [];
        let hear = resolve;
        worker.onmessage = ({data}) => {
            const [text, bytes] = Array.isArray(data) ? data : [data];
            const {id, event} = JSON.parse(text);
            const [kind, what] = typeof event === 'string' ? [event, true] : Object.entries(event)[0];
            said.push({id, [kind]: what, ...(bytes && {bytes: Array.from(bytes)})});
            if (kind === 'Ready') hear({worker, ready: what});
            if (['Done', 'Cancelled', 'File', 'Failed', 'Crashed'].includes(kind)) hear(said.splice(0));
        };
        worker.onerror = (event) => { event.preventDefault(); hear([{Crashed: event.message}]); };
        worker.ask = (request) => new Promise((answered) => {
            hear = answered;
            said.length = 0;
            worker.postMessage(JSON.stringify(request));
        });
    });
    const run = (text, more = {}, id = 1) => ({id, command: {Run: {files: {'x.py': text}, main: 'x.py', device: 'Cpu',
        most_secs: 60, ...more}}});
    const steps = (said) => said.flatMap((event) => event.Steps ?? []).flatMap((part) => part.New);
    const written = (said) => steps(said).map((step) => step.stdout ?? '').join('');
    const ended = (said) => said.at(-1);
";

/// Runs `script` in a page of the site, which has an icon, so that the browser looks for no other.
async fn talk(page: &Page, script: &str, args: Vec<Value>) -> Result<Value> {
    page.go("index.html").await?;
    page.run_async(&format!("{TALK}{script}"), args).await
}

/// What `programs` write, each in a new interpreter of one worker, or the last line of their tracebacks.
async fn print(page: &Page, programs: &[&str]) -> Result<Vec<String>> {
    let script = "const {worker} = await start();
        const lines = [];
        for (const text of arguments[0]) {
            const said = await worker.ask(run(text));
            const failure = ended(said).Done?.trace.failure;
            lines.push(failure ? failure.trimEnd().split('\\n').at(-1)
                : ended(said).Done ? written(said) : JSON.stringify(ended(said)));
        }
        return lines;";
    Ok(serde_json::from_value(talk(page, script, vec![json!(programs)]).await?)?)
}

#[tokio::test]
async fn programs_print_and_fail_as_python_does() -> Result<()> {
    check("python_prints", Options::default(), async |page| {
        let programs = [
            ("print('hello, world')", "hello, world\n"),
            ("import torch\nprint(torch.arange(6.).view(2, 3).sum(0).tolist())", "[3.0, 5.0, 7.0]\n"),
            ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
            // As 32-bit Python says it.
            ("[0] * 10**10", "OverflowError: cannot fit 'int' into an index-sized integer"),
            ("[0] * 10**9", "MemoryError"),
            ("def f(n): return f(n + 1)\nf(0)", "RecursionError: maximum recursion depth exceeded"),
            ("x = [1,\n", "SyntaxError: '[' was never closed"),
            (
                "import time\nstart = time.perf_counter()\ntime.sleep(0.05)\n\
                 print(0.05 <= time.perf_counter() - start < 5, time.time() > 1.7e9, time.time_ns() > 1.7e18, \
                 time.monotonic() <= time.monotonic())",
                "True True True True\n",
            ),
            ("import random\nrandom.seed(1)\nprint(random.random(), random.Random().random() < 1)", "0.13436424411240122 True\n"),
            ("import torch\nprint(torch.cuda.is_available())", "False\n"),
        ];
        let got = print(page, &programs.map(|(program, _)| program)).await?;
        for ((program, wanted), got) in programs.iter().zip(&got) {
            assert!(got.starts_with(wanted), "{program}\nwrites {got}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_no_lecture_imports_is_fetched_when_a_program_does() -> Result<()> {
    check("python_library", Options::default(), async |page| {
        let files = include_str!("../../../python/fetched.txt").lines();
        let names = files.map(|file| file.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', "."));
        let names: Vec<_> = names.collect();
        let all = format!(
            "import sys\nprint([name for name in {names:?} if name in sys.modules])\n\
             for name in {names:?}: __import__(name)\n\
             import argparse, dataclasses, datetime, difflib, typing\n\
             @dataclasses.dataclass\nclass Point:\n    x: int\n    y: int = 2\n\
             print(Point(1), typing.get_type_hints(Point), argparse.Namespace(lr=0.1))\n\
             print(datetime.date(2024, 2, 29).isoformat(), difflib.get_close_matches('mean', ['median', 'man']))"
        );
        let wanted = "[]\nPoint(x=1, y=2) {'x': <class 'int'>, 'y': <class 'int'>} Namespace(lr=0.1)\n\
                      2024-02-29 ['man', 'median']\n";
        let hidden = "import _napkin\n_napkin.fetched('../index.html')";
        let refused = "ImportError: ../index.html of Python's library cannot be fetched: it is not among the files that can be.";
        let got = print(page, &[&all, hidden]).await?;
        assert_eq!(got[0], wanted);
        assert_eq!(got[1], refused);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn sizes_that_no_machine_has_are_refused() -> Result<()> {
    check("python_sizes", Options::default(), async |page| {
        let sizes = include_str!("../../../python/tests/limits/sizes.py");
        assert_eq!(print(page, &[sizes]).await?, [include_str!("../../../python/tests/limits/sizes.txt")]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn nothing_of_the_browser_can_be_reached() -> Result<()> {
    check("python_alone", Options::default(), async |page| {
        let modules = [
            "js",
            "_js",
            "browser",
            "_browser",
            "pyodide",
            "wasm_bindgen",
            "_ctypes",
            "posix",
            "nt",
            "_posixsubprocess",
        ];
        let import: Vec<String> = modules.iter().map(|name| format!("import {name}")).collect();
        let mut programs: Vec<&str> = import.iter().map(String::as_str).collect();
        programs.extend([
            "fetch('x')",
            "open('/etc/passwd')",
            // What can be imported says at its use that it reaches nothing.
            "import socket\nsocket.create_connection(('127.0.0.1', 9))",
            "import _socket\n_socket.socket().connect(('127.0.0.1', 9))",
            "import ssl\nssl.SSLSocket()",
            "import ctypes\nctypes.CDLL('libc.so.6')",
            "import subprocess\nsubprocess.run(['ls'])",
            "import os\nos.system('ls')",
            "import mmap\nmmap.mmap(-1, 1)",
            "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')",
            "import http.client\nhttp.client.HTTPConnection('127.0.0.1', 9).connect()",
            "import sys\nprint(sorted(sys.builtin_module_names))",
        ]);
        let mut got = print(page, &programs).await?;
        let names = got.pop().context("no names")?;
        for (program, got) in programs.iter().zip(&got) {
            let refused = [
                "ModuleNotFoundError",
                "NameError",
                "FileNotFoundError",
                "OSError",
                "ssl.SSLError",
                "_socket.gaierror",
                "urllib.error.URLError",
            ];
            assert!(refused.iter().any(|error| got.starts_with(error)), "{program}: {got}");
        }
        for name in modules {
            assert!(!names.contains(&format!("'{name}'")), "{name} is in {names}");
        }
        Ok(())
    })
    .await
}

/// Equal but for the last digits of what was summed in another order.
fn agree(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() <= 1e-3 * a.abs().max(b.abs()).max(1e-3)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| agree(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Measured on the machine that runs: names of the lectures that hold a time, or what follows from one.
const MEASURED: [&str; 8] =
    ["seconds", "more", "fp32", "bf16", "bytes_per_second", "flops_per_second", "ridge_here", "faults"];

#[tokio::test]
async fn a_lecture_runs_whole_and_its_trace_is_the_one_that_is_kept() -> Result<()> {
    let folder = xtask::root().join("public/lectures");
    let files = napkin_site::files::files(&folder)?
        .into_iter()
        .filter(|name| name.ends_with(".py"))
        .map(|name| Ok((name.clone(), fs::read_to_string(folder.join(&name))?)))
        .collect::<Result<Vec<_>>>()?;
    for main in ["resource-accounting.py", "arithmetic-intensity.py"] {
        let kept = fs::read_to_string(folder.join(main).with_extension("json"))?;
        let kept: Value = serde_json::from_str(&kept)?;
        check("python_lecture", Options::default(), async |page| {
            let texts: Value = files.iter().map(|(path, text)| (path.clone(), json!(text))).collect();
            let script = "const {worker} = await start();
                const said = await worker.ask(run('', {files: arguments[0], main: arguments[1]}));
                const batches = said.filter((event) => event.Steps).length;
                return {...ended(said).Done, steps: steps(said), batches};";
            let done = talk(page, script, vec![texts, json!(main)]).await?;
            assert_eq!(done["trace"]["failure"], Value::Null, "{done}");
            // The other one may be over before anything is sent.
            if main == "resource-accounting.py" {
                assert!(done["batches"].as_u64() > Some(1), "one batch");
            }
            let ours = done["steps"].as_array().context("no steps")?;
            let theirs = kept["steps"].as_array().context("no steps")?;
            assert_eq!(ours.len(), theirs.len());
            for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                assert_eq!(ours["stack"], theirs["stack"], "step {at}");
                let names = theirs["env"].as_object().context("no env")?;
                for (name, value) in names.iter().filter(|(name, _)| !MEASURED.contains(&name.as_str())) {
                    let got = &ours["env"][name];
                    assert!(agree(got, value), "step {at}, {name}: {got}, kept {value}");
                }
            }
            for part in ["files", "sliders", "predictions"] {
                assert!(agree(&done["trace"][part], &kept[part]), "{part}: {}", done["trace"][part]);
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn python_waits_for_the_gpu() -> Result<()> {
    check("python_gpu", Options::default(), async |page| {
        let program = "import torch\nassert torch.cuda.is_available()\nx = torch.ones(8, 8, device='cuda')\n\
                       y = (x @ x).relu()\nprint(y.sum().item(), y.device, y[0].tolist() == [8.0] * 8)\n";
        let script = "const {worker, ready} = await start();
            const before = performance.now();
            let ticks = 0;
            const timer = setInterval(() => ticks += 1, 1);
            const lines = [];
            for (let turn = 0; turn < 2; turn += 1) lines.push(await worker.ask(run(arguments[0], {device: 'Gpu'})));
            clearInterval(timer);
            return {ready, ticks, said: lines.map(written), ends: lines.map(ended)};";
        let got = talk(page, script, vec![json!(program)]).await?;
        assert_eq!(got["ready"]["has_suspension"], true);
        assert!(got["ready"]["gpu"]["Ok"].is_string(), "{got}");
        for said in got["said"].as_array().context("nothing said")? {
            assert_eq!(said, "512.0 cuda:0 True\n", "{got}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_second_program_takes_the_place_of_the_first() -> Result<()> {
    check("python_newer", Options::default(), async |page| {
        // However long the first one would go on.
        let program = "while True:\n    x = 1\n";
        let script = "const {worker} = await start();
            const first = worker.ask(run(arguments[0]));
            const newer = new Promise(done => setTimeout(done, 50)).then(() => run('print(2)', {}, 2));
            worker.postMessage(JSON.stringify(await newer));
            const cancelled = ended(await first);
            // What ends now is the newer one, which was asked for already.
            const said = await new Promise(done => worker.addEventListener('message', ({data}) => {
                const message = JSON.parse(data);
                if (message.event.Done) done(message);
            }));
            return {cancelled, said: said.id};";
        let got = talk(page, script, vec![json!(program)]).await?;
        assert_eq!(got["cancelled"], json!({"id": 1, "Cancelled": true}));
        assert_eq!(got["said"], 2, "{got}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_a_program_has_done_until_it_is_given_up_is_not_sent_again() -> Result<()> {
    check("python_given_up", Options::default(), async |page| {
        // The first one never comes to its end.
        let program = "def first():\n    for i in range(200):\n        x = i\ndef second():\n    n = 0  # @slider 0 1\n    \
                       while n == 0:\n        pass\nfirst()\nsecond()\n";
        let script = "const {worker} = await start();
            let count = 0;
            worker.addEventListener('message', ({data}) => {
                const {id, event} = JSON.parse(data);
                if (id !== 1 || !event.Steps || count > 100) return;
                count += event.Steps[0].New.length;
                if (count > 100) worker.postMessage(JSON.stringify(run(arguments[0],
                    {settings: {'x.py': {'second.n': '1'}}, has_steps_of: [1, count]}, 2)));
            });
            const first = ended(await worker.ask(run(arguments[0])));
            const said = await new Promise((done) => {
                const said = [];
                worker.addEventListener('message', ({data}) => {
                    const {id, event} = JSON.parse(data);
                    if (id === 2) said.push(event);
                    if (id === 2 && event.Done) done(said);
                });
            });
            const parts = said.flatMap((event) => event.Steps ?? []);
            return {first, same: parts.filter((part) => part.Same).map((part) => part.Same.count),
                fresh: parts.flatMap((part) => part.New ?? []).length};";
        let got = talk(page, script, vec![json!(program)]).await?;
        assert_eq!(got["first"]["Cancelled"], true, "{got}");
        let same: u64 = got["same"].as_array().context("nothing")?.iter().filter_map(Value::as_u64).sum();
        assert!(same > 100, "{got}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn without_suspension_the_cpu_works_and_a_gpu_is_refused() -> Result<()> {
    check("python_alone_on_cpu", Options::default(), async |page| {
        // A worker of a browser that does not have it.
        let script = "const text = `delete WebAssembly.Suspending; delete WebAssembly.promising;
                await import('${new URL('python-start.js', location)}');`;
            const url = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
            const Before = window.Worker;
            window.Worker = class extends Before { constructor(_, options) { super(url, options); } };
            const {worker, ready} = await start();
            const cpu = await worker.ask(run('import torch\\nprint(torch.ones(3).sum().item())'));
            const gpu = await worker.ask(run('', {device: 'Gpu'}));
            return {ready, cpu: written(cpu), gpu: ended(gpu)};";
        let got = talk(page, script, vec![]).await?;
        assert_eq!(got["ready"]["has_suspension"], false);
        assert!(got["ready"]["gpu"]["Err"].as_str().is_some_and(|why| why.contains("suspend")), "{got}");
        assert_eq!(got["cpu"], "3.0\n");
        assert_eq!(got["gpu"]["Failed"], got["ready"]["gpu"]["Err"]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_never_ends_is_stopped_and_what_grows_ends_the_worker_alone() -> Result<()> {
    let options = Options { webgpu: WebGpu::None, ..Options::default() };
    check("python_stopped", options, async |page| {
        let script = "const first = (await start('?device=cpu')).worker;
            const begin = performance.now();
            const endless = ended(await first.ask(run('while True: pass', {most_secs: 0.5})));
            const secs = (performance.now() - begin) / 1000;
            const after = written(await first.ask(run('print(1)')));
            const grown = ended(await first.ask(run('x = []\\nwhile True: x.append(bytearray(1 << 20))')));
            first.terminate();
            const {worker} = await start('?device=cpu');
            const next = written(await worker.ask(run('print(2)')));
            worker.terminate();
            return {endless, secs, after, grown, next};";
        let got = talk(page, script, vec![]).await?;
        let done = &got["endless"]["Done"];
        assert!(done["trace"]["failure"].as_str().is_some_and(|text| text.contains("KeyboardInterrupt")));
        assert!(got["secs"].as_f64().is_some_and(|secs| (0.5..5.0).contains(&secs)), "{got}");
        assert_eq!(got["after"], "1\n");
        let grown = &got["grown"];
        let is_told = grown["Crashed"] == "Python has run out of memory."
            || grown["Done"]["trace"]["failure"].as_str().is_some_and(|text| text.contains("MemoryError"));
        assert!(is_told, "{grown}");
        assert_eq!(got["next"], "2\n");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn files_are_kept_and_handed_over() -> Result<()> {
    check("python_files", Options::default(), async |page| {
        let script = "const {worker} = await start();
            const done = ended(await worker.ask(run('import torch\\ntorch.save({\"a\": 1}, \"run.pt\")\\n'
                + 'open(\"a.txt\", \"w\").write(\"grüße\")'))).Done;
            const file = ended(await worker.ask({id: 3, command: {Download: 'a.txt'}}));
            const again = written(await worker.ask(run('import torch\\nprint(torch.load(\"run.pt\"))')));
            const none = ended(await worker.ask({id: 4, command: {Download: 'b.txt'}}));
            const bad = ended(await worker.ask({Nonsense: 1}));
            return {files: done.files, file, again, none, bad};";
        let got = talk(page, script, vec![]).await?;
        let names: Vec<&Value> =
            got["files"].as_array().context("no files")?.iter().map(|file| &file["path"]).collect();
        assert_eq!(names, ["a.txt", "run.pt"]);
        let file = json!({"id": 3, "File": "a.txt", "bytes": "grüße".as_bytes()});
        assert_eq!(got["file"], file);
        assert_eq!(got["again"], "{'a': 1}\n");
        assert_eq!(got["none"]["id"], 4);
        assert!(got["none"]["Failed"].is_string() && got["bad"]["Failed"].is_string(), "{got}");
        assert_eq!(got["bad"]["id"], Value::Null);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_worker_whose_memory_is_half_used_up_is_replaced_before_it_ends() -> Result<()> {
    check("python_full", Options::default(), async |page| {
        page.lecture("resource-accounting", "").await?;
        let count = "globalThis.started = 0;
            globalThis.Worker = class extends Worker { constructor(...all) { super(...all); started++; } };";
        page.run(count, vec![]).await?;
        let large = "large = __import__('torch').ones(300_000_000).sum().item()  # @inspect large";
        edit(page, "training_time", large).await?;
        shows(page, "training_time", "large", "3e8").await?;
        page.until("another worker", async || {
            Ok((page.run("return started;", vec![]).await?.as_u64() > Some(1)).then_some(()))
        })
        .await?;
        still(page).await?;
        // The next run is that one's, and nothing has failed.
        edit(page, "training_time", "after = 42 + 1  # @inspect after").await?;
        assert!(value(page, "training_time", "after").await?.contains("43"));
        let faults = page.run("return document.querySelectorAll('.fault').length;", vec![]).await?;
        assert_eq!(faults, 0);
        Ok(())
    })
    .await
}
