import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Search from 'lucide-react/icons/search';
import Sun from 'lucide-react/icons/sun';
import type { ReactElement, ReactNode } from 'react';
import type { Choice } from '../theme/theme.ts';
import { useThemes } from '../theme/useThemes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { BrandMenu } from './BrandMenu.tsx';
import { useShell } from './shell.ts';
import './topbar.css';

/** The bar at the top; `children` are the tabs of the workspaces. */
export function TopBar({ children }: { readonly children?: ReactNode }): ReactElement {
  const show = useShell((shell) => shell.show);
  return (
    <header className="topbar">
      <h1 className="ui-sr">Deskwire desk</h1>
      <BrandMenu />
      <div className="topbar-tabs">{children}</div>
      {/* Keys do not come here from the page of a window; this is always in reach. */}
      <button type="button" className="topbar-launch" aria-haspopup="dialog" onClick={() => show({ kind: 'launcher' })}>
        <Search className="ui-icon" aria-hidden />
        <span className="topbar-launch-text">Launch…</span>
        <Kbd keys="mod+k" />
      </button>
      <ThemeButton />
      <IconButton icon={CircleQuestionMark} label="Keyboard shortcuts" onClick={() => show({ kind: 'shortcuts' })} />
    </header>
  );
}

const THEMES = {
  system: { icon: Monitor, word: 'as the system', next: 'light' },
  light: { icon: Sun, word: 'light', next: 'dark' },
  dark: { icon: Moon, word: 'dark', next: 'system' },
} as const satisfies Record<Choice, unknown>;

function ThemeButton(): ReactElement {
  const themes = useThemes();
  const { icon, word, next } = THEMES[themes.choice()];
  return <IconButton icon={icon} label={`Theme: ${word}. Next: ${THEMES[next].word}`} onClick={() => themes.choose(next)} />;
}
