import { taskResults } from '#shared/api/task-results.ts';
import { restarted } from '#shared/api/task-ends.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import type { Context } from '../../context/context.ts';
import { type Http, shown } from '../../http/serve.ts';
import { restartTasks, runTemplates, stopTasks } from './bulk-tasks.ts';
import { confirmTask, rejectTask } from './confirmation.ts';
import { getChanges } from './task-changes.ts';
import type { FindCommits } from './changes/changed-commits.ts';
import {
  hostTable,
  getFailures,
  getHosts,
  getPlayTasks,
  getResults,
  getTimeline,
  getWholeTask,
} from './run-results.ts';
import { searchLog } from './log/log-search.ts';
import { findOutline } from './log/log-outlines.ts';
import { logText } from './log/log-text.ts';
import { restartTask, runAgain } from './run-again.ts';
import { countMatches, listTemplateTasks, getTasks, type TaskQuery } from './lists/task-list.ts';
import { chunksFrom, readLines } from './log/task-log.store.ts';
import { findOutputs } from './results/task-outputs.store.ts';
import { getPlan } from './task-plan.ts';
import { getAnsibleErrors, getAnsibleHosts, getStages } from './task-results.ts';
import { removeTask, requireTask } from './tasks.ts';
import { startTask } from './start-task.ts';
import { stopAllTasks, stopTask } from './stop-task.ts';
import { activeTasks } from '#shared/api/active-tasks.ts';
import { requireActiveTask, getActiveTasks, stopActiveTask } from './active-tasks.ts';

const newest = ({ limit = 200, ...query }: TaskQuery): TaskQuery => ({ ...query, limit });

export function taskRoutes(http: Http, findCommits: FindCommits): void {
  http.serve(tasks.list, async (input) =>
    shown(input, await getTasks(input.ctx, toFilter(input.params, input.query))),
  );
  http.serve(tasks.count, ({ ctx, params, query }) => countMatches(ctx, toFilter(params, query)));
  http.serve(tasks.last, async (input) =>
    shown(input, await getTasks(input.ctx, newest(toFilter(input.params, input.query)))),
  );
  http.serve(tasks.ofTemplate, async (input) => {
    const { ctx, params, query } = input;
    return shown(input, await listTemplateTasks(ctx, params.template_id, toFilter(params, query)));
  });
  http.serve(tasks.lastOfTemplate, async (input) => {
    const { ctx, params, query } = input;
    const filter = newest(toFilter(params, query));
    return shown(input, await listTemplateTasks(ctx, params.template_id, filter));
  });

  http.serve(tasks.start, ({ ctx, params, body }) => startTask(ctx, params.project_id, body));
  http.serve(templates.bulkRun, ({ ctx, projectId, body }) =>
    runTemplates(ctx, projectId, body.ids),
  );
  http.serve(tasks.one, ({ ctx, params }) => getWholeTask(ctx, params.project_id, params.task_id));

  logRoutes(http);

  http.serve(tasks.changes, async ({ ctx, params, access }) =>
    getChanges(ctx, findCommits, {
      projectId: params.project_id,
      taskId: params.task_id,
      reader: { rights: access.rights, objects: (await access.objects?.()) ?? null },
    }),
  );
  resultRoutes(http);
  actionRoutes(http);
}

function logRoutes(http: Http): void {
  http.serve(tasks.output, async ({ ctx, params }) => {
    const { id } = await requireTask(ctx, params.project_id, params.task_id);
    return oldOutput(id, ctx);
  });
  http.serve(tasks.text, async ({ ctx, params, query, reply }) => {
    const { id } = await requireTask(ctx, params.project_id, params.task_id);
    const how = query.inline === 'on' ? 'inline' : 'attachment';
    reply.header('Content-Disposition', `${how}; filename="task_${id}.txt"`);
    const options = { time: query.time === 'on', color: query.color === 'on' };
    const { from, limit = Infinity } = query;
    return logText(chunksFrom(ctx.db, id, from), { ...options, limit });
  });
  http.serve(tasks.lines, async ({ ctx, params, query }) => {
    const task = await requireTask(ctx, params.project_id, params.task_id);
    const lines = await readLines(ctx.db, task.id, query);
    return { from: query.from, total: task.log_lines, lines };
  });

  http.serve(tasks.search, async ({ ctx, params, query, gone }) => {
    const task = await requireTask(ctx, params.project_id, params.task_id);
    return searchLog(ctx.db, task, { ...query, gone });
  });

  http.serve(tasks.outline, async ({ ctx, params, query, gone }) => {
    const task = await requireTask(ctx, params.project_id, params.task_id);
    return findOutline(ctx.db, task, { ...query, gone });
  });
}

function resultRoutes(http: Http): void {
  const which = ({ params, gone }: { params: OfTask; gone: AbortSignal }) => ({
    projectId: params.project_id,
    taskId: params.task_id,
    gone,
  });
  http.serve(tasks.hosts, ({ ctx, params }) => getHosts(ctx, params.project_id, params.task_id));
  http.serve(tasks.hostTable, async ({ ctx, params, reply }) => {
    const table = await hostTable(ctx, params.project_id, params.task_id);
    const name = `task_${params.task_id}_hosts.csv`;
    reply.header('Content-Disposition', `attachment; filename="${name}"`);
    return table;
  });
  http.serve(tasks.playTasks, (input) => getPlayTasks(input.ctx, which(input)));
  http.serve(tasks.results, (input) => getResults(input.ctx, which(input), input.query));
  http.serve(tasks.timeline, (input) => getTimeline(input.ctx, which(input), input.query));
  http.serve(tasks.failures, (input) => getFailures(input.ctx, which(input)));
  http.serve(tasks.plan, (input) => getPlan(input.ctx, which(input)));
  http.serve(tasks.outputs, async ({ ctx, params }) => {
    const { id } = await requireTask(ctx, params.project_id, params.task_id);
    return findOutputs(ctx.db, id);
  });
  http.serve(taskResults.stages, (input) => getStages(input.ctx, which(input)));
  http.serve(taskResults.hosts, (input) => getAnsibleHosts(input.ctx, which(input)));
  http.serve(taskResults.errors, (input) => getAnsibleErrors(input.ctx, which(input)));
}

interface OfTask {
  project_id: number;
  task_id: number;
}

function actionRoutes(http: Http): void {
  http.serve(tasks.remove, ({ ctx, params }) => removeTask(ctx, params.project_id, params.task_id));
  http.serve(tasks.stopAll, ({ ctx, params, body }) =>
    stopAllTasks(ctx, params.project_id, params.template_id, body.force),
  );
  http.serve(tasks.confirm, ({ ctx, params }) =>
    confirmTask(ctx, params.project_id, params.task_id),
  );
  http.serve(tasks.reject, ({ ctx, params }) => rejectTask(ctx, params.project_id, params.task_id));
  http.serve(tasks.restart, ({ ctx, params }) =>
    restartTask(ctx, params.project_id, params.task_id),
  );
  http.serve(tasks.runAgain, ({ ctx, params, body }) =>
    runAgain(ctx, params.project_id, params.task_id, body.hosts),
  );
  http.serve(tasks.stop, ({ ctx, params, body }) =>
    stopTask(ctx, params.project_id, params.task_id, body.force),
  );
  http.serve(tasks.bulk, async ({ ctx, projectId, requireUses, body }) => {
    const { action, ids } = body;
    if (action === 'stop') return stopTasks(ctx, projectId, ids);
    await requireUses({ schema: restarted, value: { ids }, ofEndpoint: 'task.restart' });
    return restartTasks(ctx, projectId, ids);
  });
}

interface ListQuery extends Omit<TaskQuery, 'projectId' | 'templateId' | 'userId'> {
  template_id?: number | undefined;
  user_id?: number | undefined;
  count?: number | undefined;
}

function toFilter(
  { project_id: projectId }: { project_id: number },
  { template_id: templateId, user_id: userId, limit, count, ...rest }: ListQuery,
): TaskQuery {
  return { projectId, templateId, userId, ...rest, limit: limit ?? count };
}

async function* oldOutput(taskId: number, ctx: Context) {
  for await (const chunk of chunksFrom(ctx.db, taskId, 1)) {
    yield chunk.lines().map(({ time, output }, index) => {
      return { id: chunk.from + index, task_id: taskId, task: '', time, output };
    });
  }
}

export function activeTaskRoutes(http: Http): void {
  http.serve(activeTasks.list, ({ ctx }) => getActiveTasks(ctx));
  http.serve(activeTasks.one, ({ ctx, params }) => requireActiveTask(ctx, params.task_id));
  http.serve(activeTasks.stop, ({ ctx, params }) => stopActiveTask(ctx, params.task_id));
}
