import { VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { IconAlertTriangle, IconCheck, IconMessage } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { type Toast, toasts } from '../../ui/feedback/toast.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import classes from './toast-list.module.css';

export function ToastList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { kept } = useSyncExternalStore(toasts.watch, toasts.state);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('toast.list')}>
      {kept.length === 0 ? (
        <EmptyState
          icon={<IconMessage size={24} />}
          title={t('toast.none')}
          text={t('toast.none_text')}
        />
      ) : (
        <ul>
          {kept.map((toast) => (
            <Row key={toast.id} toast={toast} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Row({ toast: { message, isError, time } }: { toast: Toast }) {
  return (
    <li className={`flex items-start gap-10 py-10 ${classes.row}`}>
      <span
        className={`flex-none ${isError ? 'color-danger' : 'color-success'}`}
        style={{ height: 20 }}
      >
        {isError ? (
          <IconAlertTriangle size={18} aria-hidden="true" />
        ) : (
          <IconCheck size={18} aria-hidden="true" />
        )}
      </span>
      <div className="grow break">
        <VisuallyHidden>{t(isError ? 'toast.error' : 'toast.ok')}: </VisuallyHidden>
        {message}
        <div className="small soft">
          <TimeAgo time={time} />
        </div>
      </div>
    </li>
  );
}
