import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './Tooltip.tsx';
import './button.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: LucideIcon;
  /** What it does; the accessible name, and the tooltip. */
  readonly label: string;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}

export function IconButton({ icon: Icon, label, side, className, ...rest }: IconButtonProps): ReactElement {
  const button = (
    <button type="button" {...rest} className={classes('ui-icon-button', className)} aria-label={label}>
      <Icon className="ui-icon" aria-hidden />
    </button>
  );
  return side === undefined ? <Tooltip label={label}>{button}</Tooltip> : <Tooltip label={label} side={side}>{button}</Tooltip>;
}
