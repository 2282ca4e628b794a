import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconCircleCheck, IconLogin } from '@tabler/icons-react';
import type { IdentityProvider } from '#shared/api/identity.ts';
import { t } from '../../lib/i18n.ts';
import { QueryTable } from '../../resources/query-table.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { column } from '../../resources/columns.ts';
import { identityQueries } from './identity.queries.ts';

export function ProviderTable() {
  return (
    <QueryTable
      result={useQuery(identityQueries.providers())}
      label={t('identity.providers')}
      columns={columns()}
      expectedRows={1}
      empty={
        <EmptyState
          icon={<IconLogin size={24} />}
          title={t('identity.no_providers')}
          text={t('identity.no_providers_text')}
        />
      }
    />
  );
}

const columns = (): Column<IdentityProvider>[] => [
  { key: 'name', title: t('common.name'), cell: ({ name }) => name },
  column('address', t('identity.address'), { wide: true }, ({ address }) => (
    <span className="mono">{address}</span>
  )),
  column(
    'redirect',
    t('identity.redirect_url'),
    { from: 'medium' },
    ({ redirect_url: url }) => url !== null && <span className="mono">{url}</span>,
  ),
  column('state', t('identity.state'), {}, ({ state, reason }) =>
    state === 'ready' ? (
      <Chip tone="success" icon={<IconCircleCheck size={15} />}>
        {t('identity.ready')}
      </Chip>
    ) : (
      <span title={reason}>
        <Chip tone="danger" icon={<IconAlertTriangle size={15} />}>
          {t('identity.unreachable')}
        </Chip>
      </span>
    ),
  ),
];
