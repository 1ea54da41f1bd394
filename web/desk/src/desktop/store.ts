// The one place where the state is, and the one way in which it changes.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { DesktopState } from './model.ts';
import { INITIAL, reduce } from './reduce.ts';
import type { DeskEvent } from './reduce.ts';

export interface DesktopStore {
  readonly state: Pick<StoreApi<DesktopState>, 'getState' | 'getInitialState' | 'subscribe'>;
  dispatch(event: DeskEvent): void;
}

export function createDesktopStore(): DesktopStore {
  const store = createStore<DesktopState>(() => INITIAL);
  return { state: store, dispatch: (event) => store.setState(reduce(store.getState(), event), true) };
}
