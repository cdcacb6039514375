// onnxruntime-web on "wasm" (one thread) and "webgpu"; it does not train.

export const open = async (backend) => {
    const ort = await import(`./onnxruntime-web/ort.${backend}.bundle.min.mjs`);
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = "error";
    return { product: (n, a, b) => product(ort, backend, n, a, b) };
};

const product = async (ort, backend, n, a, b) => {
    const onGpu = backend === "webgpu";
    const options = { executionProviders: [backend], ...(onGpu ? { preferredOutputLocation: "gpu-buffer" } : {}) };
    const session = await ort.InferenceSession.create(model(n), options);
    let feeds = { A: new ort.Tensor("float32", a, [n, n]), B: new ort.Tensor("float32", b, [n, n]) };
    let last = (await session.run(feeds)).C;
    const device = onGpu ? await ort.env.webgpu.device : null;
    if (onGpu) {
        // So that no sample sends its inputs again.
        const upload = values => {
            const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
            const buffer = device.createBuffer({ size: values.byteLength, usage });
            device.queue.writeBuffer(buffer, 0, values);
            return ort.Tensor.fromGpuBuffer(buffer, { dataType: "float32", dims: [n, n] });
        };
        feeds = { A: upload(a), B: upload(b) };
    }
    const run = async (count) => {
        for (let i = 0; i < count; i++) {
            last?.dispose?.();
            last = (await session.run(feeds)).C;
        }
        await device?.queue.onSubmittedWorkDone();
    };
    return { run, read: () => (onGpu ? last.getData() : last.data) };
};

// A model of one node, C = MatMul(A, B), of float32 [n, n]: ONNX's protocol buffers, written field by field.
const model = (n) => {
    const varint = value => (value > 127 ? [(value & 127) | 128, ...varint(value >>> 7)] : [value]);
    const number = (field, value) => [...varint(field << 3), ...varint(value)];
    const bytes = (field, content) => [...varint((field << 3) | 2), ...varint(content.length), ...content];
    const text = (field, content) => bytes(field, [...new TextEncoder().encode(content)]);
    const extent = bytes(1, number(1, n));
    const float32 = [...number(1, 1), ...bytes(2, [...extent, ...extent])];
    const value = name => [...text(1, name), ...bytes(2, bytes(1, float32))];
    const node = [...text(1, "A"), ...text(1, "B"), ...text(2, "C"), ...text(4, "MatMul")];
    const inputs = ["A", "B"].flatMap(name => bytes(11, value(name)));
    const graph = [...bytes(1, node), ...text(2, "g"), ...inputs, ...bytes(12, value("C"))];
    return new Uint8Array([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 13))]);
};
