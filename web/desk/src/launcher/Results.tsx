import AppWindow from 'lucide-react/icons/app-window';
import CornerDownLeft from 'lucide-react/icons/corner-down-left';
import LayoutPanelLeft from 'lucide-react/icons/layout-panel-left';
import SquareTerminal from 'lucide-react/icons/square-terminal';
import Wrench from 'lucide-react/icons/wrench';
import { memo, useRef } from 'react';
import type { ReactElement } from 'react';
import { Kbd } from '../ui/Kbd.tsx';
import { Marked } from './Marked.tsx';
import type { Hit, Item, Section } from './rank.ts';

const ICONS = { workspaces: LayoutPanelLeft, applications: AppWindow, commands: SquareTerminal, tools: Wrench };

export interface ResultsProps {
  /** Begins the ids of the list and its options. */
  readonly id: string;
  readonly sections: readonly Section[];
  readonly active: Item | undefined;
  readonly query: string;
  readonly onPoint: (item: Item) => void;
  readonly onChoose: (item: Item) => void;
}

export function Results({ id, sections, active, query, onPoint, onChoose }: ResultsProps): ReactElement {
  // A list that moves under a pointer at rest chooses nothing: only a pointer that moves does.
  const pointer = useRef({ x: -1, y: -1 });
  if (sections.length === 0) return <p className="launcher-empty">Nothing here is called “{query.trim()}”.</p>;
  return (
    <div id={`${id}-list`} className="launcher-list" role="listbox" aria-label="Found">
      {sections.map((section, place) => (
        <div key={section.heading} role="group" aria-labelledby={`${id}-heading-${place}`}>
          <div id={`${id}-heading-${place}`} className="launcher-heading" role="presentation">
            {section.heading}
            {section.more > 0 && <span className="launcher-more">{section.more} more: type on to find them</span>}
          </div>
          {section.hits.map(({ item, marks }) => (
            <div
              key={item.id}
              id={`${id}-${item.id}`}
              className="launcher-row"
              role="option"
              aria-selected={item === active}
              aria-disabled={item.unavailable !== undefined}
              onPointerMove={({ clientX, clientY }) => {
                const moved = clientX !== pointer.current.x || clientY !== pointer.current.y;
                pointer.current = { x: clientX, y: clientY };
                if (moved && item !== active) onPoint(item);
              }}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(item)}
            >
              <Row item={item} marks={marks} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const Row = memo(function Row({ item, marks }: Hit): ReactElement {
  const Icon = ICONS[item.group];
  return (
    <>
      <Icon className="ui-icon" aria-hidden />
      <span className="launcher-title">
        <Marked text={item.title} marks={marks} />
      </span>
      {item.unavailable === undefined ? (
        <span className="launcher-detail">{item.detail}</span>
      ) : (
        <span className="launcher-reason">{item.unavailable}</span>
      )}
      <span className="launcher-kind">{item.kind}</span>
      {item.keys !== undefined && <Kbd keys={item.keys} />}
      <CornerDownLeft className="ui-icon launcher-go" aria-hidden />
    </>
  );
});
