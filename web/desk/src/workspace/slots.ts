// Places that other parts of the desk fill.

import { createContext } from 'react';
import type { ComponentType } from 'react';
import type { WindowInfo } from '../desktop/model.ts';

/** Something small of a window, 24 px wide, before the buttons of its pane: such as its channel. */
export const PaneToolSlot = createContext<ComponentType<{ window: WindowInfo }> | undefined>(undefined);
