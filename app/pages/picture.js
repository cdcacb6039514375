// A cell as a picture: code with its values, drawings and, while it is stepped through, variables in an SVG that needs
// nothing beside itself, or as a PNG of that.
import { snapdom } from '@zumer/snapdom';

/** Pixels of a PNG for one of the page, where a canvas is not too large by then. */
const [SCALE, MOST] = [2, 16384];

/** Pixels that a picture is wide at least: on a phone, too, it is for more than a phone. */
const NARROWEST = 760;

/** What is of no use on a picture; numbers that are buttons stay. */
const CONTROLS = `.cell-tools, .buttons, .under-controls, .make, .write, .remove, .show-answer, .is-main, .visually-hidden,
  iframe, input[type=range], details:not([open])`;

/** A picture that is so wide and high, as a blob. */
export const png = async (svg, wide, high) => {
  const image = new Image();
  // From a blob's address a canvas would be the browser's secret.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(SCALE, MOST / wide, MOST / high);
  const canvas = new OffscreenCanvas(Math.floor(wide * scale), Math.floor(high * scale));
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob();
};

/** What a program has saved as a PNG: it is the picture's SVG until it is handed over; a blob. */
export const rasterized = (bytes) => {
  const svg = new TextDecoder().decode(bytes);
  const { viewBox } = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return png(svg, viewBox.baseVal.width, viewBox.baseVal.height);
};

/** A copy of what the page shows, below each other with nothing cut off, and of the address that it has. */
const copyOf = (parts) => {
  const copy = document.createElement('div');
  copy.className = 'lecture picture';
  copy.append(...parts.map((part) => part.cloneNode(true)));
  const drawn = parts.flatMap((part) => [...part.querySelectorAll('canvas')]);
  copy.querySelectorAll('canvas').forEach((canvas, at) => canvas.getContext('2d').drawImage(drawn[at], 0, 0));
  copy.append(Object.assign(document.createElement('p'), { className: 'source', textContent: location.href }));
  copy.style.width = `${Math.max(parts[0].clientWidth, NARROWEST)}px`;
  return copy;
};

/** The cell of that id as a file whose name ends with `.svg` or `.png`; a blob. */
export async function draw(id, file) {
  const cell = document.getElementById(id);
  const variables = cell.matches('.is-current') && document.querySelector('.variables:has(.variable, .ledger)');
  const copy = copyOf(variables ? [cell, variables] : [cell]);
  document.body.append(copy);
  try {
    for (const control of copy.querySelectorAll(CONTROLS)) control.remove();
    // What scrolls on the page is as wide as it needs here.
    copy.style.width = `${copy.scrollWidth}px`;
    const picture = await snapdom(copy, { embedFonts: true });
    const drawn = await (await picture.toBlob()).text();
    const svg = new DOMParser().parseFromString(drawn, 'image/svg+xml').documentElement;
    const title = document.createElementNS(svg.namespaceURI, 'title');
    title.textContent = `${cell.querySelector('h2, h3')?.textContent ?? ''} · ${document.title}`;
    svg.prepend(title);
    const text = new XMLSerializer().serializeToString(svg);
    const size = ['width', 'height'].map((name) => Number(svg.getAttribute(name)));
    return file.endsWith('.png') ? png(text, ...size) : new Blob([text], { type: 'image/svg+xml' });
  } finally {
    copy.remove();
  }
}
