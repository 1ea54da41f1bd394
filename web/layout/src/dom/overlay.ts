// What is only there for a moment: the shield over frames, where something lands, what is under
// the pointer, and the sentence that is read out.

import type { Point, Rect } from '../geometry/rect.ts';
import { placeAt, setText } from './patch.ts';

export interface Overlay {
  /** Over all frames, so that none takes the pointer; with the cursor of what is done. */
  shield(kind: 'drag' | 'horizontal' | 'vertical' | undefined): void;
  preview(landing: { readonly rect: Rect; readonly tab: Rect | undefined; readonly label: string } | undefined): void;
  ghost(carried: { readonly at: Point; readonly name: string; readonly refused: boolean } | undefined): void;
  say(sentence: string): void;
}

export function overlay(layer: HTMLElement, live: HTMLElement): Overlay {
  const make = (className: string, parent = layer): HTMLElement => {
    const made = layer.ownerDocument.createElement('div');
    made.className = className;
    parent.append(made);
    return made;
  };
  const shield = make('layout-shield');
  const preview = make('layout-preview');
  const label = make('layout-label', preview);
  const tab = make('layout-preview-tab');
  const ghost = make('layout-ghost');
  for (const element of [shield, preview, tab, ghost]) element.hidden = true;
  layer.setAttribute('aria-hidden', 'true');

  return {
    shield(kind) {
      shield.hidden = kind === undefined;
      if (kind !== undefined) shield.dataset['kind'] = kind;
    },
    preview(landing) {
      preview.hidden = landing === undefined;
      tab.hidden = landing?.tab === undefined;
      if (landing === undefined) return;
      placeAt(preview, landing.rect);
      setText(label, landing.label);
      if (landing.tab !== undefined) placeAt(tab, landing.tab);
    },
    ghost(carried) {
      ghost.hidden = carried === undefined;
      if (carried === undefined) return;
      ghost.style.transform = `translate(${carried.at.x}px, ${carried.at.y}px)`;
      setText(ghost, carried.name);
      ghost.classList.toggle('is-refused', carried.refused);
    },
    // The same sentence twice is read twice only if something differs.
    say: (sentence) => setText(live, live.textContent === sentence ? `${sentence}\u00a0` : sentence),
  };
}
