import { Drawer } from '@mantine/core';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import type { ReactNode } from 'react';
import classes from './shell.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  label: string;
  children: ReactNode;
}

export function MenuDrawer({ opened, onClose, label, children }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={260}
      withCloseButton={false}
      title={null}
      transitionProps={{ duration: 120 }}
      overlayProps={{ color: 'var(--overlay)', backgroundOpacity: 1 }}
      classNames={{ content: 'bg-page', body: `column ${classes.drawerBody}` }}
      attributes={{ content: { 'aria-label': label } }}
    >
      {children}
    </Drawer>
  );
}
