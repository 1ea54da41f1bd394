// Findings as the panel lists them: one entry a thing, under a heading a kind.

import type { Finding } from '../desktop/model.ts';

export interface Remark {
  readonly stage: string;
  readonly reason: string;
  readonly fix: string;
}

/** A tool, an application, …, with all there is to know about it. */
export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly app?: string;
  readonly visible: boolean;
  readonly remarks: readonly Remark[];
}

export interface EntryGroup {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

/** Several remarks about one thing come as one entry. */
export function entriesOf(findings: readonly Finding[]): readonly Entry[] {
  const entries = new Map<string, Entry & { remarks: Remark[] }>();
  for (const { kind, name, app, visible, stage, reason, fix } of findings) {
    const id = JSON.stringify([kind, name, app ?? null, visible]);
    const entry = entries.get(id) ?? { id, kind, name, ...(app !== undefined && { app }), visible, remarks: [] };
    if (reason !== '') entry.remarks.push({ stage, reason, fix });
    entries.set(id, entry);
  }
  return [...entries.values()];
}

export interface Wanted {
  readonly query: string;
  readonly all: boolean;
}

/** What this version does not have is not hidden: nobody here can put that right. */
export function isHidden({ visible, remarks }: Entry): boolean {
  return !visible && !remarks.some(({ stage }) => stage === 'build');
}

/** Every word of the query is somewhere in what is said about the entry. */
export function select(entries: readonly Entry[], { query, all }: Wanted): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (!all && !isHidden(entry)) return false;
    if (words.length === 0) return true;
    const text = textOf(entry).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const HEADINGS: readonly (readonly [kinds: readonly string[], heading: string])[] = [
  [['bus'], 'Bus'],
  [['tool'], 'Tools'],
  [['application'], 'Applications'],
  [['workspace', 'layout'], 'Workspaces and layouts'],
  [['intent'], 'Intents'],
  [['name', 'appName'], 'Names refused'],
];

export function group(entries: readonly Entry[]): readonly EntryGroup[] {
  const known = HEADINGS.flatMap(([kinds]) => kinds);
  return [
    ...HEADINGS.map(([kinds, heading]) => ({ heading, entries: entries.filter(({ kind }) => kinds.includes(kind)) })),
    { heading: 'Other', entries: entries.filter(({ kind }) => !known.includes(kind)) },
  ].filter(({ entries: some }) => some.length > 0);
}

export interface Counts {
  readonly visible: number;
  readonly withheld: number;
  readonly hidden: number;
}

/** Tools that are visible and withheld, and all that is hidden. */
export function counts(entries: readonly Entry[]): Counts {
  const tools = entries.filter(({ kind }) => kind === 'tool');
  const visible = tools.filter((entry) => entry.visible).length;
  return { visible, withheld: tools.filter(isHidden).length, hidden: entries.filter(isHidden).length };
}

/** For a ticket or a mail. */
export function asText(groups: readonly EntryGroup[], client: string): string {
  const parts = groups.map(({ heading, entries }) => [heading, ...entries.map(textOf)].join('\n\n'));
  return [`As ${client} sees it`, ...parts].join('\n\n');
}

function textOf({ name, app, visible, remarks }: Entry): string {
  const head = `${name}${app === undefined ? '' : ` (${app})`}: ${visible ? 'visible' : 'hidden'}`;
  return [head, ...remarks.map(({ stage, reason, fix }) => `  ${stageOf(stage).label}: ${reason}${fix === '' ? '' : `\n  Fix: ${fix}`}`)].join('\n');
}

export interface Stage {
  readonly label: string;
  readonly meaning: string;
}

const STAGES: Readonly<Record<string, Stage>> = {
  build: { label: 'not built', meaning: 'This version of the server does not have it.' },
  definition: { label: 'definition', meaning: 'What the application says about itself is incomplete or wrong.' },
  configuration: { label: 'configuration', meaning: 'The configuration of this server leaves it out.' },
  bus: { label: 'bus', meaning: 'The bus does not offer what it needs at the moment.' },
  guard: { label: 'guard', meaning: 'A guard in the configuration refused it.' },
  schema: { label: 'schema', meaning: 'A schema of it cannot be used.' },
  clientCapability: { label: 'client', meaning: 'The client does not declare a capability that it needs.' },
};

/** Things are decided stage by stage; this is where one was stopped. */
export function stageOf(stage: string): Stage {
  return STAGES[stage] ?? { label: stage, meaning: '' };
}

/** What a client is called by what it declares. */
export function clientOf(capabilities: readonly string[]): string {
  return capabilities.length === 0 ? 'a plain client' : `a client with ${new Intl.ListFormat('en').format(capabilities)}`;
}
