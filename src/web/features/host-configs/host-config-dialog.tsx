import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type HostConfig, type NewHostConfig, newHostConfig } from '#shared/api/host-configs.ts';
import type { Key } from '#shared/api/keys.ts';
import { hostConfigTypes, keyTypeFor, readHostConfig } from '#shared/git/host-config.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { hostConfigResource } from './host-configs.queries.ts';
import { codeInput } from '../../resources/code-input.ts';

const hostConfigValues = (base?: HostConfig) => ({
  type: base?.type ?? 'host',
  host: base?.host ?? '',
  ssh_key_id: base?.ssh_key_id ?? null,
});
type HostConfigValues = ReturnType<typeof hostConfigValues>;

function keysFor<Each extends Pick<Key, 'type'>>(
  { type, host }: HostConfigValues,
  keys: Each[],
): Each[] {
  const scope = readHostConfig(type, host.trim());
  const usable = keys.filter((key) => key.type !== 'none');
  const wanted = type === 'host' ? 'ssh' : scope && keyTypeFor(scope);
  return wanted === null ? usable : usable.filter((key) => key.type === wanted);
}

export const HostConfigDialog = defineResourceDialog({
  resource: hostConfigResource,
  help: 'host_config',
  values: hostConfigValues,
  // The schema refuses a body without a key before it is sent.
  toBody: (values) => values as NewHostConfig,
  schema: newHostConfig,
  Fields: HostConfigFields,
});

interface Props {
  projectId: number;
  form: UseFormReturnType<HostConfigValues>;
}

const examples = { host: 'git.example.org', url: 'https://git.example.org/team/' } as const;

function HostConfigFields({ projectId, form }: Props) {
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
        {...codeInput}
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
