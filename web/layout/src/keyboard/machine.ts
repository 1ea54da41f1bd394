// The canvas by keyboard, as a state machine. A key and what has the focus come in; out come the
// next state, where the focus goes, an edit, and a sentence for those who cannot see it.
//
//   resting ─Enter on a tab─► carrying ─Enter─► dropped (resting)
//                                │ arrows choose a place      └─Escape─► resting
//
// What a pointer can do, keys can: move, stack, split, edges, resize, reorder, close, select.

import type { Hit } from '../geometry/hit.ts';
import type { Pane, Picture, Splitter } from '../geometry/picture.ts';
import { lengthFor, percentOf, resizeTo, SNAP } from '../geometry/resize.ts';
import { aim, paneOf, subjectId } from '../geometry/target.ts';
import type { Subject, Target } from '../geometry/target.ts';
import { sideAxis } from '../tree/edit/edit.ts';
import type { Edit, Side } from '../tree/edit/edit.ts';
import type { ItemId } from '../tree/model.ts';
import { itemName, placeName } from './names.ts';
import type { Spoken } from './names.ts';
import { neighbour, nextHit, sideOf } from './spatial.ts';

/** What has the focus. */
export type Focus =
  | { readonly on: 'tab'; readonly id: ItemId }
  /** A pane without tabs. */
  | { readonly on: 'pane'; readonly id: ItemId }
  | { readonly on: 'splitter'; readonly id: ItemId };

export interface Key {
  /** As in `KeyboardEvent.key`. */
  readonly key: string;
  readonly shift: boolean;
}

export type KeyboardState =
  | { readonly mode: 'resting' }
  | {
      readonly mode: 'carrying';
      readonly subject: Subject;
      readonly hit: Hit;
      /** None until a place was chosen. */
      readonly target: Target | undefined;
    };

/** What a key does. Nothing, if it is not for the canvas. */
export interface Outcome {
  readonly state: KeyboardState;
  readonly focus?: Focus | undefined;
  readonly edit?: Edit;
  /** A window whose name a person wants to change. */
  readonly rename?: ItemId;
  readonly say?: string;
}

export const RESTING: KeyboardState = { mode: 'resting' };

/** How far an arrow key moves a splitter, in percent of both neighbours; with Shift, `LEAP`. */
const STEP = 2;
const LEAP = 10;

export function press(state: KeyboardState, key: Key, focus: Focus, spoken: Spoken): Outcome | undefined {
  if (state.mode === 'carrying') return carry(state, key, spoken);
  if (key.key === 'F6') return toPane(focus, key.shift ? -1 : 1, spoken);
  switch (focus.on) {
    case 'splitter':
      return onSplitter(key, focus.id, spoken);
    case 'pane':
      return onPane(key, focus.id, spoken);
    case 'tab':
      return onTab(key, focus.id, spoken);
  }
}

/** Picks something up: a window, a group, or a new item from outside the canvas. */
export function pickUp(subject: Subject, spoken: Spoken): Outcome {
  const { picture } = spoken.scene;
  const id = subjectId(subject);
  const pane = picture.panes.find((one) => one.id === id || one.tabs.some((tab) => tab.id === id)) ?? picture.panes[0];
  const hit: Hit = pane === undefined ? { on: 'canvas' } : { on: 'zone', pane: pane.id, zone: 'centre' };
  // What comes from outside is nowhere yet, so the first place counts at once.
  const first = subject.from === 'outside' ? aim(spoken.scene, subject, hit) : undefined;
  const state: KeyboardState = { mode: 'carrying', subject, hit, target: first?.ok ? first.value : undefined };
  return { state, say: spoken.texts.pickedUp(subject.name) };
}

/** Puts back what is carried, such as when the canvas is locked. */
export function putBack(state: KeyboardState, spoken: Spoken): Outcome | undefined {
  if (state.mode !== 'carrying') return undefined;
  return { state: RESTING, say: spoken.texts.putBack(state.subject.name), focus: focusOf(state.subject) };
}

function carry(state: KeyboardState & { mode: 'carrying' }, key: Key, spoken: Spoken): Outcome | undefined {
  const side = sideOf(key.key);
  if (side !== undefined) return choose(state, side, key.shift, spoken);
  switch (key.key) {
    case 'Escape':
      return putBack(state, spoken);
    case 'Enter':
    case ' ':
      return drop(state, spoken);
    case 'Tab':
    case 'F6':
      return chooseAmong(state, paneHits(spoken.scene.picture, state.hit, key.shift ? -1 : 1), spoken);
    default:
      return undefined;
  }
}

function drop(state: KeyboardState & { mode: 'carrying' }, spoken: Spoken): Outcome | undefined {
  const { subject, target } = state;
  if (target === undefined) return putBack(state, spoken);
  const say = spoken.texts.dropped(subject.name, placeName(spoken, subject, target.hit));
  return { state: RESTING, edit: target.edit, say, focus: focusOf(subject) };
}

function focusOf(subject: Subject): Focus | undefined {
  return subject.from === 'tree' ? { on: 'tab', id: subject.id } : undefined;
}

/** Goes on in a direction until something may be dropped; with Shift, to that side of the canvas. */
function choose(state: KeyboardState & { mode: 'carrying' }, side: Side, far: boolean, spoken: Spoken): Outcome {
  const { picture } = spoken.scene;
  function* along(): Generator<Hit> {
    // Through every zone of every pane at most, so that a way that turns back ends.
    const most = 3 * picture.panes.length + 2;
    let hit: Hit | undefined = far ? { on: 'edge', side } : nextHit(picture, state.hit, side);
    for (let count = 0; hit !== undefined && count < most; count += 1) {
      yield hit;
      hit = nextHit(picture, hit, side);
    }
  }
  return chooseAmong(state, along(), spoken);
}

function chooseAmong(state: KeyboardState & { mode: 'carrying' }, hits: Iterable<Hit>, spoken: Spoken): Outcome {
  const { subject } = state;
  for (const hit of hits) {
    const target = aim(spoken.scene, subject, hit);
    if (!target.ok) continue;
    const say = spoken.texts.over(subject.name, placeName(spoken, subject, hit));
    return { state: { ...state, hit, target: target.value }, say };
  }
  return { state, say: spoken.texts.nowhere() };
}

/** The middles of the panes, from the one after (or before) `hit`. */
function paneHits(picture: Picture, hit: Hit, by: 1 | -1): Hit[] {
  const ids = picture.panes.map((pane) => pane.id);
  const at = 'pane' in hit ? ids.indexOf(hit.pane) : -1;
  const cut = by > 0 ? at + 1 : Math.max(at, 0);
  const onwards = [...ids.slice(cut), ...ids.slice(0, cut)];
  return (by > 0 ? onwards : onwards.reverse()).map((pane) => ({ on: 'zone', pane, zone: 'centre' }));
}

function onTab(key: Key, id: ItemId, spoken: Spoken): Outcome | undefined {
  const { scene, texts } = spoken;
  const pane = scene.picture.panes.find((one) => one.tabs.some((tab) => tab.id === id));
  if (pane === undefined) return undefined;
  const place = pane.tabs.findIndex((tab) => tab.id === id);
  const name = itemName(spoken, id);
  switch (key.key) {
    case 'Enter':
      return pickUp({ from: 'tree', id, name }, spoken);
    case ' ':
      return toTab(pane, place, spoken);
    case 'Home':
      return toTab(pane, 0, spoken);
    case 'End':
      return toTab(pane, pane.tabs.length - 1, spoken);
    case 'F2':
      return { state: RESTING, rename: id };
    case 'Delete':
      return { ...rest({ op: 'remove', item: id }, texts.closed(name)), focus: focusAfter(pane, place, scene.picture) };
  }
  const side = sideOf(key.key);
  if (side === undefined) return undefined;
  const by = tabStep(side, scene.metrics.rtl);
  const next = place + by;
  const isTab = by !== 0 && next >= 0 && next < pane.tabs.length;
  if (key.shift) {
    const moved = texts.moved(name, next + 1, pane.tabs.length);
    return isTab ? { ...rest({ op: 'reorder', item: id, index: next }, moved), focus: { on: 'tab', id } } : undefined;
  }
  return isTab ? toTab(pane, next, spoken) : toNeighbour(pane, side, spoken);
}

/** The way along a strip that an arrow key goes; none for up and down. */
function tabStep(side: Side, rtl: boolean): number {
  if (sideAxis(side) === 'vertical') return 0;
  return (side === 'right') === rtl ? -1 : 1;
}

/** A tab that gets the focus comes to the front. */
function toTab(pane: Pane, place: number, spoken: Spoken): Outcome | undefined {
  const id = pane.tabs[place]?.id;
  if (id === undefined) return undefined;
  const say = spoken.texts.selected(itemName(spoken, id), place + 1, pane.tabs.length);
  const focus: Focus = { on: 'tab', id };
  return pane.front === id ? { state: RESTING, focus, say } : { ...rest({ op: 'select', item: id }, say), focus };
}

function onPane(key: Key, id: ItemId, spoken: Spoken): Outcome | undefined {
  const pane = paneOf(spoken.scene.picture, id);
  const side = sideOf(key.key);
  if (pane === undefined) return undefined;
  if (key.key === 'Delete') return rest({ op: 'remove', item: id }, spoken.texts.closed(spoken.texts.empty));
  return side === undefined ? undefined : toNeighbour(pane, side, spoken);
}

function toNeighbour(pane: Pane, side: Side, spoken: Spoken): Outcome {
  const next = neighbour(spoken.scene.picture, pane, side);
  return next === undefined ? { state: RESTING, say: spoken.texts.nowhere() } : { state: RESTING, focus: paneFocus(next) };
}

/** From pane to pane, in the order of the tree. */
function toPane(focus: Focus, by: 1 | -1, { scene }: Spoken): Outcome | undefined {
  const { panes } = scene.picture;
  const holds = (pane: Pane): boolean => pane.id === focus.id || pane.tabs.some((tab) => tab.id === focus.id);
  const own = panes.findIndex(holds);
  const at = own < 0 ? (by > 0 ? 0 : panes.length - 1) : (own + by + panes.length) % panes.length;
  const pane = panes[at];
  return pane === undefined ? undefined : { state: RESTING, focus: paneFocus(pane) };
}

function paneFocus(pane: Pane): Focus {
  return pane.front === undefined ? { on: 'pane', id: pane.id } : { on: 'tab', id: pane.front };
}

/** What has the focus when a tab is gone: the next tab, else the next pane. */
function focusAfter(pane: Pane, place: number, { panes }: Picture): Focus | undefined {
  const tab = pane.tabs[place + 1] ?? pane.tabs[place - 1];
  if (tab !== undefined) return { on: 'tab', id: tab.id };
  const at = panes.indexOf(pane);
  const next = panes[at + 1] ?? panes[at - 1];
  return next === undefined ? undefined : paneFocus(next);
}

function onSplitter(key: Key, id: ItemId, spoken: Spoken): Outcome | undefined {
  const splitter = spoken.scene.picture.splitters.find((one) => one.id === id);
  if (splitter === undefined) return undefined;
  const length = wished(splitter, key);
  if (length === undefined) return undefined;
  const within = lengthFor(splitter, length);
  const say = spoken.texts.resized(itemName(spoken, id), percentOf(splitter, within));
  return within === splitter.length ? { state: RESTING, say } : rest(resizeTo(splitter, within), say);
}

function wished(splitter: Splitter, { key, shift }: Key): number | undefined {
  if (key === 'Home') return splitter.min;
  if (key === 'End') return splitter.max;
  const side = sideOf(key);
  if (side === undefined || sideAxis(side) !== splitter.axis) return undefined;
  // At a bound a step is longer than the snap, which would take it back.
  const isAtBound = splitter.length === splitter.min || splitter.length === splitter.max;
  const step = Math.max((splitter.both * (shift ? LEAP : STEP)) / 100, isAtBound ? SNAP + 1 : 1);
  return splitter.length + (side === 'left' || side === 'top' ? -step : step);
}

function rest(edit: Edit, say: string): Outcome {
  return { state: RESTING, edit, say };
}

