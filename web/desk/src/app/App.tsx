// The desk: what stands around it, the tabs of the workspaces, and the workspaces.

import type { ComponentType, ReactElement } from 'react';
import type { WindowInfo } from '../desktop/model.ts';
import type { Themes } from '../theme/theme.ts';
import { WindowsProvider } from '../windows/context.tsx';
import { PaneToolSlot } from '../workspace/slots.ts';
import { Stage } from '../workspace/Stage.tsx';
import { VisitingProvider } from '../workspace/visiting.tsx';
import { WorkspaceTabs } from '../workspace/WorkspaceTabs.tsx';
import { Chrome } from './Chrome.tsx';
import type { ShellStore } from './shell.ts';
import type { Desk } from './start.ts';

export interface AppProps {
  readonly desk: Desk;
  readonly themes: Themes;
  readonly shell: ShellStore;
  /** Something small of a window, in the strip of its pane. */
  readonly paneTool?: ComponentType<{ window: WindowInfo }>;
}

export function App({ desk, themes, shell, paneTool }: AppProps): ReactElement {
  const { store, actions } = desk.desktop;
  return (
    <WindowsProvider value={desk.windows}>
      <PaneToolSlot value={paneTool}>
        <VisitingProvider>
          <Chrome store={store} actions={actions} themes={themes} shell={shell} tabs={<WorkspaceTabs />}>
            <Stage resized={desk.resized} />
          </Chrome>
        </VisitingProvider>
      </PaneToolSlot>
    </WindowsProvider>
  );
}
