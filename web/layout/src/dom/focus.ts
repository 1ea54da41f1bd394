// The focus of the browser and the focus of the keyboard machine.

import type { Focus } from '../keyboard/machine.ts';

/** What an element stands for. */
export function focusAt(target: Element): Focus | undefined {
  const element = target.closest<HTMLElement>('[data-tab], [data-splitter], [data-pane]');
  const { tab, splitter, pane } = element?.dataset ?? {};
  if (tab !== undefined) return { on: 'tab', id: tab };
  if (splitter !== undefined) return { on: 'splitter', id: splitter };
  return pane !== undefined ? { on: 'pane', id: pane } : undefined;
}

/** The element of a focus. */
export function elementOf(canvas: HTMLElement, focus: Focus): HTMLElement | undefined {
  const found = canvas.querySelectorAll<HTMLElement>(`[data-${focus.on}]`);
  return Array.from(found).find((element) => element.dataset[focus.on] === focus.id);
}
