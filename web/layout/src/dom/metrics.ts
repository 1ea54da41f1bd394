// Metrics from the style of the canvas, so that sizes have one home.

import { DEFAULT_METRICS } from '../geometry/metrics.ts';
import type { Metrics } from '../geometry/metrics.ts';

const PROPERTIES = {
  strip: '--layout-strip',
  gap: '--layout-gap',
  minWidth: '--layout-min-width',
  minHeight: '--layout-min-height',
  tabMin: '--layout-tab-min',
  tabMax: '--layout-tab-max',
  tools: '--layout-tools',
  edge: '--layout-edge',
} as const satisfies Partial<Record<keyof Metrics, string>>;

/**
 * Reads the custom properties of the canvas, in pixels; what is not said has its default. Gives
 * `before` again if nothing is new, for what is remembered by it.
 */
export function readMetrics(canvas: HTMLElement, before: Metrics = DEFAULT_METRICS): Metrics {
  const style = canvas.ownerDocument.defaultView?.getComputedStyle(canvas);
  const entries = Object.entries(PROPERTIES).map(([key, property]) => {
    const value = Number.parseFloat(style?.getPropertyValue(property) ?? '');
    return [key, Number.isFinite(value) ? value : DEFAULT_METRICS[key as keyof typeof PROPERTIES]] as const;
  });
  const read: Metrics = { ...DEFAULT_METRICS, ...Object.fromEntries(entries), rtl: style?.direction === 'rtl' };
  const isSame = Object.entries(read).every(([key, value]) => before[key as keyof Metrics] === value);
  return isSame ? before : read;
}
