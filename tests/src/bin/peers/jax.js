// jax-js on its devices "wasm" and "webgpu". Its functions take what they are given; `ref` keeps it for another use.
import { ADAM, CONTEXT, HEADS, isLayer, oneHot, SEQUENCES, SGD_RATE, transposed, VOCABULARY, WIDTH } from "./models.js";

let jax, np, nn;

export const open = async (backend) => {
    jax = await import("./jax/index.js");
    [np, nn] = [jax.numpy, jax.nn];
    await jax.init(backend);
    jax.defaultDevice(backend);
    return { product, training };
};

const array = ({ shape, values }) => np.array(values, { shape });

const product = async (n, a, b) => {
    const [x, y] = [a, b].map(values => array({ shape: [n, n], values }));
    await jax.blockUntilReady([x, y]);
    let last;
    const run = async (count) => {
        // Arrays are lazy, and one that is disposed of early is never computed.
        for (let left = count; left > 0; left -= 64) {
            const products = Array.from({ length: Math.min(64, left) }, () => np.matmul(x.ref, y.ref));
            await jax.blockUntilReady(products);
            last?.dispose();
            last = products.pop();
            products.forEach(product => product.dispose());
        }
    };
    return { run, read: () => last.ref.data() };
};

const training = async (model, parameters, { x, y, shapes }) => {
    const weights = parameters.map((parameter, index) =>
        array(isLayer(model, index, parameter) ? transposed(parameter) : parameter));
    const zeros = () => parameters.map((_, index) => np.zerosLike(weights[index].ref));
    const data = shapes
        ? [array({ shape: shapes[0], values: x }), array({ shape: shapes[1], values: y })]
        : [x, y].map(tokens => array({ shape: [tokens.length, VOCABULARY], values: oneHot(tokens) }));
    const isAdam = model !== "linear";
    let state = isAdam ? [weights, zeros(), zeros()] : [weights];
    const step = jax.jit((state, x, y, bias1, bias2) => {
        const [loss, gradients] = jax.valueAndGrad(losses[model])(jax.tree.ref(state[0]), x, y);
        if (!isAdam) return [loss, [state[0].map((w, at) => w.sub(gradients[at].mul(SGD_RATE)))]];
        const { rate, beta1, beta2, epsilon } = ADAM;
        const [means, squares] = [
            state[1].map((m, at) => m.mul(beta1).add(gradients[at].ref.mul(1 - beta1))),
            state[2].map((v, at) => v.mul(beta2).add(np.square(gradients[at]).mul(1 - beta2))),
        ];
        const moved = state[0].map((w, at) => {
            const root = np.sqrt(squares[at].ref.div(bias2.ref)).add(epsilon);
            return w.sub(means[at].ref.div(bias1.ref).div(root).mul(rate));
        });
        bias1.dispose();
        bias2.dispose();
        return [loss, [moved, means, squares]];
    });
    let taken = 0;
    return async (count) => {
        const all = [];
        for (let i = 0; i < count; i++) {
            taken += 1;
            const corrections = [ADAM.beta1, ADAM.beta2].map(beta => np.array(1 - beta ** taken));
            const [loss, next] = step(state, ...jax.tree.ref(data), ...corrections);
            all.push(loss);
            state = next;
        }
        await jax.blockUntilReady(state);
        const last = all.pop();
        all.forEach(loss => loss.dispose());
        return (await last.data())[0];
    };
};

const linear = (x, weight, bias) => np.matmul(x, weight).add(bias);
const squaredError = (x, y) => np.mean(np.square(x.sub(y)));
const norm = (x, weight, bias) => nn.standardize(x).mul(weight).add(bias);

const losses = {
    linear: (weights, x, y) => squaredError(weights.reduce((x, w) => np.matmul(x, w), x), y),
    mlp: ([w1, b1, w2, b2], x, y) => squaredError(linear(nn.relu(linear(x, w1, b1)), w2, b2), y),
    gpt: ([wte, wpe, ...rest], x, y) => {
        const split = part => part.reshape([SEQUENCES, CONTEXT, HEADS, WIDTH / HEADS]);
        const attention = (x, [w, b, projection, bias]) => {
            const [q, k, v] = np.split(linear(x, w, b), 3, 1).map(split);
            const seen = nn.dotProductAttention(q, k, v, { isCausal: true });
            return linear(seen.reshape([SEQUENCES * CONTEXT, WIDTH]), projection, bias);
        };
        const tokens = np.matmul(x, wte.ref).reshape([SEQUENCES, CONTEXT, WIDTH]);
        let h = tokens.add(wpe).reshape([SEQUENCES * CONTEXT, WIDTH]);
        for (let at = 0; at < 24; at += 12) {
            const [w1, b1, ...others] = rest.slice(at, at + 12);
            h = h.ref.add(attention(norm(h, w1, b1), others.slice(0, 4)));
            const [w2, b2, up, upBias, down, downBias] = others.slice(4);
            h = h.ref.add(linear(nn.gelu(linear(norm(h, w2, b2), up, upBias)), down, downBias));
        }
        const logits = np.matmul(norm(h, ...rest.slice(24)), np.transpose(wte));
        return np.sum(nn.logSoftmax(logits).mul(y)).mul(-1 / (SEQUENCES * CONTEXT));
    },
};
