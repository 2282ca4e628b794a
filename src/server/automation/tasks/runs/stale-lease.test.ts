// Also on PostgreSQL: the conditional statements that check the lease are about both engines.
// A task may get another lease between the check of a request and its statements.

import { expect, test } from 'vitest';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { claimNext, launch, logText, readTask } from '../../../../../test/helpers/tasks.ts';
import { hostResults } from '../../../../../test/helpers/host-results.ts';
import { usualResult } from '../../../../../test/helpers/usual-result.ts';
import { upsertSections } from '../log/sections.store.ts';
import { appendLines } from '../log/append-lines.ts';
import { appendResults } from '../results/result-chunks.store.ts';
import { updateFailures, upsertHosts } from '../results/task-hosts.store.ts';
import { LeaseLost } from '../rows/tasks.store.ts';
import { endTask, moveTask } from '../move-task.ts';
import { recordProgress } from './progress.ts';
import { recordFacts, recordOutputs } from './record-outputs.ts';
import { beginStep, recordCommit, recordTools } from './runner-tasks.ts';
test('stores nothing for a runner whose lease another one has replaced', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template();
  const launched = await launch(app.admin, seed.projectId, { template_id: template.id });
  const held = await claimNext(app.ctx);
  if (!held) throw new Error('No task was taken.');
  const { ctx } = app;
  const before = await readTask(app.admin, launched);
  const old = { ...held, lease: held.lease - 1 };
  const lines = [{ time: '2026-05-01T10:00:00.000Z', output: 'late' }];
  const progress = { play: '', task: '', tasks: 0, ok: 0, changed: 0, failed: 0, unreachable: 0 };
  const reports = [
    () => beginStep(ctx, old, { step: 1, commands: [], log: { from: 1, lines, spoolOffset: 5 } }),
    () => appendLines(ctx, old, 0, { lines, spoolOffset: 5 }),
    () => recordCommit(ctx, old, { hash: 'abcdef', message: '' }),
    () => recordTools(ctx, old, { programs: [], requirements: [] }),
    () => recordProgress(ctx, old, progress, false),
    () => recordFacts(ctx, old, []),
    () => upsertHosts(ctx.db, old, hostResults({ one: 'ok' })),
    () => updateFailures(ctx.db, old, []),
    () => upsertSections(ctx.db, old, []),
    () => appendResults(ctx.db, old, 1, [usualResult]),
    () => recordOutputs(ctx, old, []),
  ];
  for (const report of reports) {
    await expect(report()).rejects.toThrow(LeaseLost);
  }
  const moves = [
    await moveTask(ctx, old, 'running'),
    await moveTask(ctx, old, 'waiting_confirmation'),
    await endTask(ctx, old, 'success'),
  ];
  expect(moves).toEqual([false, false, false]);
  expect(await readTask(app.admin, launched)).toEqual(before);
  expect(await logText(app.admin, launched)).toBe('');
});
