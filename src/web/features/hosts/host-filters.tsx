import { hostOutcomes } from '#shared/api/hosts.ts';
import { t } from '../../lib/i18n.ts';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import type { HostFilter } from './hosts.queries.ts';

interface Props {
  filter: HostFilter;
  onFilter: (filter: HostFilter) => void;
  isFiltered: boolean;
}

export function HostFilters({ filter, onFilter, isFiltered }: Props) {
  return (
    <FilterBar label={t('host.filter')} isFiltered={isFiltered} onClear={() => onFilter({})}>
      <SearchBox
        label={t('host.search')}
        value={filter.q ?? ''}
        onSearch={(text) => onFilter({ ...filter, q: text || undefined })}
      />
      <ChoiceFilter
        label={t('host.outcome.label')}
        options={hostOutcomes.map((value) => ({ value, label: t(`host.outcome.${value}`) }))}
        value={filter.outcome}
        onChoose={(chosen) =>
          onFilter({ ...filter, outcome: hostOutcomes.find((one) => one === chosen) })
        }
      />
    </FilterBar>
  );
}
