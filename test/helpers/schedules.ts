// Makes a project with a schedule, and reads its fires.

import type { CallOf } from '#shared/api/endpoint.ts';
import { schedules, type Fire, type Schedule } from '#shared/api/schedules.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import type { TestApp } from './app.ts';
import { seedProject, type Seed } from './seed.ts';

interface SeededSchedule {
  seed: Seed;
  params: { project_id: number };
  templateId: number;
  /** Makes a schedule of the template, by default for every minute in UTC. */
  create: (fields?: Partial<CallOf<typeof schedules.create>['body']>) => Promise<Schedule>;
  read: (schedule: Schedule) => Promise<Schedule>;
  /** The fires, the oldest first. */
  fires: (schedule: Schedule) => Promise<Fire[]>;
  /** The tasks of the project, the oldest first. */
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

/** Empties the queue, as a runner does by taking all tasks. */
export async function emptyQueue({ ctx }: TestApp): Promise<void> {
  await ctx.db.updateTable('tasks').set({ status: 'success' }).execute();
}
