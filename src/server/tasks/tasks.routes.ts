import { tasks } from '#shared/api/tasks.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { requireTemplate } from '../templates/templates.ts';
import { allLines, readLines } from './task-log.store.ts';
import { requireTask, startTask, stopTask } from './tasks.ts';
import { listTasks } from './tasks.store.ts';

const newestCount = 200;

export function taskRoutes(http: Http, ctx: Context): void {
  const list = (
    { project_id: projectId }: { project_id: number },
    { template_id: templateId, user_id: userId, ...rest }: ListQuery,
  ) => listTasks(ctx.db, { projectId, templateId, userId, ...rest });

  http.serve(tasks.list, ({ params, query }) => list(params, query));
  http.serve(tasks.last, ({ params, query }) => list(params, { limit: newestCount, ...query }));

  http.serve(tasks.ofTemplate, async ({ params, query }) => {
    await requireTemplate(ctx, params.project_id, params.template_id);
    return list(params, { ...query, template_id: params.template_id });
  });
  http.serve(tasks.lastOfTemplate, async ({ params, query }) => {
    await requireTemplate(ctx, params.project_id, params.template_id);
    return list(params, { limit: newestCount, ...query, template_id: params.template_id });
  });

  http.serve(tasks.start, ({ params, body, actor }) =>
    startTask(ctx, { projectId: params.project_id, userId: actor.userId }, body),
  );
  http.serve(tasks.one, ({ params }) => requireTask(ctx, params.project_id, params.task_id));

  http.serve(tasks.output, async ({ params }) => {
    const { id } = await requireTask(ctx, params.project_id, params.task_id);
    return oldOutput(id, ctx);
  });
  http.serve(tasks.lines, async ({ params, query }) => {
    const task = await requireTask(ctx, params.project_id, params.task_id);
    const lines = await readLines(ctx.db, task.id, query.from, query.limit);
    return { from: query.from, total: task.log_lines, lines };
  });

  http.serve(tasks.stop, ({ params, body }) =>
    stopTask(ctx, params.project_id, params.task_id, body.force),
  );
}

type ListQuery = Partial<
  Record<'template_id' | 'user_id' | 'before' | 'limit', number | undefined>
> & { status?: Parameters<typeof listTasks>[1]['status'] };

async function* oldOutput(taskId: number, ctx: Context) {
  for await (const line of allLines(ctx.db, taskId)) yield { task_id: taskId, task: '', ...line };
}
