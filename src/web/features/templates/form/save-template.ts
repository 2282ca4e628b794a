// Saves the template form: validates the cron expression, then stores the template, then its
// schedule.

import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Schedule, schedules } from '#shared/api/schedules.ts';
import type { Template } from '#shared/api/templates.ts';
import { call } from '../../../lib/api.ts';
import { scheduleResource } from '../../schedules/schedules.queries.ts';
import type { OwnSchedule, TemplateBody } from './template-values.ts';
import { templateResource } from '../templates.queries.ts';

export interface Saved {
  projectId: number;
  /** The stored template; null for a new one. */
  template: Template | null;
  schedule: Schedule | null;
  revision: string | undefined;
}

/** Returns a function that saves and resolves to the id of the template. */
export function useSaveTemplate({ projectId, template, schedule, revision }: Saved) {
  const create = useMutation(templateResource.create());
  const update = useMutation(templateResource.update());
  const saveSchedule = useSaveSchedule(projectId, schedule);
  // If only the schedule was refused, the next attempt updates the stored template.
  const stored = useRef<number | null>(null);
  const saveFields = async (body: TemplateBody, overwrite: boolean): Promise<number> => {
    const id = stored.current ?? template?.id;
    if (id === undefined) {
      return (await create.mutateAsync({ params: { project_id: projectId }, body })).id;
    }
    const ifMatch = overwrite || stored.current !== null ? undefined : revision;
    await update.mutateAsync({ params: { project_id: projectId, template_id: id }, body, ifMatch });
    return id;
  };
  // `own` is null for users who may not change schedules.
  return async (
    body: TemplateBody,
    own: OwnSchedule | null,
    overwrite: boolean,
  ): Promise<number> => {
    const cron = own?.cron_format.trim() ?? '';
    if (own && cron !== '') {
      await call(schedules.validate, {
        params: { project_id: projectId },
        body: { cron_format: cron, time_zone: own.time_zone || undefined },
      });
    }
    stored.current = await saveFields(body, overwrite);
    if (own) await saveSchedule(stored.current, { ...own, cron_format: cron });
    return stored.current;
  };
}

/** An empty cron expression means no schedule. */
function useSaveSchedule(projectId: number, before: Schedule | null) {
  const create = useMutation(scheduleResource.create());
  const update = useMutation(scheduleResource.update());
  const remove = useMutation(scheduleResource.remove());
  return async (templateId: number, own: OwnSchedule): Promise<void> => {
    const params = { project_id: projectId, schedule_id: before?.id ?? 0 };
    if (own.cron_format === '') {
      if (before) await remove.mutateAsync({ params });
      return;
    }
    const body = {
      template_id: templateId,
      cron_format: own.cron_format,
      time_zone: own.time_zone || undefined,
      repository_id: own.repository_id,
    };
    if (before) await update.mutateAsync({ params, body });
    else {
      await create.mutateAsync({
        params: { project_id: projectId },
        body: { ...body, active: true },
      });
    }
  };
}
