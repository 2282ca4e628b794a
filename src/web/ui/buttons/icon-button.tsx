import type { ReactNode } from 'react';
import { Tooltip } from '../feedback/tooltip.tsx';
import classes from './icon-button.module.css';

interface Props {
  label: string;
  /** The text of the tooltip, if it is shorter than the label. */
  hint?: string;
  icon: ReactNode;
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  refused?: string | null | undefined;
  disabled?: boolean;
  onClick: () => void;
}

export function IconButton({
  label,
  hint = label,
  icon,
  refused,
  disabled = false,
  onClick,
}: Props) {
  return (
    <Tooltip label={refused ?? hint}>
      <button
        type="button"
        className={`inline-flex center flex-none soft rounded-6 pressable ${classes.button}`}
        aria-label={label}
        // A natively disabled button would lose the focus.
        {...(disabled ? { 'data-disabled': true, 'aria-disabled': true } : {})}
        {...(refused
          ? { 'data-disabled': true, 'aria-disabled': true, 'aria-description': refused }
          : { onClick: disabled ? undefined : onClick })}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
