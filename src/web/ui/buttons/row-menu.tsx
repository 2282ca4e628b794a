import { ActionIcon } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import { IconDots } from '@tabler/icons-react';
import { lazy } from 'react';
import classes from './icon-button.module.css';
import { MenuButton } from './menu-button.tsx';
import type { RowChoice } from './row-choices.tsx';

const RowChoices = lazy(async () => {
  const { RowChoices: component } = await import('./row-choices.tsx');
  return { default: component };
});

/**
 * The menu of further actions of a row. It is made when it is opened, since most are never opened.
 */
export function RowMenu({ label, items }: { label: string; items: RowChoice[] }) {
  const button = (
    <ActionIcon variant="subtle" className={classes.button ?? ''} aria-label={label}>
      <IconDots size={16} />
    </ActionIcon>
  );
  return (
    <MenuButton button={button}>
      <RowChoices button={button} items={items} />
    </MenuButton>
  );
}
