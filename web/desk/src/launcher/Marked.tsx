import type { ReactElement, ReactNode } from 'react';
import type { Mark } from './match.ts';

/** A text with some of its letters marked. */
export function Marked({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }): ReactElement {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
