import Search from 'lucide-react/icons/search';
import type { ComponentProps, ReactElement } from 'react';
import './field.css';

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'type'> {
  readonly label: string;
  readonly onChange: (text: string) => void;
}

/** A field that narrows what is below it. */
export function SearchField({ label, onChange, ...rest }: SearchFieldProps): ReactElement {
  return (
    <div className="ui-search">
      <Search className="ui-icon" aria-hidden />
      <input
        {...rest}
        type="search"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
