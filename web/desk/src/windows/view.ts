// A window on the screen: the frame with the page, and the cover over it. The frame is made once and
// never gets another parent.

import type { Cover } from './cover.ts';

/** What a page may do. Not: move the desk itself to another address. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-downloads allow-modals';

export interface ViewOptions {
  readonly host: HTMLElement;
  readonly loaded: () => void;
  readonly tryAgain: () => void;
  readonly showAnyway: () => void;
}

export interface PageView {
  /** The frame, where there is a page. */
  frame(): HTMLIFrameElement | undefined;
  navigate(url: string, name: string): void;
  name(name: string): void;
  unload(): void;
  cover(cover: Cover | undefined): void;
}

export function createView({ host, loaded, tryAgain, showAnyway }: ViewOptions): PageView {
  const document = host.ownerDocument;
  let frame: HTMLIFrameElement | undefined;
  let shown = '';
  const element = document.createElement('div');
  element.className = 'cover';
  element.hidden = true;
  host.append(element);

  function make(): HTMLIFrameElement {
    const made = document.createElement('iframe');
    made.setAttribute('sandbox', SANDBOX);
    made.setAttribute('allow', '');
    made.referrerPolicy = 'no-referrer';
    made.addEventListener('load', loaded);
    return made;
  }

  return {
    frame: () => frame,
    navigate(url, name) {
      if (frame === undefined) {
        frame = make();
        frame.src = url;
        host.prepend(frame);
      } else {
        frame.src = url;
      }
      frame.title = name;
    },
    name(name) {
      if (frame !== undefined) frame.title = name;
    },
    unload() {
      frame?.remove();
      frame = undefined;
    },
    cover(cover) {
      const next = JSON.stringify(cover ?? null);
      if (next === shown) return;
      shown = next;
      element.hidden = cover === undefined;
      // A page under a cover is out of reach, and out of the order of tabs.
      if (frame !== undefined) frame.inert = cover !== undefined;
      element.replaceChildren(...(cover === undefined ? [] : partsOf(cover)));
      element.dataset['kind'] = cover?.kind ?? '';
      element.setAttribute('role', cover?.kind === 'down' ? 'alert' : 'status');
    },
  };

  function partsOf(cover: Cover): HTMLElement[] {
    const parts: HTMLElement[] = [];
    const add = (tag: string, className: string, content: string | undefined): void => {
      if (content === undefined || content === '') return;
      const made = document.createElement(tag);
      made.className = className;
      made.textContent = content;
      parts.push(made);
    };
    add('p', 'cover-title', cover.title);
    add('p', 'cover-text', cover.text);
    add('p', 'cover-fix', cover.fix);
    const choices = document.createElement('div');
    choices.className = 'cover-choices';
    if (cover.tryAgain) choices.append(button('Try again', tryAgain));
    if (cover.showAnyway) choices.append(button('Show anyway', showAnyway));
    if (cover.elsewhere !== undefined) choices.append(link('Open in a new tab', cover.elsewhere));
    if (choices.childElementCount > 0) parts.push(choices);
    return parts;
  }

  function button(label: string, work: () => void): HTMLElement {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = label;
    made.addEventListener('click', work);
    return made;
  }

  function link(label: string, href: string): HTMLElement {
    const made = document.createElement('a');
    made.textContent = label;
    made.href = href;
    made.target = '_blank';
    made.rel = 'noopener noreferrer';
    return made;
  }
}
