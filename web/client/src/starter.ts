// The page's side of the conversation: asks the desk around this page to let it join the bus.
//
// A page does not know who embeds it, so it says nothing secret, and takes a port from nobody but
// the window around it, on an origin that may be a desk. It must stay below 1 kB, minified.

import { VERSION } from './handshake.ts';
import type { FromDesk, Hello, Start, Style, Theme, TitleMessage } from './handshake.ts';

export interface Options {
  /** Origins that may be a desk, such as `https://desk.example.com`. Loopback ones always may. */
  readonly desk?: readonly string[];
  /** The server has started anew and gave this window another instance. Without it the page reloads. */
  readonly onRestart?: (start: Start) => void;
}

export type ThemeListener = (theme: Theme, style: Style) => void;

/** What the desk said, and how to go on talking with it. */
export interface Session extends Start {
  /** Calls back whenever the person chooses another theme; the first one stands in `theme` and `style`. */
  onTheme(listener: ThemeListener): void;
  /** What the tab of this window says; at most 200 characters of it. */
  setTitle(title: string): void;
}

const LOOPBACK = /^https?:\/\/(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1])(:\d+)?$/;

let answer: Promise<Session> | undefined;

/**
 * Asks the desk for what this page needs to be on the bus. A page asks once: later calls get the same
 * answer, whatever their options.
 *
 * Rejects where no desk is around the page, where what is around it may not be one, and where no answer
 * comes in 10 s.
 */
export function start({ desk = [], onRestart = () => location.reload() }: Options = {}): Promise<Session> {
  return (answer ??= new Promise((resolve, reject) => {
    const { parent } = window;
    // Late calls of it change nothing: a promise is settled once.
    const fail = (why: string): void => {
      removeEventListener('message', hear);
      reject(Error(why));
    };
    const hear = ({ source, origin, data, ports: [port] }: MessageEvent): void => {
      if (source !== parent || data?.deskwire !== VERSION || data.type !== 'port' || !port) return;
      if (!LOOPBACK.test(origin) && !desk.includes(origin)) return fail(`${origin} is not in data-desk`);
      removeEventListener('message', hear); // one port for one hello
      talk(port, onRestart, resolve);
    };
    addEventListener('message', hear);
    setTimeout(fail, 10_000, 'The desk did not answer in 10 s');
    if (parent === window) fail('This page is not in a desk');
    else parent.postMessage({ deskwire: VERSION, type: 'hello' } satisfies Hello, '*');
  }));
}

function talk(port: MessagePort, onRestart: (start: Start) => void, begin: (session: Session) => void): void {
  const listeners: ThemeListener[] = [];
  let instance: string | undefined;
  port.onmessage = ({ data }: MessageEvent<FromDesk>) => {
    if (data.type === 'theme') listeners.map((listener) => listener(data.theme, data.style));
    else if (data.type === 'start') {
      if ((instance ??= data.instanceId) !== data.instanceId) onRestart(data);
      else {
        begin({
          ...data,
          onTheme: (listener) => void listeners.push(listener),
          setTitle: (title) => port.postMessage({ type: 'title', title: title.slice(0, 200) } satisfies TitleMessage),
        });
      }
    }
  };
}
