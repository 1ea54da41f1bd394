import { Dialog as Base } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { useRef } from 'react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import './dialog.css';
import './button.css';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot, the main one last. */
  readonly buttons?: ReactNode;
  /** Called by the button of type `submit`, and by Enter in a field. */
  readonly onSubmit?: () => void;
  readonly wide?: boolean;
}

/** A modal dialog, open as long as it is rendered. Escape and a press beside it close it. */
export function Dialog({ title, onClose, children, buttons, onSubmit, wide = false }: DialogProps): ReactElement {
  // What is asked for comes before what closes.
  const body = useRef<HTMLDivElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="ui-backdrop" />
        <Base.Popup className="ui-dialog" data-wide={wide || undefined} initialFocus={() => body.current?.querySelector<HTMLElement>('input') ?? true}>
          <form className="ui-dialog-form" onSubmit={submit} noValidate>
            <header className="ui-dialog-head">
              <Base.Title className="ui-dialog-title">{title}</Base.Title>
              <Base.Close className="ui-icon-button" aria-label="Close">
                <X className="ui-icon" aria-hidden />
              </Base.Close>
            </header>
            <div ref={body} className="ui-dialog-body">{children}</div>
            {buttons !== undefined && <footer className="ui-dialog-foot">{buttons}</footer>}
          </form>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
