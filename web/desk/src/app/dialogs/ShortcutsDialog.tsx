import type { ReactElement } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { Kbd } from '../../ui/Kbd.tsx';

const SHORTCUTS: readonly (readonly [heading: string, keys: readonly (readonly [keys: string, does: string])[]])[] = [
  [
    'Anywhere but inside the page of a window',
    [
      ['mod+k', 'Find and launch'],
      ['mod+s', 'Save the workspace'],
      ['mod+shift+s', 'Save it under another name'],
      ['?', 'This list'],
    ],
  ],
  [
    'On the tab of a window',
    [
      ['F6', 'The next pane'],
      ['arrows', 'The next tab or pane on that side'],
      ['shift+arrows', 'Reorder'],
      ['enter', 'Pick it up; arrows choose a place, Enter drops'],
      ['F2', 'Rename it'],
      ['delete', 'Close it'],
      ['escape', 'Put back what was picked up'],
    ],
  ],
];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {SHORTCUTS.map(([heading, keys]) => (
        <section key={heading}>
          <h3 className="ui-label">{heading}</h3>
          <dl className="ui-facts">
            {keys.map(([key, does]) => (
              <div key={key} className="ui-fact">
                <dt>{does}</dt>
                <dd>
                  <Kbd keys={key} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
