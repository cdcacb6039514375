// The models and their batches, on the numbers that the compute worker's `steps.rs` says.

export const [WIDTH, HEADS, CONTEXT, SEQUENCES, VOCABULARY] = [64, 4, 64, 8, 65];

// mulberry32 to [-1, 1): by Tommy Ettinger (2017, public domain).
export const fill = (count, seed) => {
    let state = seed >>> 0;
    return Float32Array.from({ length: count }, () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return (((t ^ (t >>> 14)) >>> 0) / 4294967296) * 2 - 1;
    });
};

// Shapes in PyTorch's order: [rows, columns] of a matrix, [n] of a bias and [-n] of a norm's weight.
const D = WIDTH;
const block = [[-D], [D], [3 * D, D], [3 * D], [D, D], [D], [-D], [D], [4 * D, D], [4 * D], [D, 4 * D], [D]];
export const PARAMETERS = {
    linear: [[D, D], [D, D], [D, 1]],
    mlp: [[4 * D, D], [4 * D], [D, 4 * D], [D]],
    gpt: [[VOCABULARY, D], [CONTEXT, D], ...block, ...block, [-D], [D]],
};

// Inputs and targets; the GPT's are tokens.
export const batch = model => {
    if (model !== "gpt") {
        const columns = model === "linear" ? 1 : D;
        return { x: fill(64 * D, 101), y: fill(64 * columns, 102), shapes: [[64, D], [64, columns]] };
    }
    const tokens = seed => {
        const draws = fill(SEQUENCES * CONTEXT, seed);
        return Int32Array.from(draws, x => Math.floor(((x + 1) / 2) * VOCABULARY));
    };
    return { x: tokens(101), y: tokens(102) };
};

// A layer's weight as it is multiplied from the right: PyTorch keeps (out, in).
export const transposed = ({ shape: [rows, columns], values }) => {
    const turned = values.map((_, at) => values[(at % rows) * columns + Math.floor(at / rows)]);
    return { shape: [columns, rows], values: turned };
};

// A row for each token, 1 at the token and 0 elsewhere.
export const oneHot = tokens => {
    const rows = new Float32Array(tokens.length * VOCABULARY);
    tokens.forEach((token, row) => { rows[row * VOCABULARY + token] = 1; });
    return rows;
};

// Whether a layer's weight is at that place: embeddings, and the deep linear model's, lie as they are multiplied.
export const isLayer = (model, index, { shape }) =>
    shape.length === 2 && (model === "mlp" || (model === "gpt" && index >= 2));

export const ADAM = { rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
export const SGD_RATE = 0.01;
