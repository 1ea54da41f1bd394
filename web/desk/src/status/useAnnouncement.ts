import { useEffect, useRef, useState } from 'react';
import { useDesktop } from '../ui/desktop.ts';
import { announcement } from './words.ts';

/** The last thing worth hearing. */
export function useAnnouncement(): string {
  const connection = useDesktop((state) => state.connection);
  const savedAt = useDesktop((state) => state.savedAt);
  const before = useRef({ connection, savedAt: savedAt as number | undefined });
  const [said, setSaid] = useState('');
  useEffect(() => {
    const now = { connection, ...(savedAt !== undefined && { savedAt }) };
    const next = announcement(before.current as typeof now, now);
    before.current = now as typeof before.current;
    if (next !== undefined) setSaid(next);
  }, [connection, savedAt]);
  return said;
}
