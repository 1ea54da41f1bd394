import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import './tooltip.css';

export interface TooltipProps {
  readonly label: ReactNode;
  /** What it explains; takes a ref and the handlers. */
  readonly children: ReactElement;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}

/** A word on hover and focus. For those who see: what it says must be in the accessible name or description too. */
export function Tooltip({ label, children, side = 'bottom' }: TooltipProps): ReactElement {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="ui-float" side={side} sideOffset={6} collisionPadding={8}>
          <Base.Popup className="ui-tooltip">{label}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
