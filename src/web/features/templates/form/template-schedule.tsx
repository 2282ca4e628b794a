import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { repositoryQueries } from '../../repositories/repositories.queries.ts';
import { ResourceSelect } from './resource-select.tsx';
import type { FieldsProps } from './template-fields-props.ts';

export function TemplateSchedule({ projectId, form, renderCron }: FieldsProps) {
  const { data } = useQuery(repositoryQueries.list(projectId));
  return (
    <>
      {renderCron({
        label: t('schedule.cron'),
        description: t('template.form.cron_hint'),
        cron: form.getInputProps('schedule.cron_format'),
        zone: form.getInputProps('schedule.time_zone'),
      })}
      {form.getValues().schedule.cron_format.trim() !== '' && (
        <ResourceSelect
          label={t('template.form.cron_repository')}
          description={t('template.form.cron_repository_hint')}
          items={data}
          {...form.getInputProps('schedule.repository_id')}
        />
      )}
    </>
  );
}
