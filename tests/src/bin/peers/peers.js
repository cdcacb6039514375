// Other libraries, measured in the page as Napkin's hooks measure it: warm, in samples that are long enough for the clock.
import { batch, fill, PARAMETERS } from "./models.js";

const now = () => performance.now();

// Milliseconds of a run in each of so many samples. `run(count)` begins so many and waits for them.
const sampled = async (run, samples, sampleMs) => {
    await run(1);
    // As many as a sample takes; on the way the browser comes to compile for speed.
    let count = 1;
    for (let start = now(); ; start = now()) {
        await run(count);
        if (now() - start >= sampleMs || count >= 8192) break;
        count *= 2;
    }
    const ms = [];
    while (ms.length < samples) {
        const start = now();
        await run(count);
        ms.push((now() - start) / count);
    }
    return ms;
};

const open = async (library, backend) => (await import(`./${library}.js`)).open(backend);

// A product of two n × n matrices: samples of its milliseconds, and the product.
window.product = async (library, backend, n) => {
    const { product } = await open(library, backend);
    const { run, read } = await product(n, fill(n * n, 1), fill(n * n, 2));
    const ms = await sampled(run, 9, 60);
    return { ms, values: Array.from(await read()) };
};

// Training steps of a model: samples of their milliseconds, and the losses of the first ones.
window.training = async (library, backend, model) => {
    const { training } = await open(library, backend);
    const parameters = PARAMETERS[model].map(([rows, columns], index) => {
        if (columns) return { shape: [rows, columns], values: fill(rows * columns, index + 1).map(x => x / 8) };
        return { shape: [Math.abs(rows)], values: new Float32Array(Math.abs(rows)).fill(rows < 0 ? 1 : 0) };
    });
    const steps = await training(model, parameters, batch(model));
    const values = [];
    while (values.length < 10) values.push(await steps(1));
    return { ms: await sampled(steps, 9, 250), values };
};

window.isReady = true;
