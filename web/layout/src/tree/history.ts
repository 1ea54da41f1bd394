// Undo and redo: a stack of whole trees. Trees share what did not change, so a step costs little.

import type { Tree } from './model.ts';

/** One thing that was done, with a name for people. */
export interface Step {
  readonly label: string;
  readonly tree: Tree;
}

/** What was done, what is, and what was undone. */
export interface History {
  /** The trees before each step, the latest last; the label is the step's. */
  readonly past: readonly Step[];
  readonly tree: Tree;
  /** The trees after each undone step, the next one last. */
  readonly future: readonly Step[];
}

/** How many steps are kept. */
export const MAX_STEPS = 100;

export function begin(tree: Tree): History {
  return { past: [], tree, future: [] };
}

/** Something was done. What was undone before is forgotten. */
export function record(history: History, label: string, tree: Tree): History {
  if (tree === history.tree) return history;
  const past = [...history.past, { label, tree: history.tree }].slice(-MAX_STEPS);
  return { past, tree, future: [] };
}

/** The tree changed without a step of its own, such as when a tab came to the front. */
export function amend(history: History, tree: Tree): History {
  return { ...history, tree };
}

/** The tree before the latest step; the history itself if there is none. */
export function undo(history: History): History {
  const step = history.past.at(-1);
  if (step === undefined) return history;
  const future = [...history.future, { label: step.label, tree: history.tree }];
  return { past: history.past.slice(0, -1), tree: step.tree, future };
}

/** The tree after the step that was undone last; the history itself if there is none. */
export function redo(history: History): History {
  const step = history.future.at(-1);
  if (step === undefined) return history;
  const past = [...history.past, { label: step.label, tree: history.tree }];
  return { past, tree: step.tree, future: history.future.slice(0, -1) };
}
