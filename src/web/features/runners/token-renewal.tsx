// Makes a further token for a runner: asks first, then shows the token.

import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { Runner, RunnerRegistration } from '#shared/api/runners.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { renewRunnerToken } from './runners.queries.ts';

const TokenDialog = lazyExport(() => import('./token-dialog.tsx'), 'TokenDialog');

export function TokenRenewal({ runner }: { runner: Runner }) {
  const { name } = runner;
  const [isShown, setShown] = useState(false);
  const [made, setMade] = useState<RunnerRegistration | null>(null);
  const renewal = useConfirmed({
    mutation: renewRunnerToken(),
    argsOf: (asked: Runner) => asked,
    wordsOf: () => ({
      title: t('runner.new_token_question'),
      text: t('runner.new_token_text', { name }),
      action: t('runner.new_token'),
    }),
    onDone: (registration) => {
      setMade(registration);
      setShown(true);
    },
  });
  return (
    <>
      <IconButton
        label={t('runner.new_token_label', { name })}
        hint={t('runner.new_token')}
        icon={<IconKey size={16} />}
        onClick={() => renewal.ask(runner)}
      />
      {renewal.dialog}
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
