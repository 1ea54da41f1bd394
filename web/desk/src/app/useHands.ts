import { useActions, useDesktop } from '../ui/desktop.ts';
import { useThemes } from '../theme/useThemes.ts';
import type { Hands } from './commands.ts';
import { useShell } from './shell.ts';

/** What commands are made of. Renders with every change of the desktop: for what is open only a moment. */
export function useHands(): Hands {
  const state = useDesktop((whole) => whole);
  const shell = useShell((whole) => whole);
  return { state, actions: useActions(), shell, themes: useThemes() };
}
