import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { newToken } from '#shared/api/tokens.ts';
import { type TokenScope, tokenScopes } from '#shared/permissions.ts';
import { Select } from '../../ui/forms/select.ts';
import { useBodyForm } from '../../lib/form.ts';
import { t } from '../../lib/i18n.ts';
import { CopyBox } from '../../ui/buttons/copy.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { projectQueries } from '../projects/projects.queries.ts';
import { createToken } from './tokens.queries.ts';

export function NewTokenDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  return (
    <FormDialog opened={opened} onClose={close} title={t('token.new')} size={520} help="token">
      {made === null ? <NewTokenForm onMade={setMade} /> : <Made token={made} />}
    </FormDialog>
  );
}

function Made({ token }: { token: string }) {
  return (
    <div className="column gap-12">
      <p>{t('token.shown_once')}</p>
      <CopyBox text={token} copied={t('token.copied')} />
    </div>
  );
}

const lifetimes = ['7', '30', '90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];

type Values = { name: string; scope: TokenScope; project_id: number | null; lifetime: Lifetime };

const day = 24 * 60 * 60 * 1000;

const toBody = ({ lifetime, ...values }: Values) => ({
  ...values,
  expires:
    lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * day).toISOString(),
});

function NewTokenForm({ onMade }: { onMade: (token: string) => void }) {
  const { data: projects } = useQuery(projectQueries.list());
  const create = useMutation(createToken());
  const initial: Values = { name: '', scope: 'read', project_id: null, lifetime: '90' };
  const { form, frame } = useBodyForm({
    initial,
    schema: newToken,
    toBody,
    inputPath: (path) => (path === 'expires' ? 'lifetime' : path),
    submit: async (body) => onMade((await create.mutateAsync({ body })).token),
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <TextInput
        label={t('common.name')}
        description={t('token.name_hint')}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label={t('token.scope')}
        description={t(`token.scope_hint.${form.getValues().scope}`)}
        allowDeselect={false}
        data={tokenScopes.map((value) => ({ value, label: t(`token.scopes.${value}`) }))}
        {...form.getInputProps('scope')}
      />
      <IdSelect
        label={t('token.project')}
        description={t('token.project_hint')}
        placeholder={t('token.all_projects')}
        items={projects}
        {...form.getInputProps('project_id')}
      />
      <Select
        label={t('token.expires')}
        allowDeselect={false}
        data={lifetimes.map((value) => ({
          value,
          label: value === 'never' ? t('token.never') : t('token.days', { count: Number(value) }),
        }))}
        {...form.getInputProps('lifetime')}
      />
    </Form>
  );
}
