// The hosts of windows: one layer, keyed by the id of the window. A host is made once, never gets
// another parent and never changes its place among the others: a frame in it would load anew. Edits
// only restyle it.

import type { Picture, WindowBox } from '../geometry/picture.ts';
import { tabPanel } from '../keyboard/aria.ts';
import type { WindowIds } from '../keyboard/aria.ts';
import { windowsOf } from '../tree/model.ts';
import type { ItemId, Tree, WindowItem } from '../tree/model.ts';
import { keyed } from './keyed.ts';
import { patch, placeAt } from './patch.ts';

export interface HostOptions {
  readonly layer: HTMLElement;
  readonly idsOf: (id: ItemId) => WindowIds;
  readonly mount: (host: HTMLElement, window: WindowItem) => void;
  readonly unmount: (host: HTMLElement, id: ItemId) => void;
}

export interface Hosts {
  sync(tree: Tree, picture: Picture): void;
  get(id: ItemId): HTMLElement | undefined;
}

export function hosts({ layer, idsOf, mount, unmount }: HostOptions): Hosts {
  const fresh: [HTMLElement, ItemId][] = [];
  const elements = keyed<WindowBox>({
    parent: layer,
    ordered: false,
    make: ({ id }) => {
      const host = layer.ownerDocument.createElement('div');
      host.className = 'layout-host';
      host.dataset['id'] = id;
      fresh.push([host, id]);
      return host;
    },
    drop: (id, host) => unmount(host, id),
  });
  return {
    sync(tree, picture) {
      elements.sync(
        picture.windows,
        ({ id }) => id,
        (host, box) => {
          placeAt(host, box.rect);
          patch(host, tabPanel(idsOf(box.id), box.front));
          host.classList.toggle('is-behind', !box.front);
        },
      );
      if (fresh.length === 0) return;
      // Mounted when they stand where they belong, so that a page never sees a size of nothing.
      const items = new Map(windowsOf(tree.children).map((item) => [item.id, item]));
      for (const [host, id] of fresh.splice(0)) {
        const item = items.get(id);
        if (item !== undefined) mount(host, item);
      }
    },
    get: (id) => elements.get(id),
  };
}
