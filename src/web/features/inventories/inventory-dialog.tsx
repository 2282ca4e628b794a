import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import {
  filledInventory,
  type Inventory,
  type InventoryType,
  inventoryTypes,
  isWorkspace,
} from '#shared/api/inventories.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { keyQueries } from '../keys/keys.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import { inventoryResource } from './inventories.queries.ts';
import { InventoryPreview } from './inventory-preview.tsx';

const inventoryValues = (inventory?: Inventory) => ({
  name: inventory?.name ?? '',
  type: inventory?.type ?? 'static',
  // One text per type, so that a change of the type loses no input.
  texts: {
    static: '',
    'static-yaml': '',
    file: '',
    'terraform-workspace': '',
    'tofu-workspace': '',
    ...(inventory && { [inventory.type]: inventory.inventory }),
  } as Record<InventoryType, string>,
  ssh_key_id: inventory?.ssh_key_id ?? null,
  become_key_id: inventory?.become_key_id ?? null,
  repository_id: inventory?.repository_id ?? null,
});
type InventoryValues = ReturnType<typeof inventoryValues>;

const inventoryBody = ({ texts, ...values }: InventoryValues) => {
  return {
    ...values,
    inventory: texts[values.type],
    ...(isWorkspace(values.type) && { ssh_key_id: null, become_key_id: null }),
    ...(values.type !== 'file' && { repository_id: null }),
  };
};

export const InventoryDialog = defineResourceDialog({
  resource: inventoryResource,
  help: 'inventory',
  size: 720,
  fields: 5,
  values: inventoryValues,
  toBody: inventoryBody,
  schema: filledInventory,
  Fields: InventoryFields,
});

const examples = {
  static: `[web]
web-1.example.com
web-2.example.com ansible_host=192.0.2.12

[db]
db-1.example.com ansible_user=deploy`,
  'static-yaml': `all:
  children:
    web:
      hosts:
        web-1.example.com:
        web-2.example.com:
          ansible_host: 192.0.2.12`,
  file: 'inventories/production.yml',
  workspace: 'production',
};

interface Props {
  projectId: number;
  form: UseFormReturnType<InventoryValues>;
}

function InventoryFields({ projectId, form }: Props) {
  const { type } = form.getValues();
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('inventory.type.label')}
        description={t(`inventory.type_hint.${type}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        allowDeselect={false}
        data={inventoryTypes.map((value) => ({ value, label: t(`inventory.type.${value}`) }))}
        {...form.getInputProps('type')}
      />
      <Content projectId={projectId} form={form} />
      {!isWorkspace(type) && <Credentials projectId={projectId} form={form} />}
    </>
  );
}

function Credentials({ projectId, form }: Props) {
  const { data: keys } = useQuery(keyQueries.list(projectId));
  return (
    <>
      <IdSelect
        label={t('inventory.user_credentials')}
        description={t('inventory.user_credentials_hint')}
        placeholder={t('inventory.choose_key')}
        required
        items={keys}
        {...form.getInputProps('ssh_key_id')}
      />
      <IdSelect
        label={t('inventory.sudo_credentials')}
        description={t('inventory.sudo_credentials_hint')}
        items={keys?.filter((key) => key.type !== 'ssh')}
        {...form.getInputProps('become_key_id')}
      />
    </>
  );
}

function Content({ projectId, form }: Props) {
  const { data: repositories } = useQuery(repositoryQueries.list(projectId));
  const { type, texts } = form.getValues();
  const text = {
    'data-path': 'inventory',
    value: texts[type],
    error: form.errors['inventory'],
  };
  const change = (value: string) => {
    form.setFieldValue(`texts.${type}`, value as never);
    form.clearFieldError('inventory');
  };
  if (type === 'static' || type === 'static-yaml') {
    return (
      // Each language has an editor of its own, so that undo does not bring back the text of another.
      <div key={type}>
        <CodeEditor
          label={t('inventory.content')}
          path="inventory"
          language={type === 'static' ? 'ini' : 'yaml'}
          rows={8}
          example={examples[type]}
          value={text.value}
          error={text.error}
          onChange={change}
        />
        <InventoryPreview projectId={projectId} type={type} text={text.value} />
      </div>
    );
  }
  const isFile = type === 'file';
  return (
    <>
      <TextInput
        label={isFile ? t('inventory.path') : t('inventory.workspace')}
        description={isFile ? t('inventory.path_hint') : t('inventory.workspace_hint')}
        required
        placeholder={isFile ? examples.file : examples.workspace}
        classNames={{ input: 'mono' }}
        {...text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {isFile && (
        <IdSelect
          label={t('inventory.repository')}
          description={t('inventory.repository_hint')}
          items={repositories}
          {...form.getInputProps('repository_id')}
        />
      )}
    </>
  );
}
