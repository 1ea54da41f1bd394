// Edits of one workspace, one after the other. Each names the revision that the person saw; an edit
// made while another is on its way builds on what comes of that one, and falls with it.

import type { FrameEdit } from './actions.ts';
import type { Workspace } from './model.ts';
import { countIn, fieldsOf } from './read/fields.ts';
import { readWorkspace } from './read/frames.ts';

export interface EditOptions {
  readonly call: (method: string, given: object) => Promise<unknown>;
  readonly revisionOf: (workspaceId: string) => number | undefined;
  /** The truth, where the edit was made on what is no longer so. */
  readonly stale: (workspace: Workspace) => void;
}

/** Whether it was done. Rejects with a `Refusal`. */
export type Propose = (workspaceId: string, op: FrameEdit) => Promise<boolean>;

/** The revision that came of an edit; none if nothing did. */
type Outcome = number | undefined;

export function createEdits({ call, revisionOf, stale }: EditOptions): Propose {
  const pending = new Map<string, Promise<Outcome>>();

  async function propose(workspaceId: string, op: FrameEdit, baseRev: number | undefined): Promise<Outcome> {
    if (baseRev === undefined) return undefined;
    const answer = fieldsOf(await call('Deskwire.Frame.Edit', { workspaceId, baseRev, op }));
    if (answer?.['status'] === 'applied') return countIn(answer['rev']);
    const workspace = readWorkspace(answer?.['workspace']);
    if (workspace !== undefined) stale(workspace);
    return undefined;
  }

  return async (workspaceId, op) => {
    const before = pending.get(workspaceId);
    const seen = revisionOf(workspaceId);
    const base = before === undefined ? Promise.resolve(seen) : before.then((rev) => newest(rev, revisionOf(workspaceId)), () => undefined);
    const outcome = base.then((rev) => propose(workspaceId, op, rev));
    pending.set(workspaceId, outcome);
    try {
      return (await outcome) !== undefined;
    } finally {
      if (pending.get(workspaceId) === outcome) pending.delete(workspaceId);
    }
  };
}

function newest(rev: Outcome, known: number | undefined): Outcome {
  return rev === undefined ? undefined : Math.max(rev, known ?? 0);
}
