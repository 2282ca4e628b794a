import { Button, Input, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type AppKind, kindOf } from '#shared/apps.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { environmentQueries } from '../../environments/environments.queries.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { keyQueries } from '../../keys/keys.queries.ts';
import { repositoryQueries } from '../../repositories/repositories.queries.ts';
import { ResourceSelect } from './resource-select.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';

const examples: Record<AppKind, string> = {
  ansible: 'site.yml',
  terraform: 'infrastructure',
  python: 'report.py',
  script: 'deploy.sh',
};

/**
 * The inputs for the playbook, and for the repository, inventory, environment and vaults it runs
 * with.
 */
export function TemplateSources(props: FieldsProps) {
  const { projectId, form } = props;
  const { t } = useTranslation();
  const kind = kindOf(form.getValues().app);
  const at = `/project/${projectId}`;
  return (
    <>
      <ResourceSelect
        label={t('template.column.repository')}
        required
        items={useQuery(repositoryQueries.list(projectId)).data}
        newAddress={`${at}/repositories`}
        {...form.getInputProps('repository_id')}
      />
      <div className={classes.pair}>
        <TextInput
          label={t(`template.form.file.${kind}`)}
          placeholder={examples[kind]}
          required={kind !== 'terraform'}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('playbook')}
        />
        <TextInput
          label={t('template.form.branch')}
          placeholder={t('template.form.branch_hint')}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('git_branch')}
        />
      </div>
      <ResourceSelect
        label={t('template.column.inventory')}
        required={kind === 'ansible'}
        items={useQuery(inventoryQueries.list(projectId)).data}
        newAddress={`${at}/inventory`}
        {...form.getInputProps('inventory_id')}
      />
      <ResourceSelect
        label={t('template.column.environment')}
        required={kind === 'ansible'}
        items={useQuery(environmentQueries.list(projectId)).data}
        newAddress={`${at}/environment`}
        {...form.getInputProps('environment_id')}
      />
      {kind === 'ansible' && <Vaults {...props} />}
    </>
  );
}

/** Ansible Vault passwords; at most one has no name. */
function Vaults({ projectId, form }: FieldsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(keyQueries.list(projectId));
  const { vaults } = form.getValues();
  const usable = data?.filter(({ type }) => type === 'login_password');
  return (
    <Input.Wrapper label={t('template.form.vaults')} labelElement="div">
      <Input.Description>{t('template.form.vaults_hint')}</Input.Description>
      {vaults.map((_, index) => (
        <div key={index} className={classes.vault}>
          <ResourceSelect
            label={t('template.form.vault_key')}
            required
            items={usable}
            newAddress={`/project/${projectId}/keys`}
            {...form.getInputProps(`vaults.${index}.vault_key_id`)}
          />
          <TextInput
            label={t('template.form.vault_name')}
            placeholder="default"
            autoComplete="off"
            {...form.getInputProps(`vaults.${index}.name`)}
          />
          <IconButton
            label={t('template.form.remove_vault', { number: index + 1 })}
            icon={<IconTrash size={16} />}
            onClick={() => form.removeListItem('vaults', index)}
          />
        </div>
      ))}
      <div className={classes.add}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem('vaults', { name: '', vault_key_id: null })}
        >
          {t('template.form.add_vault')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
