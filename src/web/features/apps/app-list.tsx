import { Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconApps, IconAlertTriangle, IconCircleCheck, IconPower } from '@tabler/icons-react';
import type { App } from '#shared/api/apps.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t, useTranslation } from '../../lib/i18n.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { appQueries, switchApp } from './apps.queries.ts';

type Toggle = (app: App, active: boolean) => void;

/** The apps that tasks can be run with, each with a switch. */
export function AppList() {
  const { t: words } = useTranslation();
  const { data, error, refetch } = useQuery(appQueries.list());
  const change = useMutation(switchApp());
  const toggle: Toggle = ({ id, title }, active) =>
    change.mutate(
      { params: { app_id: id }, body: { active } },
      {
        onSuccess: () => toast(words(active ? 'admin.app_on' : 'admin.app_off', { app: title })),
        onError: (failure) => toastError(errorWords(failure)),
      },
    );
  if (error && !data) {
    return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  }
  if (data?.length === 0) {
    return <EmptyState icon={<IconApps size={24} />} title={words('admin.no_apps')} />;
  }
  return (
    <DataTable
      label={words('admin.apps')}
      columns={columns(toggle)}
      rows={data}
      rowKey={({ id }) => id}
    />
  );
}

const columns = (toggle: Toggle): Column<App>[] => [
  {
    key: 'title',
    title: t('admin.column.app'),
    wide: true,
    cell: ({ id, title }) => (
      <>
        {title}{' '}
        <code className="soft narrow-hidden" style={{ marginLeft: 6 }}>
          {id}
        </code>
      </>
    ),
  },
  { key: 'state', title: t('admin.column.state'), cell: (app) => <State app={app} /> },
  {
    key: 'program',
    title: t('admin.column.program'),
    wide: true,
    from: 'medium',
    cell: ({ path, args }) => {
      const command = [path, ...args].join(' ');
      return command ? <code title={command}>{command}</code> : '—';
    },
  },
  {
    key: 'switch',
    title: t('admin.column.active'),
    align: 'end',
    cell: (app) => (
      <Switch
        className="inline-block"
        size="sm"
        aria-label={t('admin.app_active', { app: app.title })}
        checked={app.active}
        onChange={(event) => toggle(app, event.currentTarget.checked)}
      />
    ),
  },
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
