// Where nothing is: a few things to begin with.

import type { ReactElement } from 'react';
import { titleOfLayout } from '../desktop/select.ts';
import { useActions, useDesktop } from '../ui/desktop.ts';

/** As many as can be taken in at a glance. */
const MOST = 6;

export function Invitation({ title, layouts: withLayouts }: { title: string; layouts: boolean }): ReactElement {
  const actions = useActions();
  const applications = useDesktop((state) => state.applications);
  const layouts = useDesktop((state) => state.layouts);
  const isUp = useDesktop((state) => state.connection.state === 'up');
  const startable = applications.filter((one) => !one.hidden && one.cannotStart === undefined).slice(0, MOST);
  const openable = withLayouts ? layouts.slice(0, MOST) : [];
  return (
    <div className="invitation">
      <h2>{title}</h2>
      {openable.length > 0 && (
        <section aria-label="Layouts">
          <h3>Open a layout</h3>
          <ul>
            {openable.map((layout) => (
              <li key={layout.name}>
                <button type="button" disabled={!isUp} onClick={() => void actions.openLayout(layout.name)}>
                  <strong>{titleOfLayout(layout)}</strong>
                  {layout.description !== undefined && <span>{layout.description}</span>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {startable.length > 0 && (
        <section aria-label="Applications">
          <h3>Start an application</h3>
          <ul>
            {startable.map(({ name, title: label, caption }) => (
              <li key={name}>
                <button type="button" disabled={!isUp} onClick={() => void actions.startApplication(name)}>
                  <strong>{label}</strong>
                  {caption !== undefined && <span>{caption}</span>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {startable.length + openable.length === 0 && <p>No application is defined. Add one to the desktop's configuration.</p>}
    </div>
  );
}
