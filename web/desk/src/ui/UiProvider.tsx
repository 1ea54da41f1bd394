import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** Around everything: no style elements, which the page's policy refuses, and one delay for all tooltips. */
export function UiProvider({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={500}>{children}</Tooltip.Provider>
    </CSPProvider>
  );
}
