// Follows the client that a page is about: on the bus, and in one quiet line.

import { h, show } from './dom.ts';
import type { Page } from './page.ts';
import { clientIdIn, clientOf, next, strays } from './subject.ts';
import type { Subject, SubjectEvent } from './subject.ts';

export interface Following {
  /** The line that says whose data the page shows. */
  readonly line: HTMLElement;
  readonly clientId: () => string | undefined;
  /** Shows a client because somebody asked for it. */
  ask(clientId: string): void;
}

export interface FollowOptions {
  /** What the line says where there is no client. */
  readonly none: string;
  readonly changed: (clientId: string | undefined) => void;
}

/** Follows the workspace, and what the instance is started with. Calls `changed` first with what there is. */
export async function follow({ io, services, session, shared }: Page, { none, changed }: FollowOptions): Promise<Following> {
  let subject: Subject = {};
  let told: string | undefined;
  let begun = false;
  const names = new Map<string, string>();
  const text = h('p', { class: 'follows' });
  const back = h('button', { type: 'button', onclick: () => turn({ type: 'follow' }) }, 'Follow the workspace');
  const line = h('div', { class: 'bar' }, text);

  const say = (): void => {
    const id = clientOf(subject);
    if (id === undefined) show(text, none);
    else show(text, strays(subject) ? 'Shown on request: ' : 'Client of this workspace: ', names.get(id) ?? id);
    if (strays(subject) && shared !== undefined) line.append(back);
    else back.remove();
  };
  const learn = async (id: string): Promise<void> => {
    const name = await services.client(id).then((client) => client.name, () => id);
    names.set(id, name);
    if (clientOf(subject) === id) say();
  };
  const turn = (event: SubjectEvent): void => {
    subject = next(subject, event);
    if (!begun) return;
    const id = clientOf(subject);
    say();
    if (id !== undefined && !names.has(id)) void learn(id);
    if (id === told) return;
    told = id;
    changed(id);
  };

  if (shared !== undefined) {
    await io.contexts.subscribe(shared, (data) => turn({ type: 'workspace', clientId: clientIdIn(data) }));
  }
  begun = true;
  const first = clientIdIn(session.startingContext);
  if (first !== undefined) turn({ type: 'asked', clientId: first });
  say();
  if (told === undefined) {
    told = clientOf(subject);
    if (told !== undefined) void learn(told);
    changed(told);
  }
  return { line, clientId: () => clientOf(subject), ask: (clientId) => turn({ type: 'asked', clientId }) };
}
