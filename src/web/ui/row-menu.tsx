import { ActionIcon, Menu } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './icon-button.module.css';

interface Item {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  /** Takes something away. */
  isDangerous?: boolean;
}

/** More of what can be done with a row. A menu is made when it is opened: most rows need none. */
export function RowMenu({ label, items }: { label: string; items: Item[] }) {
  const [isWanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      className={classes.button ?? ''}
      aria-label={label}
      aria-haspopup="menu"
      onClick={
        isWanted
          ? undefined
          : () => {
              setWanted(true);
              setOpened(true);
            }
      }
    >
      <IconDots size={16} />
    </ActionIcon>
  );
  if (!isWanted) return button;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={180}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {items.map(({ label: words, icon, onClick, isDangerous }) => (
          <Menu.Item
            key={words}
            leftSection={icon}
            {...(isDangerous ? { color: 'danger' } : {})}
            onClick={onClick}
          >
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
