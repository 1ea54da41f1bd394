// Notes about the client of the workspace. They are preferences of this application, which the desktop
// keeps, so that they outlive the window, the workspace and the server's run.

import { h, show } from '../shared/dom.ts';
import { follow } from '../shared/follow.ts';
import { formatDay, formatTime } from '../shared/format.ts';
import { open } from '../shared/page.ts';
import { reason } from '../shared/services.ts';
import { clientIdIn } from '../shared/subject.ts';
import { clientId, definitionOf } from '../shared/tool.ts';
import { LONGEST, byDay, entryOf, judge, notesOf } from './book.ts';
import type { Day, Note } from './book.ts';

const ADD = {
  method: 'Notes.Add',
  name: 'add_note',
  title: 'Add a note',
  description: 'Adds a note about a client, with the time of now. The person sees it in the notes of that client.',
  input: {
    type: 'object',
    properties: { clientId, text: { type: 'string', minLength: 1, maxLength: LONGEST } },
    required: ['clientId', 'text'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { id: { type: 'string' }, clientId: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
    required: ['id', 'clientId', 'at'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

await open('Notes', async (page) => {
  const { root, io, services } = page;
  let kept: unknown;
  let written = 0;
  const list = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Notes' });
  const alert = h('p', { class: 'alert', role: 'alert' });
  const said = h('p', { class: 'unseen', role: 'status' });

  const draw = (id: string | undefined): void => {
    form.hidden = id === undefined;
    if (id === undefined) return show(list, h('p', { class: 'state' }, 'No client yet. Choose one in Clients to see and write notes.'));
    const days = byDay(notesOf(kept, id));
    if (days.length > 0) show(list, ...days.map(section));
    else show(list, h('p', { class: 'state' }, kept === undefined ? 'Reading the notes…' : 'No notes about this client yet.'));
  };
  /** Keeps a note, and says when it is kept. */
  const add = async (about: string, text: unknown): Promise<Note> => {
    const judged = judge(text);
    if ('fault' in judged) throw new Error(judged.fault);
    const client = await services.client(about);
    const at = new Date().toISOString();
    // Those of one window and one moment stay in the order in which they were written.
    written += 1;
    const id = `${at}-${String(written).padStart(6, '0')}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
    const note = { id, clientId: client.id, at, text: judged.text };
    await io.prefs.update(entryOf(note));
    return note;
  };
  const field = h('textarea', {
    id: 'note',
    rows: 2,
    maxlength: LONGEST,
    placeholder: 'What was said, agreed or promised',
    onkeydown: (event) => {
      const { key, ctrlKey, metaKey } = event as KeyboardEvent;
      if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
    },
  });
  const submit = h('button', { type: 'submit', class: 'main', title: 'Ctrl Enter' }, 'Add note');
  const form = h(
    'form',
    {
      class: 'write',
      hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        void write();
      },
    },
    h('label', { for: 'note', class: 'unseen' }, 'New note'),
    field,
    submit,
  );
  const write = async (): Promise<void> => {
    const about = following.clientId();
    if (about === undefined) return;
    submit.disabled = true;
    show(alert);
    try {
      await add(about, field.value);
      field.value = '';
      show(said, 'The note is kept.');
    } catch (error) {
      show(alert, `The note was not kept: ${reason(error)}`);
    }
    submit.disabled = false;
    field.focus();
  };

  const following = await follow(page, {
    none: 'This workspace has no client yet',
    changed: (id) => {
      show(alert);
      draw(id);
    },
  });
  show(root, following.line, form, alert, said, list);
  await io.prefs.subscribe(({ data }) => {
    kept = data ?? {};
    draw(following.clientId());
  });
  await io.interop.register(definitionOf(ADD), async (given: { text?: unknown }) => {
    const about = clientIdIn(given);
    if (about === undefined) throw new Error('clientId is missing; pass the id of a client, such as C-1001');
    const { id, clientId: client, at } = await add(about, given.text);
    return { id, clientId: client, at };
  });
});

const section = ({ date, notes }: Day): HTMLElement => h('section', {}, h('h2', {}, formatDay(date)), ...notes.map(article));

const article = ({ at, text }: Note): HTMLElement =>
  h('article', {}, h('time', { datetime: at, class: 'quiet' }, formatTime(new Date(at))), h('p', {}, text));
