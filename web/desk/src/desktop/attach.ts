// Taking a frame: the one this tab had, or another where a second tab has it.

import { Refusal, refusalOf } from '../bus/port.ts';
import type { Port } from '../bus/port.ts';
import type { FrameMemory } from './frame-id.ts';
import { fieldsOf, nameIn } from './read/fields.ts';

/** A window whose page runs here, as the platform once named it, with what proves that it is that page. */
export interface RunningWindow {
  readonly windowId: string;
  readonly instanceId: string;
  readonly gatewayToken: string;
}

export interface AttachOptions {
  readonly memory: FrameMemory;
  /** Pages that run here already, from before the connection was lost. */
  readonly windows: readonly RunningWindow[];
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * How often to ask again for a frame that is taken. The server may hear late that the connection
 * from before is gone, so one that was ours a moment ago is worth more patience.
 */
const PATIENCE = { fresh: 2, ours: 20 } as const;
const PAUSE_MS = 250;

/** Gives the id of the frame. Rejects with a `Refusal`. */
export async function attach(port: Port, { memory, windows, pause }: AttachOptions): Promise<string> {
  const known = memory.read();
  const tries = known === undefined ? 0 : windows.length > 0 ? PATIENCE.ours : PATIENCE.fresh;
  for (let tried = 0; tried < tries && known !== undefined; tried += 1) {
    try {
      return await ask(port, { frameId: known, ...(windows.length > 0 ? { windows } : {}) }, memory);
    } catch (error) {
      const { code } = refusalOf(error);
      // What is remembered may be no id any more.
      if (code === 'bad-arguments') break;
      if (code !== 'frame-taken') throw error;
      await pause(PAUSE_MS);
    }
  }
  return await ask(port, {}, memory);
}

async function ask(port: Port, given: object, memory: FrameMemory): Promise<string> {
  const id = nameIn(fieldsOf(await port.call('Deskwire.Frame.Attach', given))?.['frameId']);
  if (id === undefined) throw new Refusal('refused', 'The platform gave this page no frame.');
  memory.write(id);
  return id;
}
