// What is asked of both Pythons: a program each that runs some statements twice and prints how many a second.
const programs = {
    "a loop over integers": ["x = i = 0\n    while i < 200_000:\n        x = x + i\n        y = x % 7\n        i = i + 1", 800_000],
    "calls of a function": ["x = 0\n    for i in range(100_000):\n        x = add(x, i)", 400_000],
    "objects, a list and a dict": ["known, all = {}, []\n    for i in range(40_000):\n        point = Point(i)\n        known[i & 255] = point\n        all.append(point.x)\n        last = all[-1]", 240_000],
};
const python = ([body, statements]) => `import time
def add(a, b):
    c = a + b
    return c
class Point:
    def __init__(self, x):
        self.x = x
def main():
    ${body}
main()
start = time.perf_counter()
main()
print(${statements} / (time.perf_counter() - start))`;
const LINES = 3000;
const work = `def work():
    total, known = 0, {}
    for i in range(600):
        square = i * i
        total = total + square
        known[i % 7] = total
        half = total / 2
`;
// The same in Pyodide: a trace function in Python that keeps what has changed.
const tracer = `${work}
import sys, time
steps, known = [], {}
def trace(frame, event, arg):
    if frame.f_code.co_name != 'work':
        return None
    if event == 'line':
        now = {name: repr(value) for name, value in frame.f_locals.items()}
        steps.append((frame.f_lineno, {name: text for name, text in now.items() if known.get(name) != text}))
        known.update(now)
    return trace
start = time.perf_counter()
sys.settrace(trace)
work()
sys.settrace(None)
print(${LINES} / (time.perf_counter() - start))`;
const traced = `${work}
import time
start = time.perf_counter()
work()
print(${LINES} / (time.perf_counter() - start))`;
// Microseconds of an operation on a small tensor, and the milliseconds until what is not compiled in has been imported.
const operation = `import torch, time
def add(x, y):
    for _ in range(20_000):
        x + y
def nothing(x, y):
    for _ in range(20_000):
        x
def secs(run):
    start = time.perf_counter()
    run(torch.ones(4), torch.ones(4))
    return time.perf_counter() - start
print((min(secs(add) for _ in range(5)) - min(secs(nothing) for _ in range(5))) / 20_000 * 1e6)`;
const imports = `import time
start = time.perf_counter()
import dataclasses, typing, argparse
print((time.perf_counter() - start) * 1e3)`;

const measure = async (begin, ask) => {
    const start = performance.now();
    await begin();
    const ready = performance.now() - start;
    await ask("print(1)");
    const first = performance.now() - start;
    const rates = {};
    for (const [name, program] of Object.entries(programs)) rates[name] = Number(await ask(python(program)));
    return { ready, first, rates };
};

const ours = async () => {
    const worker = new Worker("python-start.js", { type: "module" });
    let answer, id = 0;
    worker.onmessage = ({ data }) => {
        const [text, bytes] = Array.isArray(data) ? data : [data];
        const [[kind, event]] = Object.entries(JSON.parse(text).event);
        if (kind === "File") answer(new TextDecoder().decode(bytes));
        if (["Ready", "Done", "Failed", "Crashed"].includes(kind)) answer(event.trace?.failure ?? event);
    };
    const answered = () => new Promise(resolve => { answer = resolve; });
    const command = (command) => {
        const answer = answered();
        worker.postMessage(JSON.stringify({ id: ++id, command }));
        return answer;
    };
    // Steps hold what they write, but after the first 20,000 there are none: so it goes into a file.
    const ask = async (text) => {
        const program = `import sys\nsys.stdout = open("out", "w")\n${text}\nsys.stdout.flush()\n`;
        const files = { "main.py": program };
        await command({ Run: { files, main: "main.py", device: "Cpu", most_secs: 60 } });
        return command({ Download: "out" });
    };
    const figures = await measure(answered, ask);
    figures.rates["statements that are written down"] = Number(await ask(traced));
    figures["microseconds of x + y"] = Number(await ask(operation));
    figures["milliseconds of imports"] = Number(await ask(imports));
    worker.terminate();
    return figures;
};

const pyodides = async () => {
    const code = `import { loadPyodide } from ${JSON.stringify(new URL("pyodide.mjs", location.href).href)};
        let python, written = "";
        onmessage = async ({ data }) => {
            if (data === null) python = await loadPyodide({ stdout: line => { written += line; } });
            else { written = ""; python.runPython(data); }
            postMessage(written);
        };`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
    const ask = text => new Promise(resolve => { worker.onmessage = ({ data }) => resolve(data); worker.postMessage(text); });
    const figures = await measure(() => ask(null), ask);
    figures.rates["statements that are written down"] = Number(await ask(tracer));
    worker.terminate();
    return figures;
};
