import type { ExtractValue } from '#shared/api/matchers.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { ResourceSection } from '../../resources/resource-section.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { integrationQueries, type IntegrationRef, valueResource } from './integrations.queries.ts';

const ValueDialog = lazyExport(() => import('./value-dialog.tsx'), 'ValueDialog');

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
  {
    key: 'source',
    title: t('extract_value.source'),
    from: 'medium',
    cell: ({ value_source }) => t(`rule.source.${value_source}`),
  },
  {
    key: 'type',
    title: t('extract_value.body_type'),
    from: 'medium',
    cell: ({ body_data_type: type }) => (type === '' ? '—' : t(`rule.body_type.${type}`)),
  },
  { key: 'key', title: t('rule.key'), cell: ({ key }) => <code title={key}>{key}</code> },
  {
    key: 'variable',
    title: t('extract_value.variable'),
    from: 'small',
    cell: ({ variable, variable_type: type }) =>
      type === 'task' ? t('extract_value.targets.task') : <code title={variable}>{variable}</code>,
  },
];
