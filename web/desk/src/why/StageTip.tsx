import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, PointerEvent, ReactElement, ReactNode } from 'react';
import { stageOf } from './entries.ts';

const DELAY = 300;

/**
 * Explains the stage under the pointer or the focus: one tooltip for all labels in it, which may be
 * thousands. A label says its stage in `data-stage`.
 */
export function StageTip({ children }: { readonly children: ReactNode }): ReactElement {
  const [label, setLabel] = useState<HTMLElement>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (element: HTMLElement | undefined, delay: number): void => {
    clearTimeout(timer.current);
    if (delay === 0 || element === undefined) setLabel(element);
    else timer.current = setTimeout(() => setLabel(element), delay);
  };
  const labelOf = ({ target }: PointerEvent | FocusEvent): HTMLElement | undefined =>
    (target as Element).closest<HTMLElement>('[data-stage]') ?? undefined;

  return (
    <div
      className="why-scroll"
      role="region"
      aria-label="Findings"
      tabIndex={0}
      onPointerOver={(event) => event.pointerType === 'mouse' && show(labelOf(event), DELAY)}
      onPointerLeave={() => show(undefined, 0)}
      onFocus={(event) => show(labelOf(event), 0)}
      onBlur={() => show(undefined, 0)}
      onScroll={() => show(undefined, 0)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || label === undefined) return;
        event.stopPropagation();
        show(undefined, 0);
      }}
    >
      {children}
      <Tooltip.Root open={label !== undefined}>
        <Tooltip.Portal>
          <Tooltip.Positioner className="ui-float" anchor={label} side="top" sideOffset={6} collisionPadding={8}>
            <Tooltip.Popup className="ui-tooltip">{label === undefined ? '' : stageOf(label.dataset['stage'] ?? '').meaning}</Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      </Tooltip.Root>
    </div>
  );
}
