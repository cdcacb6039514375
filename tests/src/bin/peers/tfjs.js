// TensorFlow.js on its backends "wasm" (XNNPACK, one thread) and "webgpu".
import { ADAM, CONTEXT, HEADS, isLayer, oneHot, SEQUENCES, SGD_RATE, transposed, VOCABULARY, WIDTH } from "./models.js";

const script = (source) => new Promise((resolve, reject) => {
    const element = document.createElement("script");
    [element.src, element.onload] = [source, resolve];
    element.onerror = () => reject(new Error(`cannot load ${source}`));
    document.head.append(element);
});

export const open = async (backend) => {
    await script("tfjs/tf.min.js");
    await script(`tfjs-backend-${backend}/tf-backend-${backend}.min.js`);
    if (backend === "wasm") tf.wasm.setWasmPaths("tfjs-backend-wasm/");
    if (!(await tf.setBackend(backend))) throw new Error(`TensorFlow.js refuses its backend ${backend}`);
    await tf.ready();
    return { product, training };
};

const product = async (n, a, b) => {
    const [x, y] = [tf.tensor2d(a, [n, n]), tf.tensor2d(b, [n, n])];
    let last;
    const run = async (count) => {
        for (let i = 0; i < count; i++) {
            last?.dispose();
            last = tf.matMul(x, y);
        }
        const gpu = tf.backend();
        // It submits some fifteen kernels at a time; the rest are handed over here.
        if (gpu.commandEncoder) {
            gpu.endComputePassEncoder();
            gpu.submitQueue();
        }
        await gpu.device?.queue.onSubmittedWorkDone();
    };
    return { run, read: () => last.data() };
};

const training = async (model, parameters, { x, y, shapes }) => {
    const variables = parameters.map((parameter, index) => {
        const { shape, values } = isLayer(model, index, parameter) ? transposed(parameter) : parameter;
        return tf.variable(tf.tensor(values, shape));
    });
    const tensors = shapes
        ? [tf.tensor(x, shapes[0]), tf.tensor(y, shapes[1])]
        : [x, y].map(tokens => tf.tensor2d(oneHot(tokens), [tokens.length, VOCABULARY]));
    const loss = losses[model](variables, ...tensors);
    const { rate, beta1, beta2, epsilon } = ADAM;
    const optimizer = model === "linear" ? tf.train.sgd(SGD_RATE) : tf.train.adam(rate, beta1, beta2, epsilon);
    return async (count) => {
        let last;
        for (let i = 0; i < count; i++) {
            last?.dispose();
            last = optimizer.minimize(loss, true, variables);
        }
        const [value] = await last.data();
        last.dispose();
        return value;
    };
};

const linear = (a, b, bias, activation = "linear") => tf.fused.matMul({ a, b, bias, activation });
const norm = (x, weight, bias) => {
    const { mean, variance } = tf.moments(x, -1, true);
    return x.sub(mean).mul(variance.add(1e-5).rsqrt()).mul(weight).add(bias);
};
const gelu = x => x.mul(0.5).mul(x.mul(x).mul(x).mul(0.044715).add(x).mul(Math.sqrt(2 / Math.PI)).tanh().add(1));

const losses = {
    linear: (weights, x, y) => () => tf.losses.meanSquaredError(y, weights.reduce((x, w) => tf.matMul(x, w), x)),
    mlp: ([w1, b1, w2, b2], x, y) => () => tf.losses.meanSquaredError(y, linear(linear(x, w1, b1, "relu"), w2, b2)),
    gpt: ([wte, wpe, ...rest], x, y) => {
        const inner = WIDTH / HEADS;
        const future = tf.linalg.bandPart(tf.ones([CONTEXT, CONTEXT]), -1, 0).sub(1).mul(1e9);
        const split = part => part.reshape([SEQUENCES, CONTEXT, HEADS, inner]).transpose([0, 2, 1, 3]);
        const attention = (x, [w, b, projection, bias]) => {
            const [q, k, v] = tf.split(linear(x, w, b), 3, 1).map(split);
            const scores = tf.matMul(q, k, false, true).mul(1 / Math.sqrt(inner)).add(future);
            const seen = tf.matMul(tf.softmax(scores), v).transpose([0, 2, 1, 3]);
            return linear(seen.reshape([SEQUENCES * CONTEXT, WIDTH]), projection, bias);
        };
        return () => {
            const tokens = tf.matMul(x, wte).reshape([SEQUENCES, CONTEXT, WIDTH]);
            let h = tokens.add(wpe).reshape([SEQUENCES * CONTEXT, WIDTH]);
            for (let at = 0; at < 24; at += 12) {
                const [w1, b1, ...others] = rest.slice(at, at + 12);
                h = h.add(attention(norm(h, w1, b1), others.slice(0, 4)));
                const [w2, b2, up, upBias, down, downBias] = others.slice(4);
                h = h.add(linear(gelu(linear(norm(h, w2, b2), up, upBias)), down, downBias));
            }
            const logits = tf.matMul(norm(h, ...rest.slice(24)), wte, false, true);
            return tf.losses.softmaxCrossEntropy(y, logits);
        };
    },
};
