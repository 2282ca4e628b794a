// Applies the messages of the websocket to the query cache. No other file does so.

import type { Query } from '@tanstack/react-query';
import type { ChangedNoun, ServerMessage } from '#shared/api/live.ts';
import { hosts } from '#shared/api/hosts.ts';
import { projects } from '#shared/api/projects.ts';
import { stats } from '#shared/api/stats.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { templates, type Template } from '#shared/api/templates.ts';
import { isFinished, statusesOf, type TaskState } from '#shared/task-status.ts';
import type { ListPage } from './api.ts';
import { isChanged } from './changed-paths.ts';
import { live } from './live.ts';
import { type Key, queryClient } from './query.ts';

interface QueryParams {
  project_id?: number;
  template_id?: number;
  task_id?: number;
  status?: string;
  state?: TaskState;
  user_id?: number;
  from?: string;
  to?: string;
  q?: string;
  limit?: number;
  before?: number;
}

/** Calls `update` for each cached reply of a path in the project. */
function updateEach<Reply>(
  path: string,
  projectId: number,
  update: (reply: Reply, asked: QueryParams) => Reply,
): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: [path] })) {
    const [, params, search] = query.queryKey as unknown as Key;
    const asked: QueryParams = { ...(search as QueryParams), ...(params as QueryParams) };
    if (asked.project_id !== projectId) continue;
    const before: unknown = query.state.data;
    queryClient.setQueryData<Reply>(query.queryKey, (reply) => reply && update(reply, asked));
    if (query.state.fetchStatus === 'fetching' || hasGap(before, query.state.data)) {
      readAgain(query);
    }
  }
}

/**
 * A pending response may be older than the message, and would revert it. If data is shown already,
 * a new request replaces the pending one; a first response is awaited.
 */
function readAgain(query: Query): void {
  const read = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  const isFirst = query.state.data === undefined && query.state.fetchStatus === 'fetching';
  if (isFirst) void query.promise?.then(read, () => {});
  else void read();
}

/** Whether a row has left the page, so that rows of the next page move up. */
function hasGap(before: unknown, after: unknown): boolean {
  return (
    isPage(before) &&
    isPage(after) &&
    after.next !== null &&
    after.items.length < before.items.length
  );
}

const isPage = (reply: unknown): reply is ListPage<unknown> =>
  typeof reply === 'object' && reply !== null && 'items' in reply;

const isAsked = (task: Task, asked: QueryParams): boolean =>
  (asked.template_id ?? task.template_id) === task.template_id &&
  (asked.user_id ?? task.user_id) === task.user_id &&
  (asked.status ?? task.status) === task.status &&
  (asked.state === undefined || statusesOf(asked.state).includes(task.status)) &&
  (asked.from === undefined || (task.end ?? beyond) >= asked.from) &&
  (asked.to === undefined || (task.end ?? beyond) < asked.to);

// Sorts an unfinished task after every end time.
const beyond = '9999';

function withTask(list: Task[], task: Task, asked: QueryParams): Task[] {
  const fits = isAsked(task, asked);
  const index = list.findIndex(({ id }) => id === task.id);
  if (index >= 0) return fits ? list.with(index, task) : list.toSpliced(index, 1);
  // An older task may begin to match when it ends. Below the last row it belongs to a later page.
  // With a search, only the server knows whether a task matches.
  const limit = asked.limit ?? 200;
  const isOfPage = list.length < limit || task.id > (list.at(-1)?.id ?? 0);
  if (!fits || !isOfPage || asked.before !== undefined || asked.q) return list;
  const place = list.findIndex(({ id }) => id < task.id);
  return list.toSpliced(place < 0 ? list.length : place, 0, task).slice(0, limit);
}

/** `withTask` for paginated lists. */
function withTaskInPage(page: ListPage<Task>, task: Task, asked: QueryParams): ListPage<Task> {
  const items = withTask(page.items, task, asked);
  const last = items.at(-1)?.id;
  // The next page begins with the task that was pushed out of this one.
  const isPushedOut = items.length === asked.limit && last !== page.items.at(-1)?.id;
  return { items, next: isPushedOut && last !== undefined ? last : page.next };
}

function withLastTask(template: Template, task: Task): Template {
  if (template.id !== task.template_id || task.id < (template.last_task_id ?? 0)) return template;
  const isNew = task.id !== template.last_task_id;
  return {
    ...template,
    last_task: task,
    last_task_id: task.id,
    tasks: template.tasks + (isNew ? 1 : 0),
  };
}

function taskChanged(projectId: number, task: Task): void {
  for (const { path } of [tasks.list, tasks.last, tasks.ofTemplate, tasks.lastOfTemplate]) {
    updateEach<Task[] | ListPage<Task>>(path, projectId, (reply, asked) =>
      Array.isArray(reply) ? withTask(reply, task, asked) : withTaskInPage(reply, task, asked),
    );
  }
  numbersChanged(projectId, tasks.count.path);
  if (task.tpl_type !== '') numbersChanged(projectId, stats.deployments.path);
  if (isFinished(task.status)) {
    numbersChanged(projectId, tasks.one.path, task.id);
    for (const { path } of [
      stats.ofProject,
      hosts.list,
      hosts.map,
      hosts.one,
      hosts.facts,
      hosts.tasks,
    ]) {
      numbersChanged(projectId, path);
    }
  }
  for (const { path } of [tasks.hosts, tasks.playTasks, tasks.results, tasks.failures]) {
    numbersChanged(projectId, path, task.id);
  }
  updateEach<Task>(tasks.one.path, projectId, (old) =>
    // Keeps fields that only the response for one task has.
    old.id === task.id ? { ...old, ...task } : old,
  );
  for (const { path } of [templates.list, templates.ofView]) {
    updateEach<Template[]>(path, projectId, (list) =>
      list.map((template) => withLastTask(template, task)),
    );
  }
  updateEach<Template>(templates.one.path, projectId, (template) => withLastTask(template, task));
}

const pending = new Set<string>();
const pauseMs = 2000;

/**
 * Refetches the statistics of a project, or of one of its tasks, throttled: many tasks may change
 * at once, and one task may change often.
 */
function numbersChanged(projectId: number, path: string, taskId?: number): void {
  const name = `${projectId} ${path} ${taskId ?? ''}`;
  if (pending.has(name)) return;
  pending.add(name);
  setTimeout(() => {
    pending.delete(name);
    for (const query of queryClient.getQueryCache().findAll({ queryKey: [path] })) {
      const [, params] = query.queryKey as unknown as Key;
      const asked = params as QueryParams;
      if (asked.project_id === projectId && asked.task_id === taskId) readAgain(query);
    }
  }, pauseMs);
}

/** How long the list of projects from before the subscription counts as fresh. */
const freshMs = 5000;

/** Whether a response is old. A pending first response is not. */
const isOld = ({ state }: Query): boolean =>
  state.dataUpdatedAt > 0 && Date.now() - state.dataUpdatedAt > freshMs;

// The server sends no changes from before the subscription, or from the time of a lost connection.
function catchUp(projectId: number): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const [path, params] = query.queryKey as unknown as Key;
    const concerned = (params as QueryParams).project_id === projectId;
    if (concerned || (path === projects.list.path && isOld(query))) readAgain(query);
  }
}

function nounChanged(projectId: number, noun: ChangedNoun): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const [path, params] = query.queryKey as unknown as Key;
    const asked = (params as QueryParams).project_id;
    if (isChanged(path, noun) && (asked === undefined || asked === projectId)) readAgain(query);
  }
}

function received(message: ServerMessage): void {
  if (message.type === 'task') taskChanged(message.project_id, message.task);
  else if (message.type === 'subscribed' && message.topic.topic === 'project') {
    catchUp(message.topic.project_id);
  } else if (message.type === 'changed') nounChanged(message.project_id, message.noun);
  else if (message.type === 'refused' && message.topic?.topic === 'project') {
    nounChanged(message.topic.project_id, 'projects');
  }
}

export function startLiveCache(): void {
  live.onMessage = received;
}
