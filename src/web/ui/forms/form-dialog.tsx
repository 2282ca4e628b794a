import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { HelpTopic } from '../dialogs/help-topics.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { FormFrameContext, useWatchedForms } from './form-frame.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  help: HelpTopic;
  size?: number | string;
  children: ReactNode;
}

/** A dialog with a form, which asks before unsaved input is discarded. */
export function FormDialog({ opened, onClose, title, help, size = 560, children }: Props) {
  const { isDirty, watch } = useWatchedForms();
  const [isAsking, setAsking] = useState(false);
  const onCloseNow = useRef(onClose);
  useEffect(() => {
    onCloseNow.current = onClose;
  });
  const frame = useMemo(
    () => ({
      kind: 'dialog' as const,
      close: () => (isDirty() ? setAsking(true) : onCloseNow.current()),
      watch,
    }),
    [isDirty, watch],
  );
  const discard = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={frame.close}
      title={title}
      size={size}
      help={help}
      keepOnClickOutside
    >
      <FormFrameContext value={frame}>{children}</FormFrameContext>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('form.discard_title')}
        text={t('form.discard_text')}
        cancel={t('form.go_on')}
        action={t('form.discard')}
        onConfirm={discard}
      />
    </Dialog>
  );
}
