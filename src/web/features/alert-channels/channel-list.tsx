import { useMutation, useQuery } from '@tanstack/react-query';
import { IconBell, IconSend } from '@tabler/icons-react';
import type { AlertChannel } from '#shared/api/alert-channels.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { type ResourceListProps, ResourceRows } from '../../resources/resource-list.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { column, sortedColumn } from '../../resources/columns.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import {
  alertChannelQueries,
  alertChannelResource,
  testAlertChannel,
} from './alert-channels.queries.ts';

const ChannelDialog = lazyExport(() => import('./channel-dialog.tsx'), 'ChannelDialog');

const nameIn = (list: { id: number; name: string }[] | undefined, id: number): string =>
  list?.find((one) => one.id === id)?.name ?? '—';

const targetOf = ({ addresses, chat, host }: AlertChannel): string =>
  addresses.join(', ') || chat || host || '—';

export function ChannelList({ projectId, ...screen }: ResourceListProps) {
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  const test = useTest(projectId);
  const aboutOf = ({ template_ids, workflow_ids }: AlertChannel) =>
    [
      ...template_ids.map((id) => nameIn(templates.data, id)),
      ...workflow_ids.map((id) => nameIn(workflows.data, id)),
    ].join(', ') || t('alert.everything');
  return (
    <ResourceRows
      {...screen}
      resource={alertChannelResource}
      scope={{ projectId }}
      query={alertChannelQueries.list(projectId)}
      Dialog={ChannelDialog}
      icon={<IconBell size={24} />}
      columns={columnsOf(aboutOf)}
      textOf={({ name, type }) => `${name} ${t(`alert.types.${type}`)}`}
      renderActions={(channel) => (
        <IconButton
          label={t('alert.test_label', { name: channel.name })}
          hint={t('alert.test')}
          icon={<IconSend size={16} />}
          refused={test.testing === channel.id ? t('alert.testing') : null}
          onClick={() => test.run(channel)}
        />
      )}
    />
  );
}

const eventsOf = ({ events }: AlertChannel): string =>
  events.map((event) => t(`alert.event_short.${event}`)).join(', ');

const columnsOf = (aboutOf: (channel: AlertChannel) => string): Column<AlertChannel>[] => [
  sortedColumn('type', t('alert.type'), { from: 'small' }, ({ type }) => t(`alert.types.${type}`)),
  column('target', t('alert.target'), { from: 'small' }, (channel) => (
    <span title={targetOf(channel)}>{targetOf(channel)}</span>
  )),
  column('events', t('alert.tells'), { from: 'medium' }, (channel) => (
    <span title={eventsOf(channel)}>{eventsOf(channel)}</span>
  )),
  column('about', t('alert.about'), { from: 'large' }, (channel) => (
    <span title={aboutOf(channel)}>{aboutOf(channel)}</span>
  )),
  column('state', t('alert.state'), { from: 'small' }, ({ active, available }) => {
    if (!available) return <Chip tone="warning">{t('alert.not_set_up')}</Chip>;
    return (
      <Chip tone={active ? 'success' : 'neutral'}>
        {t(active ? 'alert.active' : 'alert.inactive')}
      </Chip>
    );
  }),
];

function useTest(projectId: number) {
  const test = useMutation(testAlertChannel());
  const run = ({ id, name }: AlertChannel) =>
    test.mutate(
      { params: { project_id: projectId, alert_channel_id: id } },
      {
        onSuccess: ({ delivered, status, error_code: code }) => {
          const answer = status === null ? '' : ` ${t('alert.answered', { status })}`;
          if (delivered) toast(`${name}: ${t('alert.test_sent')}${answer}`);
          else {
            const reason = t(`alert_errors.${code ?? 'internal'}`);
            toastError(`${name}: ${t('alert.test_failed', { reason })}${answer}`);
          }
        },
        onError: toastFailure,
      },
    );
  const testing = test.isPending ? test.variables.params.alert_channel_id : null;
  return { run, testing };
}
