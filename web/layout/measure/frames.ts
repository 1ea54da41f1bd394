// How long the main thread of Chromium works for each frame of a drag over 200 windows.

import { startDemo } from '../browser/demo.ts';
import type { Page } from 'playwright-core';

const MOVES = 150;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const demo = await startDemo();
try {
  const page = await demo.open('windows=200', { viewport: { width: 1920, height: 1080 } });
  await measure('drag of a window', page, '[data-tab]', 60, 60);
  await measure('resize by a splitter', page, '[data-splitter][data-axis="vertical"]', 0, 40);
} finally {
  await demo.close();
}

async function measure(what: string, page: Page, selector: string, across: number, down: number): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not there`);
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 10);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] });
  for (let move = 0; move < MOVES; move += 1) {
    const turn = (move / MOVES) * 8 * Math.PI;
    const spread = across === 0 ? 1 : 8;
    await page.mouse.move(from.x + across * spread * (1 + Math.sin(turn / 3)), from.y + down * spread * (1 + Math.sin(turn)) * 0.8);
  }
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await page.keyboard.press('Escape');
  await page.mouse.up();
  report(what, trace.traceEvents);
}

/** Work between one animation frame and the next, on the thread that has most of the frames. */
function report(what: string, events: readonly TraceEvent[]): void {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame');
  const thread = frames[0];
  if (thread === undefined) throw new Error('no frames in the trace');
  const own = events.filter(({ pid, tid }) => pid === thread.pid && tid === thread.tid);
  const tasks = own.filter(({ name, dur }) => name === 'RunTask' && dur !== undefined);
  const starts = frames.map(({ ts }) => ts).sort((a, b) => a - b);
  const work = new Map<number, { wall: number; cpu: number }>();
  for (const task of tasks) {
    const frame = starts.findIndex((ts, place) => task.ts + (task.dur ?? 0) >= ts && task.ts < (starts[place + 1] ?? Infinity));
    const sum = work.get(frame) ?? { wall: 0, cpu: 0 };
    work.set(frame, { wall: sum.wall + (task.dur ?? 0), cpu: sum.cpu + (task.tdur ?? 0) });
  }
  const line = (of: 'wall' | 'cpu'): string => {
    const sorted = [...work.values()].map((one) => one[of] / 1000).sort((a, b) => a - b);
    const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2);
    return `${of} median ${at(0.5)} ms   p95 ${at(0.95)} ms`;
  };
  console.log(`${what.padEnd(24)} ${work.size} frames   ${line('cpu')}   ${line('wall')}`);
}
