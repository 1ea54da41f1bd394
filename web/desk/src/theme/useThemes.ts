import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Themes } from './theme.ts';

export const ThemesContext = createContext<Themes | undefined>(undefined);

/** The themes; renders anew when the choice or what it comes to changes. */
export function useThemes(): Themes {
  const themes = useContext(ThemesContext);
  if (themes === undefined) throw new Error('this component belongs inside a ThemesContext');
  useSyncExternalStore(themes.listen, themes.current);
  useSyncExternalStore(themes.listen, themes.choice);
  return themes;
}
