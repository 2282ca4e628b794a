import type { ExtractValue, Matcher } from '#shared/api/matchers.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { ResourceSection } from '../../resources/resource-section.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { column } from '../../resources/columns.ts';
import {
  integrationQueries,
  type IntegrationRef,
  matcherResource,
  valueResource,
} from './integrations.queries.ts';

const ValueDialog = lazyExport(() => import('./rule-dialogs.tsx'), 'ValueDialog');

interface Props {
  place: IntegrationRef;
  mayManage: boolean;
  address: EditAddress;
}

export function ValueList({ place, mayManage, address }: Props) {
  return (
    <ResourceSection
      resource={valueResource}
      scope={place}
      query={integrationQueries.values(place)}
      Dialog={ValueDialog}
      mayManage={mayManage}
      address={address}
      param="value"
      columns={columns()}
    />
  );
}

const columns = (): Column<ExtractValue>[] => [
  column('source', t('extract_value.source'), { from: 'medium' }, ({ value_source }) =>
    t(`rule.source.${value_source}`),
  ),
  column('type', t('extract_value.body_type'), { from: 'medium' }, ({ body_data_type: type }) =>
    type === '' ? '—' : t(`rule.body_type.${type}`),
  ),
  { key: 'key', title: t('rule.key'), cell: ({ key }) => <code title={key}>{key}</code> },
  column(
    'variable',
    t('extract_value.variable'),
    { from: 'small' },
    ({ variable, variable_type: type }) =>
      type === 'task' ? t('extract_value.targets.task') : <code title={variable}>{variable}</code>,
  ),
];

const MatcherDialog = lazyExport(() => import('./rule-dialogs.tsx'), 'MatcherDialog');

interface MatcherListProps {
  place: IntegrationRef;
  mayManage: boolean;
  address: EditAddress;
}

export function MatcherList({ place, mayManage, address }: MatcherListProps) {
  return (
    <ResourceSection
      resource={matcherResource}
      scope={place}
      query={integrationQueries.matchers(place)}
      Dialog={MatcherDialog}
      mayManage={mayManage}
      address={address}
      param="matcher"
      columns={matcherColumns()}
      // Warns that without matchers, every request launches the target.
      deleteText={({ name }, count) =>
        t(count === 1 ? 'matcher.delete_last_text' : 'matcher.delete_text', { name })
      }
    />
  );
}

const matcherColumns = (): Column<Matcher>[] => [
  column('source', t('matcher.source'), { from: 'medium' }, ({ match_type }) =>
    t(`rule.source.${match_type}`),
  ),
  column('type', t('matcher.body_format'), { from: 'large' }, ({ body_data_type: type }) =>
    type === '' ? '—' : t(`rule.body_type.${type}`),
  ),
  { key: 'key', title: t('rule.key'), cell: ({ key }) => <code title={key}>{key}</code> },
  column('method', t('matcher.method.label'), { from: 'small' }, ({ method }) =>
    t(`matcher.method.${method}`),
  ),
  column('value', t('matcher.value'), { from: 'small' }, ({ value }) => (
    <code title={value}>{value}</code>
  )),
];
