import { notifications, Notifications } from '@mantine/notifications';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/notifications/styles.layer.css';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import classes from './toasts.module.css';

const closeAfter = 3000;

/** Draws a toast. Callers use `toast.ts`, which loads this file when it is needed. */
export function show(message: string, error: boolean): void {
  notifications.show({
    message,
    autoClose: error ? false : closeAfter,
    icon: error ? <IconAlertTriangle size={16} /> : <IconCheck size={16} />,
    className: classes.toast ?? '',
    'data-tone': error ? 'danger' : 'success',
    closeButtonProps: { 'aria-label': t('common.close') },
    role: error ? 'alert' : 'status',
  });
}

export function Toasts() {
  return <Notifications position="top-right" pauseResetOnHover="all" limit={4} />;
}
