// All windows of this page: made for the hosts of canvases, told of the state, and found by who speaks.

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from '../bus/link.ts';
import type { Actions } from '../desktop/actions.ts';
import type { RunningWindow } from '../desktop/attach.ts';
import { SYSTEM_CLOCK } from '../desktop/clock.ts';
import type { DesktopState } from '../desktop/model.ts';
import type { Themes } from '../theme/theme.ts';
import { followFocus } from './focus.ts';
import { isHello } from './handshake.ts';
import { createWindow } from './window.ts';
import './windows.css';
import type { DeskWindow } from './window.ts';

export interface WindowsOptions {
  readonly window: Window;
  readonly store: Pick<StoreApi<DesktopState>, 'getState' | 'subscribe'>;
  readonly actions: Pick<Actions, 'edit'>;
  readonly themes: Pick<Themes, 'current' | 'listen'>;
  readonly call: Link['call'];
}

export interface Windows {
  /** Puts the page of an item into its host. */
  mount(workspaceId: string, itemId: string, host: HTMLElement): void;
  unmount(host: HTMLElement): void;
  running(): readonly RunningWindow[];
  stop(): void;
}

export function createWindows({ window, store, actions, themes, call }: WindowsOptions): Windows {
  const all = new Map<HTMLElement, DeskWindow>();
  const titles = new Map<string, string>();
  const nameOf = (appName: string): string => titles.get(appName) ?? (appName === '' ? 'The window' : appName);

  function learnTitles({ applications }: DesktopState): void {
    titles.clear();
    for (const { name, title } of applications) titles.set(name, title);
  }

  const endStore = store.subscribe((state, before) => {
    if (state.applications !== before.applications) learnTitles(state);
    if (state.connection.state === 'down' && before.connection.state !== 'down') {
      for (const one of all.values()) one.disconnected();
    }
    // What is said while there is no connection is what was said before.
    if (state.workspaces !== before.workspaces) for (const one of all.values()) one.update(state);
  });
  learnTitles(store.getState());

  const endLooks = themes.listen(() => {
    for (const one of all.values()) one.themed();
  });

  const heard = ({ data, source, origin }: MessageEvent<unknown>): void => {
    if (source === null || !isHello(data)) return;
    for (const one of all.values()) {
      if (one.frame()?.contentWindow === source) return one.hello(origin);
    }
  };
  window.addEventListener('message', heard);

  const endFocus = followFocus(window, (frame) => {
    for (const one of all.values()) {
      if (one.frame() !== frame) continue;
      const workspace = store.getState().workspaces.get(one.workspaceId);
      const isFocused = workspace?.windows.get(one.itemId)?.focused === true;
      if (!isFocused) void actions.edit(one.workspaceId, { op: 'focus', item: one.itemId });
    }
  });

  return {
    mount(workspaceId, itemId, host) {
      const made = createWindow({
        host,
        workspaceId,
        itemId,
        call,
        reload: () => void actions.edit(workspaceId, { op: 'reload', item: itemId }),
        look: themes.current,
        nameOf,
        clock: SYSTEM_CLOCK,
        ownOrigin: window.location.origin,
      });
      all.set(host, made);
      made.update(store.getState());
    },
    unmount(host) {
      all.get(host)?.destroy();
      all.delete(host);
    },
    running: () => [...all.values()].flatMap((one) => one.running() ?? []),
    stop() {
      endStore();
      endLooks();
      endFocus();
      window.removeEventListener('message', heard);
      for (const one of all.values()) one.destroy();
      all.clear();
    },
  };
}
