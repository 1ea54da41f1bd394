// How long the main thread of the desk works for each frame while a workspace of many windows opens.

import { at, startStand, WINDOWS } from './stand.ts';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

const TIMES = 5;
const FRAME_US = 1_000_000 / 60;

const stand = await startStand();
try {
  const page = await (await stand.browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
  await page.goto(stand.address);
  const work: { wall: number; cpu: number }[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const button = page.getByRole('button', { name: 'many' });
    await button.waitFor();
    await stand.browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] });
    await button.click();
    await page.waitForFunction((count) => document.querySelectorAll('iframe').length === count && document.querySelector('.cover:not([hidden])') === null, WINDOWS);
    const trace = JSON.parse((await stand.browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    work.push(...workByFrame(trace.traceEvents));
    await page.locator('[data-workspace]').focus();
    await page.keyboard.press('Delete');
  }
  for (const of of ['cpu', 'wall'] as const) {
    const sorted = work.map((one) => one[of] / 1_000).sort((a, b) => a - b);
    console.log(`${WINDOWS} windows  ${of.padEnd(4)} median ${at(sorted, 0.5)} ms   p95 ${at(sorted, 0.95)} ms   most ${at(sorted, 1)} ms   ${sorted.length} frames`);
  }
} finally {
  await stand.close();
}

/** Work on the main thread of the desk in each sixtieth of a second in which there was any. */
function workByFrame(events: readonly TraceEvent[]): { wall: number; cpu: number }[] {
  const frames = new Map<string, number>();
  for (const { name, pid, tid } of events) {
    if (name === 'FireAnimationFrame') frames.set(`${pid}:${tid}`, (frames.get(`${pid}:${tid}`) ?? 0) + 1);
  }
  const [main] = [...frames].sort((a, b) => b[1] - a[1])[0] ?? [];
  const slots = new Map<number, { wall: number; cpu: number }>();
  for (const { name, pid, tid, ts, dur = 0, tdur = 0 } of events) {
    if (name !== 'RunTask' || `${pid}:${tid}` !== main) continue;
    const slot = Math.floor(ts / FRAME_US);
    const sum = slots.get(slot) ?? { wall: 0, cpu: 0 };
    slots.set(slot, { wall: sum.wall + dur, cpu: sum.cpu + tdur });
  }
  return [...slots.values()];
}
