import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactor } from '#shared/api/second-factor.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Section } from '../../ui/page/section.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import {
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorQueries,
} from './second-factor.queries.ts';
import { SetUp } from './set-up.tsx';

const PasswordDialog = lazyExport(() => import('./password-dialog.tsx'), 'PasswordDialog');

interface Props {
  /** Called after the removal on a server that requires a second factor. */
  onMissing: () => void;
}

export function SecondFactorPart({ onMissing }: Props) {
  const { data, error, refetch } = useQuery(secondFactorQueries.state());
  const [codes, setCodes] = useState<string[] | null>(null);
  const show = (made: string[]) => {
    setCodes(made);
    toast(t('second_factor.added'));
  };
  return (
    <Section narrow title={t('second_factor.title')} text={data && textOf(data)}>
      {error && !data && <QueryFailure error={error} refetch={refetch} />}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {data?.active && !codes && <Active state={data} onCodes={setCodes} onMissing={onMissing} />}
      {data?.available && !data.active && !codes && <SetUp onConfirmed={show} />}
    </Section>
  );

  function textOf({ available, active }: SecondFactor): string {
    if (active) return t('second_factor.on');
    return available ? t('second_factor.text') : t('second_factor.elsewhere');
  }
}

interface ActiveProps extends Props {
  state: SecondFactor;
  onCodes: (codes: string[]) => void;
}

function Active({ state, onCodes, onMissing }: ActiveProps) {
  const [asked, setAsked] = useState<'renew' | 'remove' | null>(null);
  const renew = useMutation(renewRecoveryCodes());
  const remove = useMutation(removeSecondFactor());
  const close = () => setAsked(null);
  return (
    <div className="column gap-14">
      <p>{t('second_factor.left', { left: state.recovery_codes })}</p>
      <div className="flex wrap gap-10">
        <Button variant="default" onClick={() => setAsked('renew')}>
          {t('second_factor.renew')}
        </Button>
        <Button variant="default" onClick={() => setAsked('remove')}>
          {t('second_factor.remove')}
        </Button>
      </div>
      <OnceOpened opened={asked === 'renew'}>
        <PasswordDialog
          opened={asked === 'renew'}
          onClose={close}
          title={t('second_factor.renew')}
          text={t('second_factor.renew_text')}
          action={t('second_factor.renew')}
          onSubmit={async (body) => {
            onCodes((await renew.mutateAsync({ body })).recovery_codes);
            close();
          }}
        />
      </OnceOpened>
      <OnceOpened opened={asked === 'remove'}>
        <PasswordDialog
          opened={asked === 'remove'}
          onClose={close}
          title={t('user.remove_factor')}
          text={t('second_factor.remove_text')}
          action={t('second_factor.remove')}
          onSubmit={async (body) => {
            await remove.mutateAsync({ body });
            close();
            if (state.required) onMissing();
            else toast(t('second_factor.removed'));
          }}
        />
      </OnceOpened>
    </div>
  );
}
