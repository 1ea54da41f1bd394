// A workspace of another page that the person looks for here. Only this page knows of it.

import { createContext, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';

interface Visiting {
  readonly id: string | undefined;
  visit(id: string | undefined): void;
}

const VisitingContext = createContext<Visiting>({ id: undefined, visit: () => undefined });

export function VisitingProvider({ children }: { children: ReactNode }) {
  const [id, visit] = useState<string>();
  const value = useMemo(() => ({ id, visit }), [id]);
  return <VisitingContext value={value}>{children}</VisitingContext>;
}

export function useVisiting(): Visiting {
  return useContext(VisitingContext);
}
