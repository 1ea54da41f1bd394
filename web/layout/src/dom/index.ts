// The tree on a page.

export { createCanvas } from './canvas.ts';
export type { Canvas, CanvasOptions } from './canvas.ts';
export { readMetrics } from './metrics.ts';
