import type { ReactNode } from 'react';
import { Tooltip } from '../feedback/tooltip.tsx';
import classes from './row-button.module.css';

interface Props {
  label: string;
  icon: ReactNode;
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  refused: string | null | undefined;
  onClick: () => void;
  children: string;
}

/** A small button in rows, made without Mantine, whose buttons are slow to render fifty times. */
export function RowButton({ label, icon, refused, onClick, children }: Props) {
  const button = (
    <button
      type="button"
      className={`inline-flex items-center gap-10 text-14 weight-600 color-text nowrap bg-surface border-strong rounded-6 pressable ${classes.button}`}
      aria-label={label}
      {...(refused
        ? { 'data-disabled': true, 'aria-disabled': true, 'aria-description': refused }
        : { onClick })}
    >
      {icon}
      <span className="narrow-hidden">{children}</span>
    </button>
  );
  return refused ? <Tooltip label={refused}>{button}</Tooltip> : button;
}
