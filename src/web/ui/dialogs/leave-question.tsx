import { useBlocker } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

// Dialogs and tabs, which are in the address too, leave the screen open.
function formOf({ pathname, search }: { pathname: string; search: object }): string {
  const { edit, copy }: { edit?: unknown; copy?: unknown } = search;
  return [pathname, edit, copy].join(' ');
}

/** Blocks a navigation that would lose unsaved changes, and asks. */
export function LeaveQuestion({ isDirty }: { isDirty: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty() && formOf(current) !== formOf(next),
    enableBeforeUnload: isDirty,
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
