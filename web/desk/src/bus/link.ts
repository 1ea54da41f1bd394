// The port of the moment, for those who ask and do not care which connection answers.

import { Refusal } from './port.ts';
import type { CallOptions, Port } from './port.ts';

export interface Link {
  use(port: Port | undefined): void;
  /** Calls over the present connection; without one, refuses at once. */
  call(method: string, given: object, options?: CallOptions): Promise<unknown>;
}

export function createLink(): Link {
  let present: Port | undefined;
  return {
    use(port) {
      present = port;
    },
    async call(method, given, options) {
      if (present === undefined) throw new Refusal('down', 'There is no connection to the server now.');
      return await present.call(method, given, options);
    },
  };
}
