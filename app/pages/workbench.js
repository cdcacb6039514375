// Starts the workbench's program. What the program itself asks for while it runs is named here, since a module that
// Rust imports would have to be there from the start.
import init from './napkin-app.js';

globalThis.importModule = async (address) => {
  const module = await import(address);
  await module.default();
  return module;
};

const { embed } = document.documentElement.dataset;
const isThere = embed === undefined || (await import('./embed.js')).begin(embed);
if (isThere) await init();
