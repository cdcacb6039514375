// The cell that the page shows, as a picture: code with its values, drawings and variables in an SVG that needs nothing
// beside itself, or as a PNG of that.

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';

/** Pixels of a PNG for one of the page. */
const SCALE = 2;
/** Around what is on the picture, in pixels. */
const EDGE = 16;
/** A canvas has no more on a side. */
const MOST = 16384;

/** What is of no use on a picture. */
const CONTROLS = 'button, iframe, [data-guest], .door, .visually-hidden, input[type=range], details:not([open])';

/** Nothing scrolls in a picture, and nothing sticks. */
const LAYOUT = `
  .picture { display: grid; gap: 1rem; align-items: start; justify-content: space-between; margin: 0;
    padding: ${EDGE}px; background: var(--paper); }
  .picture * { position: static !important; max-height: none !important; overflow: visible !important; }
  .picture .slider label { flex: none; min-width: 0; }
  .picture .variable { min-width: min-content; }
  .picture .source { grid-column: 1 / -1; font: 400 var(--small) / 1.4 var(--sans); overflow-wrap: anywhere; }`;

const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElementNS(XHTML, tag), properties);
  made.append(...children);
  return made;
};

/** A copy without what only a page can do. */
const copyOf = (element) => {
  const copy = element.cloneNode(true);
  for (const control of copy.querySelectorAll(CONTROLS)) control.remove();
  for (const field of copy.querySelectorAll('input')) field.replaceWith(field.value);
  for (const link of copy.querySelectorAll('a[href]')) link.setAttribute('href', link.href);
  return copy;
};

const dataUrl = async (address) => {
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(await (await fetch(address)).blob());
  return read;
};

/** The page's style as it is on this screen, with the bytes of the fonts that the page has needed. */
const style = async () => {
  const nameOf = (family, style) => `${family.replace(/["']/g, '')} ${style}`;
  const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
  const needed = new Set(loaded.map(({ family, style }) => nameOf(family, style)));
  const texts = [...document.querySelectorAll('link[rel=stylesheet]')].map(async ({ href }) => {
    // As it was written: what a browser tells of its rules lacks shorthands with variables.
    let text = (await (await fetch(href)).text()).replace(/\/\*[^]*?\*\//g, '');
    text = text.replace(/@media ([^{]+)/g, (_, query) => `@media ${matchMedia(query).matches ? 'all' : 'not all'} `);
    for (const [face] of text.matchAll(/@font-face \{[^}]*\}/g)) {
      const [family, slant, address] = [/font-family: ([^;]+)/, /font-style: ([^;]+)/, /url\("([^"]+)"\)/].map(
        (part) => face.match(part)[1],
      );
      const isNeeded = needed.has(nameOf(family, slant));
      const bytes = isNeeded && (await dataUrl(new URL(address, href)));
      text = text.replace(face, () => (isNeeded ? face.replace(address, bytes) : ''));
    }
    return text;
  });
  return (await Promise.all(texts)).join('');
};

/** What the page shows of the cell, in the columns that it has there. */
const bodyOf = (card, variables) => {
  const [left, right] = [card, variables].map((element) => element.getBoundingClientRect());
  const body = make('body', { className: 'picture' }, copyOf(card));
  let width = left.width;
  if (variables.querySelector('.variable, .ledger')) {
    body.append(copyOf(variables));
    if (right.left >= left.right) {
      body.style.gridTemplateColumns = [left, right].map(({ width }) => `minmax(${width}px, min-content)`).join(' ');
      width = right.right - left.left;
    }
  }
  body.append(make('p', { className: 'source' }, make('a', { href: location.href }, location.href)));
  return [body, Math.ceil(width + 2 * EDGE)];
};

/** A document of the picture; as high as any. */
const documentOf = async (title, body, width) => {
  const theme = document.documentElement.dataset.theme ?? 'auto';
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const page = document.implementation.createDocument(SVG, 'svg');
  const svg = page.documentElement;
  const add = (tag) => svg.appendChild(page.createElementNS(SVG, tag));
  svg.dataset.theme = isDark ? 'dark' : 'light';
  svg.style.fontSize = getComputedStyle(document.documentElement).fontSize;
  svg.setAttribute('width', width);
  add('title').textContent = title;
  add('style').textContent = (await style()) + LAYOUT;
  const inside = add('foreignObject');
  inside.setAttribute('width', '100%');
  inside.setAttribute('height', '100%');
  inside.append(body);
  return new XMLSerializer().serializeToString(page);
};

/** The same as large as what is in it turns out to be. */
const fitted = async (text, width) => {
  const frame = make('iframe', { ariaHidden: 'true', tabIndex: -1 });
  // It holds what the page holds; scripts would not run there.
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.style.cssText = 'position: fixed; inset: 0 auto auto 0; height: 1px; border: 0; visibility: hidden';
  frame.style.width = `${width}px`;
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const loaded = new Promise((resolve) => (frame.onload = resolve));
    frame.src = address;
    document.body.append(frame);
    await loaded;
    const page = frame.contentDocument;
    const [svg, body] = [page.documentElement, page.querySelector('body')];
    await page.fonts.ready;
    // What scrolls on the page may be wider than there.
    const wide = body.scrollWidth > width ? body.scrollWidth + EDGE : width;
    frame.style.width = `${wide}px`;
    svg.setAttribute('width', wide);
    const high = Math.ceil(body.getBoundingClientRect().height);
    svg.setAttribute('height', high);
    return [new XMLSerializer().serializeToString(page), wide, high];
  } finally {
    frame.remove();
    URL.revokeObjectURL(address);
  }
};

const png = async (text, wide, high) => {
  const image = new Image();
  // From a blob's address a canvas would be the browser's secret.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(SCALE, MOST / wide, MOST / high);
  const canvas = make('canvas', { width: Math.floor(wide * scale), height: Math.floor(high * scale) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no room for a picture'))), 'image/png');
  });
};

/** The cell as a file whose name ends with `.svg` or `.png`; a blob. */
export async function draw(file) {
  const card = document.querySelector('#reader .code-card');
  const [body, width] = bodyOf(card, document.querySelector('#reader .variables'));
  const title = `${card.querySelector('h2')?.textContent ?? ''} · ${document.title}`;
  const [text, wide, high] = await fitted(await documentOf(title, body, width), width);
  return file.endsWith('.png') ? png(text, wide, high) : new Blob([text], { type: 'image/svg+xml' });
}
