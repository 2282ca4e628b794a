// Makes a further token for a runner: asks first, then shows the token.

import { useMutation } from '@tanstack/react-query';
import { IconKey } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import type { Runner, RunnerRegistration } from '#shared/api/runners.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import { renewRunnerToken } from './runners.queries.ts';

const TokenDialog = lazy(async () => ({
  default: (await import('./token-dialog.tsx')).TokenDialog,
}));

/** The button of a runner's row, and the dialogs that it opens. */
export function TokenRenewal({ runner }: { runner: Runner }) {
  const { name } = runner;
  const [isAsking, setAsking] = useState(false);
  const [isShown, setShown] = useState(false);
  const [made, setMade] = useState<RunnerRegistration | null>(null);
  const renew = useMutation(renewRunnerToken());
  const onConfirm = () =>
    renew.mutate(runner, {
      onSuccess: (registration) => {
        setMade(registration);
        setShown(true);
      },
      onError: (failure) => toastError(errorWords(failure)),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <IconButton
        label={t('runner.new_token_label', { name })}
        hint={t('runner.new_token')}
        icon={<IconKey size={16} />}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('runner.new_token_question')}
        text={t('runner.new_token_text', { name })}
        action={t('runner.new_token')}
        busy={renew.isPending}
        onConfirm={onConfirm}
      />
      {made && (
        <OnceOpened opened={isShown}>
          <TokenDialog
            opened={isShown}
            onClose={() => setShown(false)}
            name={name}
            registration={made}
          />
        </OnceOpened>
      )}
    </>
  );
}
