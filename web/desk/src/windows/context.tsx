// The windows of this page for components that have places for them.

import { createContext, useContext } from 'react';
import type { Windows } from './windows.ts';

const WindowsContext = createContext<Pick<Windows, 'mount' | 'unmount'> | undefined>(undefined);

export const WindowsProvider = WindowsContext;

export function useWindows(): Pick<Windows, 'mount' | 'unmount'> {
  const windows = useContext(WindowsContext);
  if (windows === undefined) throw new Error('there is no WindowsProvider above this component');
  return windows;
}
