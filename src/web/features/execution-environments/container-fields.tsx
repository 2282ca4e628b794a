import { NumberInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { pullPolicies } from '#shared/api/execution-environments.ts';
import { t } from '../../lib/i18n.ts';
import { codeInput } from '../../resources/code-input.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { Select } from '../../ui/forms/select.ts';
import { keyQueries } from '../keys/keys.queries.ts';
import { type ExecutionValues, limitNames } from './execution-environment-values.ts';
import { executionEnvironmentQueries } from './execution-environments.queries.ts';
import { MountRows } from './mount-rows.tsx';
import { UnavailableNote } from './unavailable-note.tsx';
import classes from './container-fields.module.css';

const example = 'quay.io/example/tools:1.4';

interface Props {
  form: UseFormReturnType<ExecutionValues>;
  /** Null: of the installation, which has no keys. */
  projectId: number | null;
}

export function ContainerFields({ form, projectId }: Props) {
  const id = useId();
  const { data } = useQuery(executionEnvironmentQueries.list(projectId));
  const reason = data?.find(({ unavailable }) => unavailable !== null)?.unavailable;
  return (
    <>
      {reason && <UnavailableNote reason={reason} />}
      <TextInput
        label={t('execution_environment.image')}
        description={t('execution_environment.image_hint')}
        placeholder={example}
        required
        {...codeInput}
        {...form.getInputProps('image')}
      />
      <Select
        label={t('execution_environment.pull.label')}
        allowDeselect={false}
        data={pullPolicies.map((value) => ({
          value,
          label: t(`execution_environment.pull.${value}`),
        }))}
        {...form.getInputProps('pull')}
      />
      {projectId === null ? (
        <p className="soft smaller">{t('execution_environment.no_registry_key')}</p>
      ) : (
        <RegistryKey form={form} projectId={projectId} />
      )}
      <section className="column gap-14" aria-labelledby={id}>
        <div>
          <h3 id={id} className="text-14 weight-600">
            {t('execution_environment.restricted')}
          </h3>
          <p className="soft smaller break">{t('execution_environment.restricted_hint')}</p>
        </div>
        <div className={`grid items-start gap-14 ${classes.pair}`}>
          <TextInput
            label={t('execution_environment.network')}
            placeholder={t('execution_environment.engine_default')}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('network')}
          />
          <TextInput
            label={t('execution_environment.user')}
            placeholder={t('execution_environment.user_default')}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('user')}
          />
        </div>
        <MountRows form={form} />
      </section>
      <Limits form={form} />
    </>
  );
}

function RegistryKey({ form, projectId }: Props & { projectId: number }) {
  const { data: keys } = useQuery(keyQueries.list(projectId));
  return (
    <IdSelect
      label={t('execution_environment.registry_key')}
      description={t('execution_environment.registry_key_hint')}
      items={keys?.filter(({ type }) => type === 'login_password')}
      {...form.getInputProps('registry_key_id')}
    />
  );
}

const units = { memory_limit_mib: ' MiB', cpu_limit_percent: ' %', process_limit: '' } as const;

function Limits({ form }: Pick<Props, 'form'>) {
  return (
    <div className={`grid items-start gap-14 ${classes.pair}`}>
      {limitNames.map((name) => (
        <NumberInput
          key={name}
          label={t(`template.more.${name}`)}
          suffix={units[name]}
          min={0}
          allowDecimal={false}
          hideControls
          {...form.getInputProps(name)}
        />
      ))}
      <p className="soft smaller full-row">{t('execution_environment.limits_hint')}</p>
    </div>
  );
}
