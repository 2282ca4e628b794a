// Thousands of tasks and events, which collect over the years.

import type { NewRow } from '../../../src/server/db/tables.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Size } from './rows.ts';

export interface Shape extends Omit<Size, 'templates'> {
  firstId: number;
  /** The templates of a project, by their ids. */
  templatesOf: (projectId: number) => { first: number; count: number };
}

/** Spreads numbers over 0..1, always in the same way. */
const spread = (number: number): number =>
  ((number * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;

/**
 * The project of the thing with this index; the first project has a share of them, mixed in evenly.
 */
function projectOf({ firstId, projects }: Shape, index: number, big: number, all: number): number {
  const isBig = Math.floor(((index + 1) * big) / all) > Math.floor((index * big) / all);
  if (isBig || projects === 1) return firstId;
  // The cube gives some projects far more than others.
  return firstId + 1 + Math.floor(spread(index) ** 3 * (projects - 1));
}

const messages = ['Nightly run', 'After the change of the firewall', '', '', 'Ticket 4711', 'ÉTÉ'];
const start = Date.parse('2024-01-01T00:00:00.000Z');
const minute = 60_000;

// The snapshot has a realistic length.
const snapshot = JSON.stringify({ app: 'ansible', inventory: 'host.example.com\n'.repeat(40) });

/** Most tasks have succeeded. The newest ones wait for a confirmation or for a later time. */
function statusOf(index: number, { tasks }: Shape): TaskStatus {
  if (index >= tasks - Math.min(300, tasks * 0.02)) {
    return index % 2 === 0 ? 'waiting' : 'waiting_confirmation';
  }
  if (index % 50 === 7) return 'stopped';
  return index % 11 === 3 ? 'error' : 'success';
}

/** The task with this index. */
export function taskRow(shape: Shape, index: number): NewRow<'tasks'> {
  const { firstId, users, tasks, bigShare } = shape;
  const project_id = projectOf(shape, index, bigShare.tasks, tasks);
  const { first, count } = shape.templatesOf(project_id);
  const template_id = first + Math.floor(spread(index * 7 + 1) ** 2 * count);
  const created = new Date(start + index * minute).toISOString();
  const status = statusOf(index, shape);
  const isOver = !status.startsWith('waiting');
  const hash = Math.floor(spread(index) * 2 ** 48)
    .toString(16)
    .padStart(40, 'c0ffee');
  const message = messages[index % messages.length] ?? '';
  // Every tenth task deploys the task before.
  const build_task_id = index % 10 === 9 ? firstId + index - 1 : null;
  const commit = { commit_hash: hash, commit_message: 'Raise the number of replicas' };
  const texts = [message, commit.commit_hash, commit.commit_message];
  return {
    id: firstId + index,
    project_id,
    template_id,
    status,
    created,
    start: isOver ? created : null,
    end: isOver ? created : null,
    user_id: index % 3 === 0 ? null : firstId + (index % users),
    schedule_id: null,
    integration_id: null,
    message,
    version: null,
    build_task_id,
    confirmed_by: null,
    confirmed_at: null,
    ...commit,
    environment: '{"tier":"web"}',
    secret: null,
    debug: 0,
    dry_run: 0,
    diff: 0,
    playbook: '',
    arguments: null,
    git_branch: null,
    limit: '',
    tags: '',
    skip_tags: '',
    inventory_id: null,
    retry_of: null,
    not_before: status === 'waiting' ? '2999-01-01T00:00:00.000Z' : null,
    snapshot,
    commands: '["ansible-playbook -i inventory play.yml"]',
    expected_s: 60,
    progress: null,
    hosts: null,
    search: texts.join('\n').toLowerCase(),
  };
}

const codes = ['task.started', 'task.finished', 'task.started', 'key.changed', 'template.changed'];

/** The event with this index; an event without project belongs to the installation. */
export function eventRow(shape: Shape, index: number): NewRow<'events'> {
  const { firstId, users, events, bigShare } = shape;
  const code = codes[index % codes.length] ?? '';
  const user = firstId + (index % users);
  const name = `Deploy service ${index % 997}`;
  return {
    created: new Date(start + index * 10 * minute).toISOString(),
    code,
    params: JSON.stringify({ name, task: index, status: 'success' }),
    project_id: index % 100 === 50 ? null : projectOf(shape, index, bigShare.events, events),
    user_id: user,
    username: `person-${user}`,
    via: 'session',
    via_id: null,
    ip: '192.0.2.7',
    object_type: code.split('.')[0] ?? '',
    object_id: index + 1,
    object_name: name,
    search: `${name}\nperson-${user}`.toLowerCase(),
  };
}
