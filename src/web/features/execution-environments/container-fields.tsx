import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { ImageFields, type ImageFieldsProps, NumberFields } from './image-fields.tsx';
import { MountRows } from './mount-rows.tsx';
import classes from './image-fields.module.css';

export function ContainerFields({ form, projectId }: ImageFieldsProps) {
  const id = useId();
  return (
    <>
      <ImageFields form={form} projectId={projectId} kind="container" />
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
        <div className={`grid items-start gap-14 ${classes.container}`}>
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
      <NumberFields form={form} kind="container" hint={t('execution_environment.limits_hint')} />
    </>
  );
}

function RegistryKey({ form, projectId }: ImageFieldsProps & { projectId: number }) {
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
