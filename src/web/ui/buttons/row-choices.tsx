import { Menu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { OpenedMenu } from './opened-menu.tsx';

export interface RowChoice {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  isDangerous?: boolean;
}

/** The menu itself, which `row-menu.tsx` lazy-loads. */
export function RowChoices({ button, items }: { button: ReactElement; items: () => RowChoice[] }) {
  return (
    <OpenedMenu button={button} position="bottom-end" width={180}>
      {items().map(({ label, icon, onClick, isDangerous }) => (
        <Menu.Item
          key={label}
          leftSection={icon}
          {...(isDangerous ? { color: 'danger' } : {})}
          onClick={onClick}
        >
          {label}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
