// The worker's first script. It loads the build that the page chose and reports what Rust cannot: a file
// that does not arrive, a module that the browser refuses, a trap. Unhandled, these would be silence.
const builds = {
  worker: './worker.js',
  'worker-relaxed': './worker-relaxed.js',
  measure: './measure.js',
  'measure-relaxed': './measure-relaxed.js',
};

const crashed = (reason) => {
  postMessage(reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason));
};
addEventListener('error', (event) => crashed(event.error ?? event.message));
addEventListener('unhandledrejection', (event) => crashed(event.reason));

// The drawing library checks for the context of a page's canvas; a worker's has the same methods.
self.CanvasRenderingContext2D ??= self.OffscreenCanvasRenderingContext2D;

const build = new URL(self.location.href).searchParams.get('build') ?? 'worker';
if (!Object.hasOwn(builds, build)) throw new Error(`there is no worker build named ${build}`);
const { default: init } = await import(builds[build]);
await init();
