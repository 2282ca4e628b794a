// The cost of a change: it is read once, and only clients who may see its project are asked.

import { expect, test } from 'vitest';
import type { LogLine } from '#shared/api/task-log.ts';
import type { Task } from '#shared/api/tasks.ts';
import { createBroadcast, type Projects, type Receiver } from './broadcast.ts';
import { createFeeds } from './feeds.ts';
import { createHub } from './hub.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const hub = createHub();
  const reads: string[] = [];
  const task = async (projectId: number, id: number): Promise<Task> => {
    reads.push(`task ${id}`);
    return { id, project_id: projectId, template_id: 3, status: 'running' } as Task;
  };
  const lines = async (id: number, from: number): Promise<LogLine[]> => {
    reads.push(`lines of ${id}`);
    return [{ output: `line ${from}`, time: '2026-01-01T00:00:00.000Z' } as LogLine];
  };
  const broadcast = createBroadcast(hub, { task, lines });
  const sent: string[] = [];
  const receiver = (name: string, userId: number, projects: () => Projects): Receiver => ({
    userId,
    projects: async () => projects(),
    send: async (projectId, { messages }) => {
      sent.push(`${messages[0].type} of ${projectId} to ${name}`);
    },
  });
  return { hub, reads, task, broadcast, sent, receiver };
}

test('strangers are not asked, and nothing is read for them', async () => {
  const { hub, reads, broadcast, sent, receiver } = setUp();
  for (let user = 0; user < 100; user += 1) {
    broadcast.add(
      receiver(`stranger ${user}`, user, () => [2]),
      [2],
    );
  }
  hub.publish('task.changed', { projectId: 1, taskId: 7 });
  hub.publish('log.appended', { projectId: 1, taskId: 7, from: 1, total: 1 });
  await turn();
  expect([reads, sent]).toEqual([[], []]);
  broadcast.add(
    receiver('member', 200, () => [1, 2]),
    [1, 2],
  );
  broadcast.add(
    receiver('administrator', 201, () => null),
    null,
  );
  hub.publish('task.changed', { projectId: 1, taskId: 7 });
  hub.publish('log.appended', { projectId: 1, taskId: 7, from: 1, total: 1 });
  await turn();
  // The task is read once more for the template of its lines, however many lines there are.
  expect(reads).toEqual(['task 7', 'task 7', 'lines of 7']);
  expect(sent).toEqual([
    'update of 1 to member',
    'update of 1 to administrator',
    'log of 1 to member',
    'log of 1 to administrator',
  ]);
});

test('a changed right counts from the next change on, and one who has gone is not put back', async () => {
  const { hub, broadcast, sent, receiver } = setUp();
  let projects: Projects = [];
  let gone: (() => void) | null = null;
  const leaving = receiver('leaving', 5, () => {
    gone?.();
    return [1];
  });
  broadcast.add(
    receiver('ada', 5, () => projects),
    projects,
  );
  gone = broadcast.add(leaving, []);
  projects = [1];
  hub.publish('permission.changed', { userId: 5 });
  hub.publish('task.changed', { projectId: 1, taskId: 7 });
  await turn();
  expect(sent).toEqual(['update of 1 to ada']);
  projects = [];
  hub.publish('permission.changed', { userId: 5 });
  hub.publish('task.changed', { projectId: 1, taskId: 7 });
  await turn();
  expect(sent).toHaveLength(1);
});

test('a change is read once and put into words once, however many follow', async () => {
  const { hub, reads, task } = setUp();
  const feeds = createFeeds(hub, task);
  const texts = new Set<string>();
  let told = 0;
  const follower = {
    tell: (_message: unknown, text: string) => {
      told += 1;
      texts.add(text);
    },
    failed: () => expect.unreachable(),
  };
  const ends = Array.from({ length: 50 }, () => feeds.follow(1, { ...follower }));
  feeds.follow(2, { ...follower, tell: () => expect.unreachable() });
  hub.publish('task.changed', { projectId: 1, taskId: 7 });
  await turn();
  expect([reads, told, texts.size]).toEqual([['task 7'], 50, 1]);
  for (const end of ends) end();
  hub.publish('task.changed', { projectId: 1, taskId: 7 });
  await turn();
  expect(reads).toHaveLength(1);
});

test('who follows one log is not woken by others', () => {
  const hub = createHub();
  const woken: number[] = [];
  const ends = [7, 7, 8].map((id) => hub.subscribe('log.appended', () => woken.push(id), id));
  hub.publish('log.appended', { projectId: 1, taskId: 7, from: 1, total: 1 });
  expect(woken).toEqual([7, 7]);
  for (const end of ends) end();
  hub.publish('log.appended', { projectId: 1, taskId: 7, from: 1, total: 1 });
  expect(woken).toHaveLength(2);
});
