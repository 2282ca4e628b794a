import { runnerDesk } from '#shared/api/runner-desk.ts';
import type { Context } from '../context/context.ts';
import type { Http, Input } from '../http/serve.ts';
import { holdOf, requireAnyLease, sealSecrets, storeLines } from './held-tasks.ts';
import { AppError } from '../lib/errors.ts';
import { awaitNews } from './news.ts';
import type { OwnSigns } from './own-signs.ts';
import { noteReports } from './reports.ts';
import { noteLife } from './signs.ts';
import { sortOutFor } from './sort-out.ts';
import { rememberStops } from './stop-calls.ts';
import type { Looks } from './looks.ts';
import type { StateLooks } from './state-looks.ts';
import type { KnownTraits } from './traits.ts';

interface AskedOfTask extends Pick<Input<typeof runnerDesk.log>, 'ctx' | 'runner'> {
  params: { task_id: number };
}

export interface DeskParts {
  looks: Looks;
  stateLooks: StateLooks;
  /** The heartbeats of the runner beside this server. */
  signs: OwnSigns;
  traits: KnownTraits;
  /** Called when a task of this template has ended. */
  onEnd: (templateId: number) => void;
  /** Called when the heartbeat of a remote runner cannot be stored. */
  onMissed: () => void;
}

/** Serves the endpoints of runners; answers a function that ends all open requests for news. */
export function runnerDeskRoutes(
  http: Http,
  { hub }: Pick<Context, 'hub'>,
  { looks, stateLooks, signs, traits, onEnd, onMissed }: DeskParts,
): { close: () => void } {
  const calls = rememberStops(hub);
  const closing = new AbortController();
  let changes = 1;
  const missed = (error: unknown): never => {
    if (!(error instanceof AppError)) onMissed();
    throw error;
  };
  const end = hub.subscribe('changed', ({ noun }) => {
    if (noun === 'repositories' || noun === 'projects') changes += 1;
  });
  http.serve(runnerDesk.news, async ({ ctx, runner, body, gone }) => {
    const { held, looking, knows_states: knowsStates, wait, ...sign } = body;
    if (runner.isOwn) signs.note({ ...sign, taskIds: held.map(({ task_id: id }) => id) });
    else await noteLife(ctx, runner.id ?? 0, sign).catch(missed);
    const left = AbortSignal.any([gone, closing.signal]);
    traits.note(runner.isOwn ? null : (runner.id ?? 0), sign.ansible_version, sign.traits);
    const sources = { calls, looks, stateLooks, changes: () => changes };
    const question = { runner, held, looking, knowsStates, wait, gone: left };
    return awaitNews(ctx, sources, question);
  });
  http.serve(runnerDesk.sortOut, ({ ctx, runner, body }) => sortOutFor(ctx, runner, body));
  http.serve(runnerDesk.answerLook, ({ runner, params, body }) => {
    if (runner.isOwn) looks.settle(params.look_id, body.seen);
    stateLooks.answer(runner.id, params.look_id, body.seen);
  });
  http.serve(runnerDesk.secrets, async ({ ctx, runner, params, body }) => ({
    sealed: await sealSecrets(ctx, holdOf({ runner, params }, body.lease)),
  }));
  const isHolder = ({ ctx, runner, params }: AskedOfTask): Promise<void> =>
    requireAnyLease(ctx, { runner, taskId: params.task_id });
  const report = ({ ctx, runner, params, body }: Input<typeof runnerDesk.report>) => {
    const { lease, ...told } = body;
    return noteReports(ctx, holdOf({ runner, params }, lease), told, onEnd);
  };
  http.serve(runnerDesk.report, report, isHolder);
  const log = async ({ ctx, runner, params, body }: Input<typeof runnerDesk.log>) => {
    const { lease, ...sent } = body;
    return { total: await storeLines(ctx, holdOf({ runner, params }, lease), sent) };
  };
  http.serve(runnerDesk.log, log, isHolder);
  return {
    close() {
      end();
      closing.abort();
      calls.close();
    },
  };
}
