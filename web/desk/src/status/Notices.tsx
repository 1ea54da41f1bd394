import X from 'lucide-react/icons/x';
import type { ReactElement } from 'react';
import { useActions, useDesktop } from '../ui/desktop.ts';
import './notices.css';

/** More would cover what a person works with; the older ones come up as these are dismissed. */
const SHOWN = 4;

/** What did not work, at the bottom right, until dismissed. */
export function Notices(): ReactElement {
  const notices = useDesktop((state) => state.notices);
  const { dismiss } = useActions();
  const shown = notices.slice(-SHOWN);
  const more = notices.length - shown.length;
  return (
    <section className="notices" aria-label="Notices">
      {more > 0 && <p className="notices-more">{more} more</p>}
      {shown.map(({ id, text }) => (
        <div key={id} className="notice" role="alert">
          <p className="notice-text">{text}</p>
          <button type="button" className="ui-icon-button" aria-label={`Dismiss: ${text}`} onClick={() => dismiss(id)}>
            <X className="ui-icon" aria-hidden />
          </button>
        </div>
      ))}
    </section>
  );
}
