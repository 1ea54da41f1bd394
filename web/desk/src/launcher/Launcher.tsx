import { Dialog } from '@base-ui/react/dialog';
import Search from 'lucide-react/icons/search';
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useHands } from '../app/useHands.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { useFindings } from '../why/useFindings.ts';
import { itemsOf } from './items.ts';
import { flat, rank } from './rank.ts';
import type { Item } from './rank.ts';
import { readRecent, used, writeRecent } from './recent.ts';
import { Results } from './Results.tsx';
import './launcher.css';

const ALL_CAPABILITIES = ['sampling', 'elicitation', 'ui'];
const PAGE = 8;

/** Finds all that can be started, gone to or done; open as long as it is rendered. */
export function Launcher({ onClose }: { readonly onClose: () => void }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  /** The focus goes back to where it was, unless what was chosen has taken it already. */
  const goesBack = (): boolean => {
    const { activeElement, body } = document;
    return activeElement === null || activeElement === body || popup.current?.contains(activeElement) === true;
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="ui-backdrop" />
        <Dialog.Popup className="launcher" aria-label="Launcher" ref={popup} initialFocus={input} finalFocus={goesBack}>
          <Body input={input} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface BodyProps {
  readonly input: React.RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

function Body({ input, onClose }: BodyProps): ReactElement {
  const hands = useHands();
  const { findings } = useFindings(ALL_CAPABILITIES);
  const [recent] = useState(() => readRecent(localStorage));
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string>();
  const id = useId();

  const items = useMemo(() => itemsOf(hands, findings ?? []), [hands.state, findings]);
  const sections = useMemo(() => rank(query, items, recent), [query, items, recent]);
  const listed = useMemo(() => flat(sections), [sections]);
  const active = listed.find((item) => item.id === chosen) ?? listed.find(({ unavailable }) => unavailable === undefined) ?? listed[0];
  const said = useDeferredValue(query.trim() === '' ? '' : `${listed.length} found`);

  useEffect(() => {
    if (active !== undefined) document.getElementById(`${id}-${active.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, id]);

  const choose = (item: Item | undefined): void => {
    if (item === undefined || item.unavailable !== undefined) return;
    writeRecent(localStorage, used(recent, item.id));
    onClose();
    item.run();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const at = active === undefined ? 0 : listed.indexOf(active);
    const to = target(event.key, at, listed.length);
    if (to !== undefined) setChosen(listed[to]?.id);
    else if (event.key === 'Enter') choose(active);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="launcher-field">
        <Search className="ui-icon" aria-hidden />
        <input
          ref={input}
          role="combobox"
          aria-label="Find"
          aria-expanded={listed.length > 0}
          aria-controls={listed.length > 0 ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : `${id}-${active.id}`}
          placeholder="Applications, workspaces, commands, tools"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd keys="escape" />
      </div>
      <Results id={id} sections={sections} active={active} query={query} onPoint={(item) => setChosen(item.id)} onChoose={choose} />
      <p className="ui-sr" role="status">
        {said}
      </p>
    </>
  );
}

/** Where a key leads from a place in the list; up from the first is the last. */
function target(key: string, at: number, length: number): number | undefined {
  if (length === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length;
    case 'ArrowUp':
      return (at + length - 1) % length;
    case 'PageDown':
      return Math.min(at + PAGE, length - 1);
    case 'PageUp':
      return Math.max(at - PAGE, 0);
    default:
      return undefined;
  }
}
