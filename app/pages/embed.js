// One cell inside another page: tells that page how high the cell is, and leads to all that is around it, in the same
// state. What is hidden, and that the program goes to this cell, the page itself has seen to.

const tellHeight = () => {
  const px = Math.ceil(document.body.getBoundingClientRect().height);
  // Whoever embeds the cell may know how high it is; nothing else is told.
  parent.postMessage({ napkin: 'height', px }, '*');
};

const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** The address of what is around this cell as it is now. */
const whole = () => {
  const address = new URL(location.href);
  address.searchParams.delete('embed');
  return address.href;
};

/** Sets an embedded page up, with a link of these words. */
export function frame(words) {
  const link = element('a', { href: whole(), target: '_blank', rel: 'noopener' }, words);
  // The address follows the reader's hand; the link does before it can be used.
  for (const type of ['pointerenter', 'pointerdown', 'focus', 'click']) {
    link.addEventListener(type, () => {
      link.href = whole();
    });
  }
  document.body.append(element('footer', { className: 'whole' }, link));
  // The page's own heading is out of sight, and out of hearing with it.
  const heading = element('h1', {}, document.title);
  document.body.prepend(element('header', { className: 'visually-hidden' }, heading));
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'theme') document.documentElement.dataset.theme = newValue ?? 'auto';
  });
  new ResizeObserver(tellHeight).observe(document.body);
}

/** Sets the workbench up; whether there is a cell of that name. */
export function begin(cell) {
  const isThere = document.querySelector('.cell.is-current') !== null;
  if (!isThere) {
    // No program will take the page's place.
    const sentence = `The workbench has no cell ${JSON.stringify(cell)}.`;
    document.getElementById('page').replaceChildren(element('main', {}, element('p', { role: 'status' }, sentence)));
  }
  frame('Open in the workbench');
  return isThere;
}
