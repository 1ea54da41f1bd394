// From the address to a desk that can be used, in milliseconds, each time in a browser profile that is new.

import { at, startStand } from './stand.ts';

const TIMES = 15;

const stand = await startStand();
try {
  const took: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const context = await stand.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      // It can be used once it is attached, and offers what there is.
      const look = (): void => {
        if (document.querySelector('.invitation button:enabled') === null) return void requestAnimationFrame(look);
        Object.assign(globalThis, { usableAt: performance.now() });
      };
      requestAnimationFrame(look);
    });
    await page.goto(stand.address);
    const usable = await page.waitForFunction(() => (globalThis as unknown as { usableAt?: number }).usableAt);
    took.push((await usable.jsonValue()) ?? Infinity);
    await context.close();
  }
  const sorted = took.toSorted((a, b) => a - b);
  console.log(`to use     median ${at(sorted, 0.5)} ms   p95 ${at(sorted, 0.95)} ms   of ${TIMES}`);
} finally {
  await stand.close();
}
