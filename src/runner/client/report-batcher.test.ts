import { expect, test } from 'vitest';
import type { Report } from '#shared/api/runner-api.ts';
import type { CallServer } from './server-client.ts';
import { createReportBatcher } from './http-runner-api.ts';

const task = { id: 1, project_id: 1, lease: 1 };
const note = (from: number): Report => ({ kind: 'results', from, results: [] });

interface Sent {
  params: { task_id: number };
  body: { lease: number; report: Report; more: Report[] };
}

/** A server that accepts the reports whose numbers are even. */
function reporting(answer?: (sent: Sent) => unknown) {
  const requests: Sent[] = [];
  const judged = (report: Report) => ({
    accepted: report.kind === 'results' && report.from % 2 === 0,
    version: null,
  });
  const callServer = ((_endpoint: unknown, sent: Sent) => {
    requests.push(sent);
    if (answer) return Promise.resolve(answer(sent));
    return Promise.resolve({ ...judged(sent.body.report), more: sent.body.more.map(judged) });
  }) as unknown as CallServer;
  return { requests, report: createReportBatcher(callServer) };
}

test('what is reported at the same moment is one request, and each has its own answer', async () => {
  const { requests, report } = reporting();
  const other = { ...task, id: 2 };
  const answers = [report(task, note(1)), report(task, note(2)), report(other, note(3))];
  expect((await Promise.all(answers)).map(({ accepted }) => accepted)).toEqual([
    false,
    true,
    false,
  ]);
  expect(requests).toEqual([
    { params: { task_id: 1 }, body: { lease: 1, report: note(1), more: [note(2)] } },
    { params: { task_id: 2 }, body: { lease: 1, report: note(3), more: [] } },
  ]);
  await report(task, note(4));
  expect(requests.length).toBe(3);
});

test('what is too much for one request is sent by the next, in its order', async () => {
  const { requests, report } = reporting();
  await Promise.all(Array.from({ length: 30 }, (_one, at) => report(task, note(at + 1))));
  expect(requests.map(({ body }) => [body.report, body.more.length])).toEqual([
    [note(1), 20],
    [note(22), 8],
  ]);
});

test('all hear of a request that fails', async () => {
  const { report } = reporting(() => Promise.reject(new Error('refused')));
  const [one, other] = [report(task, note(1)), report(task, note(2))];
  await expect(one).rejects.toThrow('refused');
  await expect(other).rejects.toThrow('refused');
});

test('a server of an earlier version answers only the first', async () => {
  const { report } = reporting(() => ({ accepted: true, version: null, more: [] }));
  const [one, other] = [report(task, note(1)), report(task, note(2))];
  expect((await one).accepted).toBe(true);
  await expect(other).rejects.toThrow('older than this runner');
});
