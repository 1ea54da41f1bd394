// Elements in one expression. Text is always text: nothing here parses HTML.

export type Child = Node | string | false | undefined;
type Listener = (event: Event) => void;
export type Attributes = Record<string, string | number | boolean | undefined | Listener>;

/** An element with attributes, listeners (`onclick`) and children. `true` is an empty attribute, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Replaces what an element holds. The focus stays on what has the same `data-key`. */
export function show(element: Element, ...children: Child[]): void {
  const held = document.activeElement;
  const key = held instanceof HTMLElement && element.contains(held) ? held.dataset['key'] : undefined;
  element.replaceChildren(...children.filter(isShown));
  if (key !== undefined) element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

const isShown = (child: Child): child is Node | string => child !== undefined && child !== false;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter(isShown));
  return element;
}
