// The focus is never lost. What has it may go, or be hidden, because somebody else changed the desktop;
// the browser then puts the focus on nothing, and a person at the keyboard begins at the top again.

/** Where the focus may be, each with the places that it goes to when what had it there is gone. */
const STAGE = [
  '.workspace[data-shown="true"] .layout-pane:has(.pane-focus) .layout-tab[aria-selected="true"]',
  '.workspace[data-shown="true"] .layout-tab[aria-selected="true"]',
  '.stage :is(.invitation, .elsewhere) button:enabled',
] as const;
const TABS = ['.workspace-tab[aria-selected="true"]', '.workspace-tab'] as const;
const ANYWHERE = ['.topbar-launch'] as const;

/** Watches the page, and gives what ends that. */
export function keepFocus(window: Window & typeof globalThis): () => void {
  const { document } = window;
  let last: Element | undefined;
  let wasOnTabs = false;
  let timer: number | undefined;

  function remember(element: Element | null): void {
    if (element === null || element === document.body) return;
    last = element;
    wasOnTabs = element.closest('.workspaces') !== null;
  }

  function look(): void {
    timer = undefined;
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return remember(activeElement);
    // A click beside everything takes the focus from what could keep it: that is meant.
    if (last === undefined || canHaveFocus(last) || !document.hasFocus()) return;
    const places = wasOnTabs ? [...TABS, ...STAGE, ...ANYWHERE] : [...STAGE, ...TABS, ...ANYWHERE];
    for (const place of places) {
      const next = [...document.querySelectorAll<HTMLElement>(place)].find(canHaveFocus);
      if (next !== undefined) return next.focus();
    }
  }

  // Whoever takes something away, and knows better where the focus goes, has done so by then.
  const soon = (): void => {
    timer ??= window.setTimeout(look, 50);
  };
  const focused = ({ target }: FocusEvent): void => {
    if (target instanceof window.Element) remember(target);
  };
  const observer = new window.MutationObserver(soon);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['inert', 'hidden', 'disabled', 'data-shown'] });
  document.addEventListener('focusin', focused);
  // The page in a window has it.
  window.addEventListener('blur', soon);
  return () => {
    window.clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', focused);
    window.removeEventListener('blur', soon);
  };
}

function canHaveFocus(element: Element): boolean {
  return element.isConnected && element.closest('[inert]') === null && !element.matches(':disabled') && element.checkVisibility();
}
