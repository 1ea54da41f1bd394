// A bus application in a process of its own: an unmodified client library, doing what the test sends it.
//
// Started by support/app.mjs. The arguments are the configuration of the library as JSON, and its name; over
// the channel to the parent come functions as source text, and back go their results and the app's events.

import process from 'node:process';

const tell = (/** @type {object} */ message) => process.send?.(message);

/** @param {string} source */
const revive = (source) => (0, eval)(`(${source})`);

/** @type {import('../support/app.mjs').Inside} */
const inside = {
  io: /** @type {any} */ (undefined),
  emit: (event) => tell({ event }),
  kept: {},
  revive,
};

/** @param {unknown} error */
function said(error) {
  if (error && typeof error === 'object' && 'message' in error) return String(error.message);
  return typeof error === 'string' ? error : JSON.stringify(error);
}

process.on('message', async (/** @type {{ id: number, source: string, argument: unknown }} */ { id, source, argument }) => {
  try {
    tell({ id, value: await revive(source)(inside, argument) });
  } catch (error) {
    tell({ id, failure: said(error) });
  }
});
process.on('disconnect', () => process.exit());

try {
  const { default: IOConnect } = await import(process.argv[3]);
  const { workspaces, ...settings } = JSON.parse(process.argv[2]);
  if (workspaces) settings.libraries = [(await import('@interopio/workspaces-api')).default];
  inside.io = await IOConnect(settings);
  tell({ ready: true });
} catch (error) {
  tell({ ready: false, failure: said(error) });
}
