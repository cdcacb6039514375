// The service worker of every page. The build writes two lists above: FILES, every file of the site with the beginning
// of its SHA-256, and SHELL, the pages and what they name. With a file's hash in the name of its copy a new version
// takes over what has not changed, and never mixes with the old one.

const base = registration.scope;
// Other pages of the same host have other addresses.
const cache = caches.open(`napkin ${base}`);
const copyOf = (name) => `${base}${name}?${FILES[name]}`;

const hashOf = async (bytes) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Fetches what there is no copy of; fails where the host has another version by now. */
const keep = async (name) => {
  const copies = await cache;
  if (await copies.match(copyOf(name))) return;
  // Past what the browser remembers: no file has a hash in its own name.
  const answer = await fetch(base + name, { cache: 'no-cache' });
  const bytes = await answer.arrayBuffer();
  const hash = await hashOf(bytes);
  if (!answer.ok || !hash.startsWith(FILES[name])) throw new Error(`${name} is not of this version`);
  // A new answer, since a page may not come from one that was redirected.
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  await copies.put(copyOf(name), new Response(bytes, { headers: { 'content-type': type } }));
};

const forgetOthers = async () => {
  const copies = await cache;
  const ours = new Set(Object.keys(FILES).map(copyOf));
  const others = (await copies.keys()).filter(({ url }) => !ours.has(url));
  await Promise.all(others.map((request) => copies.delete(request)));
};

/** One after the other, so as to leave the line to what the reader waits for. */
const keepAll = async () => {
  for (const name of Object.keys(FILES)) await keep(name);
};

let keeping;
const keepRest = async (page) => {
  try {
    await (keeping ??= keepAll());
    page.postMessage('everything is kept');
  } catch {
    // No network, no room, or another version: the next visit tries again.
    keeping = undefined;
  }
};

/** The file that an address means, as hosts have it: with or without what `index.html` and `.html` add. */
const fileOf = ({ method, url }) => {
  const path = url.startsWith(base) && url.slice(base.length).split(/[?#]/, 1)[0];
  if (method !== 'GET' || path === false) return undefined;
  return [path, `${path}index.html`, `${path}.html`].find((name) => Object.hasOwn(FILES, name));
};

const answer = async (name, request) => (await (await cache).match(copyOf(name))) ?? fetch(request);

addEventListener('install', (event) => event.waitUntil(Promise.all(SHELL.map(keep))));
addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));
addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(skipWaiting());
  if (event.data === 'keep the rest') event.waitUntil(keepRest(event.source));
});
addEventListener('fetch', (event) => {
  const name = fileOf(event.request);
  if (name !== undefined) event.respondWith(answer(name, event.request));
});
