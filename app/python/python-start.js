// The first script of the worker that runs Python. It loads the module, hands it what the page says, and reports what
// Rust cannot: a file that does not arrive, a module that the browser refuses, a trap. Unhandled, these would be silence.
const why = (reason) => {
  // What cannot be allocated ends in this trap; a panic has told its own reason before.
  if (reason instanceof WebAssembly.RuntimeError && reason.message.includes('unreachable')) {
    return 'Python has run out of memory.';
  }
  if (reason instanceof RangeError) return 'Python has called itself deeper than this browser allows.';
  return reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
};
const say = (event) => postMessage(JSON.stringify({ id: null, event }));
const crashed = (reason) => say({ Crashed: why(reason) });
addEventListener('error', (event) => crashed(event.error ?? event.message));
addEventListener('unhandledrejection', (event) => crashed(event.reason));

// Without them the module still loads, and has nothing to wait for: then there is no GPU.
self.hasSuspension = 'Suspending' in WebAssembly && 'promising' in WebAssembly;
if (!self.hasSuspension) {
  WebAssembly.Suspending = function () {
    return () => {
      throw new Error('this browser cannot suspend WebAssembly');
    };
  };
  WebAssembly.promising = (exported) => exported;
}

// Messages that have come before this one are delivered first.
const { port1, port2 } = new MessageChannel();
const awaited = [];
port2.onmessage = () => awaited.shift()();
self.nextTask = () =>
  new Promise((resolve) => {
    awaited.push(resolve);
    port1.postMessage(null);
  });

const { default: init, answer } = await import('./python.js');

// Tells how much has arrived. What is packed on its way is longer than its header says: then the whole is unknown.
const counted = async (response) => {
  if (!response.ok) throw new Error(`python_bg.wasm: ${response.status} ${response.statusText}`);
  const isPacked = response.headers.has('content-encoding');
  const total = isPacked ? null : Number(response.headers.get('content-length')) || null;
  let bytes = 0;
  let told = 0;
  const count = new TransformStream({
    transform(chunk, to) {
      bytes += chunk.byteLength;
      if (bytes - told > 100_000) {
        told = bytes;
        say({ Loading: { bytes, total } });
      }
      to.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), { headers: { 'content-type': 'application/wasm' } });
};
const wasm = await init({ module_or_path: counted(await fetch(new URL('python_bg.wasm', import.meta.url))) });
// Every interpreter leaves some megabytes behind when it ends. Half of what the module may take is the sign for another.
const FULL_BYTES = 2 ** 30;
addEventListener('message', async (event) => {
  await answer(event.data);
  if (wasm.memory.buffer.byteLength > FULL_BYTES) say('Full');
});

