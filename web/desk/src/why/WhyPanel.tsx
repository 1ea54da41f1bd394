import Copy from 'lucide-react/icons/copy';
import X from 'lucide-react/icons/x';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Why } from '../app/shell.ts';
import { count } from '../status/words.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { asText, clientOf, counts, entriesOf, group, select } from './entries.ts';
import { Entries } from './Entries.tsx';
import { StageTip } from './StageTip.tsx';
import { useFindings } from './useFindings.ts';
import './why.css';

const CAPABILITIES = ['sampling', 'elicitation', 'ui'] as const;

export interface WhyPanelProps {
  /** What it is opened with; a new value sets it anew. */
  readonly why: Why;
  readonly onClose: () => void;
}

/** Why a tool, an application, a workspace or an intent is not there, as a client sees it. */
export function WhyPanel({ why, onClose }: WhyPanelProps): ReactElement {
  const [capabilities, setCapabilities] = useState<readonly string[]>(CAPABILITIES);
  const [{ query, all }, setWanted] = useState(why);
  const search = useRef<HTMLInputElement>(null);
  const { findings, error, again } = useFindings(capabilities);

  const entries = useMemo(() => (findings === undefined ? undefined : entriesOf(findings)), [findings]);
  const groups = useMemo(() => group(select(entries ?? [], { query, all })), [entries, query, all]);

  useEffect(() => {
    setWanted(why);
    search.current?.focus();
  }, [why]);
  useReturnOfFocus();

  return (
    <aside className="why" aria-label="Why is something not there?" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <header className="why-top">
        <h2 className="why-title">Why is something not there?</h2>
        <CopyButton text={() => asText(groups, clientOf(capabilities))} />
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      <div className="why-tools">
        <Capabilities chosen={capabilities} onChange={setCapabilities} />
        <p className="why-sum" role="status">
          {entries === undefined ? (error === undefined ? 'Asking…' : '') : summary(entries, capabilities)}
        </p>
        <SearchField ref={search} label="Search the findings" placeholder="Search" value={query} onChange={(text) => setWanted({ query: text, all })} />
        <Scope all={all} hidden={entries && counts(entries).hidden} total={entries?.length} onChange={(next) => setWanted({ query, all: next })} />
      </div>
      {error !== undefined && (
        <p className="why-error" role="alert">
          <span>The server did not say: {error}</span>
          <Button onClick={again}>Try again</Button>
        </p>
      )}
      <StageTip>
        {entries !== undefined && groups.length === 0 && <p className="why-empty">{emptyText(query, all)}</p>}
        <Entries groups={groups} />
      </StageTip>
    </aside>
  );
}

function summary(entries: Parameters<typeof counts>[0], capabilities: readonly string[]): string {
  const { visible, withheld } = counts(entries);
  const sums = `${count(visible, 'tool')} visible, ${withheld.toLocaleString()} withheld`;
  return capabilities.length === 0 ? `A plain client: ${sums}` : sums;
}

function emptyText(query: string, all: boolean): string {
  if (query.trim() !== '') return `Nothing is said about “${query.trim()}”${all ? '' : ' among what is hidden'}.`;
  return all ? 'There is nothing on this desktop yet.' : 'All is visible: no tool is withheld, and search leaves nothing out.';
}

interface CapabilitiesProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function Capabilities({ chosen, onChange }: CapabilitiesProps): ReactElement {
  return (
    <fieldset className="why-capabilities">
      <legend>The client declares</legend>
      {CAPABILITIES.map((name) => (
        <label key={name} className="why-check">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) => onChange(CAPABILITIES.filter((one) => (one === name ? event.currentTarget.checked : chosen.includes(one))))}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

interface ScopeProps {
  readonly all: boolean;
  readonly hidden: number | undefined;
  readonly total: number | undefined;
  readonly onChange: (all: boolean) => void;
}

function Scope({ all, hidden, total, onChange }: ScopeProps): ReactElement {
  return (
    <div className="why-scope" role="group" aria-label="List">
      {([false, true] as const).map((value) => (
        <button key={String(value)} type="button" className="why-part" aria-pressed={all === value} onClick={() => onChange(value)}>
          {value ? 'All' : 'Hidden only'} <span className="why-count">{(value ? total : hidden)?.toLocaleString()}</span>
        </button>
      ))}
    </div>
  );
}

function CopyButton({ text }: { readonly text: () => string }): ReactElement {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setSaid('Copied'),
      () => setSaid('The browser did not let it be copied'),
    );
  };
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), 3000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <>
      <span className="why-copied" role="status">
        {said}
      </span>
      <IconButton icon={Copy} label="Copy as text" onClick={copy} />
    </>
  );
}

/** To where it was before, when this goes. */
function useReturnOfFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
