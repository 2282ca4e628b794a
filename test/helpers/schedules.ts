// A project with a schedule, and what became of it.

import type { CallOf } from '#shared/api/endpoint.ts';
import { schedules, type Fire, type Schedule } from '#shared/api/schedules.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import type { TestApp } from './app.ts';
import { seedProject, type Seed } from './seed.ts';

interface SeededSchedule {
  seed: Seed;
  params: { project_id: number };
  templateId: number;
  /** Of the template, every minute in UTC unless said otherwise. */
  create: (fields?: Partial<CallOf<typeof schedules.create>['body']>) => Promise<Schedule>;
  read: (schedule: Schedule) => Promise<Schedule>;
  /** Oldest first. */
  fires: (schedule: Schedule) => Promise<Fire[]>;
  /** Of the project, oldest first. */
  tasks: () => Promise<Task[]>;
}

export async function seedSchedules(app: TestApp, files?: null): Promise<SeededSchedule> {
  const seed = await seedProject(app.admin, files);
  const params = { project_id: seed.projectId };
  const { id: template_id } = await seed.template({ allow_parallel_tasks: true });
  const of = ({ id }: Schedule) => ({ ...params, schedule_id: id });
  return {
    seed,
    params,
    templateId: template_id,
    create: (fields) =>
      app.admin.call(schedules.create, {
        params,
        body: { template_id, cron_format: '* * * * *', time_zone: 'UTC', active: true, ...fields },
      }),
    read: (schedule) => app.admin.call(schedules.one, { params: of(schedule) }),
    fires: async (schedule) =>
      (await app.admin.call(schedules.fires, { params: of(schedule) })).toReversed(),
    tasks: async () => (await app.admin.call(tasks.list, { params })).toReversed(),
  };
}

/** The queue is empty again, as after the runner has taken what was in it. */
export async function emptyQueue({ ctx }: TestApp): Promise<void> {
  await ctx.db.updateTable('tasks').set({ status: 'success' }).execute();
}
