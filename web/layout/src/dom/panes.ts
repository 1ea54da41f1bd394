// The frames of panes with their strips of tabs. Nothing in here is a page, so elements may come,
// go and change their order.

import type { Pane, Picture, Tab } from '../geometry/picture.ts';
import { tab as tabAttributes, tabList } from '../keyboard/aria.ts';
import type { WindowIds } from '../keyboard/aria.ts';
import type { Texts } from '../keyboard/texts.ts';
import type { ItemId } from '../tree/model.ts';
import { keyed } from './keyed.ts';
import type { Keyed } from './keyed.ts';
import { patch, placeAt, setText } from './patch.ts';

export interface PaneOptions {
  readonly layer: HTMLElement;
  readonly texts: Texts;
  readonly idsOf: (id: ItemId) => WindowIds;
  readonly editable: boolean;
  /** Fills the end of a strip of tabs, once for each pane. */
  readonly tools?: ((element: HTMLElement, pane: ItemId) => void) | undefined;
}

/** What the tabs say. */
export interface PaneWords {
  readonly names: ReadonlyMap<ItemId, string>;
  /** What is carried by keyboard or dragged. */
  readonly carried: ItemId | undefined;
}

export interface Panes {
  sync(picture: Picture, words: PaneWords): void;
}

export function panes({ layer, texts, idsOf, editable, tools }: PaneOptions): Panes {
  const document = layer.ownerDocument;
  const strips = new WeakMap<HTMLElement, { strip: HTMLElement; list: HTMLElement; tabs: Keyed<Tab> }>();

  function element(className: string, parent?: HTMLElement): HTMLElement {
    const made = document.createElement('div');
    made.className = className;
    parent?.append(made);
    return made;
  }

  function makePane({ id }: Pane): HTMLElement {
    const pane = element('layout-pane');
    pane.dataset['pane'] = id;
    const strip = element('layout-strip', pane);
    // A list of tabs has tabs in it and nothing else, for those who hear it.
    const list = element('layout-tabs', strip);
    strips.set(pane, { strip, list, tabs: keyed<Tab>({ parent: list, make: makeTab, ordered: true }) });
    if (tools !== undefined) tools(element('layout-tools', strip), id);
    return pane;
  }

  function makeTab({ id }: Tab): HTMLElement {
    const tab = element('layout-tab');
    tab.dataset['tab'] = id;
    element('layout-title', tab);
    if (editable) {
      // For pointers only; by keyboard, Delete does the same.
      const close = element('layout-close', tab);
      close.setAttribute('aria-hidden', 'true');
      close.textContent = '×';
    }
    return tab;
  }

  const elements = keyed<Pane>({ parent: layer, make: makePane, ordered: true });

  return {
    sync(picture, { names, carried }) {
      elements.sync(
        picture.panes,
        ({ id }) => id,
        (frame, pane) => {
          placeAt(frame, pane.rect);
          const inside = strips.get(frame);
          if (inside === undefined) return;
          const isEmpty = pane.tabs.length === 0;
          const nameOf = (id: ItemId | undefined): string => (id === undefined ? '' : (names.get(id) ?? ''));
          patch(frame, {
            role: isEmpty ? 'group' : undefined,
            tabindex: isEmpty ? '0' : undefined,
            'aria-label': isEmpty ? texts.empty : undefined,
            'data-empty': isEmpty ? texts.empty : undefined,
          });
          inside.strip.hidden = isEmpty;
          patch(inside.list, isEmpty ? { role: undefined, 'aria-label': undefined } : tabList(texts.tabs(nameOf(pane.front))));
          inside.tabs.sync(
            pane.tabs,
            ({ id }) => id,
            (tab, { id, rect }) => {
              const place = pane.tabs.findIndex((one) => one.id === id);
              const isFront = id === pane.front;
              patch(tab, tabAttributes(idsOf(id), isFront, place, pane.tabs.length, id === carried));
              patch(tab, { title: nameOf(id), 'aria-label': nameOf(id) });
              const [title, close] = tab.children;
              if (title !== undefined) setText(title, nameOf(id));
              if (close !== undefined) patch(close, { title: texts.close(nameOf(id)) });
              // A tab without room stays for the keyboard, out of sight.
              tab.classList.toggle('is-cut', rect === undefined);
              if (rect !== undefined) placeAt(tab, { ...rect, x: rect.x - pane.strip.x, y: 0 });
            },
          );
        },
      );
    },
  };
}
