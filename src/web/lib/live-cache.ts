// Brings the messages of the websocket into the query cache. Nothing else does so.

import type { Query } from '@tanstack/react-query';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { api, type Noun } from '#shared/api/index.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import type { ChangedNoun, ServerMessage } from '#shared/api/live.ts';
import { isFinished, statusesOf, type TaskState } from '#shared/task-status.ts';
import type { ListPage } from './api.ts';
import { live } from './live.ts';
import { type Key, queryClient } from './query.ts';

interface Asked {
  project_id?: number;
  template_id?: number;
  task_id?: number;
  status?: string;
  state?: TaskState;
  user_id?: number;
  q?: string;
  limit?: number;
  before?: number;
}

/** Calls `update` for each cached reply of a path in the project. */
function updateEach<Reply>(
  path: string,
  projectId: number,
  update: (reply: Reply, asked: Asked) => Reply,
): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: [path] })) {
    const [, params, search] = query.queryKey as unknown as Key;
    const asked: Asked = { ...(search as Asked), ...(params as Asked) };
    if (asked.project_id !== projectId) continue;
    const before: unknown = query.state.data;
    queryClient.setQueryData<Reply>(query.queryKey, (reply) => reply && update(reply, asked));
    if (query.state.fetchStatus === 'fetching' || hasGap(before, query.state.data)) {
      readAgain(query);
    }
  }
}

/**
 * An answer that is on its way may be older than what was just told and would undo it. Where
 * something is shown already, reading again drops that answer; a first one is waited for.
 */
function readAgain(query: Query): void {
  const read = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  if (query.state.data !== undefined) void read();
  else void query.promise?.then(read, () => {});
}

/** Whether a row has left the page, so that rows of the next page belong into it. */
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

const isAsked = (task: Task, asked: Asked): boolean =>
  (asked.template_id ?? task.template_id) === task.template_id &&
  (asked.user_id ?? task.user_id) === task.user_id &&
  (asked.status ?? task.status) === task.status &&
  (asked.state === undefined || statusesOf(asked.state).includes(task.status));

function withTask(list: Task[], task: Task, asked: Asked): Task[] {
  const fits = isAsked(task, asked);
  const index = list.findIndex(({ id }) => id === task.id);
  if (index >= 0) return fits ? list.with(index, task) : list.toSpliced(index, 1);
  // Only a new task is put in: an old one may belong to a page further on. Whether one has a text
  // that is looked for, the server says.
  const isNew = task.id > (list[0]?.id ?? 0) && asked.before === undefined && !asked.q;
  return fits && isNew ? [task, ...list].slice(0, asked.limit ?? 200) : list;
}

/** Does the same as `withTask` for lists that are read in pages. */
function withTaskInPage(page: ListPage<Task>, task: Task, asked: Asked): ListPage<Task> {
  const items = withTask(page.items, task, asked);
  const last = items.at(-1)?.id;
  // The next page begins with what was pushed out of this one.
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
  const { tasks, templates } = api;
  for (const { path } of [tasks.list, tasks.last, tasks.ofTemplate, tasks.lastOfTemplate]) {
    updateEach<Task[] | ListPage<Task>>(path, projectId, (reply, asked) =>
      Array.isArray(reply) ? withTask(reply, task, asked) : withTaskInPage(reply, task, asked),
    );
  }
  if (isFinished(task.status)) statsChanged(projectId);
  updateEach<Task>(tasks.one.path, projectId, (old) => (old.id === task.id ? task : old));
  for (const { path } of [templates.list, templates.ofView]) {
    updateEach<Template[]>(path, projectId, (list) =>
      list.map((template) => withLastTask(template, task)),
    );
  }
  updateEach<Template>(templates.one.path, projectId, (template) => withLastTask(template, task));
}

const pending = new Set<number>();
const patience = 2000;

/** Reads the statistics again, at most once in `patience` ms, since many tasks may end at once. */
function statsChanged(projectId: number): void {
  if (pending.has(projectId)) return;
  pending.add(projectId);
  setTimeout(() => {
    pending.delete(projectId);
    for (const query of queryClient
      .getQueryCache()
      .findAll({ queryKey: [api.stats.ofProject.path] })) {
      const [, params] = query.queryKey as unknown as Key;
      if ((params as Asked).project_id === projectId) readAgain(query);
    }
  }, patience);
}

const pathsOf = (noun: Noun): string[] =>
  Object.values<Endpoint>(api[noun]).map(({ path }) => path);

// Nouns whose changes are announced under the name of another noun, or that show a part of it.
const along: Partial<Record<ChangedNoun, Noun[]>> = {
  integrations: ['aliases', 'extractValues', 'matchers'],
  templates: ['schedules'],
};

// The server announces no change from before the subscription, or while the connection was lost.
function catchUp(projectId: number): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const [path, params] = query.queryKey as unknown as Key;
    const concerned = (params as Asked).project_id === projectId;
    if (concerned || path === api.projects.list.path) readAgain(query);
  }
}

function nounChanged(projectId: number, noun: ChangedNoun): void {
  // A change of the team may be a change of one's own role.
  const role = noun === 'members' ? [api.projects.role.path] : [];
  const paths = [noun, ...(along[noun] ?? [])].flatMap(pathsOf).concat(role);
  const concerns = ({ queryKey }: Query): boolean => {
    const [path, params] = queryKey as unknown as Key;
    const asked = (params as Asked).project_id;
    return paths.includes(path) && (asked === undefined || asked === projectId);
  };
  void queryClient.invalidateQueries({ predicate: concerns });
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
