import type { ReactElement, ReactNode } from 'react';
import type { StoreApi } from 'zustand';
import type { Actions } from '../desktop/actions.ts';
import type { DesktopState } from '../desktop/model.ts';
import { StatusLine } from '../status/StatusLine.tsx';
import { Notices } from '../status/Notices.tsx';
import type { Themes } from '../theme/theme.ts';
import { ThemesContext } from '../theme/useThemes.ts';
import { DesktopProvider } from '../ui/desktop.ts';
import { UiProvider } from '../ui/UiProvider.tsx';
import { WhyPanel } from '../why/WhyPanel.tsx';
import { Modals } from './Modals.tsx';
import { ShellProvider, useShell } from './shell.ts';
import type { ShellStore } from './shell.ts';
import { TopBar } from './TopBar.tsx';
import { useShortcuts } from './useShortcuts.ts';
import '@deskwire/theme/tokens.css';
import '../theme/base.css';
import './chrome.css';

export interface ChromeProps {
  readonly store: Pick<StoreApi<DesktopState>, 'getState' | 'getInitialState' | 'subscribe'>;
  readonly actions: Actions;
  readonly themes: Themes;
  /** From `createShell()`, made once a page. */
  readonly shell: ShellStore;
  /** The tabs of the workspaces, in the top bar. */
  readonly tabs?: ReactNode;
  /** The workspace in front. */
  readonly children?: ReactNode;
}

/** All of the desk around the workspace; what is inside finds the desktop, the shell and the themes in contexts. */
export function Chrome({ store, actions, themes, shell, tabs, children }: ChromeProps): ReactElement {
  useShortcuts(() => ({ state: store.getState(), actions, shell: shell.getState(), themes }));
  return (
    <UiProvider>
      <DesktopProvider store={store} actions={actions}>
        <ThemesContext value={themes}>
          <ShellProvider shell={shell}>
            <div className="chrome">
              <TopBar>{tabs}</TopBar>
              <main className="chrome-main">{children}</main>
              <Panel />
              <StatusLine />
            </div>
            <Notices />
            <Modals />
          </ShellProvider>
        </ThemesContext>
      </DesktopProvider>
    </UiProvider>
  );
}

function Panel(): ReactElement | null {
  const why = useShell((shell) => shell.why);
  const hideWhy = useShell((shell) => shell.hideWhy);
  return why === undefined ? null : <WhyPanel why={why} onClose={hideWhy} />;
}
