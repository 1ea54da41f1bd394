// What this page has open over the desktop. It belongs to the page, and no server knows of it.

import { createContext, createElement, useContext } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { createStore, useStore } from 'zustand';
import type { StoreApi } from 'zustand';

/** A modal surface; one at a time. */
export type Modal =
  | { readonly kind: 'launcher' }
  | { readonly kind: 'save-as'; readonly workspaceId: string }
  | { readonly kind: 'rename'; readonly workspaceId: string }
  | { readonly kind: 'rename-window'; readonly workspaceId: string; readonly itemId: string }
  | { readonly kind: 'close'; readonly workspaceId: string }
  | { readonly kind: 'delete-layout'; readonly name: string }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'about' };

/** The panel at the side that says why something is not there. */
export interface Why {
  /** What it searches for at first. */
  readonly query: string;
  /** Whether it lists what is visible as well. */
  readonly all: boolean;
}

export interface Shell {
  readonly modal: Modal | undefined;
  readonly why: Why | undefined;
  show(modal: Modal): void;
  hide(): void;
  showWhy(why?: Partial<Why>): void;
  hideWhy(): void;
}

export type ShellStore = StoreApi<Shell>;

export function createShell(start: Partial<Pick<Shell, 'modal' | 'why'>> = {}): ShellStore {
  return createStore<Shell>((set) => ({
    modal: undefined,
    why: undefined,
    ...start,
    show: (modal) => set({ modal }),
    hide: () => set({ modal: undefined }),
    showWhy: (why = {}) => set({ modal: undefined, why: { query: '', all: false, ...why } }),
    hideWhy: () => set({ why: undefined }),
  }));
}

const ShellContext = createContext<ShellStore | undefined>(undefined);

interface ShellProviderProps {
  readonly shell: ShellStore;
  readonly children: ReactNode;
}

export function ShellProvider({ shell, children }: ShellProviderProps): ReactElement {
  return createElement(ShellContext, { value: shell }, children);
}

export function useShell<T>(selector: (shell: Shell) => T): T {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('this component belongs inside a ShellProvider');
  return useStore(shell, selector);
}
