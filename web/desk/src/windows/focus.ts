// Which page has the focus. A page of another origin tells nobody; what can be seen is that the desk
// loses the focus, and which frame has it then. From page to page the desk is told nothing at all, so
// while a page has the focus it is looked again and again.

const EVERY_MS = 250;

/** Calls back with the frame each time another one has the focus; gives what ends it. */
export function followFocus(window: Window, focused: (frame: HTMLIFrameElement) => void): () => void {
  const { document } = window;
  let last: Element | null = null;
  let timer: number | undefined;

  function look(): void {
    window.clearTimeout(timer);
    const active = document.activeElement;
    if (!(active instanceof HTMLIFrameElement)) {
      last = null;
      return;
    }
    if (active !== last) {
      last = active;
      focused(active);
    }
    if (document.visibilityState === 'visible') timer = window.setTimeout(look, EVERY_MS);
  }

  // The focus is where it goes only after the event.
  const soon = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(look, 0);
  };
  window.addEventListener('blur', soon);
  window.addEventListener('focus', soon);
  document.addEventListener('visibilitychange', soon);
  return () => {
    window.clearTimeout(timer);
    window.removeEventListener('blur', soon);
    window.removeEventListener('focus', soon);
    document.removeEventListener('visibilitychange', soon);
  };
}
