import { cloneElement, type HTMLAttributes, type ReactElement } from 'react';
import { lazyExport } from '../lazy-export.ts';
import classes from './icon-button.module.css';
import { MenuButton } from './menu-button.tsx';
import type { RowChoice } from './row-choices.tsx';

const RowChoices = lazyExport(() => import('./row-choices.tsx'), 'RowChoices');

interface Props {
  label: string;
  items: () => RowChoice[];
  /** The button; by default three dots. */
  button?: ReactElement<HTMLAttributes<HTMLElement>>;
}

const dots = (
  <button
    type="button"
    className={`inline-flex center flex-none soft rounded-6 pressable ${classes.button}`}
  >
    {/* One path, because a list has hundreds of them. */}
    <svg width={16} height={16} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M5 12h.01M12 12h.01M19 12h.01"
        stroke="currentColor"
        strokeWidth={4}
        strokeLinecap="round"
      />
    </svg>
  </button>
);

/**
 * The menu of further actions of a row, mounted at its first opening, since most are never opened.
 */
export function RowMenu({ label, items, button: shown = dots }: Props) {
  const button = cloneElement(shown, { 'aria-label': label });
  return (
    <MenuButton button={button}>
      <RowChoices button={button} items={items} />
    </MenuButton>
  );
}
