// Points and rectangles, in CSS pixels from the top left of the canvas.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export function contains(rect: Rect, point: Point): boolean {
  const inside = point.x >= rect.x && point.x < rect.x + rect.width;
  return inside && point.y >= rect.y && point.y < rect.y + rect.height;
}

/** The rectangle with this much more on every side. */
export function grown(rect: Rect, by: number): Rect {
  return { x: rect.x - by, y: rect.y - by, width: rect.width + 2 * by, height: rect.height + 2 * by };
}

export function sameRect(a: Rect | undefined, b: Rect | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
