import { memo, useId } from 'react';
import type { ReactElement } from 'react';
import { stageOf } from './entries.ts';
import type { Entry, EntryGroup, Remark } from './entries.ts';

export function Entries({ groups }: { readonly groups: readonly EntryGroup[] }): ReactElement {
  const id = useId();
  return (
    <>
      {groups.map(({ heading, entries }, place) => (
        <section key={heading} aria-labelledby={`${id}-${place}`}>
          <h3 id={`${id}-${place}`} className="why-heading">
            {heading} <span className="why-count">{entries.length.toLocaleString()}</span>
          </h3>
          <ul>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const EntryRow = memo(
  function EntryRow({ entry: { name, app, visible, remarks } }: { readonly entry: Entry }): ReactElement {
    return (
      <li className="why-entry">
        <div className="why-head">
          <span className="why-name">{name}</span>
          {app !== undefined && <span className="why-app">{app}</span>}
          {visible && <span className="why-visible">visible</span>}
        </div>
        {remarks.map((remark) => (
          <RemarkLines key={`${remark.stage} ${remark.reason}`} remark={remark} />
        ))}
      </li>
    );
  },
  // A refetch makes new values of what is the same.
  (before, after) => JSON.stringify(before.entry) === JSON.stringify(after.entry),
);

function RemarkLines({ remark: { stage, reason, fix } }: { readonly remark: Remark }): ReactElement {
  const { label, meaning } = stageOf(stage);
  return (
    <div className="why-remark">
      <p>
        {label !== '' && (
          <span className="why-stage" data-stage={stage} tabIndex={meaning === '' ? undefined : 0} role="note" aria-label={`Stage ${label}. ${meaning}`}>
            {label}
          </span>
        )}
        {reason}
      </p>
      {fix !== '' && <p className="why-fix">{fix}</p>}
    </div>
  );
}
