// The parts of the desk that are no components: the desktop and the windows in it, and what the
// platform is told of the page.

import { startDesktop } from '../desktop/desktop.ts';
import type { Desktop } from '../desktop/desktop.ts';
import type { Themes } from '../theme/theme.ts';
import { createWindows } from '../windows/windows.ts';
import type { Windows } from '../windows/windows.ts';

export interface Desk {
  readonly desktop: Desktop;
  readonly windows: Windows;
  /** Tells the platform how large the area of a workspace is. */
  resized(area: HTMLElement): void;
}

/** How long a size is to stay before it is told, in milliseconds. */
const SETTLE_MS = 300;

export function startDesk(window: Window & typeof globalThis, themes: Themes): Desk {
  let windows: Windows | undefined;
  const desktop = startDesktop({ window, running: () => windows?.running() ?? [] });
  const made = createWindows({ window, store: desktop.store, actions: desktop.actions, themes, call: desktop.link.call });
  windows = made;
  let area: HTMLElement | undefined;
  let timer: number | undefined;

  const tell = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      const { left, top, width, height } = area?.getBoundingClientRect() ?? new DOMRect();
      if (desktop.store.getState().connection.state !== 'up' || width === 0) return;
      // A frame that is lost meanwhile is told of by itself.
      desktop.link.call('Deskwire.Frame.Report', { bounds: { left, top, width, height } }).catch(() => undefined);
    }, SETTLE_MS);
  };
  desktop.store.subscribe((state, before) => {
    if (state.connection.state === 'up' && before.connection.state !== 'up') tell();
  });
  return {
    desktop,
    windows: made,
    resized(element) {
      area = element;
      tell();
    },
  };
}
