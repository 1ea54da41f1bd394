// HTTP by hand: any header, and streams read line by line.

import http from 'node:http';
import { createInterface } from 'node:readline';
import { Log, within } from './events.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {{ method?: string, headers?: Record<string, string>, body?: unknown }} Asked */

/**
 * Asks and reads the whole answer.
 *
 * @param {string} url
 * @param {Asked} [asked]
 */
export async function ask(url, asked = {}) {
  const { response } = await open(url, asked);
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) };
}

/**
 * Asks and leaves the answer open: its lines come as they come.
 *
 * @param {TestContext} t
 * @param {string} url
 * @param {Asked} [asked]
 */
export async function stream(t, url, asked = {}) {
  const { request, response } = await open(url, asked);
  t.after(() => request.destroy());
  /** @type {Log<string>} */
  const lines = new Log();
  createInterface({ input: response })
    .on('line', (line) => lines.push(line))
    .on('error', () => {}); // `closed` tells
  const closed = new Promise((resolve) => response.on('close', () => resolve(undefined)));
  return { status: response.statusCode ?? 0, headers: response.headers, lines, closed };
}

/**
 * @param {string} url
 * @param {Asked} asked
 * @returns {Promise<{ request: http.ClientRequest, response: http.IncomingMessage }>}
 */
async function open(url, { method = 'GET', headers = {}, body }) {
  const request = http.request(url, {
    method,
    agent: false,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  const response = within(
    `${method} ${url}`,
    new Promise((resolve, reject) => {
      request.on('response', (response) => {
        response.on('error', () => {}); // an aborted answer is seen as its end
        resolve(response);
      });
      request.on('error', reject);
    }),
  );
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return { request, response: /** @type {http.IncomingMessage} */ (await response) };
}
