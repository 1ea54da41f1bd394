import { Menu as Base } from '@base-ui/react/menu';
import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './Kbd.tsx';
import './menu.css';

export interface MenuProps {
  /** The button; gets what opens the menu. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom';
  readonly align?: 'start' | 'end';
}

export function Menu({ trigger, children, side = 'bottom', align = 'start' }: MenuProps): ReactElement {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Popup side={side} align={align}>
        {children}
      </Popup>
    </Base.Root>
  );
}

function Popup({ children, ...place }: Base.Positioner.Props): ReactElement {
  return (
    <Base.Portal>
      <Base.Positioner className="ui-float" sideOffset={4} collisionPadding={8} {...place}>
        <Base.Popup className="ui-menu">{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

export interface MenuItemProps {
  readonly label: string;
  /** A quiet second line. */
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
  /** Why it cannot be done now; it is disabled then, and says so. */
  readonly unavailable?: string | undefined;
  readonly onClick: () => void;
}

export function MenuItem({ label, detail, keys, unavailable, onClick }: MenuItemProps): ReactElement {
  const second = unavailable ?? detail;
  return (
    <Base.Item className="ui-menu-item" disabled={unavailable !== undefined} onClick={onClick}>
      <span className="ui-menu-text">
        {label}
        {second !== undefined && <span className="ui-menu-detail">{second}</span>}
      </span>
      {keys !== undefined && <Kbd keys={keys} />}
    </Base.Item>
  );
}

export interface SubmenuProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Submenu({ label, children }: SubmenuProps): ReactElement {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="ui-menu-item">
        <span className="ui-menu-text">{label}</span>
        <ChevronRight className="ui-icon" aria-hidden />
      </Base.SubmenuTrigger>
      <Popup side="inline-end" align="start" alignOffset={-5}>
        {children}
      </Popup>
    </Base.SubmenuRoot>
  );
}

export interface MenuChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string; readonly mark?: ReactNode }[];
}

/** One of several, with a mark at the one that holds. */
export function MenuChoice({ label, value, onChange, options }: MenuChoiceProps): ReactElement {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      <Base.GroupLabel className="ui-menu-label">{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className="ui-menu-item" closeOnClick>
          {option.mark}
          <span className="ui-menu-text">{option.label}</span>
          <Base.RadioItemIndicator>
            <Check className="ui-icon" aria-hidden />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuLine(): ReactElement {
  return <Base.Separator className="ui-menu-line" />;
}

/** A sentence where a menu has nothing to offer. */
export function MenuEmpty({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <Base.Item className="ui-menu-item" disabled>
      {children}
    </Base.Item>
  );
}
