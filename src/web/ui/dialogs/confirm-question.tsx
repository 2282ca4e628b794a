import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Dialog } from './dialog.tsx';

export interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  text: ReactNode;
  action: string;
  /** The label of the other button, where "Cancel" would be ambiguous. */
  cancel?: string;
  /** Whether nothing is deleted: the button is then not red. */
  isHarmless?: boolean;
  /** Focuses the button that confirms first: for actions that can be repeated. */
  confirmsOnEnter?: boolean;
  busy?: boolean;
  onConfirm: () => void;
}

/** The dialog itself, which `confirm-dialog.tsx` lazy-loads. */
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
