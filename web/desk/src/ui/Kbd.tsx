import type { ReactElement } from 'react';
import { keysOf } from './keys.ts';
import './kbd.css';

/** Keys as they are written here: `mod+shift+s`. */
export function Kbd({ keys }: { readonly keys: string }): ReactElement {
  return (
    <span className="ui-keys">
      {keysOf(keys).map((key) => (
        <kbd key={key} className="ui-kbd">
          {key}
        </kbd>
      ))}
    </span>
  );
}
