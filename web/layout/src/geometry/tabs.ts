// Where the tabs of a strip are.

import type { Metrics } from './metrics.ts';
import { clamp } from './rect.ts';
import type { Rect } from './rect.ts';

/**
 * Rectangles of `count` tabs. Where not all have room, those around the active one are seen and
 * the others have none.
 */
export function tabRects(strip: Rect, count: number, active: number, metrics: Metrics): (Rect | undefined)[] {
  if (count === 0) return [];
  const fit = clamp(Math.floor(strip.width / metrics.tabMin), 1, count);
  const first = clamp(active - Math.floor((fit - 1) / 2), 0, count - fit);
  const width = Math.min(strip.width / fit, metrics.tabMax);
  return Array.from({ length: count }, (_, place) => {
    const seen = place - first;
    if (seen < 0 || seen >= fit) return undefined;
    const from = Math.round(seen * width);
    const wide = Math.round((seen + 1) * width) - from;
    const x = metrics.rtl ? strip.x + strip.width - from - wide : strip.x + from;
    return { x, y: strip.y, width: wide, height: strip.height };
  });
}
