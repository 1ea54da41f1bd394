// A connection by the desktop's own client library, behind our port.

import IOConnectCore from '@interopio/core';
import type { IOConnectCore as Core } from '@interopio/core';
import { Refusal, refusalOf } from './port.ts';
import type { Port } from './port.ts';

/** The name of the desk on the bus. */
const APPLICATION = 'Deskwire';

/** How long to wait for a method that the platform offers as soon as it is there. */
const DISCOVER_MS = 10_000;
const ANSWER_MS = 30_000;

export interface LibraryOptions {
  /** `ws:` or `wss:` address of the gateway. */
  readonly gateway: string;
  /** The connection has ended; the port is of no use any more. */
  readonly ended: () => void;
}

/** Connects and logs in. The library never connects again by itself: whoever opened this does, anew. */
export async function open({ gateway, ended }: LibraryOptions): Promise<Port> {
  const core = await login(gateway);
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    // Also ends what the library would do by itself, such as pings.
    void core.connection.logout().catch(() => undefined);
  };
  core.connection.disconnected(() => {
    if (!isOpen) return;
    end();
    ended();
  });
  return {
    async call(method, given, { discoverMs = DISCOVER_MS, answerMs = ANSWER_MS } = {}) {
      const options = { waitTimeoutMs: discoverMs, methodResponseTimeoutMs: answerMs };
      try {
        return (await core.interop.invoke<unknown>(method, given, 'best', options)).returned;
      } catch (error) {
        throw refusalOf(error);
      }
    },
    async subscribe(stream, given, listener) {
      const onData = ({ data }: Core.Interop.StreamData): void => listener(data);
      try {
        await core.interop.subscribe(stream, { arguments: given, waitTimeoutMs: DISCOVER_MS, onData });
      } catch (error) {
        throw refusalOf(error);
      }
    },
    async register({ name, description }, answer) {
      await core.interop.register({ name, description }, answer);
    },
    contextNames: () => core.contexts.all(),
    followContext: (name, listener) => core.contexts.subscribe(name, (data: unknown) => listener(data)),
    close: end,
  };
}

async function login(gateway: string): Promise<Core.API> {
  try {
    return await IOConnectCore({
      application: APPLICATION,
      gateway: { ws: gateway, protocolVersion: 3, reconnectAttempts: 0, reconnectInterval: 500 },
      // Who opens the page is the desktop's one user, whatever is said here.
      auth: { username: 'desk', password: 'desk' },
      logger: 'off',
      metrics: false,
      bus: false,
    });
  } catch (failure) {
    const inner = typeof failure === 'object' && failure !== null && 'err' in failure ? failure.err : failure;
    throw new Refusal('login', `The bus at ${gateway} let nobody in: ${refusalOf(inner).message}`);
  }
}
