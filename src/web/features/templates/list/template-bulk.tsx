// The actions with the selected templates of the list.

import { TextInput } from '@mantine/core';
import {
  IconGitBranch,
  IconLayoutNavbar,
  IconPlayerPlay,
  IconListTree,
  IconTrash,
} from '@tabler/icons-react';
import { stats } from '#shared/api/stats.ts';
import { tasks } from '#shared/api/tasks.ts';
import { type BulkTemplateValues, templates } from '#shared/api/templates.ts';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import type { BulkAction } from '../../../resources/bulk-action.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';
import type { May } from '../../../lib/roles/may.ts';

const ViewField = lazyExport(() => import('./bulk-fields.tsx'), 'ViewField');
const InventoryField = lazyExport(() => import('./bulk-fields.tsx'), 'InventoryField');

/** The reads that change with templates and their tasks. */
export const changedByBulk = [templates.list, tasks.list, tasks.count, stats.lastRuns];

const icon = { size: 15 };

export function templateActions(projectId: number, may: May): BulkAction[] {
  const params = { project_id: projectId };
  const change = (ids: number[], values: BulkTemplateValues) =>
    call(templates.bulk, { params, body: { action: 'change', ids, values } });
  const run: BulkAction = {
    key: 'run',
    label: (count) => t('template.bulk.run', { count }),
    icon: <IconPlayerPlay {...icon} />,
    call: (ids) => call(templates.bulkRun, { params, body: { ids } }),
  };
  const changes: BulkAction[] = [
    {
      key: 'move',
      label: () => t('template.bulk.move'),
      icon: <IconLayoutNavbar {...icon} />,
      renderField: (value, onChange) => (
        <ViewField projectId={projectId} value={numberOf(value)} onChange={onChange} />
      ),
      call: (ids, value) => change(ids, { view_id: numberOf(value) }),
    },
    {
      key: 'inventory',
      label: () => t('template.bulk.inventory'),
      icon: <IconListTree {...icon} />,
      needsValue: true,
      renderField: (value, onChange) => (
        <InventoryField projectId={projectId} value={numberOf(value)} onChange={onChange} />
      ),
      call: (ids, value) => change(ids, { inventory_id: numberOf(value) }),
    },
    {
      key: 'branch',
      label: () => t('template.bulk.branch'),
      icon: <IconGitBranch {...icon} />,
      renderField: (value, onChange) => (
        <TextInput
          label={t('template.form.branch')}
          placeholder={t('template.form.branch_hint')}
          data-autofocus
          value={value ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ),
      call: (ids, value) => change(ids, { git_branch: value ? String(value).trim() : null }),
    },
    {
      key: 'delete',
      label: (count) => t('template.bulk.delete', { count }),
      icon: <IconTrash {...icon} />,
      text: t('template.bulk.delete_text'),
      isDangerous: true,
      call: (ids) => call(templates.bulk, { params, body: { action: 'delete', ids } }),
    },
  ];
  return [
    ...(may('template.run', 'somewhere') ? [run] : []),
    ...(may('template.edit', 'somewhere') ? changes : []),
  ];
}

const numberOf = (value: number | string | null): number | null =>
  typeof value === 'number' ? value : null;
