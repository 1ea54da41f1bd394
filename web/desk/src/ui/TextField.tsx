import { Field } from '@base-ui/react/field';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import './field.css';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'children'> {
  readonly label: string;
  /** What there is to know about the value at hand. */
  readonly hint?: ReactNode;
  /** Why the value cannot be used. */
  readonly error?: string | undefined;
}

export function TextField({ label, hint, error, ...rest }: TextFieldProps): ReactElement {
  return (
    <Field.Root className="ui-field" invalid={error !== undefined}>
      <Field.Label className="ui-label">{label}</Field.Label>
      <Field.Control autoComplete="off" spellCheck={false} {...rest} className="ui-input" />
      {error === undefined ? (
        <Field.Description className="ui-hint">{hint}</Field.Description>
      ) : (
        <Field.Error className="ui-hint" match data-error>
          {error}
        </Field.Error>
      )}
    </Field.Root>
  );
}
