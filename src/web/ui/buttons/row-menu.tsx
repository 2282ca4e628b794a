import { IconDots } from '@tabler/icons-react';
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
    <IconDots size={16} />
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
