// The test's side of an application: starts apps/app.mjs and runs functions in it.

import { fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Log } from './events.mjs';
import { Child } from './process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * An application with the whole desktop library.
 *
 * @typedef {Omit<App, 'run'> & { run: RunDesktop }} DesktopApp
 */

/**
 * @typedef {<T, A = undefined>(task: (inside: DesktopInside, argument: A) => T | Promise<T>, argument?: A) => Promise<T>} RunDesktop
 */

/** @typedef {Omit<Inside, 'io'> & { io: import('@interopio/desktop').IOConnectDesktop.API }} DesktopInside */

/**
 * What a function finds inside the application.
 *
 * @typedef {object} Inside
 * @property {import('@interopio/core').IOConnectCore.API} io
 * @property {(event: any) => void} emit tells the test
 * @property {Record<string, any>} kept survives from one function to the next
 * @property {(source: string) => any} revive makes a function of its source text
 */

const SCRIPT = fileURLToPath(new URL('../apps/app.mjs', import.meta.url));

export class App extends Child {
  /** What the functions emitted. @type {Log<any>} */
  events = new Log();
  /** @type {Log<{ id?: number, ready?: boolean, value?: any, failure?: string }>} */
  #answers = new Log();
  #asked = 0;

  /** @param {import('node:child_process').ChildProcess} handle */
  constructor(handle) {
    super(handle);
    handle.on('message', (/** @type {any} */ message) => {
      if ('event' in message) this.events.push(message.event);
      else this.#answers.push(message);
    });
  }

  /** Waits until the library has logged in; rejects with its reason if it was refused. */
  async ready() {
    return await this.#answer('it logged in', (answer) => 'ready' in answer);
  }

  /**
   * Runs a function inside the application. It travels as text: it sees its parameters and nothing else.
   *
   * @template T, [A = undefined]
   * @param {(inside: Inside, argument: A) => T | Promise<T>} task
   * @param {A} [argument]
   * @returns {Promise<T>}
   */
  async run(task, argument) {
    const id = ++this.#asked;
    this.handle.send({ id, source: task.toString(), argument });
    return await this.#answer(`it had run ${task.toString().slice(0, 80)}`, (answer) => answer.id === id);
  }

  /**
   * All that the functions have emitted up to now.
   *
   * @returns {Promise<any[]>}
   */
  async emitted() {
    await this.run(() => {}); // overtakes nothing that is on its way
    return this.events.all;
  }

  /**
   * @param {string} what
   * @param {(answer: any) => boolean} fits
   */
  async #answer(what, fits) {
    const answer = await this.alive(what, this.#answers.until(what, (all) => all.find(fits)));
    if (answer.failure !== undefined) throw new Error(answer.failure);
    return answer.value;
  }
}

/**
 * Starts an application with `@interopio/core` and waits until it is on the bus.
 *
 * @param {TestContext} t
 * @param {string} gateway
 * @param {string} application
 * @param {import('@interopio/core').IOConnectCore.Config} [config]
 * @param {Record<string, string>} [env]
 * @returns {Promise<App>}
 */
export async function startApp(t, gateway, application, config = {}, env = {}) {
  return await start(t, '@interopio/core', gateway, application, config, env);
}

/**
 * Starts an application with `@interopio/desktop` and waits until the library says it is ready.
 *
 * @param {TestContext} t
 * @param {string} gateway
 * @param {string} application
 * @param {import('@interopio/desktop').IOConnectDesktop.Config} [config]
 * @returns {Promise<DesktopApp>}
 */
export async function startDesktopApp(t, gateway, application, config = {}) {
  return /** @type {any} */ (await start(t, '@interopio/desktop', gateway, application, config, {}));
}

/**
 * @param {TestContext} t
 * @param {string} library
 * @param {string} gateway
 * @param {string} application
 * @param {object} config
 * @param {Record<string, string>} env
 * @returns {Promise<App>}
 */
async function start(t, library, gateway, application, config, env) {
  const settings = {
    application,
    gateway: { ws: gateway, protocolVersion: 3, reconnectInterval: 200, reconnectAttempts: 100 },
    auth: { username: 'test', password: 'test' },
    logger: 'off',
    ...config,
  };
  const app = new App(
    fork(SCRIPT, [JSON.stringify(settings), library], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced', // keeps dates and undefined
      env: { ...process.env, ...env },
    }),
  );
  t.after(() => app.end());
  await app.ready();
  return app;
}

/**
 * Starts several at once.
 *
 * @template {string[]} Names
 * @param {TestContext} t
 * @param {string} gateway
 * @param {Names} applications
 * @returns {Promise<{ [K in keyof Names]: App }>}
 */
export async function startApps(t, gateway, ...applications) {
  const started = await Promise.all(applications.map((application) => startApp(t, gateway, application)));
  return /** @type {any} */ (started);
}
