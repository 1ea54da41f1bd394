// Reading items: what each type has, and what is made of faults.

import { diagnostic, loses, ReadError, shown, what } from '../diagnostic.ts';
import type { Diagnostic, FaultCode } from '../diagnostic.ts';
import type { Ids } from '../ids.ts';
import { given, has, isObject, nestsWithin, sameJson, without } from '../json.ts';
import { MAX_DEPTH, MAX_DIAGNOSTICS, MAX_ID, MAX_ITEMS, MAX_TITLE, MAX_VALUE_DEPTH } from '../limits.ts';
import { childrenOf, isWindow, parseKind, withChildren } from '../model.ts';
import type { Item, ItemId, JsonObject, Kind, Root, WindowItem } from '../model.ts';
import { characters, isBlank, utf8Length } from '../text.ts';

/** An item with the place that it had in its list. */
export interface Placed {
  readonly place: number;
  readonly item: Item;
}

const NOTHING: JsonObject = {};

/** One reading: where it is, what it found wrong, and which ids are taken. Throws `ReadError`. */
export class Reader {
  readonly path: (string | number)[] = [];
  readonly #ids: Ids;
  readonly #diagnostics: Diagnostic[] = [];
  #more = 0;
  #seen = 0;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** The diagnostics and how many were only counted, or the refusal of both. */
  finish(strict: boolean): { diagnostics: readonly Diagnostic[]; moreDiagnostics: number } {
    const [first, ...rest] = [
      ...this.#diagnostics.filter((found) => loses(found.code)),
      ...this.#diagnostics.filter((found) => !loses(found.code)),
    ];
    if (strict && first !== undefined && loses(first.code)) throw ReadError.refused(first, rest);
    return { diagnostics: this.#diagnostics, moreDiagnostics: this.#more };
  }

  /**
   * Notes a fault at the present place. A fault that loses something is kept however many there
   * are: strict readings depend on it.
   */
  fault(code: FaultCode, found = ''): void {
    const full = this.#diagnostics.length >= MAX_DIAGNOSTICS;
    if (full) {
      this.#more += 1;
      if (!loses(code) || this.#diagnostics.some((one) => loses(one.code))) return;
      this.#diagnostics.pop();
    }
    this.#diagnostics.push(diagnostic(this.path, code, found));
  }

  within<T>(key: string | number, then: () => T): T {
    this.path.push(key);
    const result = then();
    this.path.pop();
    return result;
  }

  #faultAt(key: string, code: FaultCode, found = ''): void {
    this.within(key, () => this.fault(code, found));
  }

  /** What belongs to the workspace as a whole. */
  root(object: JsonObject): Root {
    const other = this.#rest(object, ['children', 'config', 'context', 'frame']);
    return {
      config: this.#object(object, 'config'),
      context: this.#object(object, 'context'),
      frame: this.#object(object, 'frame'),
      // A workspace that calls itself a row would be read as one when it comes back.
      other: parseKind(given(other, 'type')) === undefined ? other : without(other, ['type']),
    };
  }

  /** The list at `children`, with the places that its items had in it. */
  children(object: JsonObject, depth: number, parent?: Kind): Placed[] {
    const value = given(object, 'children');
    return this.within('children', () => {
      if (value === undefined) return [];
      if (Array.isArray(value)) return this.list(value, depth, parent);
      this.fault('not-a-list', what(value));
      return [];
    });
  }

  /** Items of a list that can be read, with their places. */
  list(list: readonly unknown[], depth: number, parent?: Kind): Placed[] {
    const items: Placed[] = [];
    list.forEach((value, place) => {
      const item = this.within(place, () => this.item(value, depth, parent));
      if (item !== undefined) items.push({ place, item });
    });
    return items;
  }

  /** An item, or a diagnostic. Its id is empty where one is still to be assigned. */
  item(value: unknown, depth: number, parent?: Kind): Item | undefined {
    this.#seen += 1;
    if (this.#seen > MAX_ITEMS) throw ReadError.tooManyItems(this.path);
    if (depth > MAX_DEPTH) throw ReadError.tooDeep(this.path);
    if (value === null || value === undefined) return undefined;
    if (!isObject(value)) {
      this.fault('not-an-item', what(value));
      return undefined;
    }
    const type = given(value, 'type');
    const kind = parseKind(type);
    if (kind === undefined) {
      this.#faultAt('type', 'unknown-type', type === undefined ? 'nothing' : shown(type));
      return undefined;
    }
    if (parent === 'group' && kind !== 'window') {
      this.fault('not-a-window', kind);
      return undefined;
    }
    return kind === 'window' ? this.#window(value) : this.#container(value, kind, depth);
  }

  #container(object: JsonObject, kind: 'row' | 'column' | 'group', depth: number): Item {
    const id = this.#id(object);
    const config = this.#settings(object);
    const placed = this.children(object, depth + 1, kind);
    const items = placed.map(({ item }) => item);
    const known = ['width', 'height', 'title'];
    const common = { id, other: this.#rest(object, ['type', 'id', 'children', 'config']) };
    if (kind !== 'group') return { ...common, ...this.#common(config, known), kind, children: items };
    const list = given(object, 'children');
    const front = this.within('config', () => this.#tab(config, Array.isArray(list) ? list.length : 0));
    const active = front === undefined ? -1 : placed.findIndex(({ place }) => place === front);
    return {
      ...common,
      ...this.#common(config, [...known, 'activeTabIndex']),
      kind,
      children: items.filter(isWindow),
      active: active < 0 ? undefined : active,
    };
  }

  #window(object: JsonObject): WindowItem | undefined {
    const config = this.#settings(object);
    const inside = given(object, 'children');
    if (inside !== undefined && !(Array.isArray(inside) && inside.length === 0)) {
      this.#faultAt('children', 'window-with-children');
    }
    const appName = this.#name(object, config, 'appName');
    const windowId = this.#name(object, config, 'windowId');
    if (appName === undefined && windowId === undefined) {
      this.fault('no-app');
      return undefined;
    }
    const id = this.#id(object);
    const inner = this.within('config', () => this.#object(config, 'context'));
    const outer = this.#object(object, 'context');
    this.#twice('context', outer !== undefined && inner !== undefined && !sameJson(outer, inner));
    const named = ['appName', 'windowId', 'context'];
    return {
      id,
      other: this.#rest(object, ['type', 'id', 'children', 'config', ...named]),
      ...this.#common(config, ['width', 'height', 'title', ...named]),
      kind: 'window',
      appName,
      windowId,
      context: outer ?? inner,
    };
  }

  /** What every item has in its settings. */
  #common(config: JsonObject, known: readonly string[]): Pick<Item, 'size' | 'title' | 'config'> {
    return this.within('config', () => ({
      size: { width: this.#share(config, 'width'), height: this.#share(config, 'height') },
      title: this.#title(config),
      config: this.#rest(config, known),
    }));
  }

  /** The id that was given, if no other item has it; else an empty one. */
  #id(object: JsonObject): ItemId {
    const id = given(object, 'id');
    if (id === undefined) return '';
    if (typeof id !== 'string' || id === '' || utf8Length(id) > MAX_ID) {
      this.#faultAt('id', 'bad-id');
      return '';
    }
    if (this.#ids.take(id)) return id;
    this.#faultAt('id', 'duplicate-id', id);
    return '';
  }

  /**
   * Gives every item that has none an id, each before what is in it. It comes after reading,
   * because an id that stands further down is not to be given away further up.
   */
  named(items: readonly Item[]): Item[] {
    return items.map((item) => {
      const named = item.id === '' ? { ...item, id: this.#ids.assign() } : item;
      return withChildren(named, this.named(childrenOf(named)));
    });
  }

  /** A name beside `config`, or in it. */
  #name(object: JsonObject, config: JsonObject, key: string): string | undefined {
    const outer = this.#text(object, key);
    const inner = this.within('config', () => this.#text(config, key));
    this.#twice(key, outer !== undefined && inner !== undefined && outer !== inner);
    return outer ?? inner;
  }

  #twice(key: string, differs: boolean): void {
    if (differs) this.within('config', () => this.#faultAt(key, 'said-twice', key));
  }

  /** Text that is not blank. */
  #text(object: JsonObject, key: string): string | undefined {
    const value = given(object, key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') {
      this.#faultAt(key, 'not-text', what(value));
      return undefined;
    }
    return isBlank(value) ? undefined : value;
  }

  #title(config: JsonObject): string | undefined {
    const title = this.#text(config, 'title');
    if (title === undefined || characters(title) <= MAX_TITLE) return title;
    this.#faultAt('title', 'title-too-long');
    return undefined;
  }

  #share(config: JsonObject, key: string): number | undefined {
    const value = given(config, key);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value > 0 && value <= 100) return value;
    this.#faultAt(key, 'bad-size', shown(value));
    return undefined;
  }

  /** The place of the tab in front, among all that were given. */
  #tab(config: JsonObject, tabs: number): number | undefined {
    const value = given(config, 'activeTabIndex');
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < tabs) return value;
    this.#faultAt('activeTabIndex', 'bad-tab', shown(value));
    return undefined;
  }

  /** The settings of an item. */
  #settings(object: JsonObject): JsonObject {
    const config = given(object, 'config');
    if (config === undefined || isObject(config)) return config ?? NOTHING;
    this.#faultAt('config', 'not-an-object', what(config));
    return NOTHING;
  }

  /** A copy of the object at a key. An empty one is one. */
  #object(object: JsonObject, key: string): JsonObject | undefined {
    const value = given(object, key);
    if (value === undefined) return undefined;
    if (isObject(value)) return this.within(key, () => this.#rest(value, []));
    this.#faultAt(key, 'not-an-object', what(value));
    return undefined;
  }

  /** All keys but the known ones, verbatim; without values that nest too deep. */
  #rest(object: JsonObject, known: readonly string[]): JsonObject {
    const rest = without(object, known);
    const deep = Object.keys(rest).filter((key) => has(rest, key) && !nestsWithin(rest[key], MAX_VALUE_DEPTH));
    for (const key of deep) this.#faultAt(key, 'value-too-deep');
    return deep.length === 0 ? rest : without(rest, deep);
  }
}
