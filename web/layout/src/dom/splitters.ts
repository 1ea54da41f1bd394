// The boundaries that can be moved.

import type { Picture, Splitter } from '../geometry/picture.ts';
import { separator } from '../keyboard/aria.ts';
import type { WindowIds } from '../keyboard/aria.ts';
import type { Texts } from '../keyboard/texts.ts';
import type { ItemId } from '../tree/model.ts';
import { keyed } from './keyed.ts';
import { patch, placeAt } from './patch.ts';

export interface SplitterOptions {
  readonly layer: HTMLElement;
  readonly texts: Texts;
  readonly idsOf: (id: ItemId) => WindowIds;
}

export interface SplitterWords {
  readonly nameOf: (id: ItemId) => string;
  readonly enabled: boolean;
}

export interface Splitters {
  sync(picture: Picture, words: SplitterWords): void;
}

export function splitters({ layer, texts, idsOf }: SplitterOptions): Splitters {
  const elements = keyed<Splitter>({
    parent: layer,
    ordered: true,
    make: ({ id }) => {
      const made = layer.ownerDocument.createElement('div');
      made.className = 'layout-splitter';
      made.dataset['splitter'] = id;
      return made;
    },
  });
  return {
    sync(picture, { nameOf, enabled }) {
      const windows = new Set(picture.windows.map(({ id }) => id));
      elements.sync(
        picture.splitters,
        ({ id }) => id,
        (element, splitter) => {
          placeAt(element, splitter.rect);
          const label = texts.splitter(nameOf(splitter.id), nameOf(splitter.after));
          const front = picture.panes.find((pane) => pane.id === splitter.id)?.front ?? splitter.id;
          const controls = windows.has(front) ? idsOf(front).panel : undefined;
          patch(element, separator(splitter, label, controls, enabled));
          element.dataset['axis'] = splitter.axis;
        },
      );
    },
  };
}
