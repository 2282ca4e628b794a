import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { hostConfigTypes } from '#shared/git/host-config.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { keysFor, type HostConfigValues } from './host-config-values.ts';

interface Props {
  projectId: number;
  form: UseFormReturnType<HostConfigValues>;
}

const examples = { host: 'git.example.org', url: 'https://git.example.org/team/' } as const;

export function HostConfigFields({ projectId, form }: Props) {
  const { data: keys } = useQuery(keyQueries.list(projectId));
  const values = form.getValues();
  const { type } = values;
  const choose = (wanted: string | null) => {
    const known = hostConfigTypes.find((one) => one === wanted);
    // The other type needs another kind of key.
    if (known && known !== type) form.setValues({ type: known, ssh_key_id: null });
  };
  return (
    <>
      <Select
        label={t('key.type.label')}
        required
        allowDeselect={false}
        data={hostConfigTypes.map((value) => ({ value, label: t(`host_config.type.${value}`) }))}
        {...form.getInputProps('type')}
        onChange={choose}
      />
      <TextInput
        label={t(`host_config.${type}`)}
        description={t(`host_config.${type}_hint`)}
        placeholder={examples[type]}
        required
        data-autofocus
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps('host')}
      />
      <IdSelect
        label={t('repository.key')}
        description={t('host_config.key_hint')}
        placeholder={t('inventory.choose_key')}
        required
        items={keys && keysFor(values, keys)}
        nothingFoundMessage={t('host_config.no_key')}
        {...form.getInputProps('ssh_key_id')}
      />
    </>
  );
}
