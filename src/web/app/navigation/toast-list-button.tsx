import { IconMessage } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { t } from '../../lib/i18n.ts';
import { toasts } from '../../ui/feedback/toast.ts';
import classes from './sidebar.module.css';

/** Opens the list of toasts, and shows the number of unread errors. */
export function ToastListButton({ onOpen }: { onOpen: () => void }) {
  const { unread } = useSyncExternalStore(toasts.watch, toasts.state);
  const label = unread > 0 ? t('toast.unread', { count: unread }) : t('toast.list');
  return (
    <button
      type="button"
      className={classes.entry}
      title={label}
      aria-label={label}
      onClick={() => {
        toasts.markRead();
        onOpen();
      }}
    >
      <IconMessage size={18} aria-hidden="true" />
      {t('toast.list')}
      {unread > 0 && (
        <span className={`ml-auto smallest numbers text-center ${classes.unread}`}>{unread}</span>
      )}
    </button>
  );
}
