import { useBlocker } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';

interface Props {
  isDirty: boolean;
  /** Whether the screen closes after a save. */
  isLeft: () => boolean;
}

/** Blocks a navigation that would lose unsaved changes. */
export function LeaveQuestion({ isDirty, isLeft }: Props) {
  const { status, proceed, reset } = useBlocker({
    // Dialogs and tabs, which are in the address too, leave the screen open.
    shouldBlockFn: ({ current, next }) =>
      isDirty && !isLeft() && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !isLeft(),
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t('form.discard_title')}
      text={t('form.discard_text')}
      cancel={t('form.go_on')}
      action={t('form.discard')}
      onConfirm={() => proceed?.()}
    />
  );
}
