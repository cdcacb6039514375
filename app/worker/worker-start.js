// The worker's first script. It loads the build that the browser can run and reports what Rust cannot: a file that does
// not arrive, a module that the browser refuses, a trap. Unhandled, these would be silence.
const crashed = (reason) => {
  const message = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  postMessage({ id: null, event: { Crashed: message } });
};
addEventListener('error', (event) => crashed(event.error ?? event.message));
addEventListener('unhandledrejection', (event) => crashed(event.reason));

// A module of one function, `f32x4.relaxed_madd` of three zero vectors: it validates only where there is relaxed SIMD.
const zero = '\x41\0\xfd\x0f';
const madd = `\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7b\x03\x02\x01\0\x0a\x13\x01\x11\0${zero}${zero}${zero}\xfd\x85\x02\x0b`;
const isRelaxed = WebAssembly.validate(Uint8Array.from(madd, (byte) => byte.charCodeAt(0)));
const { default: init } = await import(isRelaxed ? './worker-relaxed.js' : './worker.js');
await init();
