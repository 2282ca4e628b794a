import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { encode } from 'uqr';
import { confirmation } from '#shared/api/second-factor.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { CopyBox } from '../../ui/buttons/copy.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { confirmSecondFactor, startSecondFactor } from './second-factor.queries.ts';

interface Props {
  /** Called with the recovery codes, which the server returns only once. */
  onConfirmed: (codes: string[]) => void;
}

export function SetUp({ onConfirmed }: Props) {
  const start = useMutation(startSecondFactor());
  if (start.data) return <Confirm {...start.data} onConfirmed={onConfirmed} />;
  return (
    <div className="column gap-14">
      <Failure message={start.error && errorWords(start.error)} />
      <div className="flex wrap gap-10">
        <Button loading={start.isPending} onClick={() => start.mutate({})}>
          {t('second_factor.set_up')}
        </Button>
      </div>
    </div>
  );
}

function Confirm({ secret, uri, onConfirmed }: Props & { secret: string; uri: string }) {
  const confirm = useMutation(confirmSecondFactor());
  const { form, frame } = useBodyForm({
    initial: { code: '', password: '' },
    schema: confirmation,
    toBody: (values) => values,
    submit: async (body) => onConfirmed((await confirm.mutateAsync({ body })).recovery_codes),
  });
  return (
    <div className="column gap-14">
      <p>{t('second_factor.scan')}</p>
      <QrCode text={uri} />
      <CopyBox text={secret} label={t('second_factor.secret')} copied={t('second_factor.copied')} />
      <Form {...frame} action={t('second_factor.confirm')}>
        <TextInput
          label={t('second_factor.code')}
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          {...form.getInputProps('code')}
        />
        <SecretInput
          label={t('user.old_password')}
          required
          {...form.getInputProps('password')}
          autoComplete="current-password"
        />
      </Form>
    </div>
  );
}

/** A QR code, drawn in the browser, so that no other host receives the secret. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="border rounded-8"
      style={{ width: 208, height: 208, background: 'var(--scan-paper)', fill: 'var(--scan-ink)' }}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here, and an <img> would need an address
      role="img"
      aria-label={t('second_factor.picture')}
    >
      <path d={path} />
    </svg>
  );
}
