// Elements that belong to ids: made once, kept while the id is there, and gone with it.

export interface Keyed<T> {
  /** Makes what is new, drops what is gone, and tells about each that is there. */
  sync(items: readonly T[], idOf: (item: T) => string, update: (element: HTMLElement, item: T) => void): void;
  get(id: string): HTMLElement | undefined;
}

export interface KeyedOptions<T> {
  readonly parent: HTMLElement;
  readonly make: (item: T) => HTMLElement;
  readonly drop?: (id: string, element: HTMLElement) => void;
  /** Whether the order of the elements follows that of the items. Never where frames are inside. */
  readonly ordered: boolean;
}

export function keyed<T>({ parent, make, drop, ordered }: KeyedOptions<T>): Keyed<T> {
  const elements = new Map<string, HTMLElement>();
  return {
    sync(items, idOf, update) {
      const there = new Set(items.map(idOf));
      for (const [id, element] of elements) {
        if (there.has(id)) continue;
        elements.delete(id);
        drop?.(id, element);
        element.remove();
      }
      let expected = parent.firstElementChild;
      for (const item of items) {
        const id = idOf(item);
        const element = elements.get(id) ?? make(item);
        if (!elements.has(id)) parent.append(element);
        elements.set(id, element);
        if (ordered && expected !== element) parent.insertBefore(element, expected);
        expected = element.nextElementSibling;
        update(element, item);
      }
    },
    get: (id) => elements.get(id),
  };
}
