// Which items answer what was typed, in which order, under which headings.

import { match } from './match.ts';
import type { Mark } from './match.ts';

export type Group = 'workspaces' | 'applications' | 'commands' | 'tools';

export interface Item {
  readonly id: string;
  readonly group: Group;
  readonly title: string;
  /** What it is, in a few words. */
  readonly detail?: string | undefined;
  /** Another name it answers to. */
  readonly alias?: string | undefined;
  readonly kind: string;
  readonly keys?: string | undefined;
  /** Why it cannot be chosen now, in words. */
  readonly unavailable?: string | undefined;
  run(): void;
}

export interface Hit {
  readonly item: Item;
  /** Letters of the title that were asked for. */
  readonly marks: readonly Mark[];
}

export interface Section {
  readonly heading: string;
  readonly hits: readonly Hit[];
  /** How many more there are than listed. */
  readonly more: number;
}

/** Most items under one heading: a list that is read, not scrolled. */
export const PER_SECTION = 12;
const RECENT_AT_MOST = 4;

const HEADINGS: Readonly<Record<Group, string>> = {
  workspaces: 'Workspaces',
  applications: 'Applications',
  commands: 'Commands',
  tools: 'Tools of the model',
};
const GROUPS = Object.keys(HEADINGS) as readonly Group[];

interface Scored extends Hit {
  readonly score: number;
}

/**
 * `recent` has ids, the latest first. The title counts most; what an item is called besides, and
 * what it is, count from the beginnings of words, and after the same in a title.
 */
export function rank(query: string, items: readonly Item[], recent: readonly string[]): readonly Section[] {
  const asked = query.trim() !== '';
  return asked ? answers(query, items, recent) : overview(items, recent);
}

/** The items in the order of the sections, as the arrow keys go through them. */
export function flat(sections: readonly Section[]): readonly Item[] {
  return sections.flatMap(({ hits }) => hits.map(({ item }) => item));
}

function answers(query: string, items: readonly Item[], recent: readonly string[]): readonly Section[] {
  const found = items.map((item) => score(query, item)).filter((hit) => hit !== undefined);
  const order = recency(recent);
  found.sort((a, b) => a.score - b.score || order(a.item) - order(b.item) || a.item.title.length - b.item.title.length);
  // A group stands where its best item does.
  const groups = [...new Set(found.map(({ item }) => item.group))];
  return groups.map((group) => section(HEADINGS[group], found.filter(({ item }) => item.group === group)));
}

function score(query: string, item: Item): Scored | undefined {
  const title = match(query, item.title);
  if (title !== undefined && title.tier < 2) return { item, marks: title.marks, score: title.tier * 2 };
  const others = [item.alias, item.detail].map((text) => (text === undefined ? undefined : match(query, text)?.tier));
  const other = Math.min(...others.map((tier) => tier ?? 2));
  if (other < 2) return { item, marks: [], score: other * 2 + 1 };
  return title === undefined ? undefined : { item, marks: title.marks, score: 4 };
}

/** Before anything is typed: what was used last, then all but the tools, which are many. */
function overview(items: readonly Item[], recent: readonly string[]): readonly Section[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const last = recent.map((id) => byId.get(id)).filter((item) => item !== undefined).slice(0, RECENT_AT_MOST);
  const rest = items.filter((item) => !last.includes(item));
  const hits = (list: readonly Item[]): readonly Hit[] => list.map((item) => ({ item, marks: [] }));
  return [
    section('Recent', hits(last)),
    ...GROUPS.filter((group) => group !== 'tools').map((group) =>
      section(HEADINGS[group], hits(rest.filter((item) => item.group === group))),
    ),
  ].filter((one) => one.hits.length > 0);
}

function section(heading: string, hits: readonly Hit[]): Section {
  const listed = hits.slice(0, PER_SECTION).map(({ item, marks }) => ({ item, marks }));
  return { heading, hits: listed, more: hits.length - listed.length };
}

function recency(recent: readonly string[]): (item: Item) => number {
  const places = new Map(recent.map((id, place) => [id, place]));
  return ({ id }) => places.get(id) ?? recent.length;
}
