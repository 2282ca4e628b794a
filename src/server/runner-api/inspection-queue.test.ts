import { expect, test } from 'vitest';
import type { InspectionRequest, InspectionResult } from '#shared/api/runner-api.ts';
import { noGitKeys } from '../../runner/api/run-secrets.ts';
import { InspectionQueue } from './inspection-queue.ts';

const sealed = (id: number) => Promise.resolve(`sealed for ${id}`);
const branches = { kind: 'branches', project_id: 1, url: '/code' } as const;
const head = { kind: 'head', project_id: 1, url: '/code', branch: 'main' } as const;
const seen: InspectionResult = {
  kind: 'branches',
  seen: { branches: ['main'], head: 'main', failure: null },
};

const ids = (asked: InspectionRequest[]): number[] => asked.map(({ look_id: id }) => id);

const by = (userId: number, projectId: number) => ({ asker: { userId, projectId } });

test('a project has one at once and waits in turn with others, and too many are refused', async () => {
  const inspections = new InspectionQueue(sealed);
  // Two people of one project, who ask for much; then three others of other projects.
  const first = [1, 2, 3, 4, 5, 6].map((one) =>
    inspections.ask(branches, noGitKeys, by(one % 2, 1)),
  );
  await expect(inspections.ask(branches, noGitKeys, by(9, 1))).rejects.toMatchObject({
    code: 'request.too_many_looks',
  });
  const others = [2, 3, 4].map((project) =>
    inspections.ask(branches, noGitKeys, by(project + 10, project)),
  );
  await Promise.resolve();
  const order: number[] = [];
  for (let now = ids(inspections.list([])); now.length > 0; now = ids(inspections.list([]))) {
    expect(now.length).toBe(order.length < 8 ? 2 : 1);
    const [next = 0] = now;
    order.push(next);
    inspections.settle(next, seen);
    await [...first, ...others][next - 1];
  }
  expect(order).toEqual([1, 7, 8, 2, 3, 4, 5, 6, 9]);
});

test('a person has one at once, in all projects together', async () => {
  const inspections = new InspectionQueue(sealed);
  const own = [1, 2, 3].map((project) => inspections.ask(branches, noGitKeys, by(1, project)));
  await Promise.resolve();
  expect(ids(inspections.list([]))).toEqual([1]);
  const other = inspections.ask(branches, noGitKeys, by(2, 3));
  await Promise.resolve();
  expect(ids(inspections.list([1]))).toEqual([4]);
  for (const id of [1, 2, 3, 4]) inspections.settle(id, seen);
  await Promise.all([...own, other]);
});

test('what schedules look at waits for no person', async () => {
  const inspections = new InspectionQueue(sealed);
  const people = [1, 2, 3].map((one) =>
    inspections.ask(branches, noGitKeys, { time: 50, ...by(one, one) }),
  );
  const ofSchedule = inspections.ask(head, noGitKeys);
  await Promise.resolve();
  expect(ids(inspections.list([]))).toEqual([1, 2, 4]);
  inspections.settle(4, { kind: 'head', seen: 'abc' });
  expect(await ofSchedule).toBe('abc');
  await Promise.allSettled(people);
});

test('one that takes too long is told so, and is not looked at any more', async () => {
  const inspections = new InspectionQueue(sealed);
  await expect(inspections.ask(branches, noGitKeys, { time: 20 })).rejects.toMatchObject({
    code: 'request.too_slow',
  });
  expect(inspections.list([])).toEqual([]);
  // It is run after all, because nobody waits for its answer any more.
  inspections.settle(1, seen);
});

test('one that nobody waits for any more is left', async () => {
  const inspections = new InspectionQueue(sealed);
  const gone = new AbortController();
  const asked = inspections.ask(head, noGitKeys, { signal: gone.signal });
  gone.abort();
  await expect(asked).rejects.toMatchObject({ code: 'request.too_slow' });
  expect(inspections.list([])).toEqual([]);
});

test('why nothing was seen is told, and the key goes sealed', async () => {
  const inspections = new InspectionQueue(sealed);
  let rung = 0;
  inspections.onChange(() => (rung += 1));
  const key = { type: 'login_password', login: 'a', password: 'b' } as const;
  const asked = inspections.ask(head, { own: key, byHost: [] });
  await Promise.resolve();
  await Promise.resolve();
  expect(rung).toBe(1);
  expect(inspections.list([])).toMatchObject([{ look_id: 1, look: head, sealed: 'sealed for 1' }]);
  inspections.settle(1, { kind: 'failed', reason: 'The folder is outside.' });
  await expect(asked).rejects.toThrow('The folder is outside.');
  expect(inspections.list([])).toEqual([]);
});
