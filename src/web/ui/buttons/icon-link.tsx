import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Tooltip } from '../feedback/tooltip.tsx';
import classes from './icon-button.module.css';

interface Props {
  label: string;
  /** The text of the tooltip, if it is shorter than the label. */
  hint?: string;
  icon: ReactNode;
  to: string;
}

/** A link that looks like an `IconButton`. */
export const IconLink = ({ label, hint = label, icon, to }: Props) => (
  <Tooltip label={hint}>
    <Link
      to={to}
      className={`inline-flex center flex-none soft rounded-6 pressable ${classes.button}`}
      aria-label={label}
    >
      {icon}
    </Link>
  </Tooltip>
);
