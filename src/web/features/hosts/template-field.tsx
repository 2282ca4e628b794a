import { useQuery } from '@tanstack/react-query';
import { hasField } from '#shared/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import { t } from '../../lib/i18n.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { templateQueries } from '../templates/templates.queries.ts';

const takesLimit = ({ app, allow_override_limit_in_task: isAsked }: Template): boolean =>
  isAsked && hasField(app, 'limit');

interface FieldProps {
  projectId: number;
  value: number | null;
  onChange: (templateId: number | null) => void;
}

/** The templates whose limit may be set at launch. */
export function TemplateField({ projectId, ...props }: FieldProps) {
  const { data } = useQuery(templateQueries.list(projectId));
  const possible = data?.filter(takesLimit);
  return (
    <IdSelect
      label={t('template.one')}
      description={t(possible?.length === 0 ? 'host.bulk.none' : 'host.bulk.hint')}
      items={possible}
      required
      data-autofocus
      {...props}
    />
  );
}
