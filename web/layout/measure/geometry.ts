// How long one pointer move takes, without a browser: `npm run measure`.

import { aim, arrange, counter, DEFAULT_METRICS, draw, hitTest, read } from '../src/headless.ts';
import type { Hit, Scene, Subject } from '../src/headless.ts';

const WINDOWS = 200;
const MOVES = 2_000;

const given = Array.from({ length: WINDOWS }, (_, place) => ({ type: 'window', appName: `App ${place}` }));
const found = read(given, 'strict', counter('w'));
if (!found.ok) throw found.error;
const arranged = arrange(found.value.tree.children, counter('g'));
if (!arranged.ok) throw arranged.error;
const tree = arranged.value;
const canvas = { x: 0, y: 0, width: 2560, height: 1440 };
const scene: Scene = { tree, metrics: DEFAULT_METRICS, picture: draw(tree, canvas, DEFAULT_METRICS) };
const subject: Subject = { from: 'tree', id: 'w1', name: 'App 0' };

/** Milliseconds of each call, sorted. */
function time(work: (move: number) => void): number[] {
  for (let move = 0; move < MOVES / 10; move += 1) work(move);
  const took = Array.from({ length: MOVES }, (_, move) => {
    const start = performance.now();
    work(move);
    return performance.now() - start;
  });
  return took.sort((a, b) => a - b);
}

function pointAt(move: number): { x: number; y: number } {
  return { x: (move * 37) % canvas.width, y: (move * 91) % canvas.height };
}

function report(what: string, took: number[]): void {
  const at = (part: number): string => (took[Math.floor(took.length * part)] ?? 0).toFixed(3);
  console.log(`${what.padEnd(52)} median ${at(0.5)} ms   p95 ${at(0.95)} ms   p99 ${at(0.99)} ms`);
}

let last: Hit | undefined;
console.log(`${WINDOWS} windows, ${MOVES} moves`);
report('rectangles of all windows, and what is under a point', time((move) => {
  last = hitTest(draw(tree, canvas, DEFAULT_METRICS), pointAt(move), DEFAULT_METRICS);
}));
report('what is under a point', time((move) => {
  last = hitTest(scene.picture, pointAt(move), DEFAULT_METRICS);
}));
report('what a drop there does, with its preview', time((move) => {
  last = hitTest(scene.picture, pointAt(move), DEFAULT_METRICS);
  if (last !== undefined) aim(scene, subject, last);
}));
