import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { t } from '../../../lib/i18n.ts';
import { taskVersion } from '../task-link.tsx';
import { taskQueries } from '../tasks.queries.ts';

interface Props {
  projectId: number;
  buildTemplateId: number;
  value?: string;
  onChange?: (value: string | null) => void;
  error?: ReactNode;
}

export function BuildSelect({ projectId, buildTemplateId, ...input }: Props) {
  const { data: tasks } = useQuery(taskQueries.builds(projectId, buildTemplateId));
  // A dry run has built nothing.
  const builds = tasks?.filter(({ dry_run: isDryRun }) => !isDryRun);
  const newest = builds?.[0]?.id;
  const { value, onChange } = input;
  useEffect(() => {
    if (!value && newest !== undefined) onChange?.(String(newest));
  }, [value, newest, onChange]);
  return (
    <Select
      label={t('new_task.build_version')}
      description={builds?.length === 0 ? t('new_task.no_builds') : null}
      placeholder={t('new_task.choose')}
      data={(builds ?? []).map((task) => ({
        value: String(task.id),
        label: [taskVersion(task) ?? `#${task.id}`, task.message].filter(Boolean).join(' - '),
      }))}
      allowDeselect={false}
      required
      searchable
      {...input}
    />
  );
}
