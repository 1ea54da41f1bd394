// Roles and states of what the canvas shows, as data.

import type { Splitter } from '../geometry/picture.ts';
import { percentOf } from '../geometry/resize.ts';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** Ids of elements that belong to a window. */
export interface WindowIds {
  readonly tab: string;
  readonly panel: string;
}

export function tabList(label: string): Attributes {
  return { role: 'tablist', 'aria-label': label, 'aria-orientation': 'horizontal' };
}

/** One tab of a strip can be reached by Tab, the others by arrow keys from it. */
export function tab(ids: WindowIds, selected: boolean, place: number, of: number, grabbed: boolean): Attributes {
  return {
    role: 'tab',
    id: ids.tab,
    tabindex: selected ? '0' : '-1',
    'aria-selected': String(selected),
    'aria-controls': ids.panel,
    'aria-posinset': String(place + 1),
    'aria-setsize': String(of),
    'data-carried': grabbed ? '' : undefined,
  };
}

export function tabPanel(ids: WindowIds, front: boolean): Attributes {
  return { role: 'tabpanel', id: ids.panel, 'aria-labelledby': ids.tab, 'aria-hidden': front ? undefined : 'true' };
}

/** A separator that can be moved. One between things side by side stands upright. */
export function separator(splitter: Splitter, label: string, controls: string | undefined, enabled: boolean): Attributes {
  return {
    role: 'separator',
    tabindex: enabled ? '0' : undefined,
    'aria-label': label,
    'aria-controls': controls,
    'aria-orientation': splitter.axis === 'horizontal' ? 'vertical' : 'horizontal',
    'aria-valuemin': String(percentOf(splitter, splitter.min)),
    'aria-valuemax': String(percentOf(splitter, splitter.max)),
    'aria-valuenow': String(percentOf(splitter, splitter.length)),
    'aria-disabled': enabled ? undefined : 'true',
  };
}
