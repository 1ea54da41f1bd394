import { useCallback, useEffect, useState } from 'react';
import type { Finding } from '../desktop/model.ts';
import { useActions, useDesktop } from '../ui/desktop.ts';

export interface Findings {
  /** What was found last; stays while something newer is asked for. */
  readonly findings: readonly Finding[] | undefined;
  /** Why the last question was not answered. */
  readonly error: string | undefined;
  readonly again: () => void;
}

/** What a client with `capabilities` does not see; asked anew when the server says that it differs. */
export function useFindings(capabilities: readonly string[]): Findings {
  const actions = useActions();
  const revision = useDesktop(({ status }) => status?.revision);
  const [answer, setAnswer] = useState<Omit<Findings, 'again'>>({ findings: undefined, error: undefined });
  const [attempt, setAttempt] = useState(0);
  const asked = capabilities.join(',');

  useEffect(() => {
    let current = true;
    actions.findings(asked === '' ? [] : asked.split(',')).then(
      (findings) => current && setAnswer({ findings, error: undefined }),
      (error: unknown) =>
        current && setAnswer((before) => ({ ...before, error: error instanceof Error ? error.message : String(error) })),
    );
    return () => {
      current = false;
    };
  }, [actions, asked, revision, attempt]);

  return { ...answer, again: useCallback(() => setAttempt((count) => count + 1), []) };
}
