import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { ActionButton } from '../ui/buttons/action-button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { toastFailure } from './use-confirmed.tsx';

type StopKind = 'stop' | 'force_stop';

interface Props<Args> {
  /** Null if there is nothing to stop. */
  kind: StopKind | null;
  wordsOf: (kind: StopKind) => { title: string; text: string };
  mutation: UseMutationOptions<unknown, Error, Args>;
  argsOf: (body: { force: boolean }) => Args;
  /** Why the user may not stop it. */
  refused?: string | null;
  isSmall?: boolean;
}

/** Stops a task or a run, or force stops one that is stopping; both ask for confirmation. */
export function StopButton<Args>(props: Props<Args>) {
  const { kind, wordsOf, mutation, argsOf, refused, isSmall = false } = props;
  const [asked, setAsked] = useState<StopKind | null>(null);
  const onClose = () => setAsked(null);
  const stop = useMutation({ ...mutation, onError: toastFailure, onSettled: onClose });
  const shown = kind ?? 'stop';
  return (
    <>
      {kind && (
        <ActionButton
          color="danger"
          variant={kind === 'force_stop' ? 'filled' : 'light'}
          {...(isSmall && { size: 'compact-sm' })}
          leftSection={<IconPlayerStop size={isSmall ? 15 : 16} />}
          refused={refused}
          loading={stop.isPending}
          onClick={() => setAsked(kind)}
        >
          {t(`task.${kind}`)}
        </ActionButton>
      )}
      <ConfirmDialog
        // Closes a question that no longer fits the status, so that a click does not confirm the
        // other one.
        opened={kind !== null && asked === kind}
        onClose={onClose}
        {...wordsOf(shown)}
        action={t(`task.${shown}`)}
        confirmsOnEnter={shown === 'stop'}
        busy={stop.isPending}
        onConfirm={() => stop.mutate(argsOf({ force: kind === 'force_stop' }))}
      />
    </>
  );
}
