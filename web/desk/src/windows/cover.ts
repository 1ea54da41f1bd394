// What lies over a page that is not to be seen, in words. Pure.

import type { PageState, Trouble } from './page.ts';

export interface Cover {
  readonly kind: 'coming' | 'down' | 'asleep';
  readonly title: string;
  readonly text?: string | undefined;
  /** What to do about it. */
  readonly fix?: string | undefined;
  readonly tryAgain: boolean;
  readonly showAnyway: boolean;
  /** Address to open in a tab of the browser instead. */
  readonly elsewhere?: string | undefined;
}

/** No cover where the page is to be seen; an empty one where there is nothing to say yet. */
export function coverOf(state: PageState, name: string): Cover | undefined {
  const { stage, ticket, trouble, patience } = state;
  if (stage === 'there') return undefined;
  if (trouble !== undefined) return troubled(trouble, name, ticket?.url);
  if (stage === 'down') return plain('coming', `Loading ${name}…`);
  if (stage === 'empty') {
    const isAsleep = state.facts?.state === 'waiting';
    return isAsleep ? plain('asleep', `${name} is asleep`, 'It starts when its workspace wakes up.') : plain('coming', '');
  }
  if (patience === 'fresh') return plain('coming', '');
  if (patience === 'late') return plain('coming', `Loading ${name}…`);
  const from = ticket === undefined ? '' : ` from ${new URL(ticket.url).host}`;
  return { ...plain('coming', `${name} is slow`, `Nothing has come${from} for 10 seconds. It may still come.`), tryAgain: true };
}

function plain(kind: Cover['kind'], title: string, text?: string): Cover {
  return { kind, title, text, tryAgain: false, showAnyway: false };
}

const TITLES: Readonly<Record<Trouble['kind'], (name: string) => string>> = {
  unreachable: (name) => `${name} did not load`,
  slow: (name) => `${name} does not answer`,
  status: (name) => `${name} answered with an error`,
  framing: (name) => `${name} does not let itself be shown in a window`,
  address: (name) => `${name} cannot be shown in a window`,
  missing: (name) => `There is no application ${name}`,
  failed: (name) => `${name} has stopped`,
};

function troubled({ kind, reason, fix }: Trouble, name: string, url: string | undefined): Cover {
  const isOdd = kind === 'status' || kind === 'slow';
  return {
    kind: 'down',
    title: TITLES[kind](name),
    text: sentence(reason),
    fix: fix === undefined ? undefined : sentence(fix),
    tryAgain: true,
    showAnyway: isOdd && url !== undefined,
    elsewhere: kind === 'framing' ? url : undefined,
  };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  // An address or a name of code stays as it is written.
  const isWord = /^\p{L}+(?=[\s,])/u.test(trimmed);
  const begun = isWord ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
