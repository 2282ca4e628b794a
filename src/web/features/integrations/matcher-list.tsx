import type { Matcher } from '#shared/api/matchers.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { ResourceSection } from '../../resources/resource-section.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import {
  integrationQueries,
  type IntegrationRef,
  matcherResource,
} from './integrations.queries.ts';

const MatcherDialog = lazyExport(() => import('./matcher-dialog.tsx'), 'MatcherDialog');

interface Props {
  place: IntegrationRef;
  mayManage: boolean;
  address: EditAddress;
}

export function MatcherList({ place, mayManage, address }: Props) {
  return (
    <ResourceSection
      resource={matcherResource}
      scope={place}
      query={integrationQueries.matchers(place)}
      Dialog={MatcherDialog}
      mayManage={mayManage}
      address={address}
      param="matcher"
      columns={columns()}
      // Warns that without matchers, every request launches the target.
      deleteText={({ name }, count) =>
        t(count === 1 ? 'matcher.delete_last_text' : 'matcher.delete_text', { name })
      }
    />
  );
}

const columns = (): Column<Matcher>[] => [
  {
    key: 'source',
    title: t('matcher.source'),
    from: 'medium',
    cell: ({ match_type }) => t(`rule.source.${match_type}`),
  },
  {
    key: 'type',
    title: t('matcher.body_format'),
    from: 'large',
    cell: ({ body_data_type: type }) => (type === '' ? '—' : t(`rule.body_type.${type}`)),
  },
  { key: 'key', title: t('rule.key'), cell: ({ key }) => <code title={key}>{key}</code> },
  {
    key: 'method',
    title: t('matcher.method.label'),
    from: 'small',
    cell: ({ method }) => t(`matcher.method.${method}`),
  },
  {
    key: 'value',
    title: t('matcher.value'),
    from: 'small',
    cell: ({ value }) => <code title={value}>{value}</code>,
  },
];
