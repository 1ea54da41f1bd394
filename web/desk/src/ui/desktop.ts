// How components get at the desktop: what it is, and all that can be done to it.

import { createContext, createElement, useContext } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand';
import type { Actions } from '../desktop/actions.ts';
import type { DesktopState } from '../desktop/model.ts';

interface Desktop {
  readonly store: Pick<StoreApi<DesktopState>, 'getState' | 'getInitialState' | 'subscribe'>;
  readonly actions: Actions;
}

const DesktopContext = createContext<Desktop | undefined>(undefined);

export function DesktopProvider({ store, actions, children }: Desktop & { readonly children: ReactNode }): ReactElement {
  return createElement(DesktopContext, { value: { store, actions } }, children);
}

function useContained(): Desktop {
  const desktop = useContext(DesktopContext);
  if (desktop === undefined) throw new Error('this component belongs inside a DesktopProvider');
  return desktop;
}

/** A part of the state. The selector gives values that are in the state, not ones it makes. */
export function useDesktop<T>(selector: (state: DesktopState) => T): T {
  return useStore(useContained().store, selector);
}

/** The store itself, for what follows it without being a component. */
export function useDesktopStore(): Desktop['store'] {
  return useContained().store;
}

export function useActions(): Actions {
  return useContained().actions;
}
