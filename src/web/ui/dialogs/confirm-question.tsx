import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Dialog } from './dialog.tsx';

export interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what will be lost. */
  text: ReactNode;
  /** The verb on the button that confirms. */
  action: string;
  /** The words of the other button, where "Cancel" would be ambiguous. */
  cancel?: string;
  /** Whether nothing is deleted, so that the button is not red. */
  isHarmless?: boolean;
  /** The button that confirms has the focus first: for what can be repeated. */
  confirmsOnEnter?: boolean;
  busy?: boolean;
  onConfirm: () => void;
}

/** The dialog itself. Callers use `confirm-dialog.tsx`, which loads this file when it is needed. */
export function ConfirmQuestion(props: ConfirmProps) {
  const { opened, onClose, title, text, action, cancel, busy = false, onConfirm } = props;
  const first = { 'data-autofocus': true };
  const tone = props.isHarmless ? {} : { color: 'danger' };
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={440}>
      <p className="break" style={{ margin: '0 0 18px' }}>
        {text}
      </p>
      <div className="flex justify-end gap-10">
        <Button variant="default" onClick={onClose} {...(!props.confirmsOnEnter && first)}>
          {cancel ?? t('common.cancel')}
        </Button>
        <Button {...tone} loading={busy} onClick={onConfirm} {...(props.confirmsOnEnter && first)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
