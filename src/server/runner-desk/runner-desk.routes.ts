import { runnerDesk } from '#shared/api/runner-desk.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { holdOf, noteReport, sealSecrets, storeLines } from './held-tasks.ts';
import { awaitNews } from './news.ts';
import { noteLife, sortOut } from './signs.ts';
import { rememberStops } from './stop-calls.ts';

/** Answers what ends the waiting of those who ask for news. */
export function runnerDeskRoutes(http: Http, { hub }: Pick<Context, 'hub'>): { close: () => void } {
  const calls = rememberStops(hub);
  const closing = new AbortController();
  http.serve(runnerDesk.news, async ({ ctx, runner, body, gone }) => {
    const { session, is_new: isNew, is_leaving: isLeaving, held, wait, ...values } = body;
    await noteLife(ctx, { ...values, id: runner.id, session, isNew, isLeaving });
    const left = AbortSignal.any([gone, closing.signal]);
    return awaitNews(ctx, calls, { runnerId: runner.id, held, wait, gone: left });
  });
  http.serve(runnerDesk.sortOut, ({ ctx, body }) => sortOut(ctx, body));
  http.serve(runnerDesk.secrets, async ({ ctx, runner, params, body }) => ({
    sealed: await sealSecrets(ctx, holdOf({ runner, params }, body.lease)),
  }));
  http.serve(runnerDesk.report, ({ ctx, runner, params, body }) =>
    noteReport(ctx, holdOf({ runner, params }, body.lease), body.report),
  );
  http.serve(runnerDesk.log, async ({ ctx, runner, params, body }) => {
    const { lease, from, lines, spool_offset: spoolOffset } = body;
    const hold = holdOf({ runner, params }, lease);
    const all = lines.flatMap(({ time, outputs }) => outputs.map((output) => ({ time, output })));
    return { total: await storeLines(ctx, hold, { from, lines: all, spoolOffset }) };
  });
  return {
    close() {
      closing.abort();
      calls.close();
    },
  };
}
