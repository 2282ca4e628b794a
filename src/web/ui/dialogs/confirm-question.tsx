import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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
  /** What has to be typed before, if much is lost for ever. */
  typed?: string | null;
  busy?: boolean;
  onConfirm: () => void;
}

/** The dialog itself, which `confirm-dialog.tsx` lazy-loads. */
export function ConfirmQuestion(props: ConfirmProps) {
  const { opened, onClose, title, text } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={440}>
      <p className="break" style={{ margin: '0 0 18px' }}>
        {text}
      </p>
      <ConfirmAnswer {...props} />
    </Dialog>
  );
}

/** The buttons of a question; mounted while it is open, so that what was typed is gone afterwards. */
export function ConfirmAnswer(props: Omit<ConfirmProps, 'opened' | 'title' | 'text'>) {
  const { onClose, action, cancel, busy = false, onConfirm, typed = null } = props;
  const [input, setInput] = useState('');
  const first = { 'data-autofocus': true };
  const tone = props.isHarmless ? {} : { color: 'danger' };
  const isMeant = typed === null || input.trim() === typed.trim();
  const cancelsFirst = !props.confirmsOnEnter && typed === null;
  return (
    <>
      {typed !== null && (
        <TextInput
          label={t('common.type_to_confirm', { name: typed })}
          labelProps={{ className: 'break' }}
          className="pb-20"
          autoComplete="off"
          value={input}
          onChange={(event) => setInput(event.currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && isMeant && !busy) onConfirm();
          }}
          {...first}
        />
      )}
      <div className="flex justify-end gap-10">
        <Button variant="default" onClick={onClose} {...(cancelsFirst && first)}>
          {cancel ?? t('common.cancel')}
        </Button>
        <Button
          {...tone}
          loading={busy}
          disabled={!isMeant}
          onClick={onConfirm}
          {...(props.confirmsOnEnter && first)}
        >
          {action}
        </Button>
      </div>
    </>
  );
}
