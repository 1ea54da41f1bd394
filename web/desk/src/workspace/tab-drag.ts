// Dragging the tabs of workspaces into another order, by pointer.

import { useRef, useState } from 'react';
import type { PointerEvent as ReactPointerEvent, RefObject } from 'react';

/** How far a pointer goes before a press is a drag, in pixels. */
const SLOP = 4;

export interface TabDrag {
  readonly dragged: string | undefined;
  begin(event: ReactPointerEvent, id: string): void;
}

export function useTabDrag(list: RefObject<HTMLElement | null>, dropped: (id: string, index: number) => void): TabDrag {
  const [dragged, setDragged] = useState<string>();
  const ending = useRef<() => void>(undefined);

  function begin(press: ReactPointerEvent, id: string): void {
    const container = list.current;
    if (press.button !== 0 || container === null) return;
    ending.current?.();
    const ended = new AbortController();
    const on = { signal: ended.signal };
    let isDragging = false;
    const end = (): void => {
      ended.abort();
      setDragged(undefined);
      for (const place of placesIn(container)) place.style.translate = '';
    };
    ending.current = end;
    window.addEventListener(
      'pointermove',
      ({ clientX, pointerId }) => {
        if (pointerId !== press.pointerId) return;
        const by = clientX - press.clientX;
        if (!isDragging && Math.abs(by) < SLOP) return;
        if (!isDragging) setDragged(id);
        isDragging = true;
        const own = placesIn(container).find(({ dataset }) => dataset['place'] === id);
        if (own !== undefined) own.style.translate = `${by}px 0`;
      },
      on,
    );
    window.addEventListener(
      'pointerup',
      ({ clientX, pointerId }) => {
        if (pointerId !== press.pointerId) return;
        const others = placesIn(container).filter(({ dataset }) => dataset['place'] !== id);
        end();
        if (isDragging) dropped(id, indexAt(others.map((place) => place.getBoundingClientRect()), clientX));
      },
      on,
    );
    window.addEventListener('pointercancel', end, on);
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), on);
  }

  return { dragged, begin };
}

function placesIn(container: HTMLElement): HTMLElement[] {
  return Array.from(container.querySelectorAll<HTMLElement>('[data-place]'));
}

/** The place among the others: behind all whose middle is before the point. */
export function indexAt(others: readonly { readonly left: number; readonly width: number }[], x: number): number {
  return others.filter(({ left, width }) => left + width / 2 < x).length;
}
