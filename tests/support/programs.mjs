// Programs that the platform starts: scripts for Node with nothing but what they are started with.

import { fileURLToPath } from 'node:url';

const LIBRARIES = fileURLToPath(new URL('../package.json', import.meta.url));

/**
 * The text of a script that logs in with a client library, then does what `task` says. `task` travels as
 * text: it sees its parameter and nothing else.
 *
 * @param {string} library
 * @param {object} config of the library
 * @param {(io: any) => unknown} task
 */
export const program = (library, config, task) => `
  const { createRequire } = require('node:module');
  const from = createRequire(${JSON.stringify(LIBRARIES)});
  const library = from('${library}');
  const start = library.default ?? library;
  start(${JSON.stringify(config)}).then(${task}).catch((error) => { console.error(error); process.exit(1); });
`;

/**
 * The definition of a script beside the definitions.
 *
 * @param {string} name
 * @param {object} [more]
 */
export const nodeApp = (name, more = {}) => ({ name, type: 'node', details: { path: `${name}.js` }, ...more });

/**
 * Files of definitions and scripts.
 *
 * @param {object[]} definitions
 * @param {Record<string, string>} scripts by the name of their application
 * @returns {Record<string, unknown>}
 */
export const withScripts = (definitions, scripts) => ({
  'apps.json': definitions,
  ...Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`${name}.js`, text])),
});
