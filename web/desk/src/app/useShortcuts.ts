// The keys of the page. They come from everywhere but the pages in the windows.

import { useEffect, useRef } from 'react';
import { isPressed } from '../ui/keys.ts';
import { workspaceCommands } from './commands.ts';
import type { Command, Hands } from './commands.ts';

/** Does what the keys say, with `hands` as they are when a key is pressed. */
export function useShortcuts(hands: () => Hands): void {
  const latest = useRef(hands);
  latest.current = hands;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat) return;
      const command = shortcut(event, latest.current());
      if (command === undefined) return;
      // Also where it cannot be done: the browser would save or search its own way.
      event.preventDefault();
      if (command.unavailable === undefined) command.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function shortcut(event: KeyboardEvent, hands: Hands): Pick<Command, 'unavailable' | 'run'> | undefined {
  const { shell } = hands;
  if (isPressed('mod+k', event)) return { run: () => (shell.modal?.kind === 'launcher' ? shell.hide() : shell.show({ kind: 'launcher' })) };
  const free = shell.modal === undefined;
  if (isPressed('?', event) && free && !isWriting(event.target)) return { run: () => shell.show({ kind: 'shortcuts' }) };
  const command = workspaceCommands(hands).find(({ keys }) => keys !== undefined && isPressed(keys, event));
  return command !== undefined && !free ? { run: () => undefined } : command;
}

/** Where a `?` is a letter. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
