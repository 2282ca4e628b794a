import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { AlertChannel } from '#shared/api/alert-channels.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EditLink, RowActions } from '../../ui/lists/row-actions.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';

interface Cells {
  t: TFunction;
  mayManage: boolean;
  /** The names of the templates and workflows that it tells of; empty: it tells of all. */
  limitsOf: (channel: AlertChannel) => string[];
  /** The channel whose test message is being sent. */
  testing: unknown;
  onTest: (channel: AlertChannel) => void;
  onEdit: (id: number) => void;
  onDelete: (channel: AlertChannel) => void;
}

const targetOf = ({ addresses, chat, host }: AlertChannel): string =>
  addresses.join(', ') || chat || host || '—';

export function channelColumns(cells: Cells): Column<AlertChannel>[] {
  const { t, mayManage, limitsOf } = cells;
  const eventsOf = ({ events }: AlertChannel) =>
    events.map((event) => t(`alert.event_short.${event}`)).join(', ');
  const aboutOf = (channel: AlertChannel) => limitsOf(channel).join(', ') || t('alert.everything');
  const list: Column<AlertChannel>[] = [
    {
      key: 'name',
      title: t('common.name'),
      wide: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (mayManage ? <EditLink id={id}>{name}</EditLink> : name),
    },
    {
      key: 'type',
      title: t('alert.type'),
      from: 'small',
      sortBy: ({ type }) => t(`alert.types.${type}`),
      cell: ({ type }) => t(`alert.types.${type}`),
    },
    {
      key: 'target',
      title: t('alert.target'),
      from: 'small',
      cell: (channel) => <span title={targetOf(channel)}>{targetOf(channel)}</span>,
    },
    {
      key: 'events',
      title: t('alert.tells'),
      from: 'medium',
      cell: (channel) => <span title={eventsOf(channel)}>{eventsOf(channel)}</span>,
    },
    {
      key: 'about',
      title: t('alert.about'),
      from: 'large',
      cell: (channel) => <span title={aboutOf(channel)}>{aboutOf(channel)}</span>,
    },
    {
      key: 'state',
      title: t('alert.state'),
      from: 'small',
      cell: ({ active, available }) => {
        if (!available) return <Chip tone="warning">{t('alert.not_set_up')}</Chip>;
        return <Chip tone={active ? 'success' : 'neutral'}>{stateWords(t, active)}</Chip>;
      },
    },
  ];
  return mayManage ? [...list, actions(cells)] : list;
}

const stateWords = (t: TFunction, active: boolean): string =>
  active ? t('alert.active') : t('alert.inactive');

const actions = ({ t, testing, onTest, onEdit, onDelete }: Cells): Column<AlertChannel> => ({
  key: 'actions',
  title: '',
  hiddenTitle: t('common.actions'),
  align: 'end',
  cell: (channel) => (
    <RowActions>
      <IconButton
        label={t('alert.test_label', { name: channel.name })}
        hint={t('alert.test')}
        icon={<IconSend size={16} />}
        refused={testing === channel.id ? t('alert.testing') : null}
        onClick={() => onTest(channel)}
      />
      <IconButton
        label={t('common.edit_label', { name: channel.name })}
        hint={t('common.edit')}
        icon={<IconPencil size={16} />}
        onClick={() => onEdit(channel.id)}
      />
      <IconButton
        label={t('common.delete_label', { name: channel.name })}
        hint={t('common.delete')}
        icon={<IconTrash size={16} />}
        onClick={() => onDelete(channel)}
      />
    </RowActions>
  ),
});
