import { Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconApps, IconCircleCheck, IconPower } from '@tabler/icons-react';
import type { App } from '#shared/api/apps.ts';
import { t } from '../../lib/i18n.ts';
import { QueryTable } from '../../resources/query-table.tsx';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { column } from '../../resources/columns.ts';
import { appQueries, switchApp } from './apps.queries.ts';

type Toggle = (app: App, active: boolean) => void;

export function AppList() {
  const change = useMutation(switchApp());
  const toggle: Toggle = ({ id, title }, active) =>
    change.mutate(
      { params: { app_id: id }, body: { active } },
      {
        onSuccess: () => toast(t(active ? 'admin.app_on' : 'admin.app_off', { app: title })),
        onError: toastFailure,
      },
    );
  return (
    <QueryTable
      result={useQuery(appQueries.list())}
      label={t('admin.apps')}
      columns={columns(toggle)}
      empty={<EmptyState icon={<IconApps size={24} />} title={t('admin.no_apps')} />}
    />
  );
}

const columns = (toggle: Toggle): Column<App>[] => [
  column('title', t('admin.column.app'), { wide: true }, ({ id, title }) => (
    <>
      {title}{' '}
      <code className="soft narrow-hidden" style={{ marginLeft: 6 }}>
        {id}
      </code>
    </>
  )),
  { key: 'state', title: t('admin.column.state'), cell: (app) => <State app={app} /> },
  column('program', t('admin.column.program'), { wide: true, from: 'medium' }, ({ path, args }) => {
    const command = [path, ...args].join(' ');
    return command ? <code title={command}>{command}</code> : '—';
  }),
  column('switch', t('admin.column.active'), { align: 'end' }, (app) => (
    <Switch
      className="inline-block"
      size="sm"
      aria-label={t('admin.app_active', { app: app.title })}
      checked={app.active}
      onChange={(event) => toggle(app, event.currentTarget.checked)}
    />
  )),
];

function State({ app: { active, available } }: { app: App }) {
  if (!available) {
    return (
      <Chip tone={active ? 'warning' : 'neutral'} icon={<IconAlertTriangle size={15} />}>
        {t('admin.app_missing')}
      </Chip>
    );
  }
  return active ? (
    <Chip tone="success" icon={<IconCircleCheck size={15} />}>
      {t('admin.app_ready')}
    </Chip>
  ) : (
    <Chip tone="neutral" icon={<IconPower size={15} />}>
      {t('admin.app_inactive')}
    </Chip>
  );
}
