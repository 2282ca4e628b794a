import type { Template } from '#shared/api/templates.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import type { ListFilter } from '../../../ui/lists/list.tsx';
import { hasStatus, type TemplateStatus, templateStatuses } from './template-status.ts';

export interface StatusAddress {
  status: TemplateStatus | undefined;
  onStatus: (status: TemplateStatus | undefined) => void;
}

/** The choice of templates by how their last task stands. */
export function useStatusFilter({ status, onStatus }: StatusAddress): ListFilter<Template> {
  const { t } = useTranslation();
  const labelOf = (value: TemplateStatus) => {
    if (value === 'unfinished') return t('history.unfinished');
    return value === 'never_run' ? t('template.never_run') : t(`task.status.${value}`);
  };
  return {
    control: (
      <ChoiceFilter
        label={t('template.column.status')}
        options={templateStatuses.map((value) => ({ value, label: labelOf(value) }))}
        value={status}
        onChoose={(chosen) => onStatus(templateStatuses.find((one) => one === chosen))}
      />
    ),
    isSet: status !== undefined,
    keeps: ({ last_task: last }) => hasStatus(status, last?.status),
    onClear: () => onStatus(undefined),
  };
}
