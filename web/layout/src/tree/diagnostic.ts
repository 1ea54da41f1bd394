// What was wrong with a tree, and where.

import { MAX_DEPTH, MAX_ID, MAX_ITEMS, MAX_TEXT, MAX_TITLE, MAX_VALUE_DEPTH } from './limits.ts';

/** A place in JSON, step by step. */
export type Path = readonly (string | number)[];

/** One thing that could not be read as it stood. */
export interface Diagnostic {
  /** Where it stands: `children[0].config.width`; the whole document as `the tree`. */
  readonly path: string;
  readonly code: FaultCode;
  /** What is wrong and what would be right, in words. */
  readonly message: string;
}

/** Faults, by names that never change, and what to say about them. */
const FAULTS = {
  'not-an-item': (found) => `${found} is no item; an item is an object with a \`type\``,
  'unknown-type': (found) => `\`${found}\` is no type of an item; use row, column, group or window`,
  'not-a-window': (found) => `a group holds only windows, not a ${found}`,
  'no-app': () => 'a window needs an `appName` or a `windowId`',
  'window-with-children': () => 'a window has no children; put them beside it, in a row, column or group',
  'not-a-list': (found) => `\`children\` is a list of items, not ${found}`,
  'value-too-deep': () => `nests deeper than ${MAX_VALUE_DEPTH} levels`,
  'not-an-object': (found) => `an object belongs here, not ${found}`,
  'not-text': (found) => `text belongs here, not ${found}; ignored`,
  'title-too-long': () => `a title has at most ${MAX_TITLE} characters; ignored`,
  'bad-size': (found) => `a size is a number of percent above 0 and up to 100, not ${found}; ignored`,
  'bad-tab': (found) => `\`activeTabIndex\` is the place of a tab, counted from 0, not ${found}; ignored`,
  'bad-id': () => `an id is text of 1 to ${MAX_ID} bytes; a new one was given`,
  'duplicate-id': (found) => `another item has the id \`${found}\`; a new one was given`,
  'said-twice': (found) => `\`${found}\` stands beside \`config\` too, with another value; that one counts`,
  'more-components': (found) => `a workspace layout has one component; the other ${found} are ignored`,
} as const satisfies Record<string, (found: string) => string>;

export type FaultCode = keyof typeof FAULTS;

const LOSING: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'not-an-item',
  'unknown-type',
  'not-a-window',
  'no-app',
  'window-with-children',
  'not-a-list',
  'not-an-object',
  'value-too-deep',
]);

/**
 * Whether something of the workspace is missing from what was read: an item, its children, its
 * settings or a context. The other faults only made a setting fall back to what holds without it.
 */
export function loses(code: FaultCode): boolean {
  return LOSING.has(code);
}

export function diagnostic(path: Path, code: FaultCode, found: string): Diagnostic {
  return { path: showPath(path), code, message: FAULTS[code](found) };
}

export type ReadErrorCode = 'not-json' | 'text-too-long' | 'not-a-tree' | 'too-deep' | 'too-many-items' | FaultCode;

/** Why no tree could be read. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  /** A name for programs; it never changes, the message may. */
  readonly code: ReadErrorCode;
  /** Where it went wrong, if that is one place. */
  readonly path: string | undefined;
  /** What a strict reading met, faults that lose something first. Empty for other refusals. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: ReadErrorCode, path: string | undefined, message: string, diagnostics: readonly Diagnostic[] = []) {
    super(path === undefined ? message : `${path}: ${message}`);
    this.code = code;
    this.path = path;
    this.diagnostics = diagnostics;
  }

  static notJson(reason: string): ReadError {
    return new ReadError('not-json', undefined, `the text is no JSON: ${reason}`);
  }

  static textTooLong(bytes: number): ReadError {
    return new ReadError('text-too-long', undefined, `the text has ${bytes} bytes; ${MAX_TEXT} are allowed`);
  }

  static notATree(path: Path, found: string): ReadError {
    const right = 'give {"children":[…]}, a list of items, or a saved layout with `components`';
    return new ReadError('not-a-tree', showPath(path), `no workspace, but ${found}; ${right}`);
  }

  static tooDeep(path: Path): ReadError {
    return new ReadError('too-deep', showPath(path), `items nest deeper than ${MAX_DEPTH} levels`);
  }

  static tooManyItems(path: Path): ReadError {
    return new ReadError('too-many-items', showPath(path), `a workspace has at most ${MAX_ITEMS} items`);
  }

  /** A strict reading met faults that lose something. */
  static refused(first: Diagnostic, rest: readonly Diagnostic[]): ReadError {
    const others = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
    return new ReadError(first.code, first.path, `${first.message}${others}`, [first, ...rest]);
  }
}

export function showPath(path: Path): string {
  if (path.length === 0) return 'the tree';
  const step = (part: string | number, place: number): string =>
    typeof part === 'number' ? `[${part}]` : place === 0 ? part : `.${part}`;
  return path.map(step).join('');
}

/** What a value is, in words for messages. */
export function what(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'boolean':
      return 'a boolean';
    case 'number':
      return 'a number';
    case 'string':
      return 'text';
    default:
      return 'an object';
  }
}

/** A value in a message: a scalar as it stands, cut short; anything else in words. */
export function shown(value: unknown): string {
  const longest = 40;
  if (typeof value === 'string') {
    const cut = Array.from(value.slice(0, 2 * longest)).slice(0, longest).join('');
    return cut.length < value.length ? `${cut}…` : cut;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : what(value);
}
