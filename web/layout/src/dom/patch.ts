// Changing elements only where something is new.

import type { Rect } from '../geometry/rect.ts';

export type Values = Readonly<Record<string, string | undefined>>;

/** Sets attributes; `undefined` takes one away. */
export function patch(element: Element, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

const placed = new WeakMap<HTMLElement, Rect>();

/** Puts an element to a rectangle of the canvas. */
export function placeAt(element: HTMLElement, rect: Rect): void {
  const before = placed.get(element);
  if (before === rect) return;
  placed.set(element, rect);
  const { style } = element;
  if (before?.x !== rect.x) style.left = `${rect.x}px`;
  if (before?.y !== rect.y) style.top = `${rect.y}px`;
  if (before?.width !== rect.width) style.width = `${rect.width}px`;
  if (before?.height !== rect.height) style.height = `${rect.height}px`;
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
