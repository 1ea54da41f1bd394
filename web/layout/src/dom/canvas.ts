// A workspace on a page: shows a tree, and proposes edits. Whoever made it applies them, or asks a
// server to, and gives back the tree that came of it.

import { isActive } from '../drag/machine.ts';
import type { DragState, Grip } from '../drag/machine.ts';
import { pointers } from '../drag/pointer.ts';
import { draw } from '../geometry/picture.ts';
import type { Rect } from '../geometry/rect.ts';
import { subjectId } from '../geometry/target.ts';
import type { Scene, Subject, Target } from '../geometry/target.ts';
import { ENGLISH, itemName, pickUp, placeName, press, putBack, RESTING } from '../keyboard/index.ts';
import type { Focus, KeyboardState, Outcome, Spoken, Texts } from '../keyboard/index.ts';
import type { WindowIds } from '../keyboard/aria.ts';
import type { Edit } from '../tree/edit/edit.ts';
import { nameOf, walk } from '../tree/model.ts';
import type { Item, ItemId, Tree, WindowItem } from '../tree/model.ts';
import { elementOf, focusAt } from './focus.ts';
import { hosts } from './hosts.ts';
import { readMetrics } from './metrics.ts';
import { overlay } from './overlay.ts';
import { panes } from './panes.ts';
import { patch } from './patch.ts';
import { splitters } from './splitters.ts';

export interface CanvasOptions {
  /** An element with a size. What is in it is the canvas's. */
  readonly root: HTMLElement;
  readonly tree: Tree;
  /** An item that fills the canvas. */
  readonly maximized?: ItemId | undefined;
  /** Puts a page into the host of a window; called once for each window. */
  readonly mount: (host: HTMLElement, window: WindowItem) => void;
  /** The window is gone; its host goes next. */
  readonly unmount?: (host: HTMLElement, id: ItemId) => void;
  /** A person wants this; `render` shows what came of it, now or later. */
  readonly edit: (edit: Edit) => void;
  /** A person wants to give a window another name; without this, F2 does nothing. */
  readonly rename?: (id: ItemId) => void;
  /** What to call a window; by default its title, or its application. */
  readonly name?: (item: Item) => string;
  readonly texts?: Texts;
  /** Puts buttons at the end of a pane's strip, in the width of `--layout-tools`; called once for each pane. */
  readonly tools?: (element: HTMLElement, pane: ItemId) => void;
  /** Whether it is only looked at: tabs come to the front, nothing else can be changed. */
  readonly readOnly?: boolean;
}

export interface Canvas {
  /** Shows a tree, or of it one item that fills the canvas; then tabs come to the front and close, nothing else. */
  render(tree: Tree, maximized?: ItemId): void;
  /** Ends a drag and takes no further edits, or takes them again. */
  lock(locked: boolean): void;
  /** Lets new items be dragged from another element, such as a list of applications. */
  source(element: HTMLElement, subjectAt: (target: Element) => Subject | undefined): () => void;
  /** Carries a new item by keyboard. */
  carry(subject: Subject): void;
  focus(focus: Focus): void;
  /** The host of a window. */
  host(id: ItemId): HTMLElement | undefined;
  destroy(): void;
}

let canvases = 0;

export function createCanvas(options: CanvasOptions): Canvas {
  const { root, texts = ENGLISH, readOnly = false, name = nameOf } = options;
  const document = root.ownerDocument;
  const ended = new AbortController();
  const on = { signal: ended.signal };
  canvases += 1;
  const prefix = `layout-${canvases}`;
  const numbers = new Map<ItemId, number>();
  let lastNumber = 0;
  let { tree, maximized } = options;
  let locked = false;
  let keyboard: KeyboardState = RESTING;
  let drag: DragState = { phase: 'idle' };
  let metrics = readMetrics(root);
  let scene: Scene = sceneOf(tree);

  const layer = (className: string): HTMLElement => {
    const made = document.createElement('div');
    made.className = `layout-layer ${className}`;
    root.append(made);
    return made;
  };
  root.classList.add('layout-canvas');
  const parts = {
    panes: panes({ layer: layer('layout-panes'), texts, idsOf, editable: !readOnly, tools: options.tools }),
    hosts: hosts({ layer: layer('layout-hosts'), idsOf, mount: options.mount, unmount }),
    splitters: splitters({ layer: layer('layout-splitters'), texts, idsOf }),
  };
  const live = layer('layout-live');
  const shown = overlay(layer('layout-overlay'), live);
  const help = layer('layout-live');
  help.id = `${prefix}-help`;
  help.textContent = texts.help;
  patch(live, { role: 'status' });
  patch(root, { role: 'group', 'aria-label': texts.canvas, 'aria-describedby': readOnly ? undefined : help.id });
  if (!root.hasAttribute('tabindex')) root.tabIndex = -1;

  /** Ids of elements; an item's own id may be any text, and those here may not. */
  function idsOf(id: ItemId): WindowIds {
    const number = numbers.get(id) ?? ++lastNumber;
    numbers.set(id, number);
    return { tab: `${prefix}-tab-${number}`, panel: `${prefix}-panel-${number}` };
  }

  function unmount(host: HTMLElement, id: ItemId): void {
    numbers.delete(id);
    options.unmount?.(host, id);
  }

  function sceneOf(of: Tree): Scene {
    metrics = readMetrics(root, metrics);
    return { tree: of, metrics, picture: draw(of, canvasRect(), metrics, maximized) };
  }

  function canvasRect(): Rect {
    return { x: 0, y: 0, width: root.clientWidth, height: root.clientHeight };
  }

  function spoken(): Spoken {
    return { scene, texts, name };
  }

  function show(): void {
    const resizing = drag.phase === 'resizing' ? drag.after : undefined;
    const picture = resizing === undefined ? scene.picture : draw(resizing, scene.picture.canvas, scene.metrics);
    const names = new Map<ItemId, string>();
    for (const item of walk(tree.children)) names.set(item.id, name(item));
    const focused = document.activeElement === null ? undefined : focusAt(document.activeElement);
    const hadFocus = focused !== undefined && root.contains(document.activeElement);
    parts.panes.sync(picture, { names, carried: carriedId() });
    parts.hosts.sync(tree, picture);
    parts.splitters.sync(picture, { nameOf: (id) => names.get(id) || itemName(spoken(), id), enabled: canEdit() });
    if (hadFocus && focused !== undefined) focus(focused);
    showMoment();
  }

  /** What changes with every move of a drag. */
  function showMoment(): void {
    const isDragging = drag.phase === 'dragging';
    root.classList.toggle('is-dragging', isDragging || keyboard.mode === 'carrying');
    root.classList.toggle('is-locked', locked);
    shown.shield(drag.phase === 'resizing' ? drag.splitter.axis : isActive(drag) ? 'drag' : undefined);
    if (drag.phase === 'dragging') landing(drag.subject, drag.target);
    else if (keyboard.mode === 'carrying') landing(keyboard.subject, keyboard.target);
    else shown.preview(undefined);
    shown.ghost(drag.phase === 'dragging' ? { at: drag.at, name: drag.subject.name, refused: drag.refused } : undefined);
  }

  function landing(subject: Subject, target: Target | undefined): void {
    if (target === undefined) return shown.preview(undefined);
    shown.preview({ rect: target.preview, tab: target.tab, label: placeName(spoken(), subject, target.hit) });
  }

  function carriedId(): ItemId | undefined {
    if (drag.phase === 'dragging') return subjectId(drag.subject);
    return keyboard.mode === 'carrying' ? subjectId(keyboard.subject) : undefined;
  }

  function canEdit(): boolean {
    return !locked && !readOnly && maximized === undefined;
  }

  function may(edit: Edit): boolean {
    if (edit.op === 'select') return !locked;
    return edit.op === 'remove' ? !locked && !readOnly : canEdit();
  }

  function focus(wanted: Focus): void {
    const element = elementOf(root, wanted);
    if (element !== undefined && element !== document.activeElement) element.focus({ preventScroll: true });
  }

  /** Proposes an edit; the focus goes where it belongs afterwards, once that is there. */
  function propose(edit: Edit, then: Focus | undefined): void {
    if (!may(edit)) return;
    options.edit(edit);
    if (then !== undefined) focus(then);
  }

  // By pointer

  const pointing = pointers({ canvas: root, scene: () => scene, changed });

  function changed(state: DragState, before: DragState): void {
    drag = state;
    if ((state.phase === 'dragging' || state.phase === 'resizing') && before.phase === 'pressed') {
      settle(putBack(keyboard, spoken()));
      // Escape is to come here, not to a page that had the focus.
      root.focus({ preventScroll: true });
    }
    const isLive = state.phase === 'resizing' || before.phase === 'resizing' || before.phase === 'dragging';
    if (isLive && !(state.phase === 'dragging' && before.phase === 'dragging')) show();
    else showMoment();
    if (state.phase === 'clicked') click(state.grip);
    if (state.phase === 'dropped') propose(state.edit, focusAfter(state.subject, before));
    if (state.phase === 'cancelled') focusBack(before);
  }

  /** The focus goes with what was dropped, or to the splitter that was moved. */
  function focusAfter(subject: Subject | undefined, before: DragState): Focus | undefined {
    if (subject !== undefined) return { on: 'tab', id: frontOf(subjectId(subject)) };
    return before.phase === 'resizing' ? { on: 'splitter', id: before.splitter.id } : undefined;
  }

  function focusBack(before: DragState): void {
    if (before.phase === 'resizing') focus({ on: 'splitter', id: before.splitter.id });
    if (before.phase === 'dragging') focus({ on: 'tab', id: frontOf(subjectId(before.subject)) });
  }

  /** The window in front of a group; a window is in front of itself. */
  function frontOf(id: ItemId): ItemId {
    return scene.picture.panes.find((pane) => pane.id === id)?.front ?? id;
  }

  function click(grip: Grip): void {
    if (grip.on === 'splitter') return focus(grip);
    const id = frontOf(subjectId(grip.subject));
    const pane = scene.picture.panes.find(({ tabs }) => tabs.some((tab) => tab.id === id));
    if (pane !== undefined && pane.front !== id) propose({ op: 'select', item: id }, undefined);
    focus({ on: 'tab', id });
  }

  function gripAt(target: Element): Grip | undefined {
    if (!canEdit() || target.closest('.layout-close, .layout-tools') !== null) return undefined;
    const focused = focusAt(target);
    if (focused?.on === 'splitter') return { on: 'splitter', id: focused.id };
    // A tab drags its window; the strip beside the tabs drags all of them.
    if (focused === undefined || (focused.on === 'pane' && target.closest('.layout-strip') === null)) return undefined;
    return { on: 'subject', subject: { from: 'tree', id: focused.id, name: itemName(spoken(), focused.id) } };
  }

  pointing.listen(root, gripAt);
  root.addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof Element)) return;
      const at = focusAt(event.target);
      if (at?.on !== 'tab') return;
      if (event.target.closest('.layout-close') !== null) propose({ op: 'remove', item: at.id }, undefined);
      // Clicks without a pointer come from assistive technology; those of pointers were seen.
      else if (!canEdit() || event.detail === 0) click({ on: 'subject', subject: { from: 'tree', id: at.id, name: '' } });
    },
    on,
  );

  // By keyboard

  function settle(outcome: Outcome | undefined): void {
    if (outcome === undefined) return;
    const before = keyboard;
    keyboard = outcome.state;
    if (outcome.say !== undefined) shown.say(outcome.say);
    if (outcome.edit !== undefined) propose(outcome.edit, outcome.focus);
    else if (outcome.focus !== undefined) focus(outcome.focus);
    if (keyboard !== before) show();
  }

  function isRefused({ edit, rename, state }: Outcome): boolean {
    if (rename !== undefined) return locked || readOnly;
    return edit === undefined ? state.mode === 'carrying' && !canEdit() : !may(edit);
  }

  root.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isActive(drag)) return;
      const isTool = event.target instanceof Element && event.target.closest('.layout-tools') !== null;
      const at = event.target instanceof Element && !isTool ? focusAt(event.target) : undefined;
      if (at === undefined && keyboard.mode !== 'carrying') return;
      const key = { key: event.key, shift: event.shiftKey };
      const outcome = press(keyboard, key, at ?? { on: 'pane', id: '' }, spoken());
      if (outcome === undefined || (outcome.rename !== undefined && options.rename === undefined)) return;
      event.preventDefault();
      event.stopPropagation();
      if (isRefused(outcome)) return shown.say(texts.locked());
      settle(outcome);
      if (outcome.rename !== undefined) options.rename?.(outcome.rename);
    },
    on,
  );
  root.addEventListener(
    'focusout',
    (event) => {
      const { relatedTarget } = event;
      const stays = relatedTarget instanceof Node && root.contains(relatedTarget);
      // Elements that are replaced lose the focus to nothing; that is no leaving.
      if (!stays && relatedTarget !== null && keyboard.mode === 'carrying') settle(withoutFocus(putBack(keyboard, spoken())));
    },
    on,
  );

  const observer = new ResizeObserver(() => render(tree, maximized));
  observer.observe(root);
  show();

  function render(next: Tree, filling?: ItemId): void {
    tree = next;
    maximized = filling;
    scene = sceneOf(tree);
    if (keyboard.mode === 'carrying') {
      // The place that was chosen was one in the tree from before.
      const again = pickUp(keyboard.subject, spoken()).state;
      const isThere = keyboard.subject.from === 'outside' || scene.picture.areas.has(keyboard.subject.id);
      keyboard = isThere ? again : RESTING;
    }
    show();
  }

  return {
    render,
    lock(next) {
      locked = next;
      if (locked) {
        pointing.abort();
        settle(putBack(keyboard, spoken()));
      }
      patch(root, { 'aria-disabled': locked ? 'true' : undefined });
      show();
    },
    source: (element, subjectAt) =>
      pointing.listen(element, (target) => {
        const subject = canEdit() ? subjectAt(target) : undefined;
        return subject === undefined ? undefined : { on: 'subject', subject };
      }),
    carry(subject) {
      if (!canEdit()) return shown.say(texts.locked());
      root.focus({ preventScroll: true });
      settle(pickUp(subject, spoken()));
    },
    focus,
    host: (id) => parts.hosts.get(id),
    destroy() {
      observer.disconnect();
      pointing.destroy();
      ended.abort();
      for (const { id } of scene.picture.windows) {
        const host = parts.hosts.get(id);
        if (host !== undefined) options.unmount?.(host, id);
      }
      root.replaceChildren();
    },
  };
}

function withoutFocus(outcome: Outcome | undefined): Outcome | undefined {
  return outcome === undefined ? undefined : { ...outcome, focus: undefined };
}
