import type { ComponentProps, ReactElement } from 'react';
import { classes } from './classes.ts';
import './button.css';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `main` for the one main action of a surface, `danger` where it destroys, `quiet` without a border. */
  readonly look?: 'plain' | 'main' | 'danger' | 'quiet';
}

export function Button({ look = 'plain', className, ...rest }: ButtonProps): ReactElement {
  return <button type="button" {...rest} className={classes('ui-button', className)} data-look={look} />;
}
